import { Elysia } from 'elysia'
import { NotReady } from '../../lib/errors.ts'
import { adapter } from '../adapter.ts'

/**
 * Answers 503 with Retry-After until the first load has finished, so that no answer, of now or of
 * a past instant, is computed from a part of the history. Applies to the routes added after it.
 * @param isLoaded whether the first load has finished
 */
export const requireFirstLoad = (isLoaded: () => boolean) =>
  new Elysia({ name: 'first-load', adapter }).onBeforeHandle({ as: 'global' }, () => {
    if (!isLoaded()) throw new NotReady('The history is being read for the first time')
  })
