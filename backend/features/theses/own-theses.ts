import type { IntentBasis } from '../../domain/portfolio/intent.ts'
import { THESIS_STATUSES } from '../../domain/theses/status.ts'
import { NotFound } from '../../lib/errors.ts'
import type { ThesesStore } from './theses.store.ts'
import type { ThesisRows } from './thesis-rows.ts'

/** Theses and strategies of a user, as other features name them. */
export const createOwnTheses = (store: ThesesStore, { owned }: Pick<ThesisRows, 'owned'>) => ({
  /**
   * The full ids of what is named; a strategy's thesis is included.
   * @throws NotFound if either is none of the user's
   */
  async basis(userId: string, { thesisId, strategyId }: IntentBasis): Promise<IntentBasis> {
    const thesis = thesisId === null ? null : await owned(userId, thesisId)
    if (strategyId === null) return { thesisId: thesis?.id ?? null, strategyId }
    const candidates = thesis === null ? await store.inStates(userId, THESIS_STATUSES) : [thesis]
    const holder = candidates.find(({ strategies }) =>
      strategies.some(({ id }) => id === strategyId),
    )
    if (holder === undefined) throw new NotFound('Strategy not found')
    return { thesisId: holder.id, strategyId }
  },
})
