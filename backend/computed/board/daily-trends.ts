import { LRUCache } from 'lru-cache'
import { headlinePricesAt } from '../../domain/changes/change-rows.ts'
import { DAILY_TREND_PARAMS, dailyTrend } from '../../domain/trend/daily-trend.ts'
import type { TrendDay } from '../../domain/trend/daily-trend.ts'
import type { VolumeUnit } from '../../domain/market.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import type { Steps } from '../../domain/cooperative-steps.ts'
import { centsOf, contractsOf, DAY } from '../../domain/units.ts'
import type { Cents, Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { HistoryColumns } from '../../history/context-store.ts'
import type { CoverageSpan } from '../../history/coverage.ts'
import { NO_PRICE } from '../../history/history-batch.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { QuoteRow, TradeRow } from '../../history/market-rows.ts'
import type { TrendReads } from '../../history/trend-reads.ts'
import { rangesOf, type RowRange } from '../snapshot/row-ranges.ts'
import type { MarketView } from './market-board.ts'

type Reads = Pick<HistoryStore, 'numbersAt' | 'trades' | 'quotes' | 'versionsOf' | 'coverage'> &
  Pick<HistoryColumns, 'quotesOf'> &
  TrendReads

const CLOSED_DAYS = DAILY_TREND_PARAMS.days - 1

/** Maximum number of markets with cached closed days. */
const MAX_CACHED_MARKETS = 20_000

interface ClosedDays {
  /** The day that was open at the reading. */
  readonly today: number
  readonly rows: readonly TrendDay[]
}

const centsOrNull = (price: PriceE4 | null): Cents | null =>
  price === null ? null : centsOf(price)
const dayOf = (at: number): number => Math.floor(at / DAY)

/**
 * Daily rows of single markets for the last seven UTC days (methodology part M, trend7d). Closed
 * days are read once; a repeated request for a market reads only today's ticks.
 */
export class DailyTrends {
  readonly #history: Reads
  readonly #closedDays = new LRUCache<MarketId, ClosedDays>({ max: MAX_CACHED_MARKETS })
  #invalidations = 0

  constructor(history: Reads) {
    this.#history = history
  }

  /** Older history arrived: cached closed days, and those being read, may lack it. */
  invalidate(): void {
    this.#invalidations += 1
    this.#closedDays.clear()
  }

  /**
   * Rows up to `at`, oldest first. @param isNow whether `at` is now; only then closed days are
   * cached
   */
  async read(view: MarketView, at: Millis, isNow: boolean): Promise<TrendDay[]> {
    const today = dayOf(at)
    const closedDays = this.#closedDays.get(view.market)
    const closedRows = isNow && closedDays?.today === today ? closedDays.rows : null
    const midnight = (today * DAY) as Millis
    const invalidations = this.#invalidations
    const [before, after] = await Promise.all([
      closedRows ?? this.#days(view, (midnight - 1) as Millis, CLOSED_DAYS),
      this.#days(view, at, 1),
    ])
    if (isNow && closedRows === null && invalidations === this.#invalidations) {
      this.#closedDays.set(view.market, { today, rows: before })
    }
    return [...before, ...after]
  }

  /**
   * Rows of many markets up to `at`, oldest first, read together and not cached.
   * @returns the remaining computation after the reads, one market per step
   */
  async readMany(
    views: readonly MarketView[],
    at: Millis,
  ): Promise<Steps<ReadonlyMap<MarketId, readonly TrendDay[]>>> {
    const midnight = (dayOf(at) * DAY) as Millis
    const sortedViews = views.toSorted((a, b) => a.market - b.market)
    const previous = await this.#manyDays(sortedViews, (midnight - 1) as Millis, CLOSED_DAYS)
    const closingNumbers = await this.#manyDays(sortedViews, at, 1)
    return (function* () {
      const daysByMarket = new Map<MarketId, readonly TrendDay[]>()
      for (const { market } of sortedViews) {
        daysByMarket.set(market, [...previous(market), ...closingNumbers(market)])
        yield
      }
      return daysByMarket
    })()
  }

  /** Rows of the `count` days that end with the day of `to`, from ticks up to `to`. */
  async #days({ market, facts }: MarketView, to: Millis, count: number): Promise<TrendDay[]> {
    const history = this.#history
    const from = startOf(to, count)
    const [closingNumbers, trades, quotes, versions, coverage] = await Promise.all([
      history.numbersAt(from, [market]),
      history.trades({ market, from, to, asOf: to }),
      history.quotes({ market, from: (from - QUOTE_LIFE) as Millis, to, asOf: to }),
      history.versionsOf(market, to),
      history.coverage({ market, feed: 'trades', from, to, asOf: to }),
    ])
    return trendRowsOf({
      unit: facts.volumeUnit,
      to,
      count,
      trades,
      quotes,
      coverage,
      last: closingNumbers[0]?.last ?? null,
      closings: versions.map((version) => ({
        knownAt: version.knownAt,
        closeTime: version.facts.closeTime,
      })),
    })
  }

  /**
   * The same for many markets, ascending by id: reads their rows; computing them is left to the
   * returned steps.
   */
  async #manyDays(
    views: readonly MarketView[],
    to: Millis,
    count: number,
  ): Promise<(market: MarketId) => readonly TrendDay[]> {
    const history = this.#history
    const markets = views.map(({ market }) => market)
    const from = startOf(to, count)
    const marketsQuery = { to, asOf: to, markets }
    const [closingNumbers, rows, quoteColumns] = await Promise.all([
      history.numbersAt(from, markets),
      history.trendRows({ ...marketsQuery, from }),
      history.quotesOf({ ...marketsQuery, from: (from - QUOTE_LIFE) as Millis }),
    ])
    const { trades, closings, coverage } = rows
    const lastTrades = new Map(closingNumbers.map(({ market, last }) => [market, last]))
    const units = new Map(views.map(({ market, facts }) => [market, facts.volumeUnit]))
    const [tradedRange, closedRange, quotes] = [trades, closings, quoteColumns].map(({ market }) =>
      rangesOf(market),
    )
    return (market) =>
      trendRowsOf({
        to,
        count,
        unit: units.get(market) ?? 'contracts',
        last: lastTrades.get(market) ?? null,
        trades: rowsInRange(tradedRange?.get(market), (row) => ({
          ts: (trades.ts[row] ?? 0) as Millis,
          price: (trades.price[row] ?? 0) as PriceE4,
          size: (trades.size[row] ?? 0) as SizeE6,
          isBlock: trades.isBlock[row] === 1,
        })),
        quotes: rowsInRange(quotes?.get(market), (row) => ({
          ts: (quoteColumns.ts[row] ?? 0) as Millis,
          bid: priceOrNull(quoteColumns.bid[row]),
          ask: priceOrNull(quoteColumns.ask[row]),
        })),
        closings: rowsInRange(closedRange?.get(market), (row) => ({
          knownAt: (closings.knownAt[row] ?? 0) as Millis,
          closeTime: timeOrNull(closings.closeTime[row]),
        })),
        coverage: coverage.get(market) ?? [],
      })
  }
}

