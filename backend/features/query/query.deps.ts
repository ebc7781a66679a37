import type { ContextEngine } from '../../computed/context-engine.ts'
import type { MarketBoard } from '../../computed/market-board.ts'
import type { Millis } from '../../domain/units.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { ContentItem } from '../../http/read-schemas.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'

/** Texts of the service's own by words, best first. */
export type FindContent = (
  query: string,
  at: Millis,
  limit: number,
) => Promise<readonly ContentItem[]>

/** What questions are answered from. */
export interface QueryDeps {
  readonly board: MarketBoard
  /** Null where nothing is computed: prices answer alone. */
  readonly context: ContextEngine | null
  readonly content: FindContent
  /** Null when none is configured. */
  readonly model: LanguageModel | null
  readonly clock: Clock
  readonly urls: Urls
}
