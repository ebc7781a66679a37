import { Board } from '../../backend/computed/board/board.ts'
import { LiveTable } from '../../backend/computed/board/live-table.ts'
import { ReferencePrices } from '../../backend/computed/board/reference-prices.ts'
import type { WorldSnapshot } from '../../backend/computed/context-engine.ts'
import { ContextSnapshotBuilder } from '../../backend/computed/snapshot/context-snapshot-builder.ts'
import { structureOf } from '../../backend/computed/snapshot/structure/structure.ts'
import { createWorldSnapshotService } from '../../backend/computed/world/world-snapshot-service.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../backend/domain/units.ts'
import type { openHistory } from '../../backend/history/duckdb/open.ts'
import { createCatalogue, type Catalogue } from '../../backend/simulator/catalogue/catalogue.ts'
import type { SimMarket } from '../../backend/simulator/catalogue/market.ts'
import { mix } from '../../backend/simulator/randomness.ts'
import { HourlyActivity } from '../../backend/simulator/tape/hours.ts'
import { quoteAt } from '../../backend/simulator/tape/quote.ts'
import { tradesWithin } from '../../backend/simulator/tape/trade-feed.ts'
import { Tape } from '../../backend/simulator/tape/trades.ts'
import { truthOf, type Truth } from '../../backend/testing/sample-truth.ts'
import { startDemoService } from '../../backend/testing/demo-service.ts'
import {
  activityColumns,
  quoteColumns,
  type ActivityInput,
  type QuoteInput,
} from '../../backend/testing/history-rows.ts'

type History = Awaited<ReturnType<typeof openHistory>>

/** What the engine computed of a sample world at one instant, and what is true of it. */
export interface SampleMoment {
  readonly at: Millis
  readonly worldSnapshot: WorldSnapshot
  readonly truth: Truth
  readonly catalogue: Catalogue
  readonly tape: Tape
  readonly history: History
  readonly board: Board
  /** The simulated market of a ticker. */
  readonly marketOf: (ticker: string) => SimMarket
}

/** Regimes read a week of quotes before each of the scored instants. */
const RECORDED = 9.5 * DAY
/** The last days, whose instants are scored, are recorded by the minute, those before by five minutes. */
const CLOSELY = 2.5 * DAY
/** Impacts of trades are read so long after them. */
const HORIZON = 5 * MINUTE
/** Stored contracts of a hundredth of a contract. */
const CONTRACTS = 10_000

export interface SampleOptions {
  readonly seed: number
  /** Size of the demo. */
  readonly markets: number
  /** Scored instants, ascending, all on quarter hours within two days. */
  readonly instants: readonly Millis[]
}

/**
 * The demo's world as a service knows it that has collected it live for a week, at some of its
 * last instants: catalogue, trades and books come over the wire, the quotes are those that the
 * venues streamed.
 */
export async function sampleMoments<T>(
  { seed, markets, instants }: SampleOptions,
  read: (moment: SampleMoment) => Promise<T>,
): Promise<T[]> {
  const last = instants.at(-1)
  if (last === undefined) return []
  let opened: History | null = null
  const watched = (history: History): History => (opened = history)
  const start = new Date(last).toISOString()
  const demo = await startDemoService({ seed, markets, start, watched })
  try {
    const history = opened as History | null
    if (history === null) throw new Error('the demo opened no history')
    const { clock } = demo
    const catalogue = createCatalogue({ seed, markets, from: last })
    const tape = new Tape(new HourlyActivity(mix(0x5eed, seed)))
    const truth = truthOf(catalogue, seed)
    await recordQuotes(history, catalogue, tape, last)
    const reference = new ReferencePrices(history)
    const board = new Board({ history, live: new LiveTable(), reference, clock })
    const builder = new ContextSnapshotBuilder({ history, board, reference, structure, clock })
    const worldSnapshots = createWorldSnapshotService({ board, reference, store: history, clock })
    const scored: T[] = []
    for (const at of instants) {
      const worldSnapshot = await worldSnapshots.past(at, await builder.build(at))
      const marketOf = (ticker: string): SimMarket => {
        const found =
          catalogue.market('venue_a', ticker, at) ?? catalogue.market('venue_b', ticker, at)
        if (found === null) throw new Error(`the sample world has no market ${ticker}`)
        return found
      }
      scored.push(
        await read({ at, worldSnapshot, truth, catalogue, tape, history, board, marketOf }),
      )
    }
    return scored
  } finally {
    await demo.stop()
  }
}

const structure = {
  read: (input: Parameters<typeof structureOf>[0]) => Promise.resolve(structureOf(input)),
  close: () => Promise.resolve(),
}

/** Stores the quotes that both venues streamed in the days before `at`, and their counters of each hour. */
async function recordQuotes(
  history: History,
  catalogue: Catalogue,
  tape: Tape,
  at: Millis,
): Promise<void> {
  for (const venue of ['venue_a', 'venue_b'] as const) {
    const markets = catalogue
      .markets(venue, at)
      .filter((market) => !market.placeholder && market.openAt < at && market.closeAt > at)
    const ids = await history.marketIds(markets.map(({ id }) => ({ venue, ticker: id })))
    for (const [index, market] of markets.entries()) {
      const id = ids[index]
      if (id === undefined) continue
      const rows = quotesOf(market, id, tape, at)
      if (rows.length === 0) continue
      const activity = activityColumns(countersOf(market, id, tape, at))
      await history.append({ quotes: quoteColumns(rows), activity })
    }
  }
}

/** Counters at the end of each hour of the closely recorded days. */
function countersOf(market: SimMarket, id: number, tape: Tape, at: Millis): ActivityInput[] {
  const isInDollars = market.venue === 'venue_b'
  const tradedUntil = (time: number): number =>
    time <= market.openAt
      ? 0
      : isInDollars
        ? tape.dollarsAt(market, time)
        : tape.volumeAt(market, time) * CONTRACTS
  const from = Math.max(market.openAt, at - CLOSELY)
  const rows: ActivityInput[] = []
  for (let ts = Math.ceil(from / HOUR) * HOUR; ts < at; ts += HOUR) {
    const volume = tradedUntil(ts)
    const volume24h = volume - tradedUntil(ts - DAY)
    rows.push({ market: id, ts, volume, volume24h, openInterest: null })
  }
  return rows
}

/** Quotes of the days, ascending: at fixed steps, just before each trade and when its impact is read. */
function quotesOf(market: SimMarket, id: number, tape: Tape, at: Millis): QuoteInput[] {
  const from = Math.max(market.openAt, at - RECORDED)
  const instants = new Set<number>()
  const step = (start: number, end: number, width: number): void => {
    for (let time = Math.ceil(start / width) * width; time < end; time += width) instants.add(time)
  }
  step(from, at - CLOSELY, HORIZON)
  step(Math.max(from, at - CLOSELY), at, MINUTE)
  for (const trade of tradesWithin(market, from, at - 1, tape)) {
    instants.add(trade.at - 1)
    instants.add(Math.min(at - 1, trade.at + HORIZON))
  }
  return [...instants]
    .sort((a, b) => a - b)
    .map((ts) => {
      const { bid, ask } = quoteAt(market, ts)
      return {
        market: id,
        ts,
        bid: bid <= 0 ? null : bid,
        ask: ask >= 10_000 ? null : ask,
      }
    })
}
