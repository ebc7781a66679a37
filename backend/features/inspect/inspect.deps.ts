import type { ContextEngine } from '../../computed/context-engine.ts'
import type { PreviousDaySnapshot } from '../../computed/snapshot/previous-day-snapshot.ts'
import type { DailyTrends } from '../../computed/board/daily-trends.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { PortfolioOverlay } from '../../contract/portfolio.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** Dependencies of dossiers. */
export interface InspectDeps {
  readonly board: MarketBoard
  readonly context: Pick<ContextEngine, 'snapshot'>
  readonly dayEarlier: Pick<PreviousDaySnapshot, 'snapshotBefore'>
  /** Provides the time since which a gap has been served. */
  readonly judgements: Pick<Judgements, 'gapsSince'>
  readonly trends: Pick<DailyTrends, 'read'>
  /** Open positions of a user at an instant; null for now. */
  readonly holdings: (userId: string, asOf: Millis | null) => Promise<PortfolioOverlay>
  readonly clock: Clock
  readonly urls: Urls
}
