import type { PublicThesisRow } from '../../contract/reference.ts'
import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { ReferencePrices } from '../../computed/board/reference-prices.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import type { ContentStore } from './content.store.ts'

/** Dependencies of the editorial reads. */
export interface EditorialDeps {
  readonly board: MarketBoard
  /** Null if no context is computed; only prices are available then. */
  readonly context: ContextEngine | null
  readonly judgements: Pick<Judgements, 'ideas'> | null
  readonly history: Pick<HistoryStore, 'changes' | 'numbersAt'> &
    Pick<HistoryColumns, 'slots' | 'lateMarkets'>
  readonly reference: Pick<ReferencePrices, 'dayBefore' | 'dayBeforeOfThese'>
  readonly content: ContentStore
  /** Null if no model is configured. */
  readonly model: () => LanguageModel | null
  readonly clock: Clock
  readonly urls: Urls
  /** Published theses as they were at an instant, null for now; newest first. */
  readonly publishedTheses: (asOf: Millis | null) => Promise<readonly PublicThesisRow[]>
}
