import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { ThesisPrice } from '../../domain/edges/thesis-edge.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** The price of a market by a thesis. */
export interface MarketThesisPrice extends ThesisPrice {
  readonly ticker: Ticker
  readonly firstDetectedAt: Millis
  readonly reasoning: string
  readonly thesisSlug: string | null
  /** Null for theses of other users. */
  readonly ownThesisId: string | null
  readonly isPrivate: boolean
}

/** The theses visible to a caller: public ones and their own. */
export interface ThesisEdges {
  /**
   * @param userId null for an anonymous caller
   * @param asOf instant of the theses; null for now
   */
  edges(
    userId: string | null,
    asOf: Millis | null,
  ): Promise<{ readonly scanned: number; readonly edges: readonly MarketThesisPrice[] }>
}

/** Dependencies of the reads of edges, ideas and highlights. */
export interface EdgesDeps {
  readonly context: Pick<ContextEngine, 'snapshot' | 'world' | 'publishedContext'>
  readonly judgements: Pick<Judgements, 'ideas' | 'idea'>
  readonly theses: ThesisEdges
  readonly board: Pick<MarketBoard, 'at' | 'book' | 'markets' | 'ready'>
  readonly clock: Clock
  readonly urls: Urls
}
