import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY } from '../../backend/domain/units.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { delayOf, startWatched, WATCH_LOOP, type LoopDelay } from './event-loop/loop-watch.ts'
import { scratchFolder } from './leftovers.ts'
import { writeTrades } from './made-trades.ts'
import { runJob, type EndedJob } from './owner-jobs.ts'
import { startService, type RunningService } from './running-service.ts'
import { median } from './slow-clients/latency.ts'
import { startReaders } from './soak/readers.ts'

const MAX_DELAY = 20
const IDLE_FOR = 10_000
/** A first start reads and derives the past; its delays are separated from those of the work. */
const SETTLED_WITHIN = 300_000
/** The rest of an idle run: the machine's own delays. */
const NOTHING = 'setInterval(() => {}, 1000)'

/** Amount of concurrent work. */
export interface LoopScale {
  /** Markets of the demo that is collected meanwhile. */
  readonly markets: number
  /** Rows of the file that each round imports. */
  readonly rows: number
  readonly idleFor: number
}

/** Measurements of one round. */
interface LoopRound {
  /** Of the service during its work. */
  readonly busy: LoopDelay
  /** Of an idle process, at the same time. */
  readonly bare: LoopDelay
  readonly jobs: readonly EndedJob[]
}

/**
 * The event loop delay of the real service, measured inside it, while it imports, exports, makes a
 * backup and serves sockets; beside it that of an idle process, which shows the machine's own
 * delay.
 */
export const eventLoop: TortureCampaign = {
  name: 'event-loop',
  about: 'F11: delay of the event loop beside an import, an export, a backup and busy sockets',
  rounds: 5,
  run: ({ rounds, seed, log }) =>
    watchLoop({ rounds, seed, log, scale: { markets: 2_000, rows: 2_000_000, idleFor: IDLE_FOR } }),
}

/** @returns the campaign's figures, at the requested scale */
export async function watchLoop(options: {
  readonly rounds: number
  readonly seed: number
  readonly log: (line: string) => void
  readonly scale: LoopScale
}): Promise<readonly TortureFigure[]> {
  const { rounds, seed, log, scale } = options
  const flags = ['--source', 'demo', '--demo-markets', `${scale.markets}`, '--seed', `${seed}`]
  const service = await startService(flags, { preload: WATCH_LOOP })
  const nothing = startWatched(NOTHING)
  try {
    const line = service.line
    if (line === null) throw new Error('the service is not watched')
    const readers = await startReaders(service.url, await service.dataKey())
    const { first, quiet } = await settled(line, scale.idleFor)
    log(`first start: ${JSON.stringify(first)}`)
    const seen: LoopRound[] = []
    const folder = scratchFolder('event-loop')
    for (let round = 0; round < rounds; round += 1) {
      const work = await workOf(service, folder, round, scale.rows)
      await Promise.all([delayOf(line), delayOf(nothing.line)])
      const jobs = await work()
      const [busy, bare] = await Promise.all([delayOf(line), delayOf(nothing.line)])
      seen.push({ busy, bare, jobs })
      log(`round ${round + 1}: ${JSON.stringify({ busy, bare, jobs })}`)
    }
    const frames = readers.frames()
    const kinds = readers.failures()
    const failures = Object.values(kinds).reduce((sum, count) => sum + count, 0)
    if (failures > 0) log(`failures: ${JSON.stringify(kinds)}`)
    await readers.stop()
    return [
      ...figuresOf({ first, quiet, seen }),
      { name: 'frames sent meanwhile', value: frames, goal: '> 0', met: frames > 0 },
      { name: 'requests and sockets that failed', value: failures, goal: '0', met: failures === 0 },
    ]
  } finally {
    await nothing.stop()
    await service.stop()
  }
}

/**
 * Waits until the loop is responsive in two consecutive measurements, or for the maximum duration
 * of a first start.
 * @returns the worst measurement, and the last one
 */
async function settled(
  line: Duplex,
  look: number,
): Promise<{ first: LoopDelay; quiet: LoopDelay }> {
  let [first, quiet] = [await delayOf(line), await delayOf(line)]
  let calm = 0
  for (let waited = 0; calm < 2 && waited < SETTLED_WITHIN; waited += look) {
    await sleep(look)
    quiet = await delayOf(line)
    calm = quiet.p99 <= MAX_DELAY ? calm + 1 : 0
    if (quiet.p99 > first.p99) first = quiet
  }
  return { first, quiet }
}

/** Prepares a round's work; the returned function runs it, all at once. */
async function workOf(
  service: RunningService,
  folder: string,
  round: number,
  rows: number,
): Promise<() => Promise<EndedJob[]>> {
  const file = join(folder, `${round}.parquet`)
  const from = systemClock.now() - (40 + round) * DAY
  await writeTrades(file, `MADE-${round}`, { markets: 200, rows, from })
  return () =>
    Promise.all([
      runJob(service, '/api/imports', { paths: [file] }),
      runJob(service, '/api/exports', { out: `${round}.csv`, kind: 'trades', format: 'csv' }),
      runJob(service, '/api/backups', { out: join(folder, `backup-${round}`) }),
    ])
}

const rounded = (ms: number): number => Number(ms.toFixed(1))

function figuresOf(watched: {
  readonly first: LoopDelay
  readonly quiet: LoopDelay
  readonly seen: readonly LoopRound[]
}): TortureFigure[] {
  const { first, quiet, seen } = watched
  const busy = (of: (delay: LoopDelay) => number) => rounded(median(seen.map((r) => of(r.busy))))
  const p99 = busy((delay) => delay.p99)
  const unfinished = seen.flatMap(({ jobs }) => jobs).filter(({ state }) => state !== 'done')
  return [
    { name: 'delay beside the work, p50, ms', value: busy((delay) => delay.p50) },
    {
      name: 'delay beside the work, p99, ms',
      value: p99,
      goal: `≤ ${MAX_DELAY}`,
      met: p99 <= MAX_DELAY,
    },
    { name: 'delay beside the work, p99.9, ms', value: busy((delay) => delay.p999) },
    {
      name: 'longest delay of all rounds, ms',
      value: rounded(Math.max(...seen.map((round) => round.busy.max))),
    },
    { name: 'delay while a first start reads the past, p99, ms', value: rounded(first.p99) },
    { name: 'delay with sockets and nothing else, p99, ms', value: rounded(quiet.p99) },
    {
      name: 'delay of a process that does nothing meanwhile, p99, ms',
      value: rounded(median(seen.map(({ bare }) => bare.p99))),
    },
    {
      name: 'imports, exports and backups that did not end well',
      value: unfinished.length,
      goal: '0',
      met: unfinished.length === 0,
    },
  ]
}
