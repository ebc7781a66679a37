import type { ContextEngine } from '../../computed/context-engine.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { ReferencePrices } from '../../computed/board/reference-prices.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { Ticker } from '../../domain/market.ts'
import type { ReadHistory } from '../../history/history.ts'
import type { ContagionLink, ThemeLiquidity } from '../../contract/indices.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Pair } from '../../contract/crossvenue.ts'
import type { Catalyst } from '../../contract/edges.ts'
import type { Clock } from '../../lib/clock.ts'
import type {
  HealthPanel,
  IndexPanel,
  IndexPoint,
  SourceHealth,
} from '../../contract/panels/panel-payloads.ts'

/** Reads of other features that panels show; each throws NotReady before it can answer. */
export interface FeatureReads {
  /** The current world index; null before the first reading. */
  index(): Promise<IndexPanel['current']>
  /** Its readings of the last day, 15 minutes apart, ascending. */
  indexOfDay(): Promise<readonly IndexPoint[]>
  /** All themes by 24-hour dollar volume. */
  themes(): Promise<readonly ThemeLiquidity[]>
  /** Gaps by relation: cross-venue first, widest first within each. */
  contagion(window: GapWindow, limit: number): Promise<readonly ContagionLink[]>
  /** Pairs with at least this confidence, widest gap first. */
  pairs(minConfidence: number, limit: number): Promise<readonly Pair[]>
  /** Events within this many days from now, soonest first. */
  catalysts(
    days: number,
    limit: number,
  ): Promise<{ readonly from: string; readonly to: string; readonly events: readonly Catalyst[] }>
}

/** Health of the service. */
export interface ServiceCondition {
  status(): HealthPanel['status']
  /** In the order of `SOURCE_NAMES`. */
  sources(): SourceHealth[]
  ingestPerSecond(): number | null
}

/** Dependencies of panels. */
export interface PanelSources {
  readonly reads: FeatureReads
  readonly condition: ServiceCondition
  /** Markets of a user's active watch rules, unordered. */
  watchedBy(userId: string): Promise<readonly Ticker[]>
  readonly context: Pick<ContextEngine, 'snapshot' | 'world'>
  /** The snapshot a day earlier; null while it is unknown. */
  dayEarlier(snapshot: ContextSnapshot): Promise<ContextSnapshot | null>
  readonly board: Pick<MarketBoard, 'at' | 'markets' | 'ready'>
  readonly reference: Pick<ReferencePrices, 'headlinesOf'>
  readonly history: Pick<ReadHistory, 'gaps' | 'keyOf' | 'printsOf'>
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
  readonly urls: Urls
}
