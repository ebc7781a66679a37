import type { MarketView } from '../../../computed/board/market-board.ts'
import type { MarketStatus } from '../../../domain/market.ts'
import { DAY, HOUR, roundTo, wholeMinute, type Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import { isoOrNull, refOf, roundOrNull } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import { NotReady } from '../../../lib/errors.ts'
import { byDollars, newestOf, type PanelContent } from '../panel-content.ts'
import type { PanelScreenRow } from '../../../contract/panels/panel-payloads.ts'
import type { PanelFilters } from '../../../contract/panels/panel-spec.ts'
import type { ScreenSource, ScreenWindow } from '../../../contract/panels/panel-names.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_ROWS = 100
const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])
const SPANS: Readonly<Record<Exclude<ScreenWindow, '24h'>, Millis>> = {
  '1h': HOUR,
  '6h': (6 * HOUR) as Millis,
  '7d': (7 * DAY) as Millis,
  '30d': (30 * DAY) as Millis,
}

type ScreenSources = Pick<PanelSources, 'board' | 'reference' | 'clock' | 'urls'>

/** Bounds apply to the digits that are served. */
const probabilityOf = (price: number | null): number | null =>
  price === null ? null : roundTo(price / 100, 6)

/** Active markets with a price within bounds, most traded first. */
export async function priceScreen(
  sources: ScreenSources,
  filters: PanelFilters,
): Promise<PanelContent> {
  const { board, urls } = sources
  if (!board.ready) throw new NotReady('The first data is not loaded yet; retry in a few seconds')
  const window = filters.window ?? '24h'
  const { min = 0, max = 1 } = filters.probability ?? {}
  const snapshot = await board.at(null)
  const { tickers } = filters
  const requestedViews = tickers?.map((ticker) => ({ ticker, view: snapshot.get(ticker) })) ?? null
  const candidateViews =
    requestedViews === null
      ? snapshot.list(ACTIVE)
      : [...new Set(requestedViews.flatMap(({ view }) => view ?? []))].filter(({ status }) =>
          ACTIVE.has(status),
        )
  const matchingViews = candidateViews.filter(({ price }) => {
    const probability = probabilityOf(price)
    return probability !== null && probability >= min && probability <= max
  })
  const visibleViews = matchingViews.toSorted(byDollars).slice(0, MAX_ROWS)
  const changeOf = await changesOver(sources, visibleViews, window)
  // Ended markets are known, although they are not on the board of tradable markets.
  const absent =
    requestedViews?.flatMap(({ ticker, view }) => (view === null ? [ticker] : [])) ?? []
  const endedViews = absent.length === 0 ? null : await board.markets(absent, null)
  return {
    payload: {
      kind: 'latest_market_prices',
      rows: visibleViews.map((view): PanelScreenRow => {
        const ref = refOf(view, urls)
        return {
          ...ref,
          probability: probabilityOf(ref.price),
          bestBid: roundOrNull(view.bestBid),
          bestAsk: roundOrNull(view.bestAsk),
          spread: roundOrNull(view.spread),
          change: changeOf(view),
          volume24h: roundOrNull(view.volume24h, 6),
          closeTime: isoOrNull(view.facts.closeTime),
          updatedAt: isoOf(view.updatedAt),
        }
      }),
      count: visibleViews.length,
      total: matchingViews.length,
      filters: { ...filters, window },
      missing: absent.filter((ticker) => endedViews?.has(ticker) !== true),
      emptyReason: matchingViews.length === 0 ? 'no_match' : null,
    },
    source: {
      name: 'quotes',
      asOf: newestOf(matchingViews.map(({ quotedAt }) => quotedAt)),
      cadence: 'polled',
    },
  }
}

/** A screen of a source that is not available yet: no rows and no failure. */
export const unreadScreen = (
  kind: Exclude<ScreenSource, 'latest_market_prices'>,
  filters: PanelFilters,
): PanelContent => ({
  payload: {
    kind,
    rows: [],
    count: 0,
    total: 0,
    filters,
    missing: [],
    emptyReason: 'source_not_executed',
  },
  source: { name: kind, asOf: null, cadence: 'computed' },
})

/** Price changes over a window, cents; null if either price is unknown. */
async function changesOver(
  { reference, clock }: ScreenSources,
  views: readonly MarketView[],
  window: ScreenWindow,
): Promise<(view: MarketView) => number | null> {
  if (window === '24h') return ({ change24h }) => roundOrNull(change24h)
  const then = wholeMinute((clock.now() - SPANS[window]) as Millis)
  const ids: MarketId[] = views.map(({ market }) => market)
  const previous = ids.length === 0 ? new Map() : await reference.headlinesOf(ids, then)
  return ({ market, price }) => {
    const from = (previous.get(market) as number | null | undefined) ?? null
    return price === null || from === null ? null : roundTo(price - from, 2)
  }
}
