import { quarterHourOf } from '../domain/changes/change-rows.ts'
import { isRegimeChange } from '../domain/regime/label.ts'
import { DAY, HOUR, roundTo, SECOND, type Millis } from '../domain/units.ts'
import { WORLD_INTERVAL, worldContextAt } from '../domain/world/world.ts'
import type { IndexRow, RegimeLabelRow } from '../history/context-store.ts'
import type { ReadHistory } from '../history/history.ts'
import type { MarketId } from '../history/market-key.ts'
import { reasonOf, sleepUnless, type Clock } from '../lib/clock.ts'
import { NotReady } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { ContextEngine, PublishedSnapshots, WorldSnapshot } from './context-engine.ts'
import { ContextSnapshotBuilder } from './snapshot/context-snapshot-builder.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'
import { createStructureHost } from './snapshot/structure/structure-host.ts'
import {
  createPreviousDaySnapshot,
  type PreviousDaySnapshot,
} from './snapshot/previous-day-snapshot.ts'
import { SnapshotCache } from './snapshot/snapshot-cache.ts'
import type { MarketBoard } from './board/market-board.ts'
import type { ReferencePrices } from './board/reference-prices.ts'
import type { SnapshotPublicationLog } from './snapshot/snapshot-publication-log.ts'
import { createWorldSnapshotService } from './world/world-snapshot-service.ts'
import { SETTLE_DELAY } from './world/snapshot-schedule.ts'

/** Delay before a retry after a logged failure. */
const RETRY_DELAY = (30 * SECOND) as Millis
/** Baseline of gauges: one reading per day for a month, one per hour for a day. */
const BASELINE_DAYS = 30
const BASELINE_HOURS = 24

export interface ContextSnapshotService extends ContextEngine {
  readonly dayEarlier: PreviousDaySnapshot
  /** Subscribes to each new snapshot before it is served, to store what follows from it. */
  onSnapshot(listener: (snapshot: ContextSnapshot) => Promise<void>): void
  /** Computes snapshots and worlds as time passes, until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Whether a snapshot or a world is being computed. */
  readonly isBusy: boolean
  /** Resolves when no snapshot and no world is being computed. */
  idle(): Promise<void>
  /**
   * Whether the gauges of the past month are being computed; answers that compare with them change
   * until then.
   */
  readonly isReadingPast: boolean
  /**
   * Computes the gauges of the past month that are not stored, before `run`, so that the first day
   * of a fetched history can be compared with earlier ones.
   */
  readPast(signal: AbortSignal): Promise<void>
  /**
   * Drops cached past instants.
   * @param isAll rows of many markets came late, so the current snapshot is rebuilt too; a
   * correction of a single trade is included from the next quarter hour on
   */
  invalidateHistory(isAll: boolean): void
  close(): Promise<void>
}

