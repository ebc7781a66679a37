import { setTimeout as sleep } from 'node:timers/promises'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { engineLimit } from './memory-limit.ts'
import { startService } from './running-service.ts'
import { median } from './slow-clients/latency.ts'
import { canWatch, sampleOf, slopeOf, type Sample } from './soak/process-watch.ts'
import { startReaders } from './soak/readers.ts'

/** The demo's usual number of markets makes the normal feed; five times as many make five times it. */
const MARKETS = 10_000
/**
 * The engine caches what it read of the file, up to a limit that the file does not reach in some
 * hours, so its cache would grow with the file. With this limit it is full before growth is
 * measured.
 */
const ENGINE_MB = 256
const SAMPLE_EVERY = 10_000
/** Share of the run that is warm-up: caches fill, and the first backfill releases its memory. */
const WARM_UP = 0.4
/**
 * Garbage collection varies by more within minutes than a leak grows in an hour, so growth is
 * measured on the minimum of each such share of the time after warm-up.
 */
const LEVELS = 10
const MAX_GROWTH = 1
const MAX_FDS = 5
const MAX_WAL_MB = 256

/** The real service under five times the normal feed with active clients; rounds are minutes. */
export const soak: TortureCampaign = {
  name: 'soak',
  about:
    'memory, files and log of the service under five times the normal feed; rounds are minutes',
  rounds: 120,
  async run({ rounds, seed, log }) {
    return soakFor({ seconds: rounds * 60, markets: MARKETS, seed, log })
  },
}

/** @throws Error on systems that do not report a process's resources */
export async function soakFor(options: {
  seconds: number
  markets: number
  seed: number
  log: (line: string) => void
}): Promise<TortureFigure[]> {
  if (!canWatch) throw new Error('this campaign reads /proc and runs on Linux')
  const { seconds, markets, seed, log } = options
  const flags = ['--source', 'demo', '--demo-markets', String(markets), '--seed', String(seed)]
  const service = await startService(flags, { preload: engineLimit(ENGINE_MB) })
  const samples: Sample[] = []
  try {
    const readers = await startReaders(service.url, await service.dataKey())
    const startedAt = performance.now()
    const every = Math.min(SAMPLE_EVERY, (seconds * 1_000) / 10)
    for (let at = 0; at < seconds; at = (performance.now() - startedAt) / 1_000) {
      const sample = sampleOf(service.pid, service.dataDir, at)
      samples.push(sample)
      if (samples.length % 30 === 1) {
        log(
          `${Math.round(at / 60)} min: ${sample.rssMb.toFixed(0)} MB, ${sample.fds} files, log ${sample.walMb.toFixed(0)} MB, ${readers.frames()} frames, ${readers.answers()} answers, failures ${JSON.stringify(readers.failures())}`,
        )
      }
      await sleep(every)
    }
    const counted = { frames: readers.frames(), answers: readers.answers() }
    const kinds = readers.failures()
    const failures = Object.values(kinds).reduce((sum, count) => sum + count, 0)
    if (failures > 0) log(`failures: ${JSON.stringify(kinds)}`)
    await readers.stop()
    return [
      ...figuresOf(samples),
      { name: 'frames received', value: counted.frames, goal: '> 0', met: counted.frames > 0 },
      { name: 'requests answered', value: counted.answers, goal: '> 0', met: counted.answers > 0 },
      { name: 'requests and sockets that failed', value: failures, goal: '0', met: failures === 0 },
    ]
  } finally {
    await service.stop()
  }
}

function figuresOf(samples: readonly Sample[]): TortureFigure[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP))
  const growth = slopeOf(lowsOf(warm).map(({ at, rssMb }) => [at / 3_600, rssMb] as const))
  const swings = slopeOf(warm.map(({ at, rssMb }) => [at / 3_600, rssMb] as const))
  const [first, last] = [warm[0], warm.at(-1)]
  // Connections come and go, so levels are compared instead of single readings.
  const quarter = Math.ceil(warm.length / 4)
  const fds =
    median(warm.slice(-quarter).map((sample) => sample.fds)) -
    median(warm.slice(0, quarter).map((sample) => sample.fds))
  const wal = Math.max(...samples.map(({ walMb }) => walMb))
  const hours = ((last?.at ?? 0) - (first?.at ?? 0)) / 3_600
  return [
    { name: 'hours measured after warm-up', value: Number(hours.toFixed(2)) },
    { name: 'memory of the engine, MB; the service gives it more', value: ENGINE_MB },
    {
      name: 'growth of what memory holds between collections, MB an hour',
      value: Number(growth.toFixed(2)),
      goal: `< ${MAX_GROWTH}`,
      met: growth < MAX_GROWTH,
    },
    { name: 'growth with garbage, MB an hour', value: Number(swings.toFixed(2)) },
    {
      name: 'lowest resident memory by tenths, MB',
      value: lowsOf(warm)
        .map(({ rssMb }) => rssMb.toFixed(0))
        .join(' '),
    },
    { name: 'resident memory at the end, MB', value: Math.round(last?.rssMb ?? Number.NaN) },
    {
      name: 'file descriptors gained',
      value: fds,
      goal: `≤ ${MAX_FDS}`,
      met: fds <= MAX_FDS,
    },
    {
      name: 'largest write-ahead log, MB',
      value: Math.round(wal),
      goal: `≤ ${MAX_WAL_MB}`,
      met: wal <= MAX_WAL_MB,
    },
  ]
}

/** The sample with the least memory of each share of the time. */
function lowsOf(samples: readonly Sample[]): Sample[] {
  const each = Math.max(1, Math.ceil(samples.length / LEVELS))
  const lows: Sample[] = []
  for (let first = 0; first < samples.length; first += each) {
    const share = samples.slice(first, first + each)
    lows.push(share.reduce((low, sample) => (sample.rssMb < low.rssMb ? sample : low)))
  }
  return lows
}
