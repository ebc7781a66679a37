import type { ContextEngine } from '../../computed/context-engine.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { ContentItem, Highlight } from '../../http/read-schemas.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'

/** Texts of the service's own by words, best first. */
export type FindContent = (
  query: string,
  at: Millis,
  limit: number,
) => Promise<readonly ContentItem[]>

/** Lists of other parts, in their own order. */
export interface StandingLists {
  highlights(asOf: Millis | null): Promise<readonly Highlight[]>
  /** Rows of public theses by size of the edge. */
  edges(
    asOf: Millis | null,
  ): Promise<readonly (object & { readonly title: string; readonly ticker: string })[]>
}

/** What questions are answered from. */
export interface QueryDeps {
  readonly board: MarketBoard
  /** Null where nothing is computed: prices answer alone. */
  readonly context: ContextEngine | null
  readonly content: FindContent
  readonly lists: StandingLists
  /** Null when none is configured. */
  readonly model: () => LanguageModel | null
  readonly clock: Clock
  readonly urls: Urls
}
