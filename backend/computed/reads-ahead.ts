import { GAP_WINDOWS, type GapWindow } from '../domain/links/gaps.ts'
import type { Steps } from '../domain/steps.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { inSlices } from '../lib/slices.ts'
import type { Grid } from './grid/grid.ts'
import type { LiveTrends } from './live-trends.ts'
import type { MarketBoard } from './market-board.ts'
import { prepareOdds } from './odds-questions.ts'

/**
 * Works out ahead what reads would otherwise wait for: the odds and gaps of a grid before it is
 * served, and in the background the days of all live markets.
 */
export function createReadsAhead(deps: {
  readonly trends: Pick<LiveTrends, 'seed'>
  readonly board: Pick<MarketBoard, 'live'>
  readonly clock: Clock
  readonly log: Logger
}) {
  const { trends, board, clock, log } = deps
  const stopping = new AbortController()
  let seeding: Promise<void> | null = null
  const inSteps = <T>(steps: Steps<T>): Promise<T> => inSlices(steps, () => clock.monotonic())

  const seed = async (grid: Grid): Promise<void> => {
    const since = clock.monotonic()
    const trading = [...grid.markets.values()].map(({ view }) => view)
    try {
      await trends.seed(trading, () => board.live(), inSteps, stopping.signal)
      log.debug({ ms: Math.round(clock.monotonic() - since) }, 'the days of live markets are read')
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'days could not be read ahead')
    }
  }

  return {
    async prepare(grid: Grid): Promise<void> {
      await inSteps(prepareOdds(grid))
      await inSteps(prepareGaps(grid))
      // A reading that lasts longer than a grid is not begun twice.
      seeding ??= seed(grid).finally(() => {
        seeding = null
      })
    },
    /** Ends the reading ahead. */
    async close(): Promise<void> {
      stopping.abort()
      await seeding
    },
  }
}

/** Gaps of one window after the other; a grid keeps them. */
function* prepareGaps(grid: Grid): Steps<void> {
  for (const window of Object.keys(GAP_WINDOWS) as GapWindow[]) {
    yield
    grid.gaps(window)
  }
}
