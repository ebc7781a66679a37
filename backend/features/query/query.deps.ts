import type { ContextEngine } from '../../computed/context-engine.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { ContentItem } from '../../contract/query.ts'
import type { Highlight } from '../../contract/edges.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'

/** Searches the service's own texts, best first. */
export type FindContent = (
  query: string,
  at: Millis,
  limit: number,
) => Promise<readonly ContentItem[]>

/** Lists of other features, in their own order. */
export interface CurrentLists {
  highlights(asOf: Millis | null): Promise<readonly Highlight[]>
  /** Rows of public theses by size of the edge. */
  edges(
    asOf: Millis | null,
  ): Promise<readonly (object & { readonly title: string; readonly ticker: string })[]>
}

/** Dependencies of the query feature. */
export interface QueryDeps {
  readonly board: MarketBoard
  /** Null if no context is computed; answers use prices only. */
  readonly context: ContextEngine | null
  readonly content: FindContent
  readonly lists: CurrentLists
  /** Null if no model is configured. */
  readonly model: () => LanguageModel | null
  readonly clock: Clock
  readonly urls: Urls
}
