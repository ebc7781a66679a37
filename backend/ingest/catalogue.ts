import { VENUES, type Ticker, type Venue } from '../domain/market.ts'
import { descriptorOf } from '../domain/venue.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketRecord } from '../history/market-rows.ts'
import type { Clock } from '../lib/clock.ts'
import type { MarketDescribed } from '../venues/connector.ts'
import { fingerprintOf, firstVersions } from './catalogue-versions.ts'

interface Entry {
  readonly market: MarketId
  readonly firstSeenAt: MarketRecord['firstSeenAt']
  fingerprint: string
}

/** Described markets and the last accepted version of their facts. */
export class Catalogue {
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #onVersion: (record: MarketRecord) => void
  readonly #entries = new Map<Ticker, Entry>()
  #describing: Promise<void> = Promise.resolve()
  /** Venues whose newly described markets are stored with their past. */
  loadsHistory: ReadonlySet<Venue> = new Set(VENUES)

  /**
   * @param deps.onVersion is called for each new version, in the order in which they became known
   */
  constructor(deps: {
    history: HistoryStore
    clock: Clock
    onVersion: (record: MarketRecord) => void
  }) {
    this.#history = deps.history
    this.#clock = deps.clock
    this.#onVersion = deps.onVersion
  }

  /** Id of a market, or null when it was never described. */
  idOf(ticker: Ticker): MarketId | null {
    return this.#entries.get(ticker)?.market ?? null
  }

  /** Adds a version that the history holds. */
  addStored({ market, facts, firstSeenAt }: MarketRecord): void {
    this.#entries.set(facts.ticker, { market, firstSeenAt, fingerprint: fingerprintOf(facts) })
  }

  /** Handles one description at a time, so that registration and versions keep their order. */
  describe(events: readonly MarketDescribed[]): Promise<void> {
    const next = this.#describing.then(() => this.#version(events))
    this.#describing = next.catch(() => {})
    return next
  }

  /** Resolves when the descriptions passed so far are handled. */
  get settled(): Promise<void> {
    return this.#describing
  }

  async #version(events: readonly MarketDescribed[]): Promise<void> {
    const newMarkets = events.filter((event) => !this.#entries.has(event.ticker))
    if (newMarkets.length > 0) await this.#registerNew(newMarkets)
    for (const { ticker, facts } of events) {
      const entry = this.#entries.get(ticker)
      if (entry === undefined) continue
      const fingerprint = fingerprintOf(facts)
      if (fingerprint === entry.fingerprint) continue
      entry.fingerprint = fingerprint
      const { market, firstSeenAt } = entry
      // A change of a known market is known from when it is read, however long ago the venue made
      // it.
      this.#onVersion({ market, facts, firstSeenAt, knownAt: this.#clock.now() })
    }
  }

  /** Registers markets not seen in this run; those of an earlier run keep their versions. */
  async #registerNew(newMarkets: readonly MarketDescribed[]): Promise<void> {
    const ids = await this.#history.marketIds(newMarkets)
    const storedRecords = await this.#history.recordsAt(this.#clock.now(), ids)
    for (const record of storedRecords) this.addStored(record)
    newMarkets.forEach((event, index) => {
      const market = ids[index]
      if (market === undefined || this.#entries.has(event.ticker)) return
      const { facts, at, receivedAt, venue, announced } = event
      const now = this.#clock.now()
      const versions = this.loadsHistory.has(venue)
        ? firstVersions(facts, at, receivedAt, descriptorOf(venue).publicationDelay, announced)
        : [{ knownAt: now, facts }]
      const firstSeenAt = versions[0]?.knownAt ?? now
      this.#entries.set(event.ticker, { market, firstSeenAt, fingerprint: fingerprintOf(facts) })
      for (const version of versions) this.#onVersion({ market, firstSeenAt, ...version })
    })
  }
}
