import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { diffSnapshots } from '../../computed/snapshot/snapshot-diff.ts'
import type { DiffedMarket } from '../../computed/snapshot/snapshot-diff.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { changeOf } from '../../domain/changes/market-diff.ts'
import type { GlobalDiff } from '../../domain/changes/market-diff.ts'
import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { GAUGES } from '../../domain/world/gauges/index-reading.ts'
import type { Gauge } from '../../domain/world/gauges/index-reading.ts'
import { refOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { DiffAnswer, DiffQuery, DiffWindow } from '../../contract/market-history.ts'
import { snapshotFor, instantFor } from './markets.deps.ts'
import type { MarketsDeps } from './markets.deps.ts'

const WINDOWS: Readonly<Record<DiffWindow, Millis>> = {
  '1h': HOUR,
  '6h': (6 * HOUR) as Millis,
  '24h': DAY,
  '7d': (7 * DAY) as Millis,
}
const WORLD = ''
const EMPTY_DIFF: GlobalDiff<DiffedMarket> = {
  moved: [],
  added: [],
  resolved: [],
  closed: [],
  regimeChanges: [],
}

/** Changes of all markets between the newest snapshot and one that is a window earlier. */
export function createMarketDiff(deps: MarketsDeps) {
  const { board, history, urls } = deps
  /** Differences of a snapshot to earlier ones, cached by window. */
  const differences = memoizeByKey(
    (_grid: ContextSnapshot) =>
      new Map<DiffWindow, Promise<{ then: ContextSnapshot; diff: GlobalDiff<DiffedMarket> }>>(),
  )

  const differenceOf = (snapshot: ContextSnapshot, window: DiffWindow) => {
    const comparisons = differences(snapshot)
    const pendingComparison = comparisons.get(window)
    if (pendingComparison !== undefined) return pendingComparison
    const from = (snapshot.at - WINDOWS[window]) as Millis
    const comparison = deps.context.contextSnapshotOf(from).then(async (then) => ({
      then,
      diff: await diffSnapshots(snapshot, then, from, history, (tickers) =>
        tickers.length === 0 ? Promise.resolve(new Map()) : board.markets(tickers, snapshot.at),
      ),
    }))
    comparisons.set(window, comparison)
    comparison.catch(() => comparisons.delete(window))
    return comparison
  }

  const refWithPrice = ({ facts, priceNow }: DiffedMarket) =>
    refOf({ facts, price: priceNow }, urls)

  const moverOf = ({ market, delta }: { market: DiffedMarket; delta: number }) => ({
    ticker: market.ticker,
    venue: market.facts.venue,
    title: market.facts.title,
    price: roundOrNull(market.priceNow),
    delta: roundOrNull(delta) ?? 0,
    from: roundOrNull(market.priceThen),
    volume24h: roundOrNull(market.volume24h, 6),
    volumeZ: roundOrNull(market.vr, 3),
    url: inspectUrl(urls, market.ticker),
  })

  /** Change of the gauges of a topic, or of the world if the topic has none: end minus start. */
  const gaugesMoved = (
    now: ContextSnapshot | null,
    then: ContextSnapshot | null,
    topic: string | null,
  ) => {
    const scope = topic !== null && now?.indices.has(topic) === true ? topic : WORLD
    const [end, start] = [now?.indices.get(scope), then?.indices.get(scope)]
    const gaugeChanges = GAUGES.map((gauge) => [
      gauge,
      changeOf(start?.[gauge] ?? null, end?.[gauge] ?? null, 2).delta,
    ])
    return Object.fromEntries(gaugeChanges) as Record<Gauge, number | null>
  }

  return {
    async diff(query: DiffQuery): Promise<DiffAnswer> {
      const { asOf, at } = instantFor(deps, query.asOf)
      const { window, limit, topic } = query
      const snapshot = await snapshotFor(deps, asOf)
      const to = snapshot?.at ?? at
      const { then, diff } =
        snapshot === null ? { then: null, diff: EMPTY_DIFF } : await differenceOf(snapshot, window)
      const keep = passes({ ...query, words: null })
      const selectMarkets = (markets: readonly DiffedMarket[]) =>
        markets.filter(keep).slice(0, limit)
      return {
        window,
        from: isoOf((to - WINDOWS[window]) as Millis),
        to: isoOf(to),
        moved: diff.moved
          .filter(({ market }) => keep(market))
          .slice(0, limit)
          .map(moverOf),
        added: selectMarkets(diff.added).map(refWithPrice),
        resolved: diff.resolved
          .filter(keep)
          .flatMap((market) => {
            const { result, statusSince } = market
            // A void market refunds its cost, so it has no result.
            if (result === null || result === 'void') return []
            return [{ ...refWithPrice(market), result, at: isoOf(statusSince) }]
          })
          .slice(0, limit),
        closed: selectMarkets(diff.closed).map(refWithPrice),
        regimeChanges: selectMarkets(diff.regimeChanges).flatMap((market) => {
          const { labelThen, labelNow, labelSince } = market
          if (labelThen === null || labelNow === null) return []
          const flip = { fromLabel: labelThen, toLabel: labelNow, at: isoOf(labelSince ?? to) }
          return [{ ...refWithPrice(market), ...flip }]
        }),
        index: gaugesMoved(snapshot, then, topic?.toLowerCase() ?? null),
      }
    },
  }
}
export type MarketDiffService = ReturnType<typeof createMarketDiff>
