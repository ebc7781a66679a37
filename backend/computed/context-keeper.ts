import { gridAt } from '../domain/change-rows.ts'
import { isRegimeNews } from '../domain/regime-label.ts'
import { DAY, HOUR, roundTo, SECOND, type Millis } from '../domain/units.ts'
import { WORLD_GRID, worldGridAt } from '../domain/world/world.ts'
import type { IndexRow, RegimeLabelRow } from '../history/context-store.ts'
import type { ReadHistory } from '../history/history.ts'
import type { MarketId } from '../history/market-key.ts'
import { reasonOf, sleepUnless, type Clock } from '../lib/clock.ts'
import { NotReady } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { ContextEngine, Published, WorldBucket } from './context-engine.ts'
import { GridBuilder } from './grid/grid-builder.ts'
import type { Grid } from './grid/grid.ts'
import { createStructureHost } from './grid/structure-host.ts'
import { createGridDayEarlier, type GridDayEarlier } from './grid-day-earlier.ts'
import { KeptGrids } from './kept-grids.ts'
import type { MarketBoard } from './market-board.ts'
import type { ReferencePrices } from './reference-prices.ts'
import type { ServedLog } from './served-log.ts'
import { createWorldKeeper } from './world/world-keeper.ts'
import { SETTLING } from './world-due.ts'

/** Nothing was published by then. */
const NEVER = 0 as Millis
/** After a failure, which was told, the next try. */
const AGAIN = (30 * SECOND) as Millis
/** What gauges are compared with: a reading a day for a month, an hour for a day. */
const DAYS_BEFORE = 30
const HOURS_BEFORE = 24

export interface ContextKeeper extends ContextEngine {
  readonly dayEarlier: GridDayEarlier
  /** Hears of each new grid before it is served, to store what follows from it. */
  onGrid(listener: (grid: Grid) => Promise<void>): void
  /** Works grids and worlds out as time goes, until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Whether a grid or a world is being worked out just now. */
  readonly isBusy: boolean
  /** Resolves when no grid and no world is being worked out. */
  idle(): Promise<void>
  /** Whether the gauges of the past month are; answers that compare with them change until they are known. */
  readonly isReadingPast: boolean
  /**
   * Works out the gauges of the past month where none are stored, so that the first day of a
   * history that was fetched can be compared with others.
   */
  readPast(signal: AbortSignal): Promise<void>
  /**
   * Past instants are worked out anew.
   * @param whole rows of many markets came late, so that the standing grid is to be made anew too; what
   * the venue corrects of one trade reaches it with the next quarter hour
   */
  forgetPast(whole: boolean): void
  close(): Promise<void>
}

