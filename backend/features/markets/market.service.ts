import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { regimeFromBook } from '../../computed/fresh-regime.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import { comparePlaces } from '../../computed/grid/sorted-views.ts'
import { indicatorsIn } from '../../computed/served-indicators.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { centsOf, priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { crossMatchesOf } from '../../http/cross-match.ts'
import { isoOrNull, refOf } from '../../http/market-ref.ts'
import { servedRegime } from '../../http/market-regime.ts'
import { depthOf, rowOf } from '../../http/market-row.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import { tickerOf } from '../../http/ticker.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, NotFound } from '../../lib/errors.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { MarketQuery } from './market.schema.ts'
import type { Market, MarketActions } from './market.types.ts'
import { gridIfAny, instantFor } from './markets.deps.ts'
import type { Instant, MarketsDeps } from './markets.deps.ts'

const MOST_SIBLINGS = 20

/** The market of an address in any state. @throws Gone, NotFound */
export async function findMarket(
  { board }: MarketsDeps,
  text: string,
  { asOf }: Instant,
): Promise<MarketView> {
  const view = await board.market(tickerOf(text), asOf)
  if (view === null) throw new NotFound('Market not found')
  return view
}

/** Step of the price grid at a price, in cents; null when the grid is unknown. */
function tickSizeAt(facts: MarketFacts, price: Cents | null): number | null {
  const at = price === null ? 0 : priceOfCents(price)
  const range =
    facts.priceRanges.find(({ start, end }) => at >= start && at < end) ?? facts.priceRanges[0]
  return range === undefined ? null : centsOf(range.step)
}

/** One market with its book, indicators and siblings. */
export function createMarketDetail(deps: MarketsDeps) {
  const { board, urls } = deps

  const siblingsOf = (view: MarketView, snapshot: BoardSnapshot) => {
    const compare = comparePlaces('desc')
    return snapshot
      .ofEvent(view.facts.venue, view.facts.eventId)
      .filter(({ market }) => market !== view.market)
      .sort((a, b) => compare([a.price, a.facts.ticker], [b.price, b.facts.ticker]))
      .slice(0, MOST_SIBLINGS)
      .map((sibling) => refOf(sibling, urls))
  }

  /** The best match that passes, of pairs by confidence descending. */
  const matchOf = (
    view: MarketView,
    grid: Grid | null,
    snapshot: BoardSnapshot,
    asked: MarketQuery,
  ) => {
    const preset = PAIRING_PRESETS[asked.cv_preset]
    const bounds = {
      confidence: asked.cv_min_conf ?? preset.confidence,
      closeDays: asked.cv_max_dt_days ?? preset.closeDays,
    }
    const pairs = grid?.pairsOf.get(view.facts.ticker) ?? []
    const otherOf = (ticker: string) => snapshot.get(ticker)
    return crossMatchesOf(view, pairs, bounds, otherOf, urls)[0] ?? null
  }

  /** The grid's regime, or one from the book of this instant; null for a market that is not live. */
  const regimeFor = async (
    view: MarketView,
    grid: Grid | null,
    { asOf, at }: Instant,
    isRefreshed: boolean,
  ) => {
    if (view.status !== 'active') return null
    const known = grid?.markets.get(view.facts.ticker)
    const book = isRefreshed ? await board.book(view, asOf) : null
    const regime = isRefreshed
      ? regimeFromBook(view, book?.book ?? null, known, at)
      : (known?.regime ?? null)
    return regime === null
      ? null
      : servedRegime(regime, known?.trendLabel ?? null, at, view.hasOrderbook)
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
          addressOf(urls.baseUrl, '/api/changes', { ticker: row.ticker, since: '24h' }),
        ),
        ...relatedLists(urls).slice(0, 1),
      ],
    }
  }

  return {
    /**
     * @param isKnown whether the caller proved who they are; only such may ask for a refresh
     * @throws Gone, NotFound, AuthRequired
     */
    async market(ticker: string, asked: MarketQuery, isKnown: boolean): Promise<Market> {
      if (asked.refresh && !isKnown) throw new AuthRequired()
      const instant = instantFor(deps, asked.asOf)
      const view = await findMarket(deps, ticker, instant)
      const { asOf, at } = instant
      const [snapshot, grid, known] = await Promise.all([
        board.at(asOf),
        gridIfAny(deps, asOf),
        asked.depth ? board.book(view, asOf) : null,
      ])
      return {
        ...rowOf(view, urls),
        description: view.facts.description,
        rulesUrl: view.facts.rulesUrl,
        expirationTime: isoOrNull(view.facts.expirationTime),
        tickSize: tickSizeAt(view.facts, view.price),
        exclusive: view.facts.exclusive,
        ...(asked.depth ? depthOf(known?.book ?? null) : {}),
        ...(known === null ? {} : { depthAt: isoOf(known.at) }),
        edges: [],
        indicators: indicatorsIn(snapshot, grid)(view),
        regime: await regimeFor(view, grid, instant, asked.refresh),
        crossVenue: matchOf(view, grid, snapshot, asked),
        siblings: siblingsOf(view, snapshot),
        fetchedAt: isoOf(at satisfies Millis),
        ...(asked.nextActions ? { nextActions: actionsFor(view) } : {}),
      }
    },
  }
}
export type MarketDetail = ReturnType<typeof createMarketDetail>
