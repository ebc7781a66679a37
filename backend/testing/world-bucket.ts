import type { WorldBucket } from '../computed/context-engine.ts'
import type { WorldMarket } from '../domain/world/world-market.ts'
import { buildWorld, defaultBaseline } from '../domain/world/world.ts'
import { NOON } from './builders.ts'
import { gridOf } from './grid-builders.ts'

/** The world at noon of these markets; nothing is known of what was before. */
export const worldBucket = (markets: readonly WorldMarket[] = []): WorldBucket => ({
  world: buildWorld({
    ...{ at: NOON, baseline: defaultBaseline(NOON), markets },
    ...{ duplicates: [], divergences: [], gauges: [] },
    ...{ pairs: new Map(), thematic: new Map(), memory: new Map() },
  }),
  grid: gridOf([]),
  valueDayAgo: () => Promise.resolve(null),
  readingAtBaseline: () => Promise.resolve(null),
})
