import type { WorldSnapshot } from '../computed/context-engine.ts'
import type { WorldMarket } from '../domain/world/world-market.ts'
import { buildWorld, defaultBaseline } from '../domain/world/world.ts'
import { NOON } from './builders.ts'
import { contextSnapshotOf } from './snapshot-builders.ts'

/** The world at noon of these markets, without a past. */
export const worldSnapshotWith = (markets: readonly WorldMarket[] = []): WorldSnapshot => ({
  world: buildWorld({
    at: NOON,
    baseline: defaultBaseline(NOON),
    markets,
    duplicates: [],
    divergences: [],
    gauges: [],
    pairs: new Map(),
    thematic: new Map(),
    memory: new Map(),
  }),
  snapshot: contextSnapshotOf([]),
  valueDayAgo: () => Promise.resolve(null),
  readingAtBaseline: () => Promise.resolve(null),
})
