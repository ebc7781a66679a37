/** Which service a key is for; a key of one space is unknown in the other. */
export type KeySpaceName = 'service' | 'data'

/** How the keys of a space look and what they are called. */
export interface KeySpace {
  readonly name: KeySpaceName
  /** What its keys begin with. */
  readonly prefix: string
  readonly idPrefix: string
  /** Name of a key that was given none. */
  readonly unnamed: string
}

export const SERVICE_KEYS: KeySpace = {
  ...{ name: 'service', prefix: 'svc_live_', idPrefix: 'key', unnamed: 'Unnamed Key' },
}

export const DATA_KEYS: KeySpace = {
  ...{ name: 'data', prefix: 'svct_live_', idPrefix: 'dkey', unnamed: 'Unnamed Data Key' },
}
