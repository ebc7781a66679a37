import type { ContextEngine } from '../../computed/context-engine.ts'
import type { GridDayEarlier } from '../../computed/grid-day-earlier.ts'
import type { DailyTrends } from '../../computed/daily-trends.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** What dossiers are made of. */
export interface InspectDeps {
  readonly board: MarketBoard
  readonly context: Pick<ContextEngine, 'grid'>
  readonly dayEarlier: Pick<GridDayEarlier, 'before'>
  /** Knows since when a gap has been served. */
  readonly judgements: Pick<Judgements, 'gapsSince'>
  readonly trends: Pick<DailyTrends, 'of'>
  readonly clock: Clock
  readonly urls: Urls
}
