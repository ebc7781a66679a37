import type { MarketView } from '../../computed/board/market-board.ts'
import type { MarketStatus } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, roundTo, SECOND, type Millis } from '../../domain/units.ts'
import { requireReady, type DataServiceDeps } from './data-service.deps.ts'
import type { Movers, MoversQuery, MoverWindow, V1Mover } from '../../contract/data-service.ts'
import { secondsOf, v1MarketOf } from './v1-shapes.ts'

const SPANS: Readonly<Record<MoverWindow, Millis>> = {
  '1m': MINUTE,
  '5m': (5 * MINUTE) as Millis,
  '15m': (15 * MINUTE) as Millis,
  '1h': HOUR,
  '4h': (4 * HOUR) as Millis,
  '24h': DAY,
}
/** Moves of a window are computed at most this often. */
const EVERY = 5 * SECOND
const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

interface Move {
  readonly view: MarketView
  readonly change: number
}
interface Reading {
  readonly slot: number
  readonly moves: Promise<{ readonly at: Millis; readonly moves: readonly Move[] }>
}

/**
 * Movers: the current last price minus the last price known at the whole minute at or before the
 * start of the window (methodology part M, real-time movers). Markets whose price is unknown at
 * either end, or unchanged, are not movers.
 */
export function createMovers(deps: DataServiceDeps) {
  const { board, lastPrices, clock } = deps
  const readings = new Map<MoverWindow, Reading>()

  /** All moves of a window, largest first. */
  const read = async (window: MoverWindow) => {
    const snapshot = await board.at(null)
    const then = (snapshot.asOf - SPANS[window]) as Millis
    const previous = await lastPrices.at(then)
    const moves: Move[] = []
    for (const view of snapshot.list(ACTIVE)) {
      const old = view.firstSeenAt > then ? null : previous(view.market)
      if (old === null || view.lastPrice === null) continue
      const change = roundTo((view.lastPrice - old) / 100, 6)
      if (change !== 0) moves.push({ view, change })
    }
    moves.sort(
      (a, b) =>
        Math.abs(b.change) - Math.abs(a.change) ||
        (a.view.facts.ticker < b.view.facts.ticker ? -1 : 1),
    )
    return { at: snapshot.asOf, moves }
  }

  const current = (window: MoverWindow) => {
    const slot = Math.floor(clock.now() / EVERY)
    const existing = readings.get(window)
    if (existing?.slot === slot) return existing.moves
    const newReading: Reading = { slot, moves: read(window) }
    readings.set(window, newReading)
    newReading.moves.catch(() => {
      if (readings.get(window) === newReading) readings.delete(window)
    })
    return newReading.moves
  }

  return {
    /** @throws NotReady */
    async movers(query: MoversQuery): Promise<Movers> {
      requireReady(deps)
      const { window, dir, venue } = query
      const min = query.minVol ?? 0
      const { at, moves } = await current(window)
      const movers = moves
        .filter(
          ({ view, change }) =>
            (dir === 'both' || change > 0 === (dir === 'up')) &&
            (venue === null || view.facts.venue === venue) &&
            (min === 0 || (view.volume24hUsd ?? 0) >= min),
        )
        .slice(0, query.n)
        .map(({ view, change }): V1Mover => ({
          ...v1MarketOf(view),
          change,
          changeAbs: Math.abs(change),
          window,
        }))
      return { window, count: movers.length, movers, generated_at: secondsOf(at) }
    },
  }
}
