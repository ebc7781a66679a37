import type { Millis } from '../domain/units.ts'
import { newId } from '../lib/ids.ts'

/** Parameter names by which a requester might select another user's rows. */
export const NAMES_OF_USERS = [
  'userId',
  'user_id',
  'user',
  'ownerId',
  'owner',
  'accountId',
  'sub',
  'id',
  'keyId',
  'key_id',
  'sessionId',
  'session_id',
  'sid',
]

/** Spellings of an id; all of them must look nonexistent to another user. */
export function spellingsOf(id: string): string[] {
  const percent = [...Buffer.from(id)].map((byte) => `%${byte.toString(16)}`).join('')
  const last = id.charCodeAt(id.length - 1)
  const neighbour = (step: number): string => id.slice(0, -1) + String.fromCharCode(last + step)
  return [
    id,
    percent,
    `${id}/`,
    percent.replaceAll('%', '%25'),
    id.toUpperCase(),
    neighbour(1),
    neighbour(-1),
    id.replace(/_0/, '_1'),
    id.slice(0, -1),
    `${id}0`,
    `${id}%00`,
    `${id}%20`,
    `%20${id}`,
    `${id}%0a`,
    `${id}%2f`,
    `x%2f${id}`,
    `${id};x`,
    `${id},${id}`,
    `%5B%22${id}%22%5D`,
    `${id.slice(0, 6)}%25`,
    `${id.slice(0, -1)}_`,
  ]
}

/** Ids of nothing: random, sequential, of other kinds, malformed, very long. */
export const NOTHING = [
  '0',
  '1',
  '2',
  '-1',
  '9007199254740993',
  '1e400',
  'NaN',
  'null',
  'undefined',
  'true',
  '*',
  '%25',
  '%2525',
  '%00',
  '%0d%0a',
  '%20',
  '%F0%9F%92%A9',
  '__proto__',
  'constructor',
  '%2e',
  '%27%20or%201%3d1--',
  '%22%3bdrop%20table%20account%3b--',
  '..%2f..%2fetc%2fpasswd',
  '%5b%5d',
  '%7b%22%24ne%22%3anull%7d',
  'a'.repeat(300),
  'key_'.repeat(2_500),
  '00000000-0000-0000-0000-000000000000',
  'key_00000000000000000000',
  '..%5c..%5cx',
  ...['key_', 'ses_', 'usr_', 'imp_', 'exp_', 'bak_'].flatMap((prefix) =>
    [1, 2, 3].map((at) => newId(prefix.slice(0, -1), (1_790_000_000_000 + at) as Millis)),
  ),
]
