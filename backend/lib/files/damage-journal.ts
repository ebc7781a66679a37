import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Damage } from '../../domain/history-damage.ts'
import type { Millis } from '../../domain/units.ts'

/** The journal's name in a data folder. */
export const DAMAGE_JOURNAL = 'damage.jsonl'

/** Data that a damaged store lost permanently. */
export interface Loss {
  readonly store: Damage['store']
  readonly at: Millis
  readonly missing: string
}

type Entry = { readonly damage: Damage } | { readonly acceptedAt: Millis }

const pathOf = (dataDir: string): string => join(dataDir, DAMAGE_JOURNAL)

/**
 * Records damage, synced to disk on return, so that a start that dies after a repair does not hide
 * it.
 */
export const recordDamage = (dataDir: string, damage: Damage): void => append(dataDir, { damage })

/** The owner acknowledges all losses so far: the folder counts as whole again. */
export const acceptLosses = (dataDir: string, now: Millis): void =>
  append(dataDir, { acceptedAt: now })

/** All damage found in a folder, oldest first. */
export const readDamage = (dataDir: string): Damage[] =>
  entriesOf(dataDir).flatMap((entry) => ('damage' in entry ? [entry.damage] : []))

/** Losses that the owner has not accepted yet, oldest first. */
export function openLosses(dataDir: string): Loss[] {
  const entries = entriesOf(dataDir)
  const lastAccepted = entries.findLastIndex((entry) => 'acceptedAt' in entry)
  return entries.slice(lastAccepted + 1).flatMap((entry) => {
    if (!('damage' in entry)) return []
    const { store, at, missing } = entry.damage
    return missing === null ? [] : [{ store, at, missing }]
  })
}

function append(dataDir: string, entry: Entry): void {
  const path = pathOf(dataDir)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // A truncated line must not swallow this one.
  appendFileSync(path, `\n${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true })
}

function entriesOf(dataDir: string): Entry[] {
  const path = pathOf(dataDir)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry]
      } catch {
        return []
      }
    })
}
