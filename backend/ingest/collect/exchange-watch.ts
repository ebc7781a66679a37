import type { Ticker } from '../../domain/market.ts'
import type { Logger } from '../../lib/logger.ts'
import type { VenueConnector } from '../../venues/connector.ts'

/**
 * Tracks which markets the venue's exchange does not trade at present, whatever their own state: a
 * book during a pause is no quote. The last known state holds until the venue reports another.
 */
export class ExchangeWatch {
  readonly #connector: Pick<VenueConnector, 'exchangePause'>
  readonly #log: Logger
  /** Null while all markets trade. */
  #pause: { readonly tickers: ReadonlySet<Ticker> | null } | null = null

  constructor(deps: { connector: Pick<VenueConnector, 'exchangePause'>; log: Logger }) {
    this.#connector = deps.connector
    this.#log = deps.log
  }

  /** Requests the state from the venue. @throws VenueFailure when the venue does not return it */
  async poll(signal: AbortSignal): Promise<void> {
    const pause = await this.#connector.exchangePause(signal)
    if ((pause === null) !== (this.#pause === null)) {
      const pauseText = pause === null ? 'none' : (pause.tickers?.length ?? 'all')
      this.#log.warn({ paused: pauseText }, 'the exchange paused or resumed markets')
    }
    this.#pause =
      pause === null
        ? null
        : { tickers: pause.tickers === null ? null : new Set<Ticker>(pause.tickers) }
  }

  isPaused(ticker: Ticker): boolean {
    const pause = this.#pause
    return pause !== null && (pause.tickers === null || pause.tickers.has(ticker))
  }
}
