import type { KeyRow } from '../../../backend/contract/accounts.ts'

/** The service that a key is for. */
export type KeyKind = 'service' | 'data'
export const KEY_KINDS: readonly KeyKind[] = ['service', 'data']

interface KindLabels {
  readonly name: string
  readonly help: string
  readonly path: '/api/keys' | '/api/data-keys'
}

export const KIND_LABELS: Readonly<Record<KeyKind, KindLabels>> = {
  service: {
    name: 'Service',
    path: '/api/keys',
    help: 'for /api: agents, scripts and the command line',
  },
  data: {
    name: 'Data',
    path: '/api/data-keys',
    help: 'for the real-time data service: /v1 and /ws',
  },
}

export interface ListedKey extends KeyRow {
  readonly kind: KeyKind
}

/** Keys of both kinds in one list: active ones first, newest first among equals. */
export function listedKeys(
  service: readonly KeyRow[],
  data: readonly KeyRow[],
): readonly ListedKey[] {
  const addKind = (kind: KeyKind) => (row: KeyRow) => ({ ...row, kind })
  return [...service.map(addKind('service')), ...data.map(addKind('data'))].sort(
    (left, right) =>
      Number(left.revokedAt !== null) - Number(right.revokedAt !== null) ||
      (left.createdAt < right.createdAt ? 1 : -1),
  )
}
