import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { canonicalTicker } from '../../domain/market.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { centsOf, priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { isoOrNull, refOf } from '../../http/market-ref.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { AuthRequired, Gone, NotFound } from '../../lib/errors.ts'
import { indicatorsIn } from './indicators.ts'
import { depthOf, rowOf } from '../../http/market-row.ts'
import { inspectActions, relatedLists } from './market-row.ts'
import type { MarketQuery } from './market.schema.ts'
import type { Market, MarketActions } from './market.types.ts'
import { instantFor } from './markets.deps.ts'
import type { Instant, MarketsDeps } from './markets.deps.ts'
import { comparePositions } from './ranking.ts'

const MOST_SIBLINGS = 20
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The one spelling of a ticker in an address.
 * @throws Gone for ids in UUID form
 */
export function tickerOf(text: string): string {
  if (UUID.test(text)) throw new Gone('Market ids in UUID form are retired')
  return canonicalTicker(text)
}

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
    const compare = comparePositions('desc')
    return snapshot
      .ofEvent(view.facts.venue, view.facts.eventId)
      .filter(({ market }) => market !== view.market)
      .sort((a, b) => compare([a.price, a.facts.ticker], [b.price, b.facts.ticker]))
      .slice(0, MOST_SIBLINGS)
      .map((sibling) => refOf(sibling, urls))
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
      const snapshot = await board.at(asOf)
      const known = asked.depth ? await board.book(view, asOf) : null
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
        indicators: indicatorsIn(snapshot, at)(view),
        regime: null,
        crossVenue: null,
        siblings: siblingsOf(view, snapshot),
        fetchedAt: isoOf(at satisfies Millis),
        ...(asked.nextActions ? { nextActions: actionsFor(view) } : {}),
      }
    },
  }
}
export type MarketDetail = ReturnType<typeof createMarketDetail>
