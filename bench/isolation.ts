import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { VENUES, type Venue } from '../backend/domain/market.ts'
import { systemClock } from '../backend/lib/clock.ts'
import type { BenchRow } from './bench-row.ts'
import type { IsolationQuestion, IsolationServing } from './isolation-server.ts'
import { inTurns } from './rounds.ts'

const ROUNDS = 7
const CONNECTIONS = 4
/** Milliseconds of one measurement: a third for each kind of storm. */
const SPAN = 4_500
const STORM_BEGINS = 500
const MAX_RECOVERY = 60_000
const MAX_BARS = 500

/** Rate limiting, errors and slow responses in sequence, and a socket that keeps disconnecting. */
const stormOf = (venue: Venue): object[] => {
  const third = (SPAN + STORM_BEGINS) / 3
  return [
    { venue, kind: 'status', status: 429, retryAfter: 1, forMs: third },
    { venue, kind: 'status', status: 503, at: third, forMs: third },
    { venue, kind: 'delay', milliseconds: 3_000, at: 2 * third, forMs: third },
    { venue, kind: 'reconnect-storm', milliseconds: 500, forMs: 3 * third },
  ]
}

/** Milliseconds at the 99th percentile of reads of these markets, all different. */
async function p99Of(url: string, tickers: readonly string[], round: number): Promise<number> {
  const took: number[] = []
  const startedAt = systemClock.monotonic()
  const lane = async (first: number): Promise<void> => {
    for (let n = first; systemClock.monotonic() - startedAt < SPAN; n += CONNECTIONS) {
      const ticker = tickers[n % tickers.length] ?? ''
      // Another limit makes another address, so that no cached response is found.
      const limit = 1 + ((n + 97 * round) % MAX_BARS)
      const requestedAt = systemClock.monotonic()
      const answer = await fetch(`${url}/api/public/market/${ticker}/candles?tf=5m&limit=${limit}`)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`candles of ${ticker} answered ${answer.status}`)
      took.push(systemClock.monotonic() - requestedAt)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => lane(n)))
  took.sort((a, b) => a - b)
  return took[Math.floor(0.99 * (took.length - 1))] ?? Number.NaN
}

/** Effect of a fault storm at one venue on readers of the other's markets (F6). */
export async function benchIsolation(): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./isolation-server.ts', import.meta.url))
  try {
    const [serving] = (await once(worker, 'message')) as [IsolationServing]
    const rows: BenchRow[] = []
    for (const unhealthy of VENUES) rows.push(await rowOf(worker, serving, unhealthy))
    return rows
  } finally {
    const ended = once(worker, 'exit')
    worker.postMessage({ kind: 'stop' } satisfies IsolationQuestion)
    await ended
  }
}

async function rowOf(
  worker: Worker,
  { url, controlUrl, tickers }: IsolationServing,
  unhealthy: Venue,
): Promise<BenchRow> {
  const healthy = unhealthy === 'venue_a' ? 'venue_b' : 'venue_a'
  let round = 0
  const measure = (): Promise<number> => p99Of(url, tickers[healthy], (round += 1))
  const untilWell = async (): Promise<void> => {
    const startedAt = systemClock.monotonic()
    for (;;) {
      worker.postMessage({ kind: 'is-well', venue: unhealthy } satisfies IsolationQuestion)
      const [isWell] = (await once(worker, 'message')) as [boolean]
      if (isWell) return
      if (systemClock.monotonic() - startedAt > MAX_RECOVERY)
        throw new Error(`${unhealthy} did not recover from the storm`)
      await pause(200)
    }
  }
  const inStorm = async (): Promise<number> => {
    const ordered = await fetch(new URL('script', controlUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ steps: stormOf(unhealthy) }),
    })
    if (!ordered.ok) throw new Error(`the storm was refused: ${await ordered.text()}`)
    await pause(STORM_BEGINS)
    const p99 = await measure()
    await fetch(new URL('faults', controlUrl), { method: 'DELETE' })
    await untilWell()
    return p99
  }
  const figures = await inTurns(inStorm, measure, ROUNDS)
  return {
    name: `reads of ${healthy} while ${unhealthy} storms, p99`,
    ours: figures.ours,
    baseline: figures.baseline,
    unit: 'ms',
    ratio: figures.ratio,
    goal: '≤ 1.1 × calm',
    note: `cold candles, ${CONNECTIONS} connections, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
  }
}
