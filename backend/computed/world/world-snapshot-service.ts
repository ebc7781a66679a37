import { LRUCache } from 'lru-cache'
import type { Steps } from '../../domain/cooperative-steps.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { comparableValue, type IndexReading } from '../../domain/world/gauges/index-reading.ts'
import { regionOf } from '../../domain/world/regions/region.ts'
import type { EmissionMemory } from '../../domain/world/salient/salient.ts'
import {
  defaultBaseline,
  worldSteps,
  type Baseline,
  type RegionGauges,
  type World,
} from '../../domain/world/world.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { ContextStore, SnapshotRow } from '../../history/context-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { runCooperatively } from '../../lib/process/run-cooperatively.ts'
import type { WorldSnapshot } from '../context-engine.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'
import type { MarketBoard } from '../board/market-board.ts'
import { comparableMarkThen, type ReferencePrices } from '../board/reference-prices.ts'
import { relationsOf } from './snapshot-relations.ts'
import { SCOPES, UNKNOWN_READING } from './scopes.ts'
import { memoryOf, memoryRow, MEMORY_REGION, snapshotRow } from './stored-snapshot.ts'
import { worldMarkets } from './world-markets.ts'

/** Maximum distance of a stored reading from the requested instant. */
const NEAR = HOUR
/** The same for instants more than a day back, before which a first start reads one a day. */
const BASELINE_TOLERANCE = DAY
/** Cached world snapshots besides the newest two (LRU). */
const MAX_CACHED = 6
/** A stored item state older than this does not indicate which items are new. */
const MAX_MEMORY = DAY
const THINNING_INTERVAL = HOUR

export interface WorldSnapshotServiceDeps {
  readonly board: Pick<MarketBoard, 'at'>
  readonly reference: Pick<ReferencePrices, 'pricesAt'>
  readonly store: ContextStore
  readonly clock: Clock
}

/**
 * Builds world snapshots every five minutes, stores what deltas need of them, and keeps the item
 * state.
 */
export interface WorldSnapshotService {
  /**
   * The world of the interval that starts at `at`, with the item state of the previous one. Its
   * snapshots are stored and its listeners notified before this resolves. Worlds are built one
   * after another.
   */
  build(at: Millis, snapshot: ContextSnapshot): Promise<WorldSnapshot>
  /**
   * The world of a past interval from what was known then, with the item state stored with it.
   * Nothing is stored; repeated requests are served from a cache.
   */
  past(at: Millis, snapshot: ContextSnapshot): Promise<WorldSnapshot>
  /** The same world snapshot with another baseline; ids and item state are kept. */
  since(worldSnapshot: WorldSnapshot, baseline: Baseline): Promise<WorldSnapshot>
  /** The newest world snapshot built by this process, or null. */
  newest(): WorldSnapshot | null
  /** Subscribes to each world snapshot once it is stored; returns the unsubscribe function. */
  onWorld(listener: (worldSnapshot: WorldSnapshot) => void): () => void
  /** Older history arrived: drops cached past world snapshots. */
  invalidateHistory(): void
}

