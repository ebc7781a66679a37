import { GAP_WINDOWS, type GapWindow } from '../domain/links/gaps.ts'
import type { Steps } from '../domain/cooperative-steps.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { runCooperatively } from '../lib/process/run-cooperatively.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'
import type { LiveTrends } from './board/live-trends.ts'
import type { MarketBoard } from './board/market-board.ts'
import { prepareOdds } from './odds-questions.ts'

/**
 * Prefetches what reads would otherwise wait for: the odds and gaps of a snapshot before it is
 * served, and in the background the days of all live markets.
 */
export function createPrefetch(deps: {
  readonly trends: Pick<LiveTrends, 'seed'>
  readonly board: Pick<MarketBoard, 'live'>
  readonly clock: Clock
  readonly log: Logger
}) {
  const { trends, board, clock, log } = deps
  const stopController = new AbortController()
  let seeding: Promise<void> | null = null
  const runSteps = <T>(steps: Steps<T>): Promise<T> =>
    runCooperatively(steps, () => clock.monotonic())

  const seed = async (snapshot: ContextSnapshot): Promise<void> => {
    const since = clock.monotonic()
    const trading = [...snapshot.markets.values()].map(({ view }) => view)
    try {
      await trends.seed(trading, () => board.live(), runSteps, stopController.signal)
      log.debug(
        { ms: Math.round(clock.monotonic() - since) },
        'daily trends of live markets prefetched',
      )
    } catch (error) {
      if (!stopController.signal.aborted)
        log.error({ err: error }, 'daily trends could not be prefetched')
    }
  }

  return {
    async prepare(snapshot: ContextSnapshot): Promise<void> {
      await runSteps(prepareOdds(snapshot))
      await runSteps(prepareGaps(snapshot))
      // A read that takes longer than a snapshot interval is not started twice.
      seeding ??= seed(snapshot).finally(() => {
        seeding = null
      })
    },
    /** Stops prefetching. */
    async close(): Promise<void> {
      stopController.abort()
      await seeding
    },
  }
}

/** Computes the gaps of each window; a snapshot caches them. */
function* prepareGaps(snapshot: ContextSnapshot): Steps<void> {
  for (const window of Object.keys(GAP_WINDOWS) as GapWindow[]) {
    yield
    snapshot.gaps(window)
  }
}
