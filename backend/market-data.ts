import { Board } from './computed/board.ts'
import { ChangeWatch } from './computed/change-watch.ts'
import { FollowedPast } from './computed/followed-past.ts'
import { LastPrices } from './computed/last-prices.ts'
import { LiveTable } from './computed/live-table.ts'
import { ReferencePrices } from './computed/reference-prices.ts'
import { isSample, VENUES, type OrderBook, type Venue } from './domain/market.ts'
import { HOUR, MINUTE, SECOND, type Millis, type PriceE4, type SizeE6 } from './domain/units.ts'
import type { ChangeRow } from './history/change-events.ts'
import type { HistoryExports } from './history/history-copies.ts'
import type { HistoryQueries } from './history/history-queries.ts'
import type { ReadHistory, WholeHistory } from './history/history.ts'
import type { MarketId } from './history/market-key.ts'
import { withSettledReads } from './history/settled-reads.ts'
import { Collector } from './ingest/collector.ts'
import type { Feeds } from './ingest/feeds.ts'
import { IngestPipeline, type IngestTopics, type PipelineStats } from './ingest/pipeline.ts'
import type { Retelling } from './ingest/replay-feed.ts'
import { createBus, type Bus } from './lib/bus.ts'
import { sleepUnless, type Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { StoreFailed } from './lib/errors.ts'
import { retry } from './lib/retry.ts'
import { inSlices } from './lib/slices.ts'
import { createFeedsStore, type FeedsStore } from './state/feeds.store.ts'
import type { State } from './state/open.ts'
import type { FeedHealth, VenueEvent } from './venues/connector.ts'

const NO_VENUES: ReadonlySet<Venue> = new Set()
/** What waits for a history that is opened again is stored within seconds; a disk may stay full. */
const PATIENT = { attempts: Infinity, firstDelay: 250, factor: 2, maxDelay: 30_000 }
const SORT_EVERY = (5 * MINUTE) as Millis
/** No hour closes in between; a replay stands still while it sorts and does so only where it pays. */
const REPLAY_SORTS_EVERY = HOUR
/** A first start is over after this long, ready or not. */
const LONGEST_FIRST_LOAD = 10 * SECOND

/** The way of the data from the venues to the board, wired and startable. */
export interface MarketData {
  /** History as readers see it. */
  readonly history: ReadHistory
  /** Writes rows to files, once everything that was taken by then is stored. */
  readonly copyTo: HistoryExports['copyTo']
  /** Statements of users; they find what was told by then. */
  readonly queries: HistoryQueries
  readonly board: Board
  /** Prices of past instants for all markets at once. */
  readonly reference: ReferencePrices
  readonly lastPrices: LastPrices
  /** What the pipeline tells as it takes things: new facts, quotes, books, trades and counters. */
  readonly events: Pick<Bus<IngestTopics>, 'subscribe'>
  /** Stores change events that others derived; those that cannot be written are kept for later. */
  takeChanges(changes: readonly ChangeRow[]): Promise<void>
  /** What is known now of a market's best prices; null for none, or where it has ended. */
  standing(market: MarketId): StandingQuote | null
  /** Whether the feed of a market does not deliver now, so that its book is no quote. */
  isStale(market: MarketId): boolean
  /** Takes events from outside the collectors. */
  accept(events: readonly VenueEvent[]): Promise<void>
  /**
   * Resolves when the board can answer, or after ten seconds: the board of a first start is made
   * ready later, when a venue was reached.
   */
  start(feeds: Feeds): Promise<void>
  /** Resolves when the history that the first start fetches stands. */
  readonly backfilled: Promise<void>
  /** Resolves when the change events of that history are derived too. */
  readonly derived: Promise<void>
  health(venue: Venue): FeedHealth | null
  pipeline(): PipelineStats
  /** Rows arrived by another way (an import): standing answers about the past are worked out anew. */
  refresh(): Promise<void>
  /** The history was damaged and mended by leaving rows out: what it lost is asked for again. */
  noteDamage(): void
  /** Resolves when the changes of what was told by now are found, and stored where nothing is retold. */
  settled(): Promise<void>
  /** Resolves when everything taken so far, and the changes it made, is stored; throws StoreFailed. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Best bid and ask as they were stated last. */
export interface StandingQuote {
  readonly bid: PriceE4 | null
  readonly bidSize: SizeE6 | null
  readonly ask: PriceE4 | null
  readonly askSize: SizeE6 | null
  /** The book that begins at these prices, where one was told. */
  readonly levels: OrderBook | null
  /** At the venue, and when it was known. */
  readonly at: Millis
  readonly receivedAt: Millis
}

/** What of the past is otherwise now: many rows came late, or the venue's word on one trade changed. */
export type PastChange = 'rows' | 'trade'

export function createMarketData(deps: {
  history: WholeHistory
  state: State
  clock: Clock
  log: Logger
  /** Answers made from older history are out of date. */
  onPastChanged: (change: PastChange) => void
  /** Where stored history is told once more in place of what venues say. */
  retelling?: Retelling | undefined
}): MarketData {
  const { state, clock, log, onPastChanged, retelling } = deps
  const bus = createBus<IngestTopics>((error, topic) =>
    log.error({ err: error, topic }, 'a listener failed'),
  )
  const pipeline = new IngestPipeline({ history: deps.history, bus, clock, log })
  const settle = async (asOf: Millis): Promise<void> => {
    await pipeline.settle(asOf)
    await retelling?.settle(asOf)
  }
  retelling?.begin(bus)
  const history = withSettledReads(deps.history, settle, () => changes.settle())
  const live = new LiveTable()
  const followed =
    retelling === undefined ? null : new FollowedPast({ tape: retelling.tape, history })
  const reference = new ReferencePrices(history, followed)
  const board = new Board({ history, live, reference, clock })
  const lastPrices = new LastPrices({ reference, clock })
  const changes = new ChangeWatch({
    ...{ history, live, reference, clock, log },
    writesWhenRead: retelling !== undefined,
  })
  bus.subscribe('facts', (record) => {
    const { market, firstSeenAt, knownAt } = record
    const wasOpen = live.table.record(market) !== null
    live.applyFacts(record)
    const isOpen = live.table.record(market) !== null
    if (isOpen && !wasOpen && firstSeenAt < knownAt) keepUntold(takeStored([market]))
    if (live.table.record(record.market) === null) lastPrices.remove(record.market)
    changes.noteFacts(record)
  })
  bus.subscribe('quote', ({ market, event }) => live.applyQuote(market, event))
  bus.subscribe('trade', ({ market, event }) => {
    live.applyTrade(market, event)
    if (live.table.record(market) !== null) lastPrices.noteTrade(market, event)
  })
  bus.subscribe('activity', ({ market, event }) => {
    live.applyActivity(market, event)
    if (live.table.record(market) !== null) lastPrices.noteActivity(market, event)
  })
  bus.subscribe('book', ({ market, event, isStored }) => live.applyBook(market, event, isStored))
  bus.subscribe('correction', ({ market }) => {
    lastPrices.forget()
    keepUntold(correctLast(market))
  })

  bus.subscribe('clockSet', () => {
    keep(takeStored(live.forgetAfter(clock.now())))
    forgetPast()
  })

  const stopping = new AbortController()
  const { signal } = stopping
  const isStopping = (): boolean => signal.aborted
  const running = new Set<Promise<unknown>>()
  /** What is read to complete what was told, as against what runs for as long as the service does. */
  const untold = new Set<Promise<unknown>>()
  const keepUntold = (task: Promise<unknown>): void => {
    untold.add(task)
    keep(task.finally(() => untold.delete(task)))
  }
  const keep = (task: Promise<unknown>): void => {
    const tracked: Promise<unknown> = task
      .catch((error: unknown) => {
        if (!isStopping()) log.error({ err: error }, 'a task of the market data failed')
      })
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }
  /** What the history refuses for a while (a full disk, no memory) is tried until it takes it. */
  const patiently = (work: () => Promise<unknown>): Promise<unknown> =>
    retry(work, {
      ...{ policy: PATIENT, clock, random: () => 0.5, signal },
      decide: (error) => {
        if (isStopping() || !(error instanceof StoreFailed)) return { retry: false }
        log.warn({ err: error }, 'work on the history failed and is tried again')
        return { retry: true, after: null }
      },
    })
  let collectors: readonly Collector[] = []
  let feeds: Feeds | null = null
  const backfilled = Promise.withResolvers<void>()
  const derived = Promise.withResolvers<void>()

  const forgetPast = (change: PastChange = 'rows'): void => {
    board.forgetPast()
    lastPrices.forget()
    onPastChanged(change)
  }

  /** Markets whose numbers were forgotten get what history knows: one that is open again has any. */
  const takeStored = async (markets: readonly MarketId[]): Promise<void> => {
    if (markets.length === 0) return
    await pipeline.flush()
    await retelling?.settle(clock.now())
    for (const numbers of await deps.history.numbersAt(clock.now(), markets)) {
      live.takeStored(numbers)
    }
  }

  /** What the newest trade is after a correction, only history can tell. */
  const correctLast = async (market: MarketId): Promise<void> => {
    await pipeline.flush()
    await retelling?.settle(clock.now())
    const [numbers] = await deps.history.numbersAt(clock.now(), [market])
    live.correctLast(market, numbers?.last ?? null)
    forgetPast('trade')
  }

  const finishBackfill = async (firstRead: ReadonlySet<Venue>): Promise<void> => {
    await Promise.all(collectors.map((collector) => collector.backfilled))
    if (isStopping()) return
    pipeline.readsPast(NO_VENUES)
    await patiently(async () => {
      await pipeline.flush()
      await deps.history.sortClosedHours(clock.now())
    })
    forgetPast()
    backfilled.resolve()
    // Quotes come with the bars: moves derived without them would be others.
    await Promise.all(collectors.map((collector) => collector.barsRead))
    if (isStopping()) return
    await patiently(async () => {
      await pipeline.flush()
      await changes.deriveFromHistory(clock.now(), signal, firstRead)
    })
    if (isStopping()) return
    forgetPast()
    derived.resolve()
  }

  const sortRegularly = async (): Promise<void> => {
    const every = retelling === undefined ? SORT_EVERY : REPLAY_SORTS_EVERY
    while (await sleepUnless(signal, clock, every)) {
      if (retelling?.isSortingDue() === false) continue
      await retelling?.settle(clock.now())
      await patiently(() => deps.history.sortClosedHours(clock.now()))
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
      async query(...asked) {
        await settle(clock.now())
        await changes.settle()
        return deps.history.query(...asked)
      },
      cachedBytes: () => deps.history.cachedBytes(),
    },
    board,
    reference,
    lastPrices,
    events: bus,
    takeChanges: (found) => changes.take(found),
    standing(market) {
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
    backfilled: backfilled.promise,
    derived: derived.promise,
    accept: (events) => pipeline.accept(events),
    async start(source) {
      feeds = source
      if (source.source === 'live') board.shown = ({ facts }) => !isSample(facts)
      const now = clock.now()
      const records = await live.load(deps.history, now, board.shown)
      keep(inSlices(live.table.prepareSearch(), () => clock.monotonic()))
      await pipeline.resume(records, VENUES)
      await changes.resume(records, now)
      const progress = createFeedsStore(state)
      const firstRead = await venuesUnread(progress)
      pipeline.readsPast(firstRead)
      collectors = source.connectors.map(
        (connector) =>
          new Collector({
            ...{ connector, pipeline, progress, clock, log },
            history: deps.history,
            settings: source.settings,
          }),
      )
      for (const collector of collectors) keep(collector.run(signal))
      keep(changes.run(signal))
      keep(sortRegularly())
      keep(finishBackfill(firstRead))
      const described = collectors.map((collector) => collector.described)
      const makeReady = (): void => {
        board.ready = true
      }
      if (source.source === 'demo') await Promise.all(described).then(makeReady)
      else if (source.source === 'live' && records.length === 0) {
        // A venue that cannot be reached must not keep the service from saying so.
        const first = Promise.race(described).then(makeReady)
        await Promise.race([first, sleepUnless(signal, clock, LONGEST_FIRST_LOAD)])
      } else makeReady()
    },
    health: (venue) =>
      retelling === undefined
        ? (collectors.find((collector) => collector.venue === venue)?.health() ?? null)
        : retoldHealth(venue, retelling),
    pipeline: () => pipeline.stats(),
    async refresh() {
      // The tape lacks what was imported.
      await followed?.close()
      await pipeline.learnStored(VENUES)
      const records = await live.load(deps.history, clock.now(), board.shown)
      await changes.takeImported(records, clock.now())
      forgetPast()
    },
    noteDamage() {
      const mended = async (): Promise<void> => {
        await patiently(() => pipeline.noteMended())
        forgetPast()
      }
      keep(mended())
    },
    async settled() {
      // Numbers of markets that opened anew or were corrected are read behind the telling.
      if (retelling === undefined) return changes.settle()
      await Promise.allSettled([...untold])
      await changes.found()
    },
    async flush() {
      await pipeline.flush()
      await retelling?.settle(clock.now())
      await changes.settle()
      // What could not be written is tried again, and told.
      await changes.write()
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled([...running])
      await followed?.close()
      await changes.write().catch((error: unknown) => {
        log.error({ err: error }, 'change events could not be written')
      })
      await pipeline.close()
      await feeds?.close()
    },
  }
}

/** A venue whose stored rows are told once more. */
const retoldHealth = (venue: Venue, retelling: Retelling): FeedHealth => ({
  ...{ venue, mode: 'stream', lastMessageAt: retelling.heardAt(venue), lastError: null },
  ...{ requests: 0, failures: 0, skipped: {} },
})

/** Venues whose past no start has read whole yet. */
async function venuesUnread(progress: FeedsStore): Promise<ReadonlySet<Venue>> {
  const unread = new Set<Venue>()
  for (const venue of VENUES) {
    if ((await progress.progressOf(venue)).backfilledAt === null) unread.add(venue)
  }
  return unread
}
