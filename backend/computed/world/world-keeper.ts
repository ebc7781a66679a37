import type { Steps } from '../../domain/steps.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import type { IndexReading } from '../../domain/world/index-reading.ts'
import { regionOf } from '../../domain/world/region.ts'
import type { EmissionMemory } from '../../domain/world/salient.ts'
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
import { inSlices } from '../../lib/slices.ts'
import type { WorldBucket } from '../context-engine.ts'
import type { Grid } from '../grid/grid.ts'
import type { MarketBoard } from '../market-board.ts'
import type { ReferencePrices } from '../reference-prices.ts'
import { relationsOf } from './grid-relations.ts'
import { SCOPES, UNKNOWN_READING } from './scopes.ts'
import { memoryOf, memoryRow, MEMORY_REGION, snapshotRow } from './stored-snapshot.ts'
import { worldMarkets } from './world-markets.ts'

/** An older reading is none of the instant that it is asked for. */
const NEAR = HOUR
/** Buckets kept besides the newest two, newest use last. */
const KEPT = 6
/** A row of rows that was not there when the process started says nothing of what is new. */
const LONGEST_MEMORY = DAY
const THIN_EVERY = HOUR

export interface WorldKeeperDeps {
  readonly board: Pick<MarketBoard, 'at'>
  readonly reference: Pick<ReferencePrices, 'pricesAt'>
  readonly store: ContextStore
  readonly clock: Clock
}

/** Makes the worlds of five-minute buckets, stores what deltas need of them, and remembers. */
export interface WorldKeeper {
  /**
   * The world of the bucket that begins at `at`, with the memory of the bucket before; its snapshots
   * are stored and its listeners told when this resolves. Buckets are built one after another.
   */
  build(at: Millis, grid: Grid): Promise<WorldBucket>
  /**
   * The world of a past bucket from what was known then, with the memory that was stored with it.
   * Nothing is stored; asked again, the kept one is answered.
   */
  past(at: Millis, grid: Grid): Promise<WorldBucket>
  /** The same bucket with changes counted from another instant; ids and memory stay. */
  since(bucket: WorldBucket, baseline: Baseline): Promise<WorldBucket>
  /** The newest bucket built by this process, or null. */
  newest(): WorldBucket | null
  /** Hears of each bucket once it is stored; returns how to stop. */
  onWorld(listener: (bucket: WorldBucket) => void): () => void
  /** Older history arrived: past buckets are worked out anew. */
  forgetPast(): void
}

