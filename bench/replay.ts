import { join } from 'node:path'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../backend/domain/units.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { quoteColumns, tradeColumns } from '../backend/testing/history-rows.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'
import { startReplayOf } from '../backend/testing/replayed-folder.ts'
import type { BenchRow } from './bench-row.ts'
import { inScratch } from './scratch-history.ts'

const MARKETS = 50
const T0 = Date.parse('2026-08-01T00:00:00Z')
/** Before the replayed day, so that a day earlier has prices too. */
const BEFORE = 2 * DAY
const PRICE = 5_000
/** Between two questions of the agent, real milliseconds. */
const POLL_EVERY_MS = 50
const ROUNDS = 3

/** A quote a minute and a trade every two minutes of each market, for the day and two before. */
async function recordDay(dataDir: string): Promise<number> {
  const history = await openHistory({
    path: join(dataDir, 'history.duckdb'),
    logger: silentLogger,
  })
  const keys = Array.from({ length: MARKETS }, (_, n) => ({
    ...{ venue: 'venue_a' as const, ticker: `KXR-${n}` },
  }))
  const markets = await history.marketIds(keys)
  const openTime = (T0 - BEFORE - HOUR) as Millis
  await history.append({
    facts: markets.map((market, n) => ({
      ...{ market, knownAt: (T0 - BEFORE) as Millis },
      facts: marketFacts({ ticker: `KXR-${n}`, eventId: `KXR${n % 10}`, openTime, closeTime: (T0 + 60 * DAY) as Millis }), // prettier-ignore
    })),
  })
  let events = 0
  for (let from = T0 - BEFORE; from < T0 + DAY; from += HOUR) {
    const minutes = Array.from({ length: 60 }, (_, n) => from + n * MINUTE)
    const priceAt = (market: number, at: number): number =>
      PRICE + 100 * Math.round(20 * Math.sin(market + at / HOUR)) + 100 * ((at / MINUTE) % 3)
    const quotes = minutes.flatMap((at) =>
      markets.map((market, n) => ({
        ...{ market, ts: at + n * 997, lag: 200, bid: priceAt(n, at) - 100 },
        ...{ ask: priceAt(n, at) + 100, bidSize: 50e6, askSize: 50e6 },
      })),
    )
    const trades = minutes
      .filter((at) => (at / MINUTE) % 2 === 0)
      .flatMap((at) =>
        markets.map((market, n) => ({
          ...{ market, ts: at + 30 * SECOND + n * 501, lag: 200 },
          ...{ tradeId: `${market}-${at}`, price: priceAt(n, at), size: 10e6, taker: 1 as const },
        })),
      )
    await history.append({ quotes: quoteColumns(quotes), trades: tradeColumns(trades) })
    if (from >= T0) events += quotes.length + trades.length
  }
  await history.sortClosedHours((T0 + DAY) as Millis)
  await history.close()
  return events
}

interface Lived {
  /** Virtual seconds a real one. */
  readonly speed: number
  readonly polls: number
  readonly events: number
}

/** Lives through the day at `max` while an agent asks one question after another. */
async function live(dataDir: string, path: string): Promise<Lived> {
  const replay = await startReplayOf(dataDir, { from: T0, to: T0 + DAY })
  try {
    const { control } = replay.replay
    await control.setSpeed('max')
    const startedAt = systemClock.monotonic()
    control.resume()
    let polls = 0
    while (control.position().state !== 'ended') {
      const { status } = await replay.get(path)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      polls += 1
      await systemClock.sleep(POLL_EVERY_MS)
    }
    const seconds = (systemClock.monotonic() - startedAt) / 1_000
    return { speed: DAY / SECOND / seconds, polls, events: replay.replay.events() }
  } finally {
    await replay.stop()
  }
}

/** How fast a replay lives through a day of 50 markets while one agent polls it. */
export const benchReplay = (): Promise<BenchRow[]> =>
  inScratch(async (folder) => {
    await recordDay(folder)
    const rows: BenchRow[] = []
    for (const [what, path] of [
      ['the markets', '/api/public/markets?limit=50'],
      ['the world', '/api/agent/world?format=json'],
    ] as const) {
      const lived: Lived[] = []
      for (let round = 0; round < ROUNDS; round++) lived.push(await live(folder, path))
      const [median] = lived.sort((a, b) => a.speed - b.speed).slice(Math.floor(ROUNDS / 2))
      if (median === undefined) continue
      rows.push({
        name: `replay of a day of ${MARKETS} markets at max, an agent that polls ${what}`,
        ...{ ours: median.speed, baseline: null, unit: 'x real time', ratio: null },
        goal: path.includes('markets') ? '≥ 20,000' : '–',
        note: `${median.events} events, ${median.polls} polls, one each ${POLL_EVERY_MS} ms after the answer`, // prettier-ignore
      })
    }
    return rows
  })
