import { notInFuture } from '../../http/request/as-of.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { InvalidInput, NotFound, NotReady } from '../../lib/errors.ts'
import type { Millis } from '../../domain/units.ts'
import type { DeltaQuery } from '../../contract/world-changes.ts'
import type { Deltas } from './deltas.ts'
import { snapshotAction } from './world-answer.ts'
import type { WorldDeps } from './world.deps.ts'

/** Changes since an instant, between stored snapshots. */
export function createWorldDelta(deps: WorldDeps, deltas: Deltas) {
  const { clock, context, urls } = deps
  return {
    /**
     * The delta from the newest snapshot at or before `since` to the newest one. If none was stored
     * by `since`, the first one is computed from the history.
     * @throws NotFound if the history knows no market then
     */
    async delta({ since: requestedSince, asOf, nextActions }: DeltaQuery) {
      const startedAt = clock.monotonic()
      const now = clock.now()
      const at = notInFuture(asOf, now) ?? now
      const { since, text } = requestedSince
      const start = ('at' in since ? since.at : at - since.span) as Millis
      if (start > at) throw new InvalidInput('since is in the future')
      const { worldAt } = await context.publishedContext(at)
      const to = await deltas.storedSnapshot('', worldAt)
      if (to === null && asOf === null) {
        throw new NotReady('The first world snapshot is being computed')
      }
      const from =
        (await deltas.storedSnapshot('', Math.min(start, worldAt) as Millis)) ??
        (await deltas.computedSnapshot(start))
      if (from === null || to === null) {
        throw new NotFound(`No stored snapshot before ${text}`, {
          suggestion: snapshotAction(urls),
        })
      }
      const delta = await deltas.deltaBetween(from, to)
      const repeatUrl = absoluteUrl(urls.baseUrl, '/api/agent/world/delta', { since: delta.to })
      return {
        ...delta,
        latencyMs: Math.round(clock.monotonic() - startedAt),
        ...(nextActions
          ? {
              nextActions: {
                related: [get('Changes from now on', repeatUrl), snapshotAction(urls)],
              },
            }
          : {}),
      }
    },
  }
}
export type WorldDeltaService = ReturnType<typeof createWorldDelta>
