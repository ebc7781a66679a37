import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { regimeFromBook } from '../../computed/fresh-regime.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { contextSnapshotIfAny } from '../../computed/snapshot/historical-snapshot.ts'
import { comparePositions } from '../../computed/snapshot/sorted-views.ts'
import { indicatorsIn } from '../../computed/served-indicators.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { centsOf, priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { crossMatchesOf } from '../../http/presenters/cross-match.ts'
import { isoOrNull, refOf } from '../../http/presenters/market-ref.ts'
import { servedRegime } from '../../http/presenters/market-regime.ts'
import { depthOf, rowOf } from '../../http/presenters/market-row.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { tickerOf } from '../../http/request/ticker.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, NotFound } from '../../lib/errors.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { MarketQuery } from '../../contract/markets.ts'
import type { Market, MarketActions } from '../../contract/market.ts'
import { instantFor } from './markets.deps.ts'
import type { Instant, MarketsDeps } from './markets.deps.ts'

const MAX_SIBLINGS = 20

/** The market of an address, in any state. @throws Gone, NotFound */
export async function findMarket(
  { board }: MarketsDeps,
  text: string,
  { asOf }: Instant,
): Promise<MarketView> {
  const view = await board.market(tickerOf(text), asOf)
  if (view === null) throw new NotFound('Market not found')
  return view
}

/** Tick size at a price, cents; null if the price grid is unknown. */
function tickSizeAt(facts: MarketFacts, price: Cents | null): number | null {
  const at = price === null ? 0 : priceOfCents(price)
  const range =
    facts.priceRanges.find(({ start, end }) => at >= start && at < end) ?? facts.priceRanges[0]
  return range === undefined ? null : centsOf(range.step)
}

/** One market with its book, indicators and siblings. */
export function createMarketDetail(deps: MarketsDeps) {
  const { board, urls } = deps

  const siblingsOf = (view: MarketView, boardView: BoardView) => {
    const compare = comparePositions('desc')
    return boardView
      .marketsOfEvent(view.facts.venue, view.facts.eventId)
      .filter(({ market }) => market !== view.market)
      .sort((a, b) => compare([a.price, a.facts.ticker], [b.price, b.facts.ticker]))
      .slice(0, MAX_SIBLINGS)
      .map((sibling) => refOf(sibling, urls))
  }

  /** The best match that passes the filter, of pairs by confidence descending. */
  const matchOf = (
    view: MarketView,
    snapshot: ContextSnapshot | null,
    boardView: BoardView,
    query: MarketQuery,
  ) => {
    const preset = PAIRING_PRESETS[query.cv_preset]
    const bounds = {
      confidence: query.cv_min_conf ?? preset.confidence,
      closeDays: query.cv_max_dt_days ?? preset.closeDays,
    }
    const pairs = snapshot?.pairsOf.get(view.facts.ticker) ?? []
    const otherView = (ticker: string) => boardView.get(ticker)
    return crossMatchesOf(view, pairs, bounds, otherView, urls)[0] ?? null
  }

  /**
   * The snapshot's regime, or one computed from the current book; null for a market that is not
   * live.
   */
  const regimeFor = async (
    view: MarketView,
    snapshot: ContextSnapshot | null,
    { asOf, at }: Instant,
    isRefreshed: boolean,
  ) => {
    if (view.status !== 'active') return null
    const quantities = snapshot?.markets.get(view.facts.ticker)
    const book = isRefreshed ? await board.book(view, asOf) : null
    const regime = isRefreshed
      ? regimeFromBook(view, book?.book ?? null, quantities, at)
      : (quantities?.regime ?? null)
    return regime === null
      ? null
      : servedRegime(regime, quantities?.trendLabel ?? null, at, view.hasOrderbook)
  }

  const actionsFor = (view: MarketView): MarketActions => {
    const row = rowOf(view, urls)
    return {
      inspect: inspectActions([row]),
      related: [
        get('Candles of this market', `${row.apiUrl}/candles`),
        get('Price changes of the last week', `${row.apiUrl}/history`),
        get(
          'Changes of this market',
          absoluteUrl(urls.baseUrl, '/api/changes', { ticker: row.ticker, since: '24h' }),
        ),
        ...relatedLists(urls).slice(0, 1),
      ],
    }
  }

  return {
    /**
     * @param isKnown whether the caller is authenticated; only then is a refresh allowed
     * @throws Gone, NotFound, AuthRequired
     */
    async market(ticker: string, query: MarketQuery, isKnown: boolean): Promise<Market> {
      if (query.refresh && !isKnown) throw new AuthRequired()
      const instant = instantFor(deps, query.asOf)
      const view = await findMarket(deps, ticker, instant)
      const { asOf, at } = instant
      const [boardView, snapshot, quantities] = await Promise.all([
        board.at(asOf),
        // Price and book are known before the first snapshot; regime, pairs and rates are null until then.
        contextSnapshotIfAny(deps.context, asOf),
        query.depth ? board.book(view, asOf) : null,
      ])
      return {
        ...rowOf(view, urls),
        description: view.facts.description,
        rulesUrl: view.facts.rulesUrl,
        expirationTime: isoOrNull(view.facts.expirationTime),
        tickSize: tickSizeAt(view.facts, view.price),
        exclusive: view.facts.exclusive,
        ...(query.depth ? depthOf(quantities?.book ?? null) : {}),
        ...(quantities === null ? {} : { depthAt: isoOf(quantities.at) }),
        edges: [],
        indicators: indicatorsIn(boardView, snapshot)(view),
        regime: await regimeFor(view, snapshot, instant, query.refresh),
        crossVenue: matchOf(view, snapshot, boardView, query),
        siblings: siblingsOf(view, boardView),
        fetchedAt: isoOf(at satisfies Millis),
        ...(query.nextActions ? { nextActions: actionsFor(view) } : {}),
      }
    },
  }
}
export type MarketDetail = ReturnType<typeof createMarketDetail>