export function createContextSnapshotService(deps: {
  history: ReadHistory
  board: MarketBoard
  reference: ReferencePrices
  /** Records which snapshots are served from when on. */
  served: SnapshotPublicationLog
  clock: Clock
  log: Logger
  /** Whether quotes of earlier instants are on record, as in a replay, or begin to arrive. */
  quotesBegin?: 'earlier' | 'with the run'
}): ContextSnapshotService {
  const { history, board, reference, served, clock, log, quotesBegin = 'with the run' } = deps
  const structure = createStructureHost()
  const newBuilder = () =>
    new ContextSnapshotBuilder({ history, board, reference, structure, clock })
  const builder = newBuilder()
  /** Past instants are mostly requested in ascending order. */
  const pastBuilder = newBuilder()
  const worlds = createWorldSnapshotService({ board, reference, store: history, clock })
  const snapshotListeners: ((snapshot: ContextSnapshot) => Promise<void>)[] = []
  const snapshotCache = new SnapshotCache()
  let current: ContextSnapshot | null = null
  let currentWorld: WorldSnapshot | null = null
  /** When this run began; no quote of an earlier instant is known unless an earlier run saw it. */
  let startedAt: Millis | null = null
  /** Rows arrived that the current snapshot does not include. */
  let isOutdated = false
  /** Number of snapshots and worlds being computed. */
  let activeTasks = 0
  const whenIdle: (() => void)[] = []
  let isReadingPast = false
  /** Snapshots are expensive, so one is computed at a time. */
  let lastTask: Promise<unknown> = Promise.resolve()

  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => {
    const taskResult = lastTask.then(work)
    lastTask = taskResult.catch(() => {})
    return taskResult
  }

  const contextSnapshotOf = (at: Millis): Promise<ContextSnapshot> =>
    current?.at === at
      ? Promise.resolve(current)
      : snapshotCache.getOrBuild(at, () => runExclusive(() => pastBuilder.build(at)))

  const dayEarlier = createPreviousDaySnapshot({ contextSnapshotOf }, served)

  const snapshotFor = async (asOf: Millis | null): Promise<ContextSnapshot> => {
    if (asOf === null) {
      if (current === null) throw new NotReady('The first context snapshot is being computed')
      return current
    }
    const then = await served.at(asOf)
    return contextSnapshotOf(then?.contextAt ?? quarterHourOf(asOf))
  }

  const worldFor = async (asOf: Millis | null): Promise<WorldSnapshot> => {
    if (asOf === null) {
      if (currentWorld === null) throw new NotReady('The first world snapshot is being computed')
      return currentWorld
    }
    const { worldAt = null, worldContextAt: contextAt = null } = (await served.at(asOf)) ?? {}
    if (worldAt === null || contextAt === null) {
      const at = worldContextAt(asOf)
      return worlds.past(at, await contextSnapshotOf(quarterHourOf(at)))
    }
    const isCurrent = currentWorld?.world.at === worldAt && currentWorld.snapshot.at === contextAt
    if (currentWorld !== null && isCurrent) return currentWorld
    return worlds.past(worldAt, await contextSnapshotOf(contextAt))
  }

  const publishedStateAt = async (at: Millis): Promise<PublishedSnapshots> => {
    const { publishedContextAt, publishedWorldAt } = (await served.at(at)) ?? {}
    return { contextAt: publishedContextAt ?? at, worldAt: publishedWorldAt ?? at }
  }

  /** Answers use this snapshot from here on. */
  const serve = (snapshot: ContextSnapshot): void => {
    if (current !== null && current.at < snapshot.at) snapshotCache.put(current)
    current = snapshot
    served.recordContext(snapshot.at, dayEarlier.isReadyFor(snapshot))
  }
  // Registered first, so that a listener that queries on notification gets the new world.
  worlds.onWorld((worldSnapshot) => {
    currentWorld = worldSnapshot
    served.recordWorld(worldSnapshot.world.at, worldSnapshot.snapshot.at)
  })

  const publish = async (snapshot: ContextSnapshot): Promise<void> => {
    await history.appendContext({
      indices: indexRowsOf(snapshot),
      regimes: await changedRegimes(snapshot),
    })
    for (const listener of snapshotListeners) await listener(snapshot)
    // Nothing is served before the answers about the last 24 hours are complete.
    await dayEarlier.prepare(snapshot)
  }

  /** Regimes that differ from the newest stored ones. */
  const changedRegimes = async (snapshot: ContextSnapshot): Promise<RegimeLabelRow[]> => {
    const storedLabels = new Map<MarketId, RegimeLabelRow>()
    for (const row of await history.newestRegimes((snapshot.at - 1) as Millis)) {
      storedLabels.set(row.market, row)
    }
    return regimeRowsOf(snapshot).filter((row) => {
      const last = storedLabels.get(row.market) ?? null
      return isRegimeChange(
        { ...row, spreadCents: row.spread },
        last === null ? null : { ...last, spreadCents: last.spread },
      )
    })
  }

  /**
   * The instant of a snapshot: a regular one, or the start of this run after it, because quotes are
   * known only from then on. A snapshot that an earlier run published since is continued.
   */
  const instantOf = (regular: Millis, publishedAt: Millis | null, now: Millis): Millis => {
    if (publishedAt !== null && publishedAt >= regular && publishedAt <= now) return publishedAt
    return Math.max(regular, startedAt ?? regular) as Millis
  }

  /** The snapshot of an instant; the current one while it is the newest. */
  const snapshotAt = async (at: Millis, now: Millis): Promise<ContextSnapshot> => {
    const isNewest = current !== null && current.at >= at && current.at <= now
    if (isNewest && !isOutdated && current !== null) return current
    const since = clock.monotonic()
    // Rows that arrive meanwhile set it again.
    const wasOutdated = isOutdated
    isOutdated = false
    const build = async (): Promise<ContextSnapshot> => {
      const snapshot = await runExclusive(() => builder.build(at))
      await publish(snapshot)
      return snapshot
    }
    const snapshot = await build().catch((error: unknown) => {
      isOutdated ||= wasOutdated
      throw error
    })
    const ms = Math.round(clock.monotonic() - since)
    log.info(
      { at, ms, markets: snapshot.markets.size, pairs: snapshot.pairs.length },
      'context snapshot computed',
    )
    serve(snapshot)
    return snapshot
  }

  const advanceTo = async (now: Millis): Promise<void> => {
    const { publishedContextAt, publishedWorldAt } = served.published
    const snapshot = await snapshotAt(instantOf(quarterHourOf(now), publishedContextAt, now), now)
    const worldAt = instantOf(worldContextAt(now), publishedWorldAt, now)
    if (worlds.newest()?.world.at === worldAt) return
    const since = clock.monotonic()
    const { world } = await worlds.build(worldAt, snapshot)
    const ms = Math.round(clock.monotonic() - since)
    log.debug({ at: worldAt, ms, candidates: world.candidates.length }, 'world snapshot computed')
  }

  const readPast = async (signal: AbortSignal): Promise<void> => {
    const newest = quarterHourOf(clock.now())
    for (const at of instantsBefore(newest)) {
      if (signal.aborted) return
      const storedIndex = await history.indexAt('', at, clock.now())
      if (storedIndex !== null && storedIndex.at === at) continue
      const indices = await runExclusive(() => pastBuilder.gauges(at))
      if (indices.size === 0) continue
      const knownAt = clock.now()
      await history.appendContext({
        indices: indexRowsOf({ at, indices }).map((row) => ({ ...row, knownAt })),
      })
    }
  }

  const whileBusy = async (work: () => Promise<void>): Promise<void> => {
    activeTasks += 1
    try {
      await work()
    } finally {
      activeTasks -= 1
      if (activeTasks === 0) for (const resolve of whenIdle.splice(0)) resolve()
    }
  }

  return {
    snapshot: snapshotFor,
    contextSnapshotOf,
    world: worldFor,
    publishedContext: publishedStateAt,
    dayEarlier,
    since: (worldSnapshot, baseline) => worlds.since(worldSnapshot, baseline),
    onWorld: (listener) => worlds.onWorld(listener),
    onSnapshot(listener) {
      snapshotListeners.push(listener)
    },
    async run(signal) {
      let hasStarted = false
      for (;;) {
        const now = clock.now()
        let wait = (worldContextAt(now) + WORLD_INTERVAL + SETTLE_DELAY - now) as Millis
        try {
          const move = async (): Promise<void> => {
            // Waiting for idle includes waiting for the first world.
            if (!hasStarted) await served.begin()
            if (!hasStarted && quotesBegin === 'with the run') startedAt = now
            hasStarted = true
            await advanceTo(now)
          }
          await unlessAborted(whileBusy(move), signal)
        } catch (error) {
          if (signal.aborted) break
          log.error({ err: error }, 'the context snapshot could not be computed')
          wait = RETRY_DELAY
        }
        const elapsedMs = clock.now() - now
        if (!(await sleepUnless(signal, clock, Math.max(0, wait - elapsedMs)))) break
      }
      await served.end()
    },
    get isBusy() {
      return activeTasks > 0
    },
    idle: () =>
      activeTasks === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve)),
    async readPast(signal) {
      isReadingPast = true
      try {
        await unlessAborted(readPast(signal), signal)
      } finally {
        isReadingPast = false
      }
    },
    get isReadingPast() {
      return isReadingPast
    },
    invalidateHistory(isAll) {
      snapshotCache.clear()
      worlds.invalidateHistory()
      if (isAll) isOutdated = true
      const invalidate = (): void => {
        pastBuilder.invalidate()
        if (isAll) builder.invalidate()
      }
      invalidate()
      // A build in progress leaves what it read before.
      void runExclusive(() => Promise.resolve(invalidate()))
    },
    close: () => structure.close(),
  }
}

