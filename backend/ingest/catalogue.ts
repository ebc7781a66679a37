import { VENUES, type Ticker, type Venue } from '../domain/market.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketRecord } from '../history/market-rows.ts'
import type { Clock } from '../lib/clock.ts'
import type { MarketDescribed } from '../venues/connector.ts'
import { VENUE_DELAY } from '../venues/parsed.ts'
import { fingerprintOf, firstVersions } from './catalogue-versions.ts'

interface Entry {
  readonly market: MarketId
  readonly firstSeenAt: MarketRecord['firstSeenAt']
  fingerprint: string
}

/** Markets that were described, and the version of their facts that was last taken. */
export class Catalogue {
  readonly #history: HistoryStore
  readonly #clock: Clock
  readonly #onVersion: (record: MarketRecord) => void
  readonly #entries = new Map<Ticker, Entry>()
  #describing: Promise<void> = Promise.resolve()
  /** Venues of which a market met for the first time is told with its past. */
  readsPast: ReadonlySet<Venue> = new Set(VENUES)

  /** @param deps.onVersion hears of each new version, in the order in which they were known */
  constructor(deps: {
    history: HistoryStore
    clock: Clock
    onVersion: (record: MarketRecord) => void
  }) {
    this.#history = deps.history
    this.#clock = deps.clock
    this.#onVersion = deps.onVersion
  }

  /** Number of a market, or null when it was never described. */
  idOf(ticker: Ticker): MarketId | null {
    return this.#entries.get(ticker)?.market ?? null
  }

  /** Takes up a version that history holds. */
  learn({ market, facts, firstSeenAt }: MarketRecord): void {
    this.#entries.set(facts.ticker, { market, firstSeenAt, fingerprint: fingerprintOf(facts) })
  }

  /** One description at a time, so that a market is registered and versioned in one order. */
  describe(events: readonly MarketDescribed[]): Promise<void> {
    const next = this.#describing.then(() => this.#version(events))
    this.#describing = next.catch(() => {})
    return next
  }

  /** Resolves when the descriptions handed over so far are taken. */
  get settled(): Promise<void> {
    return this.#describing
  }

  async #version(events: readonly MarketDescribed[]): Promise<void> {
    const strangers = events.filter((event) => !this.#entries.has(event.ticker))
    if (strangers.length > 0) await this.#meet(strangers)
    for (const { ticker, facts } of events) {
      const entry = this.#entries.get(ticker)
      if (entry === undefined) continue
      const fingerprint = fingerprintOf(facts)
      if (fingerprint === entry.fingerprint) continue
      entry.fingerprint = fingerprint
      const { market, firstSeenAt } = entry
      // A market known before changes when we learn of it, however long ago the venue changed it.
      this.#onVersion({ market, facts, firstSeenAt, knownAt: this.#clock.now() })
    }
  }

  /** Registers markets not met in this run; those of an earlier run keep their versions. */
  async #meet(strangers: readonly MarketDescribed[]): Promise<void> {
    const ids = await this.#history.marketIds(strangers)
    const stored = await this.#history.recordsAt(this.#clock.now(), ids)
    for (const record of stored) this.learn(record)
    strangers.forEach((event, index) => {
      const market = ids[index]
      if (market === undefined || this.#entries.has(event.ticker)) return
      const { facts, at, receivedAt, venue } = event
      const now = this.#clock.now()
      const versions = this.readsPast.has(venue)
        ? firstVersions(facts, at, receivedAt, VENUE_DELAY[venue])
        : [{ knownAt: now, facts }]
      const firstSeenAt = versions[0]?.knownAt ?? now
      this.#entries.set(event.ticker, { market, firstSeenAt, fingerprint: fingerprintOf(facts) })
      for (const version of versions) this.#onVersion({ market, firstSeenAt, ...version })
    })
  }
}
