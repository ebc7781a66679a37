import { freshnessOf, venueFreshness, VENUES, worstOf, type Freshness } from '../api/freshness.ts'
import type { Live } from '../api/live.ts'
import { health, quotes, serviceStatus } from '../api/questions.ts'
import { byTicker } from '../api/quotes.ts'
import type { Source } from '../api/source.svelte.ts'
import type { DataSource, LiveTicker, Venue } from '../api/types.ts'

export interface PaneCondition {
  readonly freshness: Freshness
  /** Age of the oldest part in milliseconds; null before any data. */
  readonly age: number | null
  readonly loading: boolean
  /** The service was not reached lately: what is shown is from before. */
  readonly offline: boolean
}

/** Asked for by every row of every table: worked out once, and told when it becomes another. */
class Judgement {
  readonly #judge: () => Freshness
  readonly freshness: Freshness = $derived.by(() => this.#judge())

  constructor(judge: () => Freshness) {
    this.#judge = judge
  }
}

/** Connection and data age, which are two signals: each may be fine while the other is not. */
export class ServiceHealth {
  readonly #live: Live
  readonly #health
  readonly #status
  readonly quotes
  /** The service answered before and does not now: what it said of the venues may no longer hold. */
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
  /** Nothing has been heard yet: neither connected nor lost. */
  readonly connecting: boolean = $derived.by(
    () => !this.connected && this.#health.body === null && this.#health.failure === null,
  )
  readonly source: DataSource | null = $derived.by(() => this.#health.body?.source ?? null)
  readonly version: string | null = $derived.by(() => this.#health.body?.version ?? null)
  /** A market was told that a demo left in what is stored. */
  holdsSample = $state(false)
  /** Sample data are marked everywhere. */
  readonly sample: boolean = $derived.by(() => this.source === 'demo' || this.holdsSample)
  /** Newest known prices by ticker, of the markets quoted lately. */
  readonly quoteOf: ReadonlyMap<string, LiveTicker> = $derived.by(() =>
    byTicker(this.quotes.body?.tickers ?? []),
  )
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

  /** Keeps asking until the returned function is called. */
  watch(): () => void {
    const held = [
      this.#live.hold(this.#health),
      this.#live.hold(this.#status),
      this.#live.hold(this.quotes),
    ]
    return () => held.forEach((release) => release())
  }

  /**
   * Leaves to the socket what it tells: while it stands the service lives, and while it follows all
   * that is looked at the shared quotes need not be asked. To be called inside an effect.
   */
  follow(): () => void {
    const { topics } = this.#live
    const told = [
      ...(topics.isLive && this.#health.body !== null ? [this.#health] : []),
      ...(topics.isComplete ? [this.quotes] : []),
    ]
    const fed = told.map((source) => this.#live.feed<object>(source))
    return () => fed.forEach((release) => release())
  }

  /**
   * What the newest answer says the service's time was. What the socket confirms later is told in
   * the page's own time, which is to be set by this one.
   */
  get statedTime(): number | null {
    const at = Date.parse(this.#health.body?.time ?? '')
    return Number.isNaN(at) ? null : at
  }

  /** How far this venue's values may be trusted now. */
  venue(venue: Venue): Freshness {
    return this.#judgements[venue].freshness
  }

  #judge(venue: Venue): Freshness {
    // Nothing is heard: what is stored grows old, whatever the service answers of it.
    if (this.source === 'none') return 'stale'
    const told = venueFreshness(this.#status.body, venue)
    if (this.#status.dataAt === null) return told
    // A word on a venue that is old itself vouches for nothing.
    const age = this.#live.clock.now - this.#status.dataAt
    return worstOf([
      ...[told, freshnessOf(age, this.#status.cadence)],
      ...(this.lost ? (['late'] as const) : []),
    ])
  }

  readonly #judgements: Readonly<Record<Venue, Judgement>> = {
    venue_a: new Judgement(() => this.#judge('venue_a')),
    venue_b: new Judgement(() => this.#judge('venue_b')),
  }
  readonly feeds: Freshness = $derived.by(() => worstOf(VENUES.map((venue) => this.venue(venue))))

  /** What a pane's header says of the sources it draws. */
  conditionOf(sources: readonly Source[]): PaneCondition {
    const { now } = this.#live.clock
    const answered = sources.filter(({ body }) => body !== null)
    const ages = answered.map(({ dataAt }) => (dataAt === null ? null : Math.max(0, now - dataAt)))
    const known = ages.filter((age) => age !== null)
    // A prompt answer about a silent venue is as old as the venue's last word.
    const feeds = sources.some(({ isOfMarkets }) => isOfMarkets) ? this.feeds : 'fresh'
    if (feeds !== 'fresh' && this.worstAge !== null) known.push(this.worstAge)
    const parts = answered.map(({ cadence }, index) => freshnessOf(ages[index] ?? null, cadence))
    return {
      freshness: answered.length === 0 ? 'fresh' : worstOf([...parts, feeds]),
      age: known.length === 0 ? null : Math.max(...known),
      loading: sources.some(({ loading }) => loading),
      offline:
        this.lost ||
        sources.some(
          ({ failure }) => failure?.kind === 'unreachable' || failure?.kind === 'timeout',
        ),
    }
  }

  /** A price may be drawn as current only when its answer and its venue are not stale. */
  freshnessOfPrice(venue: Venue, sources: readonly Source[]): Freshness {
    return worstOf([this.freshnessOf(sources), this.venue(venue)])
  }

  /** How far what these answered may be trusted, by its age alone. */
  freshnessOf(sources: readonly Source[]): Freshness {
    const { now } = this.#live.clock
    return worstOf(
      sources.map(({ dataAt, cadence }) =>
        freshnessOf(dataAt === null ? null : now - dataAt, cadence),
      ),
    )
  }
}