export function createWorldSnapshotService(deps: WorldSnapshotServiceDeps): WorldSnapshotService {
  const { board, reference, store, clock } = deps
  const listeners = new Set<(worldSnapshot: WorldSnapshot) => void>()
  const cache = new LRUCache<string, Promise<WorldSnapshot>>({ max: MAX_CACHED })
  let newest: WorldSnapshot | null = null
  let thinnedAt: Millis | null = null
  let building: Promise<unknown> = Promise.resolve()

  const slices = <Result>(steps: Steps<Result>): Promise<Result> =>
    runCooperatively(steps, () => clock.monotonic())

  /**
   * The item state at `at`: of the snapshot itself when it is stored, otherwise of the previous
   * one.
   */
  const memoryAt = async (at: Millis): Promise<EmissionMemory> => {
    const row = await store.snapshotAt(MEMORY_REGION, at)
    return row === null || at - row.at > MAX_MEMORY ? new Map() : memoryOf(row)
  }

  const readingAt = async (
    scope: string,
    at: Millis,
    knownBy: Millis,
  ): Promise<IndexReading | null> => {
    const row = await store.indexAt(scope, at, knownBy)
    return row === null || at - row.at > nearnessOf(at, knownBy)
      ? null
      : (JSON.parse(row.body) as IndexReading)
  }

  const gaugesOf = async (
    at: Millis,
    snapshot: ContextSnapshot,
    baseline: Baseline,
  ): Promise<RegionGauges[]> => {
    const maxDistance = nearnessOf(baseline.at, at)
    const baselineQuery = { at: baseline.at, step: DAY, count: 0, within: maxDistance, knownBy: at }
    const storedIndices = await store.indexBack(baselineQuery)
    const readings = new Map(storedIndices.map(({ row }) => [row.scope, row.body]))
    return SCOPES.flatMap((scope) => {
      const [now, body] = [snapshot.indices.get(scope), readings.get(scope)]
      if (now === undefined || body === undefined) return []
      const then = JSON.parse(body) as IndexReading
      return [{ path: scope === '' ? [] : [scope], now, then }]
    })
  }

  const worldSnapshotOf = (world: World, snapshot: ContextSnapshot): WorldSnapshot => ({
    world,
    snapshot,
    async valueDayAgo(scope) {
      const at = (snapshot.at - DAY) as Millis
      const row = await store.indexAt(scope, at, world.at)
      const reading = snapshot.indices.get(scope)
      if (row === null || reading === undefined || at - row.at > NEAR) return null
      return comparableValue(reading, row)
    },
    readingAtBaseline: (scope) => readingAt(scope, world.baseline.at, world.at),
  })

  const worldOf = async (
    at: Millis,
    snapshot: ContextSnapshot,
    baseline: Baseline,
    markets: readonly WorldMarket[],
    memory: EmissionMemory,
  ): Promise<WorldSnapshot> => {
    const gauges = await gaugesOf(at, snapshot, baseline)
    const input = { at, baseline, markets, ...relationsOf(snapshot), gauges, memory }
    return worldSnapshotOf(await slices(worldSteps(input)), snapshot)
  }

  const make = async (
    at: Millis,
    snapshot: ContextSnapshot,
    memory: EmissionMemory,
  ): Promise<WorldSnapshot> => {
    const baseline = defaultBaseline(at)
    const [boardView, then] = await Promise.all([board.at(at), reference.pricesAt(baseline.at)])
    const markets = await slices(worldMarkets(boardView, snapshot, then))
    return worldOf(at, snapshot, baseline, markets, memory)
  }

  function* rowsOf({ world, snapshot }: WorldSnapshot): Steps<SnapshotRow[]> {
    const rows: SnapshotRow[] = [memoryRow(world.memory, world.at)]
    for (const scope of SCOPES) {
      yield
      const region = regionOf(scope === '' ? [] : [scope], world.series)
      if (region === null) continue
      rows.push(snapshotRow(scope, world, region, snapshot.indices.get(scope) ?? UNKNOWN_READING))
    }
    return rows
  }

  const cacheUnlessFailed = (
    key: string,
    worldSnapshot: Promise<WorldSnapshot>,
  ): Promise<WorldSnapshot> => {
    cache.set(key, worldSnapshot)
    worldSnapshot.catch(() => cache.delete(key))
    return worldSnapshot
  }

  const thinSnapshots = async (at: Millis): Promise<void> => {
    if (thinnedAt !== null && at - thinnedAt < THINNING_INTERVAL) return
    await store.thinSnapshots(at)
    thinnedAt = at
  }

  const buildNext = async (at: Millis, snapshot: ContextSnapshot): Promise<WorldSnapshot> => {
    const previousInstant = (at - 1) as Millis
    const isNext = newest !== null && newest.world.at <= previousInstant
    const memory = isNext && newest !== null ? newest.world.memory : await memoryAt(at)
    const worldSnapshot = await make(at, snapshot, memory)
    await store.appendContext({ snapshots: await slices(rowsOf(worldSnapshot)) })
    newest = worldSnapshot
    void cacheUnlessFailed(snapshotKey(at, snapshot), Promise.resolve(worldSnapshot))
    for (const listener of listeners) listener(worldSnapshot)
    await thinSnapshots(at)
    return worldSnapshot
  }

  return {
    build(at, snapshot) {
      const worldBuild = building.then(() => buildNext(at, snapshot))
      building = worldBuild.catch(() => {})
      return worldBuild
    },
    past(at, snapshot) {
      const key = snapshotKey(at, snapshot)
      return (
        cache.get(key) ??
        cacheUnlessFailed(
          key,
          memoryAt(at).then((memory) => make(at, snapshot, memory)),
        )
      )
    },
    since(worldSnapshot, baseline) {
      const { world, snapshot } = worldSnapshot
      if (baseline.at === world.baseline.at) {
        return Promise.resolve({ ...worldSnapshotOf({ ...world, baseline }, snapshot) })
      }
      const key = `${snapshotKey(world.at, snapshot)} since ${baseline.at}`
      const rebase = async (): Promise<WorldSnapshot> => {
        const minute = (Math.floor(baseline.at / MINUTE) * MINUTE) as Millis
        const then = await reference.pricesAt(minute)
        const markets = world.markets.map((market) => {
          const view = snapshot.markets.get(market.ticker)?.view
          const markAtBaseline =
            view === undefined ? null : comparableMarkThen(view, then.get(view.market))
          return { ...market, markAtBaseline }
        })
        return worldOf(world.at, snapshot, baseline, markets, world.memory)
      }
      return cache.get(key) ?? cacheUnlessFailed(key, rebase())
    },
    newest: () => newest,
    onWorld(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    invalidateHistory() {
      cache.clear()
      if (newest === null) return
      void cacheUnlessFailed(snapshotKey(newest.world.at, newest.snapshot), Promise.resolve(newest))
    },
  }
}

const nearnessOf = (at: Millis, now: Millis): Millis => (now - at > DAY ? BASELINE_TOLERANCE : NEAR)

const snapshotKey = (at: Millis, snapshot: ContextSnapshot): string => `${at} on ${snapshot.at}`
