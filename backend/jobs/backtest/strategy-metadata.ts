import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../lib/clock.ts'
import type { StrategyMetadata } from './messages.ts'
import { startStrategy } from './strategy-host.ts'
import { STRATEGY_LIMITS, type StrategyLimits } from './strategy-watch.ts'

/** Metadata of strategies, with the defaults of their parameters. */
export interface StrategyMetadataReader {
  /** Rejects with StrategyFailed when the module cannot be read. @param module its address */
  read(module: string): Promise<StrategyMetadata>
}

/**
 * Reads each module in a process of its own, one at a time, and again when its file has changed: a
 * strategy is not trusted while it reports its parameters either.
 */
export function createStrategyMetadataReader(deps: {
  readonly clock: Clock
  readonly limits?: StrategyLimits
}): StrategyMetadataReader {
  const { clock, limits = STRATEGY_LIMITS } = deps
  const metadataCache = new Map<
    string,
    { readonly changedAt: number; readonly metadata: Promise<StrategyMetadata> }
  >()
  let last: Promise<unknown> = Promise.resolve()
  const read = async (module: string): Promise<StrategyMetadata> => {
    const host = await startStrategy(
      { module, params: {} },
      { clock, limits, file: null, onBeat: () => {} },
    )
    host.end(new Error('its metadata was read'))
    return host.metadata
  }
  return {
    async read(module) {
      const changedAt = statSync(fileURLToPath(module)).mtimeMs
      const cachedMetadata = metadataCache.get(module)
      if (cachedMetadata?.changedAt === changedAt) return cachedMetadata.metadata
      const metadata = last.then(() => read(module))
      const entry = { changedAt, metadata }
      metadataCache.set(module, entry)
      last = metadata.catch(() => {
        // A busy machine may have been the reason: the next request tries again.
        if (metadataCache.get(module) === entry) metadataCache.delete(module)
      })
      return metadata
    },
  }
}