/**
 * A stop does not wait for a snapshot: its computation ends with its next read, which a closed
 * history refuses.
 * @throws the signal's reason when it comes first
 */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(reasonOf(signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Daily for a month, then hourly, ascending. */
function instantsBefore(newest: Millis): Millis[] {
  const days = Array.from({ length: BASELINE_DAYS }, (_, day) => newest - (day + 1) * DAY)
  const hours = Array.from({ length: BASELINE_HOURS - 1 }, (_, hour) => newest - (hour + 1) * HOUR)
  return [...days.reverse(), ...hours.reverse()] as Millis[]
}

const indexRowsOf = (snapshot: Pick<ContextSnapshot, 'at' | 'indices'>): IndexRow[] =>
  [...snapshot.indices].map(([scope, reading]) => {
    const { value, disagreement, geoRisk, breadth, activity } = reading
    return {
      scope,
      at: snapshot.at,
      value,
      disagreement,
      geoRisk,
      breadth,
      activity,
      body: JSON.stringify(reading),
    }
  })

const regimeRowsOf = (snapshot: ContextSnapshot): RegimeLabelRow[] =>
  [...snapshot.markets.values()].flatMap(({ view, regime }) =>
    regime === null
      ? []
      : [
          {
            market: view.market,
            at: snapshot.at,
            score: regime.score,
            label: regime.label,
            alpha: regime.alpha === null ? null : roundTo(regime.alpha, 4),
            trades: regime.nTrades,
            spread: regime.signals.spreadCents,
            bidDepthUsd: regime.signals.bidDepthUsd,
            askDepthUsd: regime.signals.askDepthUsd,
            volume24h: regime.signals.volume24h,
          },
        ],
  )