export function createContextKeeper(deps: {
  history: ReadHistory
  board: MarketBoard
  reference: ReferencePrices
  /** Told what is served from when on, and asked what was. */
  served: ServedLog
  clock: Clock
  log: Logger
}): ContextKeeper {
  const { history, board, reference, served, clock, log } = deps
  const structure = createStructureHost()
  const newBuilder = () => new GridBuilder({ history, board, reference, structure, clock })
  const builder = newBuilder()
  /** Past instants are mostly asked for in a row, one a little after the other. */
  const pastBuilder = newBuilder()
  const worlds = createWorldKeeper({ board, reference, store: history, clock })
  const gridListeners: ((grid: Grid) => Promise<void>)[] = []
  const past = new KeptGrids()
  let current: Grid | null = null
  let currentWorld: WorldBucket | null = null
  /** Rows arrived that the current grid does not know. */
  let isOutdated = false
  /** Grids or worlds are being worked out by so many. */
  let busy = 0
  const whenIdle: (() => void)[] = []
  let isReadingPast = false
  /** Grids are heavy: one is worked out at a time. */
  let working: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }

  const gridOf = (at: Millis): Promise<Grid> =>
    current?.at === at
      ? Promise.resolve(current)
      : past.of(at, () => inTurn(() => pastBuilder.build(at)))

  const dayEarlier = createGridDayEarlier({ gridOf }, served)

  const gridFor = async (asOf: Millis | null): Promise<Grid> => {
    if (asOf === null) {
      if (current === null) throw new NotReady('The first context is being worked out')
      return current
    }
    const then = await served.at(asOf)
    if (then === null) return gridOf(gridAt(asOf))
    if (then.gridAt === null) throw new NotReady('The first context was being worked out')
    return gridOf(then.gridAt)
  }

  const worldFor = async (asOf: Millis | null): Promise<WorldBucket> => {
    if (asOf === null) {
      if (currentWorld === null) throw new NotReady('The first world is being worked out')
      return currentWorld
    }
    const then = await served.at(asOf)
    if (then === null) {
      const at = worldGridAt(asOf)
      return worlds.past(at, await gridOf(gridAt(at)))
    }
    const { worldAt, worldGridAt: madeOf } = then
    if (worldAt === null || madeOf === null) {
      throw new NotReady('The first world was being worked out')
    }
    const isCurrent = currentWorld?.world.at === worldAt && currentWorld.grid.at === madeOf
    if (currentWorld !== null && isCurrent) return currentWorld
    return worlds.past(worldAt, await gridOf(madeOf))
  }

  const publishedBy = async (at: Millis): Promise<Published> => {
    const then = await served.at(at)
    if (then === null) return { gridAt: at, worldAt: at }
    const { publishedGridAt, publishedWorldAt } = then
    return { gridAt: publishedGridAt ?? NEVER, worldAt: publishedWorldAt ?? NEVER }
  }

  /** From here on it is what is answered with. */
  const serve = (grid: Grid): void => {
    if (current !== null && current.at < grid.at) past.put(current)
    current = grid
    served.noteGrid(grid.at, dayEarlier.isReadyFor(grid))
  }
  // First of those that hear of it: whoever asks when told of a world is answered with it.
  const firstWorld = Promise.withResolvers<void>()
  worlds.onWorld((bucket) => {
    currentWorld = bucket
    firstWorld.resolve()
    served.noteWorld(bucket.world.at, bucket.grid.at)
  })

  const publish = async (grid: Grid): Promise<void> => {
    await history.appendContext({ indices: indexRowsOf(grid), regimes: await newsOf(grid) })
    for (const listener of gridListeners) await listener(grid)
    // The first grid of a start is served as soon as it stands, and so is the first world.
    if (current !== null) await dayEarlier.prepare(grid)
  }

  /** Regimes that differ from the newest stored ones. */
  const newsOf = async (grid: Grid): Promise<RegimeLabelRow[]> => {
    const stored = new Map<MarketId, RegimeLabelRow>()
    for (const row of await history.newestRegimes((grid.at - 1) as Millis)) {
      stored.set(row.market, row)
    }
    return regimeRowsOf(grid).filter((row) => {
      const last = stored.get(row.market) ?? null
      return isRegimeNews(
        { ...row, spreadCents: row.spread },
        last === null ? null : { ...last, spreadCents: last.spread },
      )
    })
  }

  /** The grid of a grid instant or, while that is still the newest, the one that stands. */
  const standingAt = async (at: Millis, now: Millis): Promise<Grid> => {
    const isStanding = current !== null && current.at >= at && current.at <= now
    if (isStanding && !isOutdated && current !== null) return current
    isOutdated = false
    const since = clock.monotonic()
    const grid = await inTurn(() => builder.build(at))
    await publish(grid)
    const ms = Math.round(clock.monotonic() - since)
    log.info({ at, ms, markets: grid.markets.size, pairs: grid.pairs.length }, 'a new grid stands')
    serve(grid)
    return grid
  }

  const moveTo = async (now: Millis): Promise<void> => {
    const grid = await standingAt(gridAt(now), now)
    const bucket = worldGridAt(now)
    if (worlds.newest()?.world.at === bucket) return
    const since = clock.monotonic()
    const { world } = await worlds.build(bucket, grid)
    const ms = Math.round(clock.monotonic() - since)
    log.debug({ at: bucket, ms, candidates: world.candidates.length }, 'a new world stands')
    // After the first world of a start; others were prepared before they were served.
    void whileBusy(() => dayEarlier.prepare(grid))
  }

  const readPast = async (signal: AbortSignal): Promise<void> => {
    // Nobody asks for the past before there is an answer for now.
    await firstWorld.promise
    const newest = current?.at ?? gridAt(clock.now())
    for (const at of instantsBefore(newest)) {
      if (signal.aborted) return
      const stored = await history.indexAt('', at, clock.now())
      if (stored !== null && stored.at === at) continue
      const indices = await inTurn(() => pastBuilder.gauges(at))
      if (indices.size === 0) continue
      const knownAt = clock.now()
      await history.appendContext({
        indices: indexRowsOf({ at, indices }).map((row) => ({ ...row, knownAt })),
      })
    }
  }

  const whileBusy = async (work: () => Promise<void>): Promise<void> => {
    busy += 1
    try {
      await work()
    } finally {
      busy -= 1
      if (busy === 0) for (const resolve of whenIdle.splice(0)) resolve()
    }
  }

  return {
    grid: gridFor,
    gridOf,
    world: worldFor,
    published: publishedBy,
    dayEarlier,
    since: (bucket, baseline) => worlds.since(bucket, baseline),
    onWorld: (listener) => worlds.onWorld(listener),
    onGrid(listener) {
      gridListeners.push(listener)
    },
    async run(signal) {
      let hasBegun = false
      for (;;) {
        const now = clock.now()
        let wait = (worldGridAt(now) + WORLD_GRID + SETTLING - now) as Millis
        try {
          const move = async (): Promise<void> => {
            // Who waits until nothing is being worked out waits for the first world too.
            if (!hasBegun) await served.begin()
            hasBegun = true
            await moveTo(now)
          }
          await unlessAborted(whileBusy(move), signal)
        } catch (error) {
          if (signal.aborted) break
          log.error({ err: error }, 'the context could not be worked out')
          wait = AGAIN
        }
        const spent = clock.now() - now
        if (!(await sleepUnless(signal, clock, Math.max(0, wait - spent)))) break
      }
      await served.end()
    },
    get isBusy() {
      return busy > 0
    },
    idle: () => (busy === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
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
    forgetPast(whole) {
      past.clear()
      pastBuilder.forget()
      worlds.forgetPast()
      if (!whole) return
      isOutdated = true
      builder.forget()
    },
    close: () => structure.close(),
  }
}

/**
 * A stop waits for no grid: the work ends with its next read, which a closed history refuses.
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

/** A day apart for a month, then an hour apart, ascending. */
function instantsBefore(newest: Millis): Millis[] {
  const days = Array.from({ length: DAYS_BEFORE }, (_, day) => newest - (day + 1) * DAY)
  const hours = Array.from({ length: HOURS_BEFORE - 1 }, (_, hour) => newest - (hour + 1) * HOUR)
  return [...days.reverse(), ...hours.reverse()] as Millis[]
}

const indexRowsOf = (grid: Pick<Grid, 'at' | 'indices'>): IndexRow[] =>
  [...grid.indices].map(([scope, reading]) => {
    const { value, disagreement, geoRisk, breadth, activity } = reading
    return {
      ...{ scope, at: grid.at, value, disagreement, geoRisk, breadth, activity },
      body: JSON.stringify(reading),
    }
  })

const regimeRowsOf = (grid: Grid): RegimeLabelRow[] =>
  [...grid.markets.values()].flatMap(({ view, regime }) =>
    regime === null
      ? []
      : [
          {
            market: view.market,
            at: grid.at,
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
