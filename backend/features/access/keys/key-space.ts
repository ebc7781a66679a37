/** The service a key is valid for; a key of one space is unknown in the other. */
export type KeySpaceName = 'service' | 'data'

/** Format and labels of the keys of a space. */
export interface KeySpace {
  readonly name: KeySpaceName
  /** Prefix of its keys. */
  readonly prefix: string
  readonly idPrefix: string
  /** Default name of a key. */
  readonly unnamed: string
}

export const SERVICE_KEYS: KeySpace = {
  name: 'service',
  prefix: 'svc_live_',
  idPrefix: 'key',
  unnamed: 'Unnamed Key',
}

export const DATA_KEYS: KeySpace = {
  name: 'data',
  prefix: 'svct_live_',
  idPrefix: 'dkey',
  unnamed: 'Unnamed Data Key',
}
