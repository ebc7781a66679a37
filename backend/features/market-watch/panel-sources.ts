import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { ReferencePrices } from '../../computed/reference-prices.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { ReadHistory } from '../../history/history.ts'
import type { ContagionLink } from '../../http/contagion-link.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Pair } from '../../http/pair.ts'
import type { Catalyst } from '../../http/read-schemas.ts'
import type { ThemeLiquidity } from '../../http/theme-liquidity.ts'
import type { Clock } from '../../lib/clock.ts'
import type { HealthPanel, IndexPanel, IndexPoint, SourceHealth } from './panel-payloads.schema.ts'

/** The reads of other features that panels show; each throws NotReady before it can answer. */
export interface FeatureReads {
  /** The index of the world now; null before the first reading. */
  index(): Promise<IndexPanel['current']>
  /** Its readings of the last day, a quarter hour apart, ascending. */
  indexOfDay(): Promise<readonly IndexPoint[]>
  /** All themes, by dollars traded in 24 hours. */
  themes(): Promise<readonly ThemeLiquidity[]>
  /** Gaps by relation, those between venues first, the widest first. */
  contagion(window: GapWindow, limit: number): Promise<readonly ContagionLink[]>
  /** Pairs that are at least so sure, the widest gap first. */
  pairs(minConfidence: number, limit: number): Promise<readonly Pair[]>
  /** What is dated within so many days from now, soonest first. */
  catalysts(
    days: number,
    limit: number,
  ): Promise<{ readonly from: string; readonly to: string; readonly events: readonly Catalyst[] }>
}

/** How the service itself does. */
export interface ServiceCondition {
  status(): HealthPanel['status']
  /** In the order of `SOURCE_NAMES`. */
  sources(): SourceHealth[]
  ingestPerSecond(): number | null
}

/** What panels are made of. */
export interface PanelSources {
  readonly reads: FeatureReads
  readonly condition: ServiceCondition
  /** Markets of the active watch rules of a user, in no particular order. */
  watchedBy(userId: string): Promise<readonly Ticker[]>
  readonly context: Pick<ContextEngine, 'grid' | 'world'>
  /** The grid a day before one; null while it is not known. */
  dayEarlier(grid: Grid, at: Millis): Promise<Grid | null>
  readonly board: Pick<MarketBoard, 'at' | 'markets' | 'ready'>
  readonly reference: Pick<ReferencePrices, 'headlinesOf'>
  readonly history: Pick<ReadHistory, 'gaps' | 'keyOf' | 'printsOf'>
  /** Time of the data. */
  readonly clock: Pick<Clock, 'now'>
  readonly urls: Urls
}
