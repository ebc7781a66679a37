import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { ThesisPrice } from '../../domain/edges/thesis-edge.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** What a thesis holds of one market. */
export interface HeldEdge extends ThesisPrice {
  readonly ticker: Ticker
  readonly firstDetectedAt: Millis
  readonly reasoning: string
  readonly thesisSlug: string | null
  /** Null for theses of others. */
  readonly ownThesisId: string | null
  readonly isPrivate: boolean
}

/** The theses that a caller may see: public ones, and own ones. */
export interface ThesisEdges {
  /**
   * @param userId null for a caller that is not known
   * @param asOf as they stood then; null for now
   */
  edges(
    userId: string | null,
    asOf: Millis | null,
  ): Promise<{ readonly scanned: number; readonly edges: readonly HeldEdge[] }>
}

/** What the reads of edges, ideas and highlights are made of. */
export interface EdgesDeps {
  readonly context: Pick<ContextEngine, 'grid' | 'world' | 'published'>
  readonly judgements: Pick<Judgements, 'ideas' | 'idea'>
  readonly theses: ThesisEdges
  readonly board: Pick<MarketBoard, 'at' | 'book' | 'markets' | 'ready'>
  readonly clock: Clock
  readonly urls: Urls
}
