import { createContextKeeper } from './computed/context-keeper.ts'
import { DailyTrends } from './computed/daily-trends.ts'
import { readDeadlines } from './computed/date-families.ts'
import { createJudgements } from './computed/judgements/judgements.ts'
import { LiveTrends } from './computed/live-trends.ts'
import { createReadsAhead } from './computed/reads-ahead.ts'
import { ServedLog } from './computed/served-log.ts'
import { TriggerWatch } from './computed/trigger-watch.ts'
import { MINUTE } from './domain/units.ts'
import { sleepUnless, type Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { inSlices } from './lib/slices.ts'
import type { MarketData, PastChange } from './market-data.ts'

/** The first context waits no longer for the history that a first start fetches. */
const LONGEST_FIRST_READING = 2 * MINUTE

export type MarketContext = ReturnType<typeof createMarketContext>

/** The context engine over the data, and what follows from each of its grids. */
export function createMarketContext(deps: {
  data: MarketData
  clock: Clock
  log: Logger
  /** Whether the gauges of the month before are worked out; true unless told. */
  readsPast?: boolean
}) {
  const { data, clock, log } = deps
  const { history, board, reference } = data
  const contextLog = log.child({ part: 'context' })
  const engine = createContextKeeper({
    ...{ history, board, reference, clock },
    served: new ServedLog({ store: history, clock, log: contextLog }),
    log: contextLog,
  })
  const judgements = createJudgements({ stored: history, board })
  engine.onGrid((grid) =>
    judgements.publish(grid).catch((error: unknown) => {
      // Context is served all the same; what was not stored is published with the next grid.
      log.error({ err: error }, 'what a grid publishes could not be stored')
    }),
  )
  const triggers = new TriggerWatch({
    ...{ history, clock },
    publish: (changes) => data.takeChanges(changes),
  })
  engine.onGrid((grid) =>
    triggers.note(grid).catch((error: unknown) => {
      log.error({ err: error }, 'change events of a grid could not be told')
    }),
  )
  const trends = new LiveTrends(new DailyTrends(history))
  data.events.subscribe('quote', ({ market, event }) => trends.note(market, event))
  data.events.subscribe('trade', ({ market, event }) => trends.note(market, event))
  data.events.subscribe('correction', ({ market }) => trends.forgetMarket(market))
  const readsAhead = createReadsAhead({ ...{ trends, board, clock }, log: contextLog })
  engine.onGrid((grid) => readsAhead.prepare(grid))
  engine.onGrid((grid) => inSlices(readDeadlines(grid), () => clock.monotonic()))

  const pastRead = Promise.withResolvers<void>()

  return {
    engine,
    judgements,
    /** Resolves when the gauges of the past are read, or cannot be. */
    pastRead: pastRead.promise,
    trends,
    /** Works out anew what was made of stored history that changed. */
    forgetPast(change: PastChange): void {
      engine.forgetPast(change === 'rows')
      trends.forget()
    },
    /** Follows the data until the signal: the past is read once it stands whole. */
    async run(signal: AbortSignal): Promise<void> {
      const ended = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve()),
      )
      const derived = Promise.race([data.derived, ended])
      const past = async (): Promise<void> => {
        await derived
        if (deps.readsPast !== false) await engine.readPast(signal)
      }
      // A first context without the past that is being read would say that nothing is known.
      // So may be one whose history cannot say now whether it is the first.
      const firstAt = await history.firstIndexAt(clock.now()).catch((error: unknown) => {
        log.warn({ err: error }, 'whether a context was ever made is not known')
        return null
      })
      if (firstAt === null)
        await Promise.race([derived, sleepUnless(signal, clock, LONGEST_FIRST_READING)])
      await Promise.all([
        engine.run(signal),
        past()
          .catch((error: unknown) => {
            if (!signal.aborted)
              log.error({ err: error }, 'the gauges of the past could not be read')
          })
          .finally(() => pastRead.resolve()),
      ])
    },
    /** Ends the work in the background, after `run` has ended. */
    async close(): Promise<void> {
      await readsAhead.close()
      await engine.close()
    },
  }
}
