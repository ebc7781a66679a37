import type {
  ContextEngine,
  PublishedSnapshots,
  WorldSnapshot,
} from '../computed/context-engine.ts'
import type { ContextSnapshot, MarketQuantities } from '../computed/snapshot/context-snapshot.ts'
import { isTradablePair } from '../domain/edges/implied-edges.ts'
import type { Ticker } from '../domain/market.ts'
import { bestPairs } from '../domain/pairing/pairs.ts'
import type { MarketPair } from '../domain/pairing/pairs.ts'
import { regimeOf } from '../domain/regime/regime.ts'
import type { Millis } from '../domain/units.ts'
import { NotReady } from '../lib/errors.ts'
import { marketView, NOON } from './builders.ts'

/** An active market of the snapshot at noon with known prices only. */
export function marketQuantities(
  fields: Partial<MarketQuantities> = {},
  at: Millis = NOON,
): MarketQuantities {
  const view = fields.view ?? marketView()
  const adverse = fields.adverse ?? { score: 0.5, prior: 0.5, nTrades: 40, alpha: 0.5 }
  const eventType = fields.eventType ?? 'cultural'
  const observability = fields.observability ?? 'low'
  const spread = view.hasOrderbook ? view.spread : null
  const { bidDepthUsd, askDepthUsd, volume24h } = view
  const reading = { spread, bidDepthUsd, askDepthUsd, volume24h, observability, eventType, adverse }
  const edge = { ee: null, direction: null }
  return {
    view,
    theme: view.topics[0] ?? view.facts.category,
    eventType,
    observability,
    adverse,
    regime: regimeOf({ isLive: view.status === 'active', edge, ...reading }, null, at),
    trendLabel: view.status === 'active' ? 'range' : null,
    rates: { iar: null, rv: null },
    changes24h: 0,
    traded: { now: null, dayAgo: null },
    surprise: { vr: null, expectedVr: null, residualVr: null },
    daysToEvent: null,
    overround: null,
    volatility: null,
    quotedAgo: { '1h': false, '6h': false, '24h': false, '3d': false },
    volatilityBefore: { '1h': null, '6h': null, '24h': null, '3d': null },
    dailyMarks: [null, null, null, null, null, null, null, view.mark],
    marksAgo: { '1h': view.mark, '6h': view.mark, '24h': view.mark, '3d': view.mark },
    priceDayAgo: null,
    volumeDayAgoUsd: null,
    medianSpread7d: null,
    markSd7d: null,
    tradedMoves: null,
    idleHours: 0,
    ...fields,
  }
}

/** A pair of the same question on both venues, confident by default. */
export const marketPair = (
  fields: Pick<MarketPair, 'a' | 'b'> & Partial<MarketPair>,
): MarketPair => ({
  id: `${fields.a}~${fields.b}`,
  closeDeltaDays: 0,
  decisionDeltaDays: null,
  gap: null,
  features: { text: 1, entity: 1, number: 1, date: 1, price: 1 },
  raw: 0.99,
  confidence: 0.9,
  inverted: false,
  method: 'text',
  relation: 'identity',
  vetoes: [],
  qualifiers: [],
  ...fields,
})

function byEnd<Item>(
  items: readonly Item[],
  endsOf: (item: Item) => readonly Ticker[],
): Map<Ticker, Item[]> {
  const found = new Map<Ticker, Item[]>()
  for (const item of items) {
    for (const end of endsOf(item)) found.set(end, [...(found.get(end) ?? []), item])
  }
  return found
}

/** A snapshot at noon of these markets; derived data of pairs and links is filled in. */
export function contextSnapshotOf(
  markets: readonly MarketQuantities[],
  fields: Partial<ContextSnapshot> = {},
): ContextSnapshot {
  const pairs = fields.pairs ?? []
  const links = fields.links ?? []
  return {
    at: NOON,
    markets: new Map(markets.map((market) => [market.view.facts.ticker, market])),
    pairs,
    pairOf: bestPairs(pairs),
    pairsOf: byEnd(pairs, ({ a, b }) => [a, b]),
    links,
    linksOf: byEnd(links, ({ i, j }) => [i, j]),
    gaps: () => [],
    distinctGaps: (window) => fields.gaps?.(window) ?? [],
    ladders: [],
    crossVenue: new Map(
      pairs.map((pair) => [
        pair.id,
        {
          pair,
          edge: null,
          executableGap: null,
          yieldPct: null,
          isTradable: isTradablePair(pair, pair.qualifiers.length > 0, null),
        },
      ]),
    ),
    eventEdges: [],
    betaOf: () => null,
    indices: new Map(),
    ...fields,
  }
}

/** An engine with given snapshots and worlds: the newest at or before the requested instant. */
export class FakeContext implements ContextEngine {
  snapshots: ContextSnapshot[]
  worlds: WorldSnapshot[]
  readonly #listeners = new Set<(worldSnapshot: WorldSnapshot) => void>()

  constructor(snapshots: readonly ContextSnapshot[] = [], worlds: readonly WorldSnapshot[] = []) {
    this.snapshots = [...snapshots]
    this.worlds = [...worlds]
  }

  snapshot(asOf: Millis | null): Promise<ContextSnapshot> {
    const snapshot = newest(this.snapshots, ({ at }) => at, asOf)
    return snapshot === null
      ? Promise.reject(new NotReady('no snapshot is available yet'))
      : Promise.resolve(snapshot)
  }

  world(asOf: Millis | null): Promise<WorldSnapshot> {
    const worldSnapshot = newest(this.worlds, ({ world }) => world.at, asOf)
    return worldSnapshot === null
      ? Promise.reject(new NotReady('no world is available yet'))
      : Promise.resolve(worldSnapshot)
  }

  contextSnapshotOf(at: Millis): Promise<ContextSnapshot> {
    return Promise.resolve(
      newest(this.snapshots, (snapshot) => snapshot.at, at) ?? contextSnapshotOf([], { at }),
    )
  }

  publishedContext(at: Millis): Promise<PublishedSnapshots> {
    return Promise.resolve({ contextAt: at, worldAt: at })
  }

  since(worldSnapshot: WorldSnapshot): Promise<WorldSnapshot> {
    return Promise.resolve(worldSnapshot)
  }

  onWorld(listener: (worldSnapshot: WorldSnapshot) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Publishes a new world and notifies listeners. */
  publish(worldSnapshot: WorldSnapshot): void {
    this.worlds.push(worldSnapshot)
    for (const listener of this.#listeners) listener(worldSnapshot)
  }
}

function newest<Item>(
  items: readonly Item[],
  atOf: (item: Item) => Millis,
  asOf: Millis | null,
): Item | null {
  const known = items.filter((item) => asOf === null || atOf(item) <= asOf)
  return known.reduce<Item | null>(
    (best, item) => (best === null || atOf(item) > atOf(best) ? item : best),
    null,
  )
}
