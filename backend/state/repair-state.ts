import { copyFileSync, existsSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { basename } from 'node:path'
import type { Damage } from '../domain/history-damage.ts'
import type { Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { moveDurably } from '../lib/files/durable-file.ts'
import { stampForName } from '../lib/files/quarantine.ts'
import { commitLogOf, readCommits, type CommitRecord } from './commit-log.ts'
import {
  copyOf,
  hasRowsOfOurs,
  isSoundCopy,
  judgeState,
  passesCheck,
  type StateJudgement,
} from './judge-state.ts'
import { lastGenerationOf } from './last-generation.ts'
import {
  breakSeal,
  generationOf,
  isSealedWithRecords,
  haveEqualSeals,
  sealedGenerationOf,
} from './seal.ts'
import { inspectStateWal } from './sqlite-wal.ts'

type DamagedState = Exclude<StateJudgement, { kind: 'absent' | 'sound' }>

/** A planned repair: its outcome and its actions. */
export interface StateRepair {
  readonly damage: Damage
  /** Moves files; after an interruption the next start judges the result. */
  apply(): void
}

/**
 * Plans the repair of damaged operational rows; null when nothing is wrong. Damaged files are set
 * aside and never deleted, and a copy is only replaced by a file that holds at least as much.
 */
export function planStateRepair(
  path: string,
  now: Millis,
  isFolderUsed: boolean,
): StateRepair | null {
  const judgement = judgeState(path, isFolderUsed)
  if (judgement.kind === 'absent' || judgement.kind === 'sound') return null
  const quarantinePath = freeNameFor(path, now)
  const damageOf = (text: Pick<Damage, 'summary' | 'missing'>): Damage => ({
    store: 'state',
    at: now,
    reason: reasonOf(judgement),
    quarantined: basename(quarantinePath),
    fromCopies: 0,
    salvaged: 0,
    lost: [],
    isLogCut: false,
    ...text,
  })
  if (judgement.kind === 'log-cut') {
    const { missing, isForeign } = judgement
    const lostWrites = missing.length === 0 ? UNCOUNTED_CHANGES : writesOf(missing)
    const summary = `The log of the operational rows was damaged: ${lostWrites} are lost; the damaged log is kept as ${basename(quarantinePath)}-wal.`
    return {
      damage: damageOf({
        summary,
        missing: `${capital(lostWrites)} of the operational rows are lost`,
      }),
      apply() {
        if (isForeign) renameSync(`${path}-wal`, `${quarantinePath}-wal`)
        else cutLog(path, quarantinePath)
        setRecordsAside(path, quarantinePath)
      },
    }
  }
  if (judgement.kind === 'outdated') {
    const lossText = `Changes of the operational rows that were replaced by older ones are lost, the newest of ${isoOf(judgement.until)} or later`
    return {
      damage: damageOf({
        summary: `The files of the operational rows were replaced by a set of older ones, which passes every check and is used. ${lossText}.`,
        missing: lossText,
      }),
      apply() {
        if (judgement.isForeign) renameSync(`${path}-wal`, `${quarantinePath}-wal`)
        else cutLog(path, quarantinePath)
      },
    }
  }
  if (judgement.kind === 'unrecorded') {
    return {
      damage: damageOf({
        summary: `The records of commits (${basename(commitLogOf(path))}) were missing. The operational rows pass every check and are used. ${LOST_SINCE_COPY}.`,
        missing: LOST_SINCE_COPY,
      }),
      apply: () => cutLog(path, quarantinePath),
    }
  }
  if (judgement.kind === 'rewritten') {
    const lostWrites = lostWithLog(path, judgement.missing)
    const log = lostWrites === null ? '' : ` ${lostWrites}.`
    const summary = `Another program wrote the file of the operational rows; it passes SQLite's check and is used. The previous copy is kept as ${basename(quarantinePath)}.bak.${log}`
    return {
      damage: damageOf({ summary, missing: lostWrites }),
      apply() {
        if (existsSync(copyOf(path))) copyFileSync(copyOf(path), `${quarantinePath}.bak`)
      },
    }
  }
  const plan = planReplacement(path)
  return {
    damage: damageOf({ summary: summaryOf(path, plan, quarantinePath), missing: missingOf(plan) }),
    apply: () => replace(path, plan, quarantinePath),
  }
}

const LOST_SINCE_COPY = 'Writes of the operational rows since their last copy may be lost'

/** Commits that may be missing from a file that another program wrote; null for none. */
function lostWithLog(path: string, missing: readonly CommitRecord[]): string | null {
  if (missing.length > 0) return `${capital(writesOf(missing))} of the operational rows may be lost`
  return readCommits(path).length === 0 && isSealedWithRecords(path) ? LOST_SINCE_COPY : null
}

/** The replacement of a file that cannot be used. */
interface Replacement {
  readonly from: 'copy' | 'file' | 'nothing'
  /** The log matches the replacement and is applied to it. */
  readonly withLog: boolean
  /** Missing commits, as far as they were recorded. */
  readonly missing: readonly CommitRecord[]
  /** Time of the newest commit that may be missing. */
  readonly until: Millis | null
}

function planReplacement(path: string): Replacement {
  const copy = copyOf(path)
  const records = readCommits(path)
  const wal = inspectStateWal(`${path}-wal`)
  const last = records.at(-1)
  const until = last?.at ?? null
  const currentGeneration = generationOf(path)
  const isCopySound = isSoundCopy(copy)
  const isFileUsable = currentGeneration !== null && passesCheck(path, true) && hasRowsOfOurs(path)
  // The content of a copy is known, that of a changed file is not.
  const from = isCopySound ? 'copy' : isFileUsable ? 'file' : 'nothing'
  if (from === 'nothing') return { from, withLog: false, missing: records, until }
  const generation = from === 'copy' ? generationOf(copy) : currentGeneration
  const lastGeneration = lastGenerationOf(path)
  const knownGeneration = last?.generation ?? sealedGenerationOf(path) ?? currentGeneration
  const current =
    lastGeneration !== null &&
    (knownGeneration === null || lastGeneration.generation > knownGeneration)
      ? lastGeneration.generation
      : knownGeneration
  // Records of an earlier generation stay when the disk is full at a checkpoint. A copy older than
  // its records is never current, whatever its seals say: they may be older ones too.
  const isNewer = generation !== null && current !== null && generation > current
  const isCurrent =
    generation === current || (isNewer && from === 'copy' && haveEqualSeals(path, copy))
  if (!isCurrent) return { from, withLog: false, missing: records, until: until ?? EPOCH_START }
  const fits = last === undefined || last.frames === 0 || wal.salt === last.salt
  const missing = records.filter(
    ({ frames, salt }) => frames > 0 && (salt !== wal.salt || frames > wal.committed),
  )
  // A file that was folded has records of its log, if only of an empty one.
  const isUncounted = last === undefined
  const isWhole = fits && missing.length === 0 && !isUncounted
  return {
    from,
    withLog: fits,
    missing,
    until: isWhole && from === 'copy' ? null : (until ?? EPOCH_START),
  }
}

/** Data is lost, and its time was not recorded. */
const EPOCH_START = 0 as Millis

/** After an interruption at any step, the next start finds the same damage or a finished repair. */
function replace(path: string, { from, withLog }: Replacement, quarantinePath: string): void {
  const log = `${path}-wal`
  if (withLog) cutLog(path, quarantinePath)
  else if (existsSync(log)) renameSync(log, `${quarantinePath}-wal`)
  if (existsSync(path)) copyFileSync(path, quarantinePath)
  // A damaged copy would make every later file appear older.
  if (from !== 'copy' && existsSync(copyOf(path))) renameSync(copyOf(path), `${quarantinePath}.bak`)
  rmSync(`${path}-shm`, { force: true })
  breakSeal(path)
  if (from === 'nothing') rmSync(path, { force: true })
  else {
    copyFileSync(from === 'copy' ? copyOf(path) : path, `${path}.part`)
    moveDurably(`${path}.part`, path)
  }
  setRecordsAside(path, quarantinePath)
}

/**
 * Keeps the log as it was found, and truncates it after its last commit, where SQLite stops
 * reading.
 */
function cutLog(path: string, quarantinePath: string): void {
  const log = `${path}-wal`
  if (!existsSync(log)) return
  copyFileSync(log, `${quarantinePath}-wal`)
  const { bytes, committedBytes } = inspectStateWal(log)
  if (committedBytes < bytes) truncateSync(log, committedBytes)
}

/** The recorded commits are reported now, and must not be reported again. */
function setRecordsAside(path: string, quarantinePath: string): void {
  if (existsSync(commitLogOf(path))) renameSync(commitLogOf(path), `${quarantinePath}.commits`)
}

function summaryOf(path: string, plan: Replacement, quarantinePath: string): string {
  const isThere = existsSync(path)
  const problem = isThere
    ? `The file of the operational rows was damaged and is set aside as ${basename(quarantinePath)};`
    : 'The file of the operational rows was missing;'
  if (plan.from === 'nothing') {
    return `${problem} there was no intact copy: accounts, keys, ledgers, feed progress, past imports and incidents are lost.`
  }
  const lossText = missingOf(plan)
  if (plan.from === 'file')
    return `${problem} there was no intact copy, so it is used. ${lossText}.`
  if (lossText === null) return `${problem} it was replaced by its copy. Nothing is lost.`
  const copyName = plan.withLog ? 'its copy' : 'an older copy'
  return `${problem} it was replaced by ${copyName}. ${lossText}.`
}

function missingOf({ from, withLog, missing, until }: Replacement): string | null {
  if (from === 'nothing') {
    return 'The operational rows (accounts, keys, ledgers) are lost, and no copy was available'
  }
  if (until === null) return null
  const framesMissing = missing.filter(({ frames }) => frames > 0)
  const lostWrites = framesMissing.length > 0 ? writesOf(framesMissing) : UNCOUNTED_CHANGES
  if (from === 'file' && withLog && framesMissing.length === 0) {
    return 'Some of the operational rows may have been changed'
  }
  return from === 'copy' && withLog
    ? `${capital(lostWrites)} of the operational rows are lost`
    : `Changes of the operational rows after the copy was made are lost, among them ${lostWrites}`
}

const UNCOUNTED_CHANGES = 'changes after the damaged place'

function writesOf(missing: readonly CommitRecord[]): string {
  const first = missing[0]
  const last = missing.at(-1)
  if (first === undefined || last === undefined) return UNCOUNTED_CHANGES
  if (missing.length === 1) return `one write of ${isoOf(first.at)}`
  return `${missing.length} writes from ${isoOf(first.at)} to ${isoOf(last.at)}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function reasonOf(judgement: DamagedState): string {
  return judgement.kind === 'rewritten' ? 'another program wrote the file' : judgement.reason
}

function freeNameFor(path: string, now: Millis): string {
  const pathPrefix = `${path}.corrupt-${stampForName(now)}`
  let quarantinePath = pathPrefix
  const suffixes = ['', '-wal', '.bak']
  for (let n = 2; suffixes.some((end) => existsSync(`${quarantinePath}${end}`)); n++)
    quarantinePath = `${pathPrefix}-${n}`
  return quarantinePath
}
