import { Board } from '../computed/board/board.ts'
import { ChangeWatch } from '../computed/change-watch.ts'
import { TrailingDayReader } from '../computed/trailing-day-reader.ts'
import { LastPrices } from '../computed/board/last-prices.ts'
import { LiveTable } from '../computed/board/live-table.ts'
import { ReferencePrices } from '../computed/board/reference-prices.ts'
import { isSample, VENUES, type OrderBook, type Venue } from '../domain/market.ts'
import { HOUR, MINUTE, SECOND, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import type { ChangeRow } from '../history/change-events.ts'
import type { HistoryExports } from '../history/history-copies.ts'
import type { HistoryQueries } from '../history/history-queries.ts'
import type { ReadHistory, WholeHistory } from '../history/history.ts'
import type { MarketId } from '../history/market-key.ts'
import { withSettledReads } from '../history/settled-reads.ts'
import { Collector } from '../ingest/collect/collector.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { IngestPipeline, type IngestTopics, type PipelineStats } from '../ingest/pipeline.ts'
import type { ReplaySource } from '../ingest/replay-source.ts'
import { createBus, type Bus } from '../lib/bus.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { StoreFailed } from '../lib/errors.ts'
import { retry } from '../lib/retry.ts'
import { runCooperatively } from '../lib/process/run-cooperatively.ts'
import { createFeedsStore, type FeedsStore } from '../state/feeds.store.ts'
import type { State } from '../state/open.ts'
import type { FeedHealth, VenueEvent } from '../venues/connector.ts'

const NO_VENUES: ReadonlySet<Venue> = new Set()
/**
 * Writes that wait for a reopened history are stored within seconds; a disk may stay full for
 * longer.
 */
const RETRY_FOREVER = { attempts: Infinity, firstDelay: 250, factor: 2, maxDelay: 30_000 }
const SORT_INTERVAL = (5 * MINUTE) as Millis
/**
 * No hour closes in between. A replay pauses while it sorts, so it sorts only as often as it pays.
 */
const REPLAY_SORT_INTERVAL = HOUR
/** A first start is over after this long, ready or not. */
const MAX_FIRST_LOAD = 10 * SECOND

/** The data path from the venues to the board, wired and startable. */
export interface MarketData {
  /** History for readers. */
  readonly history: ReadHistory
  /** Writes rows to files once everything accepted so far is stored. */
  readonly copyTo: HistoryExports['copyTo']
  /** SQL statements of users; they see everything accepted so far. */
  readonly queries: HistoryQueries
  readonly board: Board
  /** Prices of all markets at past instants. */
  readonly reference: ReferencePrices
  readonly lastPrices: LastPrices
  /** Events of the pipeline: facts, quotes, books, trades and counters. */
  readonly events: Pick<Bus<IngestTopics>, 'subscribe'>
  /**
   * Stores change events that other parts derived; those that cannot be written are kept for
   * later.
   */
  addChanges(changes: readonly ChangeRow[]): Promise<void>
  /** Current best prices of a market; null when there are none or the market has ended. */
  currentQuote(market: MarketId): CurrentQuote | null
  /** Whether the feed of a market delivers nothing at present, so that its book is not a quote. */
  isStale(market: MarketId): boolean
  /** Accepts events that do not come from the collectors. */
  accept(events: readonly VenueEvent[]): Promise<void>
  /**
   * Resolves when the service can answer: at once with stored history. On a first start the board
   * becomes ready later: in the demo when the past is read, else once a venue was reached.
   */
  start(feeds: Feeds): Promise<void>
  /** Resolves when lists of markets can be answered. */
  readonly firstAnswer: Promise<void>
  /** Resolves when the history fetched by the first start is complete. */
  readonly backfilled: Promise<void>
  /** Resolves when the change events of that history are derived too. */
  readonly derived: Promise<void>
  health(venue: Venue): FeedHealth | null
  pipeline(): PipelineStats
  /** Recomputes results about the past after rows arrived another way (an import). */
  refresh(): Promise<void>
  /** The history was damaged and repaired by leaving rows out: the lost rows are fetched again. */
  recordDamage(): void
  /**
   * Resolves when the changes of all events so far are derived, and stored unless this is a
   * replay.
   */
  settle(): Promise<void>
  /**
   * Resolves when everything accepted so far, and its change events, is stored. @throws
   * StoreFailed
   */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** The latest best bid and ask. */
export interface CurrentQuote {
  readonly bid: PriceE4 | null
  readonly bidSize: SizeE6 | null
  readonly ask: PriceE4 | null
  readonly askSize: SizeE6 | null
  /** The book at these prices, when the venue published one. */
  readonly levels: OrderBook | null
  /** Time at the venue, and when the service received it. */
  readonly at: Millis
  readonly receivedAt: Millis
}

/** Kind of a change of the past: many rows came late, or a venue corrected one trade. */
export type PastChange = 'rows' | 'trade'

export function createMarketData(deps: {
  history: WholeHistory
  state: State
  clock: Clock
  log: Logger
  /** Called when answers computed from older history are out of date. */
  onHistoryChanged: (change: PastChange) => void
  /** Set when stored history is replayed in place of live venue data. */
  replaySource?: ReplaySource | undefined
}): MarketData {
  const { state, clock, log, onHistoryChanged, replaySource } = deps
  const bus = createBus<IngestTopics>((error, topic) =>
    log.error({ err: error, topic }, 'a listener failed'),
  )
  const pipeline = new IngestPipeline({ history: deps.history, bus, clock, log })
  const settle = async (asOf: Millis): Promise<void> => {
    await pipeline.settle(asOf)
    await replaySource?.settle(asOf)
  }
  replaySource?.begin(bus)
  const history = withSettledReads(deps.history, settle, () => changes.settle())
  const live = new LiveTable()
  const trailingReader =
    replaySource === undefined ? null : new TrailingDayReader({ tape: replaySource.tape, history })
  const reference = new ReferencePrices(history, trailingReader)
  const board = new Board({ history, live, reference, clock })
  const lastPrices = new LastPrices({ reference, clock })
  const changes = new ChangeWatch({
    history,
    live,
    reference,
    clock,
    log,
    writesWhenRead: replaySource !== undefined,
  })
  bus.subscribe('facts', (record) => {
    const { market, firstSeenAt, knownAt } = record
    const wasOpen = live.table.record(market) !== null
    live.applyFacts(record)
    const isOpen = live.table.record(market) !== null
    if (isOpen && !wasOpen && firstSeenAt < knownAt) trackCompleting(takeStored([market]))
    if (live.table.record(record.market) === null) lastPrices.remove(record.market)
    changes.recordFacts(record)
  })
  bus.subscribe('quote', ({ market, event }) => live.applyQuote(market, event))
  bus.subscribe('trade', ({ market, event }) => {
    live.applyTrade(market, event)
    if (live.table.record(market) !== null) lastPrices.recordTrade(market, event)
  })
  bus.subscribe('activity', ({ market, event }) => {
    live.applyActivity(market, event)
    if (live.table.record(market) !== null) lastPrices.recordActivity(market, event)
  })
  bus.subscribe('book', ({ market, event, isStored }) => live.applyBook(market, event, isStored))
  /** One after another: each replaces the last trade that the one before it left. */
  let correcting: Promise<void> = Promise.resolve()
  bus.subscribe('correction', ({ market }) => {
    lastPrices.invalidate()
    const correction = correcting.then(() => correctLast(market))
    correcting = correction.catch(() => {})
    trackCompleting(correction)
  })

  bus.subscribe('clockSet', () => {
    track(takeStored(live.dropAfter(clock.now())))
    invalidateHistory()
  })

  const stopController = new AbortController()
  const { signal } = stopController
  const isStopping = (): boolean => signal.aborted
  const pendingTasks = new Set<Promise<unknown>>()
  /** Reads that complete received events, apart from tasks that run as long as the service does. */
  const completing = new Set<Promise<unknown>>()
  const trackCompleting = (task: Promise<unknown>): void => {
    completing.add(task)
    track(task.finally(() => completing.delete(task)))
  }
  const track = (task: Promise<unknown>): void => {
    const trackedTask: Promise<unknown> = task
      .catch((error: unknown) => {
        if (!isStopping()) log.error({ err: error }, 'a task of the market data failed')
      })
      .finally(() => pendingTasks.delete(trackedTask))
    pendingTasks.add(trackedTask)
  }
  /**
   * Writes that the history refuses for a while (full disk, no memory) are retried until it
   * accepts them.
   */
  const retryUntilStored = (work: () => Promise<unknown>): Promise<unknown> =>
    retry(work, {
      policy: RETRY_FOREVER,
      clock,
      random: () => 0.5,
      signal,
      decide: (error) => {
        if (isStopping() || !(error instanceof StoreFailed)) return { retry: false }
        log.warn({ err: error }, 'work on the history failed and is retried')
        return { retry: true, after: null }
      },
    })
  let collectors: readonly Collector[] = []
  let feeds: Feeds | null = null
  const firstAnswer = Promise.withResolvers<void>()
  const makeReady = (): void => {
    board.ready = true
    firstAnswer.resolve()
  }
  const backfill = Promise.withResolvers<void>()
  const derivation = Promise.withResolvers<void>()

  const invalidateHistory = (change: PastChange = 'rows'): void => {
    board.invalidateHistory()
    lastPrices.invalidate()
    onHistoryChanged(change)
  }

  const storeReceived = async (): Promise<void> => {
    await pipeline.flush()
    await replaySource?.settle(clock.now())
  }
  /** Whether it was possible: rows may wait for space on the disk, which no load waits for. */
  const tryStoreReceived = async (): Promise<boolean> => {
    try {
      await storeReceived()
      return true
    } catch (error) {
      if (error instanceof StoreFailed) return false
      throw error
    }
  }

  /**
   * Markets whose state was dropped are loaded from history: a market that opened again may have
   * some.
   */
  const takeStored = async (markets: readonly MarketId[]): Promise<void> => {
    if (markets.length === 0) return
    await storeReceived()
    for (const numbers of await deps.history.numbersAt(clock.now(), markets)) {
      live.takeStored(numbers)
    }
  }

  /** After a correction only history has the newest trade. */
  const correctLast = async (market: MarketId): Promise<void> => {
    const lastTrade = live.lastTrade(market)
    await storeReceived()
    const [numbers] = await deps.history.numbersAt(clock.now(), [market])
    live.correctLast(market, lastTrade, numbers?.last ?? null)
    invalidateHistory('trade')
  }

  const finishBackfill = async (firstRead: ReadonlySet<Venue>): Promise<void> => {
    await Promise.all(collectors.map((collector) => collector.backfilled))
    if (isStopping()) return
    pipeline.loadsHistory(NO_VENUES)
    await retryUntilStored(async () => {
      await pipeline.flush()
      await deps.history.sortClosedHours(clock.now())
    })
    invalidateHistory()
    backfill.resolve()
    // Quotes arrive with the bars: moves derived without them would differ.
    await Promise.all(collectors.map((collector) => collector.barsRead))
    if (isStopping()) return
    await retryUntilStored(async () => {
      await pipeline.flush()
      await changes.deriveFromHistory(clock.now(), signal, firstRead)
    })
    if (isStopping()) return
    invalidateHistory()
    derivation.resolve()
  }

  const sortRegularly = async (): Promise<void> => {
    const interval = replaySource === undefined ? SORT_INTERVAL : REPLAY_SORT_INTERVAL
    while (await sleepUnless(signal, clock, interval)) {
      if (replaySource?.isSortingDue() === false) continue
      await replaySource?.settle(clock.now())
      await retryUntilStored(() => deps.history.sortClosedHours(clock.now()))
    }
  }

  return {
    history,
    async copyTo(kind, query, ...rest) {
      await settle(query.asOf)
      await changes.settle()
      return deps.history.copyTo(kind, query, ...rest)
    },
    queries: {
      async query(...statementArgs) {
        await settle(clock.now())
        await changes.settle()
        return deps.history.query(...statementArgs)
      },
    },
    board,
    reference,
    lastPrices,
    events: bus,
    addChanges: (changeRows) => changes.addRows(changeRows),
    currentQuote(market) {
      if (live.table.record(market) === null) return null
      const { quote } = live.table.numbers(market)
      if (quote === null) return null
      const { ts: at, knownAt: receivedAt, ...prices } = quote
      const book = live.book(market)?.book ?? null
      const best = (side: OrderBook['bids'] | undefined) => side?.[0]?.price ?? null
      const isSame = best(book?.bids) === prices.bid && best(book?.asks) === prices.ask
      return { ...prices, levels: isSame ? book : null, at, receivedAt }
    },
    isStale(market) {
      const { venue, ticker } = history.keyOf(market)
      const collector = collectors.find((candidate) => candidate.venue === venue)
      return collector?.isStale(ticker) ?? false
    },
    firstAnswer: firstAnswer.promise,
    backfilled: backfill.promise,
    derived: derivation.promise,
    accept: (events) => pipeline.accept(events),
    async start(source) {
      feeds = source
      if (source.source === 'live') board.isVisible = ({ facts }) => !isSample(facts)
      const now = clock.now()
      const records = await live.load(deps.history, now, board.isVisible, tryStoreReceived)
      track(runCooperatively(live.table.prepareSearch(), () => clock.monotonic()))
      await pipeline.resume(records, VENUES)
      await changes.resume(records, now)
      const progress = createFeedsStore(state)
      const firstRead = await venuesUnread(progress)
      pipeline.loadsHistory(firstRead)
      collectors = source.connectors.map(
        (connector) =>
          new Collector({
            connector,
            pipeline,
            progress,
            clock,
            log,
            history: deps.history,
            settings: source.settings,
          }),
      )
      for (const collector of collectors) track(collector.run(signal))
      track(changes.run(signal))
      track(sortRegularly())
      track(finishBackfill(firstRead))
      const descriptions = collectors.map((collector) => collector.described)
      if (source.source === 'demo' && firstRead.size > 0) {
        // Its past is read within seconds; before that every change since yesterday would be unknown.
        void backfill.promise.then(makeReady)
        await Promise.all(descriptions)
      } else if (source.source === 'live' && records.length === 0) {
        // A venue that cannot be reached must not keep the service from reporting it.
        const first = Promise.race(descriptions).then(makeReady)
        await Promise.race([first, sleepUnless(signal, clock, MAX_FIRST_LOAD)])
      } else makeReady()
    },
    health: (venue) =>
      replaySource === undefined
        ? (collectors.find((collector) => collector.venue === venue)?.health() ?? null)
        : replayedHealth(venue, replaySource),
    pipeline: () => pipeline.stats(),
    async refresh() {
      // The tape lacks the imported rows.
      await trailingReader?.close()
      await pipeline.loadStored(VENUES)
      const now = clock.now()
      const records = await live.load(deps.history, now, board.isVisible, tryStoreReceived)
      await changes.addImported(records, clock.now())
      // Imports describe markets when no venue can be reached.
      if (feeds?.source === 'live' && records.length > 0) makeReady()
      invalidateHistory()
    },
    recordDamage() {
      const recordRepair = async (): Promise<void> => {
        await retryUntilStored(() => pipeline.recordRepair())
        invalidateHistory()
      }
      track(recordRepair())
    },
    async settle() {
      // State of markets that reopened or were corrected is read after the replayed events.
      if (replaySource === undefined) return changes.settle()
      await Promise.allSettled([...completing])
      await changes.waitUntilDerived()
    },
    async flush() {
      await storeReceived()
      await changes.settle()
      // Failed writes are retried and reported.
      await changes.write()
    },
    async stop() {
      stopController.abort()
      await Promise.allSettled([...pendingTasks])
      await trailingReader?.close()
      await changes.write().catch((error: unknown) => {
        log.error({ err: error }, 'change events could not be written')
      })
      await pipeline.close()
      await feeds?.close()
    },
  }
}

/** Health of a venue whose stored rows are replayed. */
const replayedHealth = (venue: Venue, replaySource: ReplaySource): FeedHealth => ({
  venue,
  mode: 'stream',
  lastMessageAt: replaySource.arrivedAt(venue),
  lastError: null,
  requests: 0,
  failures: 0,
  skipped: {},
})

/** Venues whose past no earlier start has read completely. */
async function venuesUnread(progress: FeedsStore): Promise<ReadonlySet<Venue>> {
  const unread = new Set<Venue>()
  for (const venue of VENUES) {
    if ((await progress.progressOf(venue)).backfilledAt === null) unread.add(venue)
  }
  return unread
}
