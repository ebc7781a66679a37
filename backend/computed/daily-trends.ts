import { headlinePricesAt } from '../domain/change-rows.ts'
import { DAILY_TREND_PARAMS, dailyTrend } from '../domain/daily-trend.ts'
import type { TrendDay } from '../domain/daily-trend.ts'
import { QUOTE_LIFE } from '../domain/price.ts'
import { centsOf, contractsOf, DAY } from '../domain/units.ts'
import type { Cents, Millis, PriceE4 } from '../domain/units.ts'
import type { CoverageSpan, HistoryStore, MarketId } from '../history/history-store.ts'
import type { MarketView } from './market-board.ts'

type Reads = Pick<HistoryStore, 'numbersAt' | 'trades' | 'quotes' | 'versionsOf' | 'coverage'>

/** Markets whose closed days are kept. */
const KEPT_MARKETS = 20_000

interface ClosedDays {
  /** The day that was open when they were read. */
  readonly today: number
  readonly rows: readonly TrendDay[]
}

const centsOrNull = (price: PriceE4 | null): Cents | null =>
  price === null ? null : centsOf(price)
const dayOf = (at: number): number => Math.floor(at / DAY)

/**
 * Daily rows of single markets for the last seven UTC days (methodology part M, trend7d). Days that
 * are over are read once; of a market asked for again only today's ticks are.
 */
export class DailyTrends {
  readonly #history: Reads
  readonly #closed = new Map<MarketId, ClosedDays>()

  constructor(history: Reads) {
    this.#history = history
  }

  /** Older history arrived: closed days may lack it. */
  forget(): void {
    this.#closed.clear()
  }

  /** Rows up to `at`, oldest first. @param isNow whether `at` is now: only then closed days are kept */
  async of(view: MarketView, at: Millis, isNow: boolean): Promise<TrendDay[]> {
    const today = dayOf(at)
    const kept = this.#closed.get(view.market)
    const closed = isNow && kept?.today === today ? kept.rows : null
    const midnight = (today * DAY) as Millis
    const [before, after] = await Promise.all([
      closed ?? this.#days(view, (midnight - 1) as Millis, DAILY_TREND_PARAMS.days - 1),
      this.#days(view, at, 1),
    ])
    if (isNow && closed === null) this.#keep(view.market, { today, rows: before })
    return [...before, ...after]
  }

  #keep(market: MarketId, days: ClosedDays): void {
    this.#closed.delete(market)
    this.#closed.set(market, days)
    const oldest = this.#closed.keys().next()
    if (this.#closed.size > KEPT_MARKETS && oldest.done !== true) this.#closed.delete(oldest.value)
  }

  /** Rows of the `count` days that end with the day of `to`, from ticks up to `to`. */
  async #days({ market, facts }: MarketView, to: Millis, count: number): Promise<TrendDay[]> {
    const history = this.#history
    // Half open to the left: the first instant of the first day counts.
    const from = ((dayOf(to) - count + 1) * DAY - 1) as Millis
    const [standing, trades, quotes, versions, spans] = await Promise.all([
      history.numbersAt(from, [market]),
      history.trades({ market, from, to, asOf: to }),
      history.quotes({ market, from: (from - QUOTE_LIFE) as Millis, to, asOf: to }),
      history.versionsOf(market, to),
      history.coverage({ market, feed: 'trades', from, to, asOf: to }),
    ])
    const last = standing[0]?.last ?? null
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
    const inDollars = facts.volumeUnit === 'usd'
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
      (then) => versions.findLast(({ knownAt }) => knownAt <= then)?.facts.closeTime ?? null,
      { days: count },
    )
    return rows.map((row) =>
      row.volume === 0 && !isCovered(spans, Date.parse(row.date)) ? { ...row, volume: null } : row,
    )
  }
}

/** Whether anything is known of the trades of a day: nothing traded is not the same as not known. */
const isCovered = (spans: readonly CoverageSpan[], start: number): boolean =>
  spans.some(({ state, from, to }) => state !== 'gap' && from < start + DAY && to > start)
