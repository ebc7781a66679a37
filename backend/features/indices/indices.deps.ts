import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { Urls } from '../../http/next-actions.ts'
import type { Clock } from '../../lib/clock.ts'

/** Dependencies of the reads of indices and market structure. */
export interface IndicesDeps {
  readonly context: Pick<ContextEngine, 'snapshot' | 'publishedContext'>
  readonly stored: Pick<ContextStore, 'indexAt' | 'indexBetween' | 'firstIndexAt'>
  readonly judgements: Pick<Judgements, 'gapsSince' | 'gapRecords'>
  readonly clock: Clock
  readonly urls: Urls
}
