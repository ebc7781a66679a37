import type { Ticker } from '../domain/market.ts'
import type { VenueEvent } from '../venues/connector.ts'

/** The open markets of a venue by activity, and which of them are followed. */
export class FollowedMarkets {
  readonly #most: number
  readonly #activity = new Map<Ticker, number>()
  #followed: ReadonlySet<Ticker> = new Set()
  /**
   * Markets whose trades have to be read once more, up to when they ended or were followed no more;
   * of a venue that tells trades by market.
   */
  readonly #leaving = new Set<Ticker>()
  readonly #isReadByMarket: boolean

  /** @param options.most how many are followed at once */
  constructor(options: { most: number; isReadByMarket: boolean }) {
    this.#most = options.most
    this.#isReadByMarket = options.isReadByMarket
  }

  /** Learns of open markets and how busy they are. */
  note(page: readonly VenueEvent[]): void {
    for (const event of page) {
      if (event.type === 'market_described') this.add(event.ticker)
      if (event.type === 'activity_reported') this.#activity.set(event.ticker, event.volume24h ?? 0)
    }
  }

  /** A market that opened, or opened again. */
  add(ticker: Ticker): void {
    if (!this.#activity.has(ticker)) this.#activity.set(ticker, 0)
  }

  /** A market that ended; it may still have trades to read. */
  end(ticker: Ticker): void {
    if (this.#followed.has(ticker)) this.leave([ticker])
    this.#activity.delete(ticker)
  }

  leave(tickers: readonly Ticker[]): void {
    if (!this.#isReadByMarket) return
    for (const ticker of tickers) this.#leaving.add(ticker)
  }

  /** Follows those that are the most active now; answers them, busiest first. */
  settle(): readonly Ticker[] {
    const tickers = this.mostActive()
    const followed = new Set(tickers)
    this.leave([...this.#followed].filter((ticker) => !followed.has(ticker)))
    this.#followed = followed
    return tickers
  }

  mostActive(): Ticker[] {
    return [...this.#activity]
      .sort(([tickerA, a], [tickerB, b]) => b - a || (tickerA < tickerB ? -1 : 1))
      .slice(0, this.#most)
      .map(([ticker]) => ticker)
  }

  /** Markets whose trades are to be read, those that are read for the last time first. */
  toRead(ended: Iterable<Ticker> = []): { tickers: Ticker[]; left: readonly Ticker[] } {
    const left = [...this.#leaving]
    return { tickers: [...new Set([...ended, ...left, ...this.mostActive()])], left }
  }

  /** The trades of these are read to their end. */
  wereRead(left: readonly Ticker[]): void {
    for (const ticker of left) this.#leaving.delete(ticker)
  }
}
