import { createContextSnapshotService } from '../computed/context-snapshot-service.ts'
import { DailyTrends } from '../computed/board/daily-trends.ts'
import { readDeadlines } from '../computed/date-families.ts'
import { createJudgements } from '../computed/judgements/judgements.ts'
import { LiveTrends } from '../computed/board/live-trends.ts'
import { createPrefetch } from '../computed/prefetch.ts'
import { SnapshotPublicationLog } from '../computed/snapshot/snapshot-publication-log.ts'
import { TriggerWatch } from '../computed/trigger-watch.ts'
import { MINUTE, SECOND } from '../domain/units.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { runCooperatively } from '../lib/process/run-cooperatively.ts'
import type { MarketData, PastChange } from './market-data.ts'

/**
 * Longest time that the first context waits for the history that a first start fetches, from when
 * the service can answer.
 */
const MAX_FIRST_READING = 2 * MINUTE
/** The same for what was missed while the service did not run. */
const MAX_RESUMED_READING = 20 * SECOND

export type MarketContext = ReturnType<typeof createMarketContext>

/** The context engine over the data, and the consumers of its snapshots. */
export function createMarketContext(deps: {
  data: MarketData
  clock: Clock
  log: Logger
  /** Whether the gauges of the month before are computed; true by default. */
  loadsHistory?: boolean
  /** Whether quotes of earlier instants are on record, as in a replay, or begin to arrive. */
  quotesBegin?: 'earlier' | 'with the run'
}) {
  const { data, clock, log } = deps
  const { history, board, reference } = data
  const contextLog = log.child({ part: 'context' })
  const engine = createContextSnapshotService({
    history,
    board,
    reference,
    clock,
    ...(deps.quotesBegin !== undefined && { quotesBegin: deps.quotesBegin }),
    served: new SnapshotPublicationLog({ store: history, clock, log: contextLog }),
    log: contextLog,
  })
  const judgements = createJudgements({ stored: history, board })
  engine.onSnapshot((snapshot) =>
    judgements.publish(snapshot).catch((error: unknown) => {
      // Context is served all the same; changes that were not stored are published with the next
      // snapshot.
      log.error({ err: error }, 'judgements of a snapshot could not be stored')
    }),
  )
  const triggers = new TriggerWatch({
    history,
    clock,
    publish: (changes) => data.addChanges(changes),
  })
  engine.onSnapshot((snapshot) =>
    triggers.emitEvents(snapshot).catch((error: unknown) => {
      log.error({ err: error }, 'change events of a snapshot could not be published')
    }),
  )
  const trends = new LiveTrends(new DailyTrends(history))
  data.events.subscribe('quote', ({ market, event }) => trends.record(market, event))
  data.events.subscribe('trade', ({ market, event }) => trends.record(market, event))
  data.events.subscribe('correction', ({ market }) => trends.dropMarket(market))
  const prefetch = createPrefetch({ trends, board, clock, log: contextLog })
  engine.onSnapshot((snapshot) => prefetch.prepare(snapshot))
  engine.onSnapshot((snapshot) =>
    runCooperatively(readDeadlines(snapshot), () => clock.monotonic()),
  )

  const pastRead = Promise.withResolvers<void>()
  /** Whether no context was ever computed; also when the history cannot answer that. */
  const isFirst = async (): Promise<boolean> => {
    try {
      return (await history.firstIndexAt(clock.now())) === null
    } catch (error) {
      log.warn({ err: error }, 'could not read whether a context was computed before')
      return true
    }
  }

  return {
    engine,
    judgements,
    /** Resolves when the gauges of the past are read, or cannot be read. */
    pastRead: pastRead.promise,
    trends,
    /** Recomputes results derived from stored history that changed. */
    invalidateHistory(change: PastChange): void {
      engine.invalidateHistory(change === 'rows')
      trends.invalidate()
    },
    /**
     * Follows the data until the signal. Nothing is published before the fetched history and the
     * gauges of the past are complete, or fetching takes too long: answers would change with them.
     */
    async run(signal: AbortSignal): Promise<void> {
      const feedsEnded = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve()),
      )
      const derivation = Promise.race([data.derived, feedsEnded])
      const readPastGauges = async (): Promise<void> => {
        try {
          if (deps.loadsHistory !== false) await engine.readPast(signal)
        } catch (error) {
          if (!signal.aborted) log.error({ err: error }, 'the gauges of the past could not be read')
        }
        pastRead.resolve()
      }
      await Promise.race([data.firstAnswer, feedsEnded])
      if (signal.aborted) return pastRead.resolve()
      const timeout = (await isFirst()) ? MAX_FIRST_READING : MAX_RESUMED_READING
      const isComplete = await Promise.race([
        derivation.then(() => true),
        sleepUnless(signal, clock, timeout).then(() => false),
      ])
      const reading = isComplete ? readPastGauges() : derivation.then(readPastGauges)
      if (isComplete) await reading
      await Promise.all([engine.run(signal), reading])
    },
    /** Ends the background work, after `run` has ended. */
    async close(): Promise<void> {
      await prefetch.close()
      await engine.close()
    },
  }
}
