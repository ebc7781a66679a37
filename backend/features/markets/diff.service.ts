import type { Grid } from '../../computed/grid/grid.ts'
import { diffOfGrids } from '../../computed/grid-diff.ts'
import type { DiffedMarket } from '../../computed/grid-diff.ts'
import { passes } from '../../computed/market-filter.ts'
import { oncePer } from '../../computed/once-per.ts'
import { changeOf } from '../../domain/market-diff.ts'
import type { GlobalDiff } from '../../domain/market-diff.ts'
import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { GAUGES } from '../../domain/world/index-reading.ts'
import type { Gauge } from '../../domain/world/index-reading.ts'
import { refOf, rounded } from '../../http/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { DiffAnswer, DiffQuery, DiffWindow } from './diff.schema.ts'
import { gridFor, instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'

const WINDOWS: Readonly<Record<DiffWindow, Millis>> = {
  '1h': HOUR,
  '6h': (6 * HOUR) as Millis,
  '24h': DAY,
  '7d': (7 * DAY) as Millis,
}
const WORLD = ''
const NOTHING: GlobalDiff<DiffedMarket> = {
  moved: [],
  added: [],
  resolved: [],
  closed: [],
  regimeChanges: [],
}

/** Changes of all markets between the newest grid and one that lies a window before it. */
export function createMarketDiff(deps: MarketsDeps) {
  const { board, history, urls } = deps
  /** The differences of a grid to earlier ones, by window. */
  const differences = oncePer(
    (_grid: Grid) => new Map<DiffWindow, Promise<{ then: Grid; diff: GlobalDiff<DiffedMarket> }>>(),
  )

  const differenceOf = (grid: Grid, window: DiffWindow) => {
    const known = differences(grid)
    const found = known.get(window)
    if (found !== undefined) return found
    const from = (grid.at - WINDOWS[window]) as Millis
    const made = deps.context.gridOf(from).then(async (then) => ({
      then,
      diff: await diffOfGrids(grid, then, from, history, (tickers) =>
        tickers.length === 0 ? Promise.resolve(new Map()) : board.markets(tickers, grid.at),
      ),
    }))
    known.set(window, made)
    made.catch(() => known.delete(window))
    return made
  }

  const priced = ({ facts, priceNow }: DiffedMarket) => refOf({ facts, price: priceNow }, urls)

  const moverOf = ({ market, delta }: { market: DiffedMarket; delta: number }) => ({
    ticker: market.ticker,
    venue: market.facts.venue,
    title: market.facts.title,
    price: rounded(market.priceNow),
    delta: rounded(delta) ?? 0,
    from: rounded(market.priceThen),
    volume24h: rounded(market.volume24h, 6),
    volumeZ: rounded(market.vr, 3),
    url: inspectUrl(urls, market.ticker),
  })

  /** Gauges of a topic that has some, else of the world: end less start. */
  const gaugesMoved = (now: Grid | null, then: Grid | null, topic: string | null) => {
    const scope = topic !== null && now?.indices.has(topic) === true ? topic : WORLD
    const [end, start] = [now?.indices.get(scope), then?.indices.get(scope)]
    const moved = GAUGES.map((gauge) => [
      gauge,
      changeOf(start?.[gauge] ?? null, end?.[gauge] ?? null, 2).delta,
    ])
    return Object.fromEntries(moved) as Record<Gauge, number | null>
  }

  return {
    async diff(asked: DiffQuery): Promise<DiffAnswer> {
      const { asOf, at } = instantFor(deps, asked.asOf)
      const { window, limit, topic } = asked
      const grid = await gridFor(deps, asOf)
      const to = grid?.at ?? at
      const { then, diff } =
        grid === null ? { then: null, diff: NOTHING } : await differenceOf(grid, window)
      const keep = passes({ ...asked, words: null })
      const listed = (markets: readonly DiffedMarket[]) => markets.filter(keep).slice(0, limit)
      return {
        window,
        from: isoOf((to - WINDOWS[window]) as Millis),
        to: isoOf(to),
        moved: diff.moved
          .filter(({ market }) => keep(market))
          .slice(0, limit)
          .map(moverOf),
        added: listed(diff.added).map(priced),
        resolved: diff.resolved
          .filter(keep)
          .flatMap((market) => {
            const { result, statusSince } = market
            // A void market pays its cost back: it has no result.
            if (result === null || result === 'void') return []
            return [{ ...priced(market), result, at: isoOf(statusSince) }]
          })
          .slice(0, limit),
        closed: listed(diff.closed).map(priced),
        regimeChanges: listed(diff.regimeChanges).flatMap((market) => {
          const { labelThen, labelNow, labelSince } = market
          if (labelThen === null || labelNow === null) return []
          const flip = { fromLabel: labelThen, toLabel: labelNow, at: isoOf(labelSince ?? to) }
          return [{ ...priced(market), ...flip }]
        }),
        index: gaugesMoved(grid, then, topic?.toLowerCase() ?? null),
      }
    },
  }
}
export type MarketDiffReads = ReturnType<typeof createMarketDiff>
