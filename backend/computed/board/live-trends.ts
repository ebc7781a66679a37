import { LRUCache } from 'lru-cache'
import { cliffRatio, impliedYieldYes, tauAt } from '../../domain/prices/indicators.ts'
import { DAILY_TREND_PARAMS } from '../../domain/trend/daily-trend.ts'
import type { TrendDay } from '../../domain/trend/daily-trend.ts'
import { headlinePrice, QUOTE_LIFE, usableBook } from '../../domain/prices/price.ts'
import type { Steps } from '../../domain/cooperative-steps.ts'
import { centsOf, contractsOf, DAY } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { QuoteChanged, TradePrinted } from '../../venues/connector.ts'
import type { DailyTrends } from './daily-trends.ts'
import type { BoardView, MarketView } from './market-board.ts'

type Tick = TradePrinted | QuoteChanged

/** Rows of a market up to now, updated by events. */
interface OpenDayTrend {
  readonly isInDollars: boolean
  /** Days that were read; the last of them may still change. */
  rows: TrendDay[]
  /** When they were read, and the time of the newest tick. */
  readonly readAt: Millis
  at: Millis
  /** Rows before that tick's instant: only the last price of an instant counts. */
  settled: readonly TrendDay[]
  /** Time of the price of each updated day, by date. */
  readonly pricedAt: Map<string, Millis>
  last: Cents | null
  quote: { readonly bid: Cents | null; readonly ask: Cents | null; readonly at: Millis } | null
}

/** A pending read of days, and the ticks of its market received meanwhile. */
interface PendingRead {
  readonly rows: Promise<TrendDay[]>
  readonly received: Tick[]
}

const dayOf = (at: number): number => Math.floor(at / DAY)
const lastDate = { day: NaN, date: '' }
/** Thousands of ticks share one day, so its date string is cached. */
function dateOf(at: number): string {
  const day = dayOf(at)
  if (day !== lastDate.day) {
    lastDate.date = new Date(at).toISOString().slice(0, 10)
    lastDate.day = day
  }
  return lastDate.date
}

/** Number of markets whose days are kept; those of less traded ones are read on request. */
const MAX_TRAILS = 20_000
/** Number of markets whose days are read together. */
const BATCH_SIZE = 100

/**
 * Daily rows of live markets in memory: read once from history, in bulk (`seed`) or on request,
 * then updated by trades and quotes, so that a repeated request reads nothing.
 */
export class LiveTrends {
  readonly #history: Pick<DailyTrends, 'read' | 'readMany' | 'invalidate'>
  readonly #trails = new LRUCache<MarketId, OpenDayTrend>({ max: MAX_TRAILS })
  /** Pending reads with the ticks received meanwhile. */
  readonly #reading = new Map<MarketId, PendingRead>()

  constructor(history: Pick<DailyTrends, 'read' | 'readMany' | 'invalidate'>) {
    this.#history = history
  }

