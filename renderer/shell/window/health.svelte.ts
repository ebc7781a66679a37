import { SvelteMap } from 'svelte/reactivity'
import { byVenue, VENUES } from '../../../backend/domain/venue.ts'
import { freshnessOf, type Freshness } from '../../../backend/domain/data-age.ts'
import { venueFreshness, worstOf } from '../../api/freshness.ts'
import type { Live } from '../../api/live.ts'
import { health, quotes, serviceStatus } from '../../api/queries.ts'
import { byTicker } from '../../api/quotes.ts'
import type { Source } from '../../api/source.svelte.ts'
import type { DataSource } from '../../../backend/contract/operations.ts'
import type { LiveTicker } from '../../../backend/contract/markets.ts'
import type { Venue } from '../../../backend/domain/market.ts'

export interface PaneCondition {
  readonly freshness: Freshness
  /** Age of the oldest part in milliseconds; null before any data. */
  readonly age: number | null
  readonly loading: boolean
  /** The service was not reached lately, so what is shown may be outdated. */
  readonly offline: boolean
}

/** The fields of a quote that lists show. */
export type PolledQuote = Pick<
  LiveTicker,
  | 'ticker'
  | 'title'
  | 'venue'
  | 'price'
  | 'bestBid'
  | 'bestAsk'
  | 'lastPrice'
  | 'change24h'
  | 'volume24h'
  | 'updatedAt'
>
type QuoteKey = Pick<PolledQuote, 'ticker' | 'updatedAt'>
const MAX_POLLED = 100

