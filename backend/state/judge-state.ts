import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Millis } from '../domain/units.ts'
import { readCommits, type CommitRecord } from './commit-log.ts'
import { lastGenerationOf } from './last-generation.ts'
import {
  generationOf,
  isSealedWithRecords,
  sealedGenerationOf,
  sealPathOf,
  sealStateOf,
} from './seal.ts'
import { inspectStateWal, type WalContent } from './sqlite-wal.ts'

/** Condition of the files of the operational rows, judged before a connection opens them. */
export type StateJudgement =
  /** No file exists, and nothing shows that one ever did. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'sound' }
  /** The file is as written; acknowledged commits are missing from its write-ahead log. */
  | {
      readonly kind: 'log-cut'
      readonly reason: string
      /** Missing acknowledged commits, oldest first; empty when commits were not recorded. */
      readonly missing: readonly CommitRecord[]
      /**
       * The log belongs to another file, or to an earlier state of this one, and must not be
       * applied.
       */
      readonly isForeign: boolean
    }
  /** The file is as written; the records of its commits are gone, so losses cannot be excluded. */
  | { readonly kind: 'unrecorded'; readonly reason: string }
  /** Another program wrote the file. It passes SQLite's check. */
  | { readonly kind: 'rewritten'; readonly missing: readonly CommitRecord[] }
  /** All files fit each other, and are older than the last ones that were noted elsewhere. */
  | {
      readonly kind: 'outdated'
      readonly reason: string
      readonly until: Millis
      /** The log is not the one that the records of these files name, and must not be applied. */
      readonly isForeign: boolean
    }
  | { readonly kind: 'damaged'; readonly reason: string }

export const copyOf = (path: string): string => `${path}.bak`

/**
 * Judges the files of the operational rows without changing them.
 * @param isFolderUsed whether other files in the folder show that it was in use
 */
export function judgeState(path: string, isFolderUsed: boolean): StateJudgement {
  const wal = inspectStateWal(`${path}-wal`)
  const records = readCommits(path)
  const generation = generationOf(path)
  if (generation === null) {
    const isKnown = [sealPathOf(path), copyOf(path)].some((relatedPath) => existsSync(relatedPath))
    if (!isKnown && records.length === 0 && wal.bytes === 0 && !isFolderUsed) {
      return existsSync(path) && !passesCheck(path)
        ? { kind: 'damaged', reason: 'the file is not a database' }
        : { kind: 'absent' }
    }
    const reason = existsSync(path) ? 'the file is empty or not a database' : 'the file is missing'
    return { kind: 'damaged', reason }
  }
  const isForeign = isForeignWal(wal, records, generation)
  const missing = missingIn(wal, records, generation)
  const knownGeneration = Math.max(
    records.at(-1)?.generation ?? 0,
    generationOf(copyOf(path)) ?? 0,
    sealedGenerationOf(path) ?? 0,
  )
  if (generation < knownGeneration) {
    return { kind: 'damaged', reason: 'the file was replaced by an older one' }
  }
  const sealState = sealStateOf(path)
  if (sealState !== 'intact') {
    const isLogGone = wal.bytes === 0 && missing.length > 0
    if (sealState === 'broken' && !isLogGone) {
      return { kind: 'damaged', reason: 'the file was changed from outside' }
    }
    if (!passesCheck(path, isForeign) || losesTables(path)) {
      return { kind: 'damaged', reason: 'the file was changed from outside' }
    }
    if (existsSync(sealPathOf(path)) && sealedGenerationOf(path) !== null) {
      return { kind: 'rewritten', missing }
    }
  }
  const lastGeneration = lastGenerationOf(path)
  if (lastGeneration !== null && generation < lastGeneration.generation) {
    const reason = 'the files were replaced by a set of older ones'
    const hasOwnLog = wal.bytes === 0 || wal.salt === records.at(-1)?.salt
    return { kind: 'outdated', reason, until: lastGeneration.at, isForeign: !hasOwnLog }
  }
  if (missing.length > 0 || isForeign) {
    const reason = isForeign
      ? 'the log belongs to another state of the file'
      : 'the log lost acknowledged commits'
    return { kind: 'log-cut', reason, missing, isForeign }
  }
  const isRecorded = isSealedWithRecords(path) || isSealedWithRecords(copyOf(path))
  if (records.length === 0 && isRecorded) {
    return { kind: 'unrecorded', reason: 'the records of commits are gone' }
  }
  // Older versions did not record commits: any frame that does not match may have been one.
  if (records.length > 0 || wal.isSound) return { kind: 'sound' }
  const reason = 'a frame of the log does not match its checksum'
  return { kind: 'log-cut', reason, missing: [], isForeign: false }
}

