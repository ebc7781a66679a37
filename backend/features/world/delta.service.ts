import { notInFuture } from '../../http/as-of.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import { InvalidInput, NotFound, NotReady } from '../../lib/errors.ts'
import type { Millis } from '../../domain/units.ts'
import type { DeltaQuery } from './delta.schema.ts'
import type { Deltas } from './deltas.ts'
import { snapshotAction } from './world-answer.ts'
import type { WorldDeps } from './world.deps.ts'

/** What changed since an instant, between stored snapshots. */
export function createWorldDelta(deps: WorldDeps, deltas: Deltas) {
  const { clock, context, urls } = deps
  return {
    /**
     * The delta from the newest snapshot at or before `since` to the newest one.
     * @throws NotFound when none was stored by then
     */
    async delta({ since: asked, asOf, nextActions }: DeltaQuery) {
      const started = clock.monotonic()
      const now = clock.now()
      const at = notInFuture(asOf, now) ?? now
      const { since, text } = asked
      const start = ('at' in since ? since.at : at - since.span) as Millis
      if (start > at) throw new InvalidInput('since is in the future')
      const { worldAt } = await context.published(at)
      const [from, to] = await Promise.all([
        deltas.stored('', Math.min(start, worldAt) as Millis),
        deltas.stored('', worldAt),
      ])
      if (from === null || to === null) {
        if (to === null && asOf === null) throw new NotReady('The first world is being worked out')
        throw new NotFound(`No stored snapshot before ${text}`, {
          suggestion: snapshotAction(urls),
        })
      }
      const delta = await deltas.between(from, to)
      const again = addressOf(urls.baseUrl, '/api/agent/world/delta', { since: delta.to })
      return {
        ...delta,
        latencyMs: Math.round(clock.monotonic() - started),
        ...(nextActions
          ? {
              nextActions: {
                related: [get('What changes from here on', again), snapshotAction(urls)],
              },
            }
          : {}),
      }
    },
  }
}
export type WorldDeltaService = ReturnType<typeof createWorldDelta>