  /**
   * Reads the days of markets that may still trade ahead of requests, the most traded first, and
   * drops those of all other markets. After a failure the rest is read on request.
   * @param trading markets that may still trade
   * @param live the current board
   * @param runSteps runs steps and yields between them
   */
  async seed(
    trading: readonly MarketView[],
    live: () => Pick<BoardView, 'asOf' | 'get'>,
    runSteps: <T>(steps: Steps<T>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<void> {
    const markets = new Set(trading.map(({ market }) => market))
    for (const market of [...this.#trails.keys()])
      if (!markets.has(market)) this.#trails.delete(market)
    const missing = trading
      .filter(({ market, status }) => status === 'active' && !this.#trails.has(market))
      .sort((a, b) => (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1))
      .slice(0, Math.max(0, MAX_TRAILS - this.#trails.size))
    for (let first = 0; first < missing.length && !signal.aborted; first += BATCH_SIZE) {
      const snapshot = live()
      const views = missing.slice(first, first + BATCH_SIZE).flatMap(({ facts, market }) => {
        const view = snapshot.get(facts.ticker)
        const isRead = this.#trails.has(market) || this.#reading.has(market)
        return view === null || view.status !== 'active' || isRead ? [] : [view]
      })
      await this.#readTogether(views, snapshot.asOf, runSteps)
    }
  }

  async #readTogether(
    views: readonly MarketView[],
    at: Millis,
    runSteps: <T>(steps: Steps<T>) => Promise<T>,
  ): Promise<void> {
    if (views.length === 0) return
    const pendingTrends = this.#history.readMany(views, at).then(runSteps)
    const readings = views.map((view) => {
      const rows = pendingTrends.then((days) => [...(days.get(view.market) ?? [])])
      return this.#begin(view.market, rows)
    })
    await Promise.all(readings.map((reading, i) => this.#finish(views[i], at, reading)))
  }

  /** Rows up to `at`, oldest first. */
  async read(view: MarketView, at: Millis, isNow: boolean): Promise<TrendDay[]> {
    if (!isNow) return this.#history.read(view, at, isNow)
    const priceTrail = this.#trails.get(view.market)
    if (priceTrail !== undefined) return rowsOf(priceTrail, view, at)
    const startedReading = this.#reading.get(view.market)
    if (startedReading !== undefined) return startedReading.rows
    return this.#finish(view, at, this.#begin(view.market, this.#history.read(view, at, isNow)))
  }

  #begin(market: MarketId, rows: Promise<TrendDay[]>): PendingRead {
    const reading: PendingRead = { rows, received: [] }
    this.#reading.set(market, reading)
    return reading
  }

  /** Keeps the rows with the ticks received meanwhile, unless the market was dropped since. */
  async #finish(
    view: MarketView | undefined,
    at: Millis,
    reading: PendingRead,
  ): Promise<TrendDay[]> {
    const market = view?.market ?? -1
    try {
      const read = await reading.rows
      // An ended market is served from history.
      if (view?.status === 'active' && this.#reading.get(market) === reading) {
        const newTrail: OpenDayTrend = {
          isInDollars: view.facts.volumeUnit === 'usd',
          rows: [...read],
          settled: read,
          readAt: at,
          at,
          pricedAt: new Map(),
          last: view.lastPrice,
          quote: { bid: view.bestBid, ask: view.bestAsk, at: view.quotedAt ?? at },
        }
        const isInOrder = reading.received.every((tick) => {
          const isNext = follows(newTrail, tick)
          if (isNext) advance(newTrail, tick)
          return isNext
        })
        if (isInOrder) this.#trails.set(market, newTrail)
      }
      return read
    } finally {
      if (this.#reading.get(market) === reading) this.#reading.delete(market)
    }
  }

  /** Applies a received trade or quote of a market. */
  record(market: MarketId, tick: Tick): void {
    const priceTrail = this.#trails.get(market)
    if (priceTrail === undefined) this.#reading.get(market)?.received.push(tick)
    else if (follows(priceTrail, tick)) advance(priceTrail, tick)
    else this.dropMarket(market)
  }

  /** Drops a market after a correction or its end; its days are read again on request. */
  dropMarket(market: MarketId): void {
    this.#trails.delete(market)
    this.#reading.delete(market)
  }

  /** Older history arrived. */
  invalidate(): void {
    this.#history.invalidate()
    this.#trails.clear()
    this.#reading.clear()
  }
}

/**
 * Whether a tick can update the days: not a late one, which changes earlier values, and not one
 * that was received on a later day than its own.
 */
const follows = (priceTrail: OpenDayTrend, tick: Tick): boolean =>
  tick.at > priceTrail.readAt &&
  tick.at >= priceTrail.at &&
  dayOf(tick.receivedAt) === dayOf(tick.at)

/** Updates the newest day by one tick; a tick of a new day opens it. */
function advance(priceTrail: OpenDayTrend, tick: Tick): void {
  if (tick.at > priceTrail.at) priceTrail.settled = priceTrail.rows
  priceTrail.at = tick.at
  if (tick.type === 'quote_changed') {
    const bid = tick.bid === null ? null : centsOf(tick.bid)
    const ask = tick.ask === null ? null : centsOf(tick.ask)
    priceTrail.quote = { bid, ask, at: tick.at }
  } else if (!tick.isBlock) priceTrail.last = centsOf(tick.price)
  const { quote } = priceTrail
  const isFresh = quote !== null && tick.at - quote.at <= QUOTE_LIFE
  const { bid = null, ask = null } = quote ?? {}
  const book = usableBook({ bid, ask, ageMs: isFresh ? 0 : null, paused: false })
  const { price } = headlinePrice({ last: priceTrail.last, ...book })
  const tradedPrice =
    tick.type === 'trade_printed'
      ? contractsOf(tick.size) * (priceTrail.isInDollars ? centsOf(tick.price) / 100 : 1)
      : null
  const date = dateOf(tick.at)
  const newest = priceTrail.rows.at(-1)
  const today = newest?.date === date ? newest : null
  const volume = tradedPrice === null ? (today?.volume ?? null) : (today?.volume ?? 0) + tradedPrice
  // A trade off the book counts as volume, not as a price.
  const isPrice = tick.type === 'quote_changed' || !tick.isBlock
  if (price === null || !isPrice) {
    if (today !== null) priceTrail.rows = [...priceTrail.rows.slice(0, -1), { ...today, volume }]
    return
  }
  priceTrail.pricedAt.set(date, tick.at)
  const previous = priceTrail.settled.at(-1)
  const previousDay = previous?.date === date ? previous : null
  const row: TrendDay = {
    date,
    price,
    high: Math.max(previousDay?.high ?? price, price) as Cents,
    low: Math.min(previousDay?.low ?? price, price) as Cents,
    volume,
    iy: null,
    cri: cliffRatio(price),
  }
  priceTrail.rows = [...(today === null ? priceTrail.rows : priceTrail.rows.slice(0, -1)), row]
}

/** Rows of the last days; the yield of an updated day is that of its last price. */
function rowsOf({ rows, pricedAt }: OpenDayTrend, { facts }: MarketView, at: Millis): TrendDay[] {
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