/** Whether a file is as written, as far as can be verified; for a copy, which has no log. */
export function isSoundCopy(path: string): boolean {
  if (generationOf(path) === null) return false
  const sealState = sealStateOf(path)
  if (sealState === 'intact') return true
  return sealState === 'unknown' && passesCheck(path, true) && hasRowsOfOurs(path)
}

/** SQLite's own check; it finds broken structure, not changed content. */
export function passesCheck(path: string, withoutLog = false): boolean {
  return reading(path, withoutLog, (database) => {
    const row = database.prepare('pragma quick_check(1)').get()
    return row?.['quick_check'] === 'ok'
  })
}

/** Whether a file without its log has our tables. */
export const hasRowsOfOurs = (path: string): boolean =>
  reading(path, true, (database) => {
    const row = database.prepare('select count(*) as made from kysely_migration').get()
    return Number(row?.['made']) > 0
  })

/**
 * A process that dies during a checkpoint may leave a new log beside the records of the old one.
 */
function isForeignWal(
  { bytes, salt }: WalContent,
  records: readonly CommitRecord[],
  generation: number,
): boolean {
  const last = records.at(-1)
  if (last === undefined || generation > last.generation) return false
  return bytes > 0 && last.frames > 0 && salt !== last.salt
}

/** A file that was checkpointed after the last record contains the commits of the old log. */
function missingIn(
  { salt, committed }: WalContent,
  records: readonly CommitRecord[],
  generation: number,
): readonly CommitRecord[] {
  const last = records.at(-1)
  if (last === undefined) return []
  const isCheckpointed = generation > last.generation
  return records.filter((record) => {
    if (record.frames === 0) return false
    return record.salt === salt ? record.frames > committed : !isCheckpointed
  })
}

/**
 * Whether tables that have rows in the copy are gone or empty: such a file may not replace the
 * copy.
 */
function losesTables(path: string): boolean {
  const copy = copyOf(path)
  if (!isSoundCopy(copy)) return false
  const previous = filledTables(copy, true)
  const now = new Set(filledTables(path, false))
  const lostTables = previous.filter((table) => !now.has(table))
  return (
    lostTables.includes('kysely_migration') ||
    lostTables.some((table) => NEVER_EMPTIED_TABLES.has(table))
  )
}

/** Tables that the service never empties. */
const NEVER_EMPTIED_TABLES: ReadonlySet<string> = new Set([
  'account',
  'access_key',
  'ledger_entry',
  'feed',
])

function filledTables(path: string, withoutLog: boolean): string[] {
  const problems: string[] = []
  reading(path, withoutLog, (database) => {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
    for (const { name } of tables) {
      const quotedName = `"${String(name).replaceAll('"', '""')}"`
      const row = database.prepare(`select exists (select 1 from ${quotedName}) as filled`).get()
      if (row?.['filled'] === 1) problems.push(String(name))
    }
    return true
  })
  return problems
}

function reading(
  path: string,
  withoutLog: boolean,
  read: (database: DatabaseSync) => boolean,
): boolean {
  let database: DatabaseSync | null = null
  try {
    const address = pathToFileURL(path)
    if (withoutLog) address.searchParams.set('immutable', '1')
    database = new DatabaseSync(withoutLog ? address : path, { readOnly: true })
    return read(database)
  } catch {
    return false
  } finally {
    database?.close()
  }
}