/** Read by every row of every table: computed once, and published on change. */
class CachedFreshness {
  readonly #freshnessOf: () => Freshness
  readonly freshness: Freshness = $derived.by(() => this.#freshnessOf())

  constructor(freshnessOf: () => Freshness) {
    this.#freshnessOf = freshnessOf
  }
}

/** Connection and data age are two signals: either may be fine while the other is not. */
export class ServiceHealth {
  readonly #live: Live
  readonly #health
  readonly #status
  readonly quotes
  /**
   * The service answered before and does not now: its last status of the venues may be outdated.
   */
  readonly lost: boolean = $derived.by(() => {
    const { body, failure } = this.#status
    if (body !== null && failure !== null) return true
    if (this.#live.topics.isLive) return false
    return this.#health.body !== null && this.#health.failure !== null
  })
  readonly connected: boolean = $derived.by(() => {
    if (this.lost) return false
    const answers = this.#health.body !== null && this.#health.failure === null
    return answers || this.#live.topics.isLive
  })
  /** No response yet: neither connected nor lost. */
  readonly connecting: boolean = $derived.by(
    () => !this.connected && this.#health.body === null && this.#health.failure === null,
  )
  readonly source: DataSource | null = $derived.by(() => this.#health.body?.source ?? null)
  readonly version: string | null = $derived.by(() => this.#health.body?.version ?? null)
  /** Some market is marked as stored by the demo. */
  holdsSample = $state(false)
  /** Sample data are marked everywhere. */
  readonly sample: boolean = $derived.by(() => this.source === 'demo' || this.holdsSample)
  /** Newest known prices by ticker, of the recently quoted markets. */
  readonly quoteOf: ReadonlyMap<string, LiveTicker> = $derived.by(() =>
    byTicker(this.quotes.body?.tickers ?? []),
  )
  /** Quotes of markets that a pane polls individually. */
  readonly #polledQuotes = new SvelteMap<string, PolledQuote>()
  readonly worstAge: number | null = $derived.by(() => {
    const ages = (this.#status.body?.components ?? [])
      .filter(({ name }) => VENUES.some((venue) => venue === name))
      .flatMap(({ dataAgeSeconds }) => (dataAgeSeconds === null ? [] : [dataAgeSeconds * 1000]))
    if (ages.length === 0 || this.#status.dataAt === null) return null
    return Math.max(...ages) + Math.max(0, this.#live.clock.now - this.#status.dataAt)
  })

  constructor(live: Live) {
    this.#live = live
    this.#health = live.source(health)
    this.#status = live.source(serviceStatus)
    this.quotes = live.source(quotes)
  }

  /** Records the quote of a market that a pane polled, for the lists that show the market as well. */
  record(quote: PolledQuote): void {
    const existing = this.#polledQuotes.get(quote.ticker)
    if (existing !== undefined && existing.updatedAt >= quote.updatedAt) return
    const [oldest] = this.#polledQuotes.keys()
    if (existing === undefined && oldest !== undefined && this.#polledQuotes.size >= MAX_POLLED) {
      this.#polledQuotes.delete(oldest)
    }
    this.#polledQuotes.set(quote.ticker, quote)
  }

  /**
   * The newest polled quote of a market: the shared one, or that of a pane when it is newer than
   * that and than what is already known. An equal one is not: its change over a day is older.
   */
  newestQuote({ ticker, updatedAt }: QuoteKey): PolledQuote | undefined {
    const [shared, polled] = [this.quoteOf.get(ticker), this.#polledQuotes.get(ticker)]
    const isNewest =
      polled !== undefined &&
      polled.updatedAt > updatedAt &&
      polled.updatedAt > (shared?.updatedAt ?? '')
    return isNewest ? polled : shared
  }

  /** Polls until the returned function is called. */
  watch(): () => void {
    const releases = [
      this.#live.subscribe(this.#health),
      this.#live.subscribe(this.#status),
      this.#live.subscribe(this.quotes),
    ]
    return () => releases.forEach((release) => release())
  }

  /**
   * Uses the socket instead of polling: while it is connected the service is alive, and while every
   * viewed topic is subscribed the shared quotes need no polling. Call it inside an effect.
   */
  follow(): () => void {
    const { topics } = this.#live
    const streamedSources = [
      ...(topics.isLive && this.#health.body !== null ? [this.#health] : []),
      ...(topics.isComplete ? [this.quotes] : []),
    ]
    const releases = streamedSources.map((source) => this.#live.feed<object>(source))
    return () => releases.forEach((release) => release())
  }

  /**
   * Service time of the newest response. Later confirmations by the socket are stamped with the
   * page's clock, which this value sets.
   */
  get serviceTime(): number | null {
    const at = Date.parse(this.#health.body?.time ?? '')
    return Number.isNaN(at) ? null : at
  }

  /** How current this venue's values are now. */
  venue(venue: Venue): Freshness {
    return this.#venueFreshness[venue].freshness
  }

  #freshnessOf(venue: Venue): Freshness {
    // Nothing is received: stored data becomes outdated, whatever the service reports about it.
    if (this.source === 'none') return 'stale'
    const reported = venueFreshness(this.#status.body, venue)
    if (this.#status.dataAt === null) return reported
    // Stale venue status is ignored.
    const age = this.#live.clock.now - this.#status.dataAt
    return worstOf([
      reported,
      freshnessOf(age, this.#status.cadence),
      ...(this.lost ? (['late'] as const) : []),
    ])
  }

  readonly #venueFreshness: Readonly<Record<Venue, CachedFreshness>> = byVenue(
    (venue) => new CachedFreshness(() => this.#freshnessOf(venue)),
  )
  readonly feeds: Freshness = $derived.by(() => worstOf(VENUES.map((venue) => this.venue(venue))))

  /** Freshness of a pane's sources, for its header. */
  conditionOf(sources: readonly Source[]): PaneCondition {
    const { now } = this.#live.clock
    const answeredSources = sources.filter(({ body }) => body !== null)
    const ages = answeredSources.map(({ dataAt }) =>
      dataAt === null ? null : Math.max(0, now - dataAt),
    )
    const knownAges = ages.filter((age) => age !== null)
    // A prompt response about a silent venue is as old as the venue's last message.
    const feeds = sources.some(({ isOfMarkets }) => isOfMarkets) ? this.feeds : 'fresh'
    if (feeds !== 'fresh' && this.worstAge !== null) knownAges.push(this.worstAge)
    const parts = answeredSources.map(({ cadence }, index) =>
      freshnessOf(ages[index] ?? null, cadence),
    )
    return {
      freshness: worstOf([...parts, feeds]),
      age: knownAges.length === 0 ? null : Math.max(...knownAges),
      loading: sources.some(({ loading }) => loading),
      offline:
        this.lost ||
        sources.some(
          ({ failure }) => failure?.kind === 'unreachable' || failure?.kind === 'timeout',
        ),
    }
  }

  /** A price may be drawn as current only when neither its response nor its venue is stale. */
  freshnessOfPrice(venue: Venue, sources: readonly Source[]): Freshness {
    return worstOf([this.freshnessOf(sources), this.venue(venue)])
  }

  /** Freshness of these sources by their age alone. */
  freshnessOf(sources: readonly Source[]): Freshness {
    const { now } = this.#live.clock
    return worstOf(
      sources.map(({ dataAt, cadence }) =>
        freshnessOf(dataAt === null ? null : now - dataAt, cadence),
      ),
    )
  }
}
