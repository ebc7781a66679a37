import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export type Damage = 'emptied' | 'removed' | 'cut' | 'flipped' | 'older'

/** One file of a data folder and its damage. */
export interface DamageCase {
  /** `killed` was copied while a service had it open, `clean` after it stopped. */
  readonly image: 'killed' | 'clean'
  readonly file: string
  readonly damage: Damage
  /** Files that are removed first: sources of its repair, or the records about it. */
  readonly without?: readonly string[]
  /** Files that are replaced by older ones too. */
  readonly withOlder?: readonly string[]
}

const DAMAGES: readonly Damage[] = ['emptied', 'removed', 'cut', 'flipped', 'older']

const each = (
  image: DamageCase['image'],
  file: string,
  without?: readonly string[],
): DamageCase[] =>
  DAMAGES.map((damage) => ({
    image,
    file,
    damage,
    ...(without !== undefined && { without }),
  }))

const COPY = ['state.sqlite.seal', 'state.sqlite.bak', 'state.sqlite.bak.seal']
/** The rows with all or most of their files replaced by older ones. */
const OLDER_SETS: readonly DamageCase[] = (['killed', 'clean'] as const).flatMap((image) => [
  { image, file: 'state.sqlite', damage: 'older', withOlder: COPY },
  { image, file: 'state.sqlite', damage: 'older', withOlder: [...COPY, 'state.sqlite.commits'] },
  { image, file: 'state.sqlite', damage: 'emptied', withOlder: COPY },
])

/** Every store with each harm, with and without its backup and the records about it. */
export const DAMAGE_CASES: readonly DamageCase[] = [
  ...each('killed', 'state.sqlite'),
  ...each('clean', 'state.sqlite', ['state.sqlite.bak', 'state.sqlite.bak.seal']),
  ...each('killed', 'state.sqlite-wal'),
  ...each('killed', 'state.sqlite.seal'),
  ...each('killed', 'state.sqlite.bak'),
  ...each('killed', 'state.sqlite.commits'),
  ...each('killed', 'history.duckdb'),
  ...each('clean', 'history.duckdb', ['parquet']),
  ...each('killed', 'history.duckdb.wal'),
  ...each('killed', 'history.duckdb.writes'),
  ...each('killed', 'state.sqlite', ['state.sqlite.commits']),
  ...each('killed', 'state.sqlite-wal', ['state.sqlite.commits']),
  ...each('killed', 'state.sqlite.seal', ['state.sqlite.commits']),
  ...each('killed', 'state.sqlite.bak', ['state.sqlite.commits']),
  ...each('killed', 'history.duckdb', ['history.duckdb.writes']),
  ...each('killed', 'history.duckdb.wal', ['history.duckdb.writes']),
  ...each('clean', 'parquet/trades/venue=venue_a/*.parquet'),
  ...each('clean', 'parquet/hours/trades/venue=venue_a/*.parquet'),
  ...each('clean', 'parquet/days.jsonl'),
  ...each('clean', 'run/clean-stop.json'),
  ...each('clean', 'secrets/session.jwk'),
  ...OLDER_SETS,
]

export const nameOfCase = ({ image, file, damage, without, withOlder }: DamageCase): string => {
  const [removed, older] = [without, withOlder].map((names) => names?.join(', '))
  const more = `${removed === undefined ? '' : `, without ${removed}`}${older === undefined ? '' : `, with older ${older}`}`
  return `${file} ${damage} (${image}${more})`
}

/** Damages a folder; false when the image has no such file. */
export function inflict(root: string, folder: string, one: DamageCase): boolean {
  const name = globSync(one.file, { cwd: folder }).sort().at(-1)
  if (name === undefined) return false
  const path = join(folder, name)
  for (const other of one.without ?? []) {
    rmSync(join(folder, other), { recursive: true, force: true })
  }
  for (const other of one.withOlder ?? []) {
    cpSync(join(root, 'older', other), join(folder, other))
  }
  const content = readFileSync(path)
  if (one.damage === 'emptied') truncateSync(path)
  if (one.damage === 'removed') rmSync(path)
  if (one.damage === 'cut') truncateSync(path, Math.floor(content.length / 2))
  if (one.damage === 'flipped') {
    const at = Math.floor(content.length / 3)
    content[at] = (content[at] ?? 0) ^ 0x10
    writeFileSync(path, content)
  }
  if (one.damage === 'older') return putOlder(root, folder, one.file, name)
  return true
}

/** An older version of a file: from the earlier image, or for day copies from another day. */
function putOlder(root: string, folder: string, pattern: string, name: string): boolean {
  const earlier = join(root, 'older', name)
  const other = globSync(pattern, { cwd: folder }).sort()[0]
  const from = pattern.includes('*') && other !== name ? join(folder, other ?? '') : earlier
  if (!existsSync(from) || readFileSync(from).equals(readFileSync(join(folder, name)))) return false
  cpSync(from, join(folder, name))
  return true
}
