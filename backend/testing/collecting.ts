import { DAY, HOUR, type Millis, type SizeE6 } from '../domain/units.ts'
import type { Venue } from '../domain/market.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { Collector } from '../ingest/collect/collector.ts'
import { LIVE_SETTINGS, type CollectorSettings } from '../ingest/collect/collector-settings.ts'
import { IngestPipeline, type IngestTopics } from '../ingest/pipeline.ts'
import { createBus } from '../lib/bus.ts'
import { silentLogger } from '../lib/logger.ts'
import { createFeedsStore, type FeedsStore } from '../state/feeds.store.ts'
import { openState, type State } from '../state/open.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeVenue, type VenueStory } from './fake-venue.ts'
import { Unanswered } from './unanswered.ts'
import { activityAt, barAt, bookAt, described, traded } from './venue-events.ts'

/** When the first run of a test begins. */
export const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

/** Two open markets and one that settled two hours ago, with trades of the last three days. */
export const storyOf = (venue: Venue): VenueStory => {
  const settled = { venue, ticker: 'OVER', status: 'settled', result: 'yes' } as const
  return {
    open: [
      described(NOW, { venue, ticker: 'BUSY' }),
      activityAt(NOW, { venue, ticker: 'BUSY', volume24h: 9 as SizeE6 }),
      described(NOW, { venue, ticker: 'QUIET' }),
    ],
    ended: [described(NOW - 2 * HOUR, settled)],
    books: [bookAt(NOW, { venue, ticker: 'BUSY' })],
    trades: [
      traded(NOW - 3 * DAY, { venue, ticker: 'BUSY', tradeId: 'too old' }),
      traded(NOW - 20 * HOUR, { venue, ticker: 'BUSY', tradeId: 'busy' }),
      traded(NOW - 3 * HOUR, { venue, ticker: 'OVER', tradeId: 'over' }),
      traded(NOW - HOUR, { venue, ticker: 'QUIET', tradeId: 'quiet' }),
    ],
    bars: [barAt(NOW - HOUR, HOUR, { venue, ticker: 'BUSY' })],
  }
}

/** Collectors over a history and a progress record in memory, through several runs. */
export class Collecting {
  readonly history: HistoryStore
  readonly progress: FeedsStore
  readonly #state: State
  readonly #unanswered = new Unanswered()
  /** Of the current run. */
  clock = new FakeClock(NOW)
  pipeline: IngestPipeline
  stop = new AbortController()
  runs: Promise<void>[] = []

  constructor(history: HistoryStore, state: State) {
    this.history = this.#unanswered.of(history)
    this.#state = state
    this.progress = this.#unanswered.of(createFeedsStore(state))
    this.pipeline = this.#pipeline()
  }

  /** Opens the stores and begins the first run. */
  static async open(): Promise<Collecting> {
    const history = await openHistory({ path: ':memory:', logger: silentLogger })
    return new Collecting(history, await openState(':memory:'))
  }

  async close(): Promise<void> {
    await this.end()
    await this.history.close()
    await this.#state.destroy()
  }

  /** The next run, at `NOW` again. */
  begin(): void {
    this.clock = new FakeClock(NOW)
    this.pipeline = this.#pipeline()
    this.stop = new AbortController()
    this.runs = []
  }

  /** Stops all collectors of the run. */
  async end(): Promise<void> {
    this.stop.abort()
    await Promise.all(this.runs)
    await this.pipeline.close()
  }

  collect(connector: FakeVenue, settings: Partial<CollectorSettings> = {}): Collector {
    const { pipeline, history, progress, clock } = this
    const deps = { connector, pipeline, history, progress, clock, log: silentLogger }
    const collector = new Collector({ ...deps, settings: { ...LIVE_SETTINGS, ...settings } })
    this.runs.push(collector.run(this.stop.signal))
    return collector
  }

  /**
   * Collects a venue with a stream until its backfill has finished, and clears the recorded
   * requests.
   */
  async collectStream(venue: Venue = 'venue_a') {
    const connector = new FakeVenue(venue, storyOf(venue), 'stream')
    await this.collect(connector).barsRead
    const { handlers } = connector
    if (handlers === null) throw new Error('no stream was opened')
    connector.requested.length = 0
    return { connector, handlers }
  }

  /** Resolves once all due work is done, and the collectors sleep or hang. */
  settled(): Promise<void> {
    return this.#unanswered.ended()
  }

  /** Advances the clock; all work due on the way is done first. */
  async pass(span: number): Promise<void> {
    await this.settled()
    await this.clock.advance(span, () => this.settled())
  }

  /** Ids of a market's stored trades. */
  async storedTrades(ticker: string): Promise<string[]> {
    await this.pipeline.flush()
    const market = this.history.marketIdOf(ticker)?.market ?? -1
    const to = (this.clock.now() + HOUR) as Millis
    const trades = await this.history.trades({ market, from: 0 as Millis, to, asOf: to })
    return trades.map(({ tradeId }) => tradeId)
  }

  /** A venue whose backfill was completed by an earlier run, up to one hour before now. */
  readBefore(venue: Venue): Promise<void> {
    return this.progress.save(venue, {
      backfilledAt: (NOW - DAY) as Millis,
      tradesUntil: (NOW - HOUR) as Millis,
      endedUntil: (NOW - HOUR) as Millis,
    })
  }

  #pipeline(): IngestPipeline {
    const bus = createBus<IngestTopics>((error) => {
      throw error
    })
    return new IngestPipeline({
      history: this.history,
      bus,
      clock: this.clock,
      log: silentLogger,
    })
  }
}