/** The last instant before the first of `count` days; the day's first instant is included. */
const startOf = (to: Millis, count: number): Millis => ((dayOf(to) - count + 1) * DAY - 1) as Millis

const rowsInRange = <Row>([first, end]: RowRange = [0, 0], rowAt: (row: number) => Row): Row[] =>
  Array.from({ length: end - first }, (_, index) => rowAt(first + index))

const priceOrNull = (price: number | undefined): PriceE4 | null =>
  price === undefined || price === NO_PRICE ? null : (price as PriceE4)

const timeOrNull = (time: number | undefined): Millis | null =>
  time === undefined || Number.isNaN(time) ? null : (time as Millis)

/** All inputs of one market's daily rows. */
interface TrendTicks {
  readonly unit: VolumeUnit
  /** The last included instant, and the number of days that end with its day. */
  readonly to: Millis
  readonly count: number
  /** Newest trade before the first of these days. */
  readonly last: { readonly price: PriceE4; readonly ts: Millis } | null
  /** Trades of these days, ascending. */
  readonly trades: readonly Pick<TradeRow, 'ts' | 'price' | 'size' | 'isBlock'>[]
  /** Quotes of these days, and those still valid at their start. */
  readonly quotes: readonly QuoteRow[]
  /** Close times in the order in which they became known. */
  readonly closings: readonly { readonly knownAt: Millis; readonly closeTime: Millis | null }[]
  readonly coverage: readonly CoverageSpan[]
}

function trendRowsOf(ticks: TrendTicks): TrendDay[] {
  const { unit, to, count, last, trades, quotes, closings, coverage } = ticks
  const from = startOf(to, count)
  const prints = trades.filter(({ isBlock }) => !isBlock)
  const instants = [...prints, ...quotes].map(({ ts }) => ts).filter((ts) => ts > from)
  const ts = [...new Set(instants)].sort((a, b) => a - b)
  const prices = headlinePricesAt(
    {
      trades: [...(last === null ? [] : [last]), ...prints].map((print) => ({
        ts: print.ts,
        price: centsOf(print.price),
      })),
      quotes: quotes.map((quote) => ({
        ts: quote.ts,
        bid: centsOrNull(quote.bid),
        ask: centsOrNull(quote.ask),
      })),
    },
    ts,
  )
  const inDollars = unit === 'usd'
  const rows = dailyTrend(
    { ts: Float64Array.from(ts), price: Float64Array.from(prices, (price) => price ?? NaN) },
    {
      ts: Float64Array.from(trades, (trade) => trade.ts),
      volume: Float64Array.from(
        trades,
        ({ size, price }) => contractsOf(size) * (inDollars ? centsOf(price) / 100 : 1),
      ),
    },
    to,
    (then) => closings.findLast(({ knownAt }) => knownAt <= then)?.closeTime ?? null,
    { days: count },
  )
  return rows.map((row) =>
    row.volume === 0 && !isCovered(coverage, Date.parse(row.date)) ? { ...row, volume: null } : row,
  )
}

/** Whether the trades of a day are known: no trades is different from unknown. */
const isCovered = (spans: readonly CoverageSpan[], start: number): boolean =>
  spans.some(({ state, from, to }) => state !== 'gap' && from < start + DAY && to > start)
