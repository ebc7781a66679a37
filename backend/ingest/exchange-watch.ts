import type { Ticker } from '../domain/market.ts'
import type { Logger } from '../lib/logger.ts'
import type { VenueConnector } from '../venues/connector.ts'

/**
 * Knows which markets the venue's exchange does not trade now, whatever their own state says: a book
 * that stands through a pause is no quote. What was last said holds until the venue says otherwise.
 */
export class ExchangeWatch {
  readonly #connector: Pick<VenueConnector, 'exchangePause'>
  readonly #log: Logger
  /** Null while all trade. */
  #resting: { readonly tickers: ReadonlySet<Ticker> | null } | null = null

  constructor(deps: { connector: Pick<VenueConnector, 'exchangePause'>; log: Logger }) {
    this.#connector = deps.connector
    this.#log = deps.log
  }

  /** Asks the venue. @throws VenueFailure when it does not say */
  async look(signal: AbortSignal): Promise<void> {
    const pause = await this.#connector.exchangePause(signal)
    if ((pause === null) !== (this.#resting === null)) {
      const paused = pause === null ? 'none' : (pause.tickers?.length ?? 'all')
      this.#log.warn({ paused }, 'the exchange paused markets or trades them again')
    }
    this.#resting =
      pause === null
        ? null
        : { tickers: pause.tickers === null ? null : new Set<Ticker>(pause.tickers) }
  }

  isPaused(ticker: Ticker): boolean {
    const resting = this.#resting
    return resting !== null && (resting.tickers === null || resting.tickers.has(ticker))
  }
}
