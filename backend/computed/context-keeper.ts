import { GRID, gridAt } from '../domain/change-rows.ts'
import { isRegimeNews } from '../domain/regime-label.ts'
import { DAY, HOUR, roundTo, SECOND, type Millis } from '../domain/units.ts'
import { WORLD_GRID, worldGridAt } from '../domain/world/world.ts'
import type { IndexRow, RegimeLabelRow } from '../history/context-store.ts'
import type { ReadHistory } from '../history/history.ts'
import type { MarketId } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { NotReady } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { ContextEngine, WorldBucket } from './context-engine.ts'
import { GridBuilder } from './grid/grid-builder.ts'
import type { Grid } from './grid/grid.ts'
import { createStructureHost } from './grid/structure-host.ts'
import type { MarketBoard } from './market-board.ts'
import type { ReferencePrices } from './reference-prices.ts'
import { createWorldKeeper } from './world/world-keeper.ts'

/** Past grids kept, newest use last. */
const KEPT = 4
/** Rows of an instant come a moment after it. */
const SETTLING = (2 * SECOND) as Millis
/** After a failure, which was told, the next try. */
const AGAIN = (30 * SECOND) as Millis
/** What gauges are compared with: a reading a day for a month, an hour for a day. */
const DAYS_BEFORE = 30
const HOURS_BEFORE = 24

export interface ContextKeeper extends ContextEngine {
  /** Hears of each new grid before it is served, to store what follows from it. */
  onGrid(listener: (grid: Grid) => Promise<void>): void
  /** Works grids and worlds out as time goes, until the signal. */
  run(signal: AbortSignal): Promise<void>
  /** Whether a grid or world is being worked out just now. */
  readonly isBusy: boolean
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
  clock: Clock
  log: Logger
}): ContextKeeper {
  const { history, board, reference, clock, log } = deps
  const structure = createStructureHost()
  const newBuilder = () => new GridBuilder({ history, board, reference, structure, clock })
  const builder = newBuilder()
  /** Past instants are mostly asked for in a row, one a little after the other. */
  const pastBuilder = newBuilder()
  const worlds = createWorldKeeper({ board, reference, store: history, clock })
  const gridListeners: ((grid: Grid) => Promise<void>)[] = []
  const past = new Map<number, Promise<Grid>>()
  let current: Grid | null = null
  /** Rows arrived that the current grid does not know. */
  let isOutdated = false
  let isBusy = false
  /** Grids are heavy: one is worked out at a time. */
  let working: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }

  const pastGrid = (at: Millis): Promise<Grid> => {
    const held = past.get(at)
    if (held !== undefined) {
      past.delete(at)
      past.set(at, held)
      return held
    }
    const built = inTurn(() => pastBuilder.build(at))
    past.set(at, built)
    built.catch(() => past.delete(at))
    const oldest = past.keys().next()
    if (past.size > KEPT && oldest.done !== true) past.delete(oldest.value)
    return built
  }

  const gridFor = (asOf: Millis | null): Promise<Grid> => {
    if (current !== null) {
      const at = asOf === null ? current.at : gridAt(asOf)
      // The newest instant may still be in the making; until it stands the one before is served.
      const isNewest = at >= current.at && (asOf === null || asOf <= clock.now())
      if (isNewest && at - current.at <= GRID) return Promise.resolve(current)
      return pastGrid(at)
    }
    if (asOf !== null) return pastGrid(gridAt(asOf))
    return Promise.reject(new NotReady('The first context is being worked out'))
  }

  const publish = async (grid: Grid): Promise<void> => {
    await history.appendContext({ indices: indexRowsOf(grid), regimes: await newsOf(grid) })
    for (const listener of gridListeners) await listener(grid)
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

  const moveTo = async (now: Millis): Promise<void> => {
    const at = gridAt(now)
    if (current === null || isOutdated || current.at < at || current.at > now) {
      isOutdated = false
      const since = clock.monotonic()
      const grid = await inTurn(() => builder.build(at))
      await publish(grid)
      const ms = Math.round(clock.monotonic() - since)
      log.info(
        { at, ms, markets: grid.markets.size, pairs: grid.pairs.length },
        'a new grid stands',
      )
      if (current !== null && current.at < grid.at) past.set(current.at, Promise.resolve(current))
      current = grid
    }
    const bucket = worldGridAt(now)
    if (worlds.newest()?.world.at === bucket) return
    const since = clock.monotonic()
    const { world } = await worlds.build(bucket, current)
    const ms = Math.round(clock.monotonic() - since)
    log.debug({ at: bucket, ms, candidates: world.candidates.length }, 'a new world stands')
  }

  return {
    grid: gridFor,
    async world(asOf): Promise<WorldBucket> {
      const newest = worlds.newest()
      if (asOf === null) {
        if (newest === null) throw new NotReady('The first world is being worked out')
        return newest
      }
      const at = worldGridAt(asOf)
      if (newest?.world.at === at) return newest
      return worlds.past(at, await gridFor(at))
    },
    since: (bucket, baseline) => worlds.since(bucket, baseline),
    onWorld: (listener) => worlds.onWorld(listener),
    onGrid(listener) {
      gridListeners.push(listener)
    },
    async run(signal) {
      for (;;) {
        isBusy = true
        const now = clock.now()
        let wait = (worldGridAt(now) + WORLD_GRID + SETTLING - now) as Millis
        try {
          await moveTo(now)
        } catch (error) {
          if (signal.aborted) break
          log.error({ err: error }, 'the context could not be worked out')
          wait = AGAIN
        }
        isBusy = false
        const spent = clock.now() - now
        if (!(await sleepUnless(signal, clock, Math.max(0, wait - spent)))) break
      }
      isBusy = false
    },
    get isBusy() {
      return isBusy
    },
    async readPast(signal) {
      const newest = current?.at ?? gridAt(clock.now())
      for (const at of instantsBefore(newest)) {
        if (signal.aborted) return
        const stored = await history.indexAt('', at)
        if (stored !== null && stored.at === at) continue
        const grid = await inTurn(() => pastBuilder.build(at))
        if (grid.markets.size === 0) continue
        await history.appendContext({ indices: indexRowsOf(grid) })
      }
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

/** A day apart for a month, then an hour apart, ascending. */
function instantsBefore(newest: Millis): Millis[] {
  const days = Array.from({ length: DAYS_BEFORE }, (_, day) => newest - (day + 1) * DAY)
  const hours = Array.from({ length: HOURS_BEFORE - 1 }, (_, hour) => newest - (hour + 1) * HOUR)
  return [...days.reverse(), ...hours.reverse()] as Millis[]
}

const indexRowsOf = (grid: Grid): IndexRow[] =>
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
