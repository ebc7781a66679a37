import { cliffRatio, impliedYieldYes, tauAt } from '../domain/indicators.ts'
import { DAILY_TREND_PARAMS } from '../domain/daily-trend.ts'
import type { TrendDay } from '../domain/daily-trend.ts'
import { headlinePrice, QUOTE_LIFE, standingBook } from '../domain/price.ts'
import { centsOf, contractsOf, DAY } from '../domain/units.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { MarketId } from '../history/history-store.ts'
import type { QuoteChanged, TradePrinted } from '../venues/connector.ts'
import type { DailyTrends } from './daily-trends.ts'
import type { MarketView } from './market-board.ts'

type Tick = TradePrinted | QuoteChanged

/** Rows of a market up to now, moved on by what is heard. */
interface Trail {
  readonly isInDollars: boolean
  /** Days that were read; the last of them may still grow. */
  rows: TrendDay[]
  /** When the prices of days that were moved on stood, by date. */
  readonly pricedAt: Map<string, Millis>
  last: Cents | null
  quote: { readonly bid: Cents | null; readonly ask: Cents | null; readonly at: Millis } | null
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const dayOf = (at: number): number => Math.floor(at / DAY)

/**
 * Daily rows of markets that were asked for, kept in memory: read once from history, then moved by
 * trades and quotes as they come, so that asking again reads nothing. Memory grows with the markets
 * that are asked for and still trade.
 */
export class LiveTrends {
  readonly #history: Pick<DailyTrends, 'of' | 'forget'>
  readonly #trails = new Map<MarketId, Trail>()
  /** What is heard of a market while its days are read. */
  readonly #reading = new Map<MarketId, { readonly rows: Promise<TrendDay[]>; heard: Tick[] }>()

  constructor(history: Pick<DailyTrends, 'of' | 'forget'>) {
    this.#history = history
  }

  /** Rows up to `at`, oldest first. */
  async of(view: MarketView, at: Millis, isNow: boolean): Promise<TrendDay[]> {
    if (!isNow) return this.#history.of(view, at, isNow)
    const trail = this.#trails.get(view.market)
    if (trail !== undefined) return rowsOf(trail, view, at)
    const begun = this.#reading.get(view.market)
    if (begun !== undefined) return begun.rows
    const rows = this.#history.of(view, at, isNow)
    const reading = { rows, heard: [] as Tick[] }
    this.#reading.set(view.market, reading)
    try {
      const read = await rows
      // A market that ended is history's alone.
      if (this.#reading.get(view.market) === reading && view.status === 'active') {
        const made: Trail = {
          isInDollars: view.facts.volumeUnit === 'usd',
          rows: [...read],
          pricedAt: new Map(),
          last: view.lastPrice,
          quote: { bid: view.bestBid, ask: view.bestAsk, at: view.quotedAt ?? at },
        }
        for (const tick of reading.heard) if (tick.at > at) advance(made, tick)
        this.#trails.set(view.market, made)
      }
      return read
    } finally {
      if (this.#reading.get(view.market) === reading) this.#reading.delete(view.market)
    }
  }

  /** Takes a trade or quote of a market as it is heard. */
  note(market: MarketId, tick: Tick): void {
    const trail = this.#trails.get(market)
    if (trail !== undefined) advance(trail, tick)
    else this.#reading.get(market)?.heard.push(tick)
  }

  /** What was told of a market was corrected, or it ended: its days are read again when asked for. */
  forgetMarket(market: MarketId): void {
    this.#trails.delete(market)
    this.#reading.delete(market)
  }

  /** Older history arrived. */
  forget(): void {
    this.#history.forget()
    this.#trails.clear()
    this.#reading.clear()
  }
}

/** Moves the newest day on by one tick; a tick of a new day opens it. */
function advance(trail: Trail, tick: Tick): void {
  if (tick.type === 'quote_changed') {
    const bid = tick.bid === null ? null : centsOf(tick.bid)
    const ask = tick.ask === null ? null : centsOf(tick.ask)
    trail.quote = { bid, ask, at: tick.at }
  } else if (!tick.isBlock) trail.last = centsOf(tick.price)
  const { quote } = trail
  const isFresh = quote !== null && tick.at - quote.at <= QUOTE_LIFE
  const { bid = null, ask = null } = quote ?? {}
  const book = standingBook({ bid, ask, ageMs: isFresh ? 0 : null, paused: false })
  const { price } = headlinePrice({ last: trail.last, ...book })
  const traded =
    tick.type === 'trade_printed'
      ? contractsOf(tick.size) * (trail.isInDollars ? centsOf(tick.price) / 100 : 1)
      : null
  const date = dateOf(tick.at)
  const newest = trail.rows.at(-1)
  // What comes late belongs to a day that is over, or to a price that was passed.
  if (newest !== undefined && newest.date > date) return
  const today = newest?.date === date ? newest : null
  const volume = traded === null ? (today?.volume ?? null) : (today?.volume ?? 0) + traded
  // A trade off the book is volume and no price.
  const isPrice = tick.type === 'quote_changed' || !tick.isBlock
  if (price === null || !isPrice) {
    if (today !== null) trail.rows = [...trail.rows.slice(0, -1), { ...today, volume }]
    return
  }
  trail.pricedAt.set(date, tick.at)
  const row: TrendDay = {
    date,
    price,
    high: Math.max(today?.high ?? price, price) as Cents,
    low: Math.min(today?.low ?? price, price) as Cents,
    volume,
    iy: null,
    cri: cliffRatio(price),
  }
  trail.rows = [...(today === null ? trail.rows : trail.rows.slice(0, -1)), row]
}

/** Rows of the last days; the yield of a day that was moved on is that of its last price. */
function rowsOf({ rows, pricedAt }: Trail, { facts }: MarketView, at: Millis): TrendDay[] {
  const first = dateOf((dayOf(at) - DAILY_TREND_PARAMS.days + 1) * DAY)
  return rows
    .filter(({ date }) => date >= first)
    .map((row) => {
      const then = pricedAt.get(row.date)
      return then === undefined
        ? row
        : { ...row, iy: impliedYieldYes(row.price, tauAt(facts.closeTime, then)) }
    })
}
