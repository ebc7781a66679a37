import { existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY, type Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { moveDurably } from '../../lib/durable-file.ts'
import type { Damage } from '../../domain/damage.ts'
import { runTask } from './child-task.ts'
import { probeHistory } from './probe-host.ts'
import { keepDamagedLog, quarantine } from '../../lib/quarantine.ts'
import type { RebuildOrder, RebuildReport } from './rebuild.ts'
import { inspectWal } from './wal-chain.ts'

const REBUILD = fileURLToPath(new URL('./rebuild-process.ts', import.meta.url))
/** Hours of rebuilding are better than none of the history. */
const LONGEST_REBUILD = 6 * 3_600_000
/** A file that was moved or copied is younger than its rows; first starts fetch this much of the past. */
const REACH = 90 * DAY

export interface Recovery {
  readonly dataDir: string
  readonly path: string
  readonly now: Millis
  readonly reason: string
}

/**
 * Makes a damaged history usable again. Damage in the log alone costs what was logged after it; any
 * other damage means a new file of the copies and of what can still be read. The damaged files are
 * set aside, never deleted.
 */
export async function recover(recovery: Recovery): Promise<Damage> {
  const { dataDir, path, now, reason } = recovery
  const aside = cutLog(recovery)
  if (aside !== null) {
    const again = await probeHistory({ dataDir, path, budget: 0, now })
    if (again.outcome === 'sound') return cutLogDamage(now, reason, aside)
  }
  return replace(recovery)
}

/** A log that was cut at its last sound entry. Its gap is stated by the caller, once the file is open. */
export const cutLogDamage = (now: Millis, reason: string, aside: string): Damage => ({
  store: 'history',
  at: now,
  reason,
  quarantined: basename(aside),
  fromCopies: 0,
  salvaged: 0,
  lost: [],
  isLogCut: true,
  summary: `The log of the history was damaged and is cut at its last sound entry; the damaged one is kept as ${basename(aside)}. What came after is marked as a gap and fetched again where the venues still have it.`,
})

/** Cuts the log before an entry that the engine named; null when it named none. */
function cutLog({ path, reason, now }: Recovery): string | null {
  const badEntry = /entry at byte position (\d+)/.exec(reason)?.[1]
  if (badEntry === undefined) return null
  const chain = inspectWal(`${path}.wal`, Number(badEntry))
  if (chain.state === 'absent') return null
  const aside = keepDamagedLog(path, now)
  truncateSync(`${path}.wal`, chain.commitEnd)
  return aside
}

async function replace({ dataDir, path, now, reason }: Recovery): Promise<Damage> {
  const into = `${path}.rebuilt`
  const born = statSync(path, { throwIfNoEntry: false })
  const order: RebuildOrder = {
    dataDir,
    into,
    damaged: existsSync(path) ? path : null,
    bornAt: Math.min(Math.floor(born?.birthtimeMs || now), now - REACH),
    now,
  }
  const report = await rebuiltBy(order)
  const aside = quarantine(path, now)
  moveDurably(into, path)
  const name = aside === null ? null : basename(aside)
  return {
    store: 'history',
    at: now,
    reason,
    quarantined: name,
    ...report,
    isLogCut: false,
    summary: [
      `The history was ${name === null ? 'missing' : `damaged and is set aside as ${name}`};`,
      `${report.fromCopies} rows came back from the copies of closed days and ${report.salvaged} from the damaged file.`,
      report.lost.length === 0 ? 'Nothing is lost.' : `Marked as gaps: ${spansOf(report)}.`,
    ].join(' '),
  }
}

/** Tries with the damaged file first; where the engine dies of it, from the copies alone. */
async function rebuiltBy(order: RebuildOrder): Promise<RebuildReport> {
  const tries = order.damaged === null ? [order] : [order, { ...order, damaged: null }]
  let last = ''
  for (const one of tries) {
    for (const file of [order.into, `${order.into}.wal`]) rmSync(file, { force: true })
    const ended = await runTask<RebuildReport>(REBUILD, one, LONGEST_REBUILD)
    if (ended.answer !== null) return ended.answer
    last = ended.died
  }
  throw new StoreFailed(`The damaged history could not be rebuilt (${last})`)
}

const TOLD_SPANS = 5

function spansOf({ lost }: RebuildReport): string {
  const feeds = lost.filter(({ kind }) => kind === 'trades' || kind === 'quotes')
  const told = feeds
    .slice(0, TOLD_SPANS)
    .map(
      ({ kind, venue, from, to }) =>
        `${kind} of ${venue ?? 'all venues'} ${timeOf(from)} to ${timeOf(to)}`,
    )
  const more = feeds.length - told.length
  return told.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const timeOf = (at: number): string => isoOf(Math.floor(at) as Millis)