export function createWorldKeeper(deps: WorldKeeperDeps): WorldKeeper {
  const { board, reference, store, clock } = deps
  const listeners = new Set<(bucket: WorldBucket) => void>()
  const kept = new Map<string, Promise<WorldBucket>>()
  let newest: WorldBucket | null = null
  let thinnedAt: Millis | null = null
  let building: Promise<unknown> = Promise.resolve()

  const slices = <Result>(steps: Steps<Result>): Promise<Result> =>
    inSlices(steps, () => clock.monotonic())

  /** What was remembered at `at`: of the bucket itself where it is stored, else of the one before. */
  const memoryAt = async (at: Millis): Promise<EmissionMemory> => {
    const row = await store.snapshotAt(MEMORY_REGION, at)
    return row === null || at - row.at > LONGEST_MEMORY ? new Map() : memoryOf(row)
  }

  const readingAt = async (
    scope: string,
    at: Millis,
    knownBy: Millis,
  ): Promise<IndexReading | null> => {
    const row = await store.indexAt(scope, at, knownBy)
    return row === null || at - row.at > NEAR ? null : (JSON.parse(row.body) as IndexReading)
  }

  const gaugesOf = async (at: Millis, grid: Grid, baseline: Baseline): Promise<RegionGauges[]> => {
    const asked = { at: baseline.at, step: DAY, count: 0, within: NEAR, knownBy: at }
    const stored = await store.indexBack(asked)
    const readings = new Map(stored.map(({ row }) => [row.scope, row.body]))
    return SCOPES.flatMap((scope) => {
      const [now, body] = [grid.indices.get(scope), readings.get(scope)]
      if (now === undefined || body === undefined) return []
      const then = JSON.parse(body) as IndexReading
      return [{ path: scope === '' ? [] : [scope], now, then }]
    })
  }

  const bucketOf = (world: World, grid: Grid): WorldBucket => ({
    world,
    grid,
    async valueDayAgo(scope) {
      const at = (grid.at - DAY) as Millis
      const row = await store.indexAt(scope, at, world.at)
      return row === null || at - row.at > NEAR ? null : row.value
    },
    readingAtBaseline: (scope) => readingAt(scope, world.baseline.at, world.at),
  })

  const worldOf = async (
    at: Millis,
    grid: Grid,
    baseline: Baseline,
    markets: readonly WorldMarket[],
    memory: EmissionMemory,
  ): Promise<WorldBucket> => {
    const gauges = await gaugesOf(at, grid, baseline)
    const input = { at, baseline, markets, ...relationsOf(grid), gauges, memory }
    return bucketOf(await slices(worldSteps(input)), grid)
  }

  const make = async (at: Millis, grid: Grid, memory: EmissionMemory): Promise<WorldBucket> => {
    const baseline = defaultBaseline(at)
    const [snapshot, then] = await Promise.all([board.at(at), reference.pricesAt(baseline.at)])
    const markets = await slices(worldMarkets(snapshot, grid, then))
    return worldOf(at, grid, baseline, markets, memory)
  }

  function* rowsOf({ world, grid }: WorldBucket): Steps<SnapshotRow[]> {
    const rows: SnapshotRow[] = [memoryRow(world.memory, world.at)]
    for (const scope of SCOPES) {
      yield
      const region = regionOf(scope === '' ? [] : [scope], world.series)
      if (region === null) continue
      rows.push(snapshotRow(scope, world, region, grid.indices.get(scope) ?? UNKNOWN_READING))
    }
    return rows
  }

  const remember = (key: string, made: Promise<WorldBucket>): Promise<WorldBucket> => {
    kept.delete(key)
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    const oldest = kept.keys().next()
    if (kept.size > KEPT && oldest.done !== true) kept.delete(oldest.value)
    return made
  }

  const thin = async (at: Millis): Promise<void> => {
    if (thinnedAt !== null && at - thinnedAt < THIN_EVERY) return
    thinnedAt = at
    await store.thinSnapshots(at)
  }

  const buildNext = async (at: Millis, grid: Grid): Promise<WorldBucket> => {
    const before = (at - 1) as Millis
    const isNext = newest !== null && newest.world.at <= before
    const memory = isNext && newest !== null ? newest.world.memory : await memoryAt(at)
    const bucket = await make(at, grid, memory)
    await store.appendContext({ snapshots: await slices(rowsOf(bucket)) })
    newest = bucket
    void remember(bucketKey(at, grid), Promise.resolve(bucket))
    await thin(at)
    for (const listener of listeners) listener(bucket)
    return bucket
  }

  return {
    build(at, grid) {
      const built = building.then(() => buildNext(at, grid))
      building = built.catch(() => {})
      return built
    },
    past(at, grid) {
      const key = bucketKey(at, grid)
      return (
        kept.get(key) ??
        remember(
          key,
          memoryAt(at).then((memory) => make(at, grid, memory)),
        )
      )
    },
    since(bucket, baseline) {
      const { world, grid } = bucket
      if (baseline.at === world.baseline.at) {
        return Promise.resolve({ ...bucketOf({ ...world, baseline }, grid) })
      }
      const key = `${bucketKey(world.at, grid)} since ${baseline.at}`
      const rebase = async (): Promise<WorldBucket> => {
        const minute = (Math.floor(baseline.at / MINUTE) * MINUTE) as Millis
        const then = await reference.pricesAt(minute)
        const markets = world.markets.map((market) => {
          const id = grid.markets.get(market.ticker)?.view.market
          return {
            ...market,
            markAtBaseline: id === undefined ? null : (then.get(id)?.mark ?? null),
          }
        })
        return worldOf(world.at, grid, baseline, markets, world.memory)
      }
      return kept.get(key) ?? remember(key, rebase())
    },
    newest: () => newest,
    onWorld(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forgetPast() {
      kept.clear()
      if (newest === null) return
      void remember(bucketKey(newest.world.at, newest.grid), Promise.resolve(newest))
    },
  }
}

const bucketKey = (at: Millis, grid: Grid): string => `${at} on ${grid.at}`
