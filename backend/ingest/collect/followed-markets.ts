import type { Ticker } from '../../domain/market.ts'
import type { VenueEvent } from '../../venues/connector.ts'

/** The open markets of a venue by activity, and which of them are followed. */
export class FollowedMarkets {
  readonly #limit: number
  readonly #activity = new Map<Ticker, number>()
  #followedTickers: ReadonlySet<Ticker> = new Set()
  /**
   * Markets whose trades must be read one last time, up to when they ended or were no longer
   * followed; used for venues that return trades by market.
   */
  readonly #leaving = new Set<Ticker>()
  readonly #isReadByMarket: boolean

  /** @param options.limit how many markets are followed at once */
  constructor(options: { limit: number; isReadByMarket: boolean }) {
    this.#limit = options.limit
    this.#isReadByMarket = options.isReadByMarket
  }

  /** Notes open markets and their activity. */
  addPage(page: readonly VenueEvent[]): void {
    for (const event of page) {
      if (event.type === 'market_described') this.add(event.ticker)
      if (event.type === 'activity_reported') this.#activity.set(event.ticker, event.volume24h ?? 0)
    }
  }

  /** Adds a market that opened or reopened. */
  add(ticker: Ticker): void {
    if (!this.#activity.has(ticker)) this.#activity.set(ticker, 0)
  }

  /** Marks a market as ended; it may still have trades to read. */
  end(ticker: Ticker): void {
    if (this.#followedTickers.has(ticker)) this.leave([ticker])
    this.#activity.delete(ticker)
  }

  leave(tickers: readonly Ticker[]): void {
    if (!this.#isReadByMarket) return
    for (const ticker of tickers) this.#leaving.add(ticker)
  }

  /** Follows the most active markets and returns them, most active first. */
  settle(): readonly Ticker[] {
    const tickers = this.mostActive()
    const followedTickers = new Set(tickers)
    this.leave([...this.#followedTickers].filter((ticker) => !followedTickers.has(ticker)))
    this.#followedTickers = followedTickers
    return tickers
  }

  mostActive(): Ticker[] {
    return [...this.#activity]
      .sort(([tickerA, a], [tickerB, b]) => b - a || (tickerA < tickerB ? -1 : 1))
      .slice(0, this.#limit)
      .map(([ticker]) => ticker)
  }

  /** Markets whose trades are due, those that are read for the last time first. */
  dueTickers(endedTickers: Iterable<Ticker> = []): { tickers: Ticker[]; left: readonly Ticker[] } {
    const left = [...this.#leaving]
    return { tickers: [...new Set([...endedTickers, ...left, ...this.mostActive()])], left }
  }

  /** Marks the trades of these markets as read to their end. */
  markRead(left: readonly Ticker[]): void {
    for (const ticker of left) this.#leaving.delete(ticker)
  }
}
