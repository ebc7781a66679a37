import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../lib/clock.ts'
import type { StrategyFace } from './messages.ts'
import { startStrategy } from './strategy-host.ts'
import { STRATEGY_LIMITS, type StrategyLimits } from './strategy-watch.ts'

/** What strategies say of themselves, with the defaults of their parameters. */
export interface StrategyFaces {
  /** Rejects with StrategyFailed when the module cannot be read. @param module its address */
  of(module: string): Promise<StrategyFace>
}

/**
 * Reads each module in a process of its own, one at a time, and again when its file has changed: a
 * strategy is as little trusted when it tells its parameters as when it plays.
 */
export function createStrategyFaces(deps: {
  readonly clock: Clock
  readonly limits?: StrategyLimits
}): StrategyFaces {
  const { clock, limits = STRATEGY_LIMITS } = deps
  const known = new Map<string, { readonly changedAt: number; readonly face: Promise<StrategyFace> }>() // prettier-ignore
  let last: Promise<unknown> = Promise.resolve()
  const read = async (module: string): Promise<StrategyFace> => {
    const host = await startStrategy(
      { module, params: {} },
      { clock, limits, file: null, onBeat: () => {} },
    )
    host.end(new Error('its face was read'))
    return host.face
  }
  return {
    async of(module) {
      const changedAt = statSync(fileURLToPath(module)).mtimeMs
      const kept = known.get(module)
      if (kept?.changedAt === changedAt) return kept.face
      const face = last.then(() => read(module))
      const entry = { changedAt, face }
      known.set(module, entry)
      last = face.catch(() => {
        // A busy machine may have been the reason: the next who asks tries again.
        if (known.get(module) === entry) known.delete(module)
      })
      return face
    },
  }
}
