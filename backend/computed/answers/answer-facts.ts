import type {
  AnswerCounterpart,
  AnswerFacts,
  AnswerMarket,
  AnswerTension,
} from '../../domain/answers/answer-facts.ts'
import type { Ticker } from '../../domain/market.ts'
import { alignedPrice } from '../../domain/pairing/pairs.ts'
import type { Millis } from '../../domain/units.ts'
import { roundTo } from '../../domain/units.ts'
import { cutText, numberText } from '../../domain/world/text.ts'
import { NotReady } from '../../lib/errors.ts'
import type { ContextEngine } from '../context-engine.ts'
import type { Grid } from '../grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../market-board.ts'

/** The grid that an answer may use; null while none stands, since prices answer alone too. */
export async function gridIfAny(
  context: ContextEngine | null,
  asOf: Millis | null,
): Promise<Grid | null> {
  if (context === null) return null
  try {
    return await context.grid(asOf)
  } catch (error) {
    if (error instanceof NotReady) return null
    throw error
  }
}

/** Volume surprise of a market that moved (A9); null where none is known. */
export const surpriseIn = (
  grid: Grid | null,
  { view }: { readonly view: MarketView },
): number | null => grid?.markets.get(view.facts.ticker)?.surprise.vr ?? null

/** A market as answers tell it. */
export const answerMarketOf = (view: MarketView, grid: Grid | null): AnswerMarket => ({
  ticker: view.facts.ticker,
  venue: view.facts.venue,
  title: view.facts.title,
  outcome: view.facts.subtitle,
  price: view.price,
  change24h: view.change24h,
  volume24hUsd: view.volume24hUsd,
  spread: view.spread,
  liquidity: view.liquidityScore,
  closeTime: view.facts.closeTime,
  updatedAt: view.updatedAt,
  vr: grid?.markets.get(view.facts.ticker)?.surprise.vr ?? null,
})

/** The best counterpart of a market on the other venue, as this market's question sees it. */
export function counterpartOf(
  view: MarketView,
  snapshot: BoardSnapshot,
  grid: Grid | null,
): AnswerCounterpart | null {
  const pair = grid?.pairOf.get(view.facts.ticker)
  if (pair === undefined) return null
  const other = snapshot.get(pair.a === view.facts.ticker ? pair.b : pair.a)
  if (other === null) return null
  const price = alignedPrice(other.price, pair.inverted)
  return {
    ticker: other.facts.ticker,
    venue: other.facts.venue,
    price,
    gap: price === null || view.price === null ? null : roundTo(price - view.price, 2),
  }
}

/** Outcomes of a market's event where at most one wins, highest price first, unpriced ones last. */
export const outcomesOf = (view: MarketView, snapshot: BoardSnapshot): MarketView[] =>
  view.facts.exclusive
    ? snapshot
        .ofEvent(view.facts.venue, view.facts.eventId)
        .filter(({ status }) => status === 'active')
        .sort(
          (a, b) => (b.price ?? -1) - (a.price ?? -1) || (a.facts.ticker < b.facts.ticker ? -1 : 1),
        )
    : []

/** Contradictions that touch these markets, most cents first. */
export function tensionsOf(
  views: readonly MarketView[],
  snapshot: BoardSnapshot,
  grid: Grid | null,
  most = MOST_TENSIONS,
): AnswerTension[] {
  if (grid === null) return []
  const named = new Set(views.map(({ facts }) => facts.ticker))
  const events = new Set(views.map(({ facts }) => `${facts.venue} ${facts.eventId}`))
  const titleOf = (ticker: Ticker): string => cutText(snapshot.get(ticker)?.facts.title ?? ticker, 50) // prettier-ignore
  const tensions: AnswerTension[] = []
  // Of two markets of one pair that are both named the first tells it.
  const pairs = new Map(
    [...named].toReversed().flatMap((ticker) => {
      const id = grid.pairOf.get(ticker)?.id
      return id === undefined ? [] : [[id, ticker] as const]
    }),
  )
  for (const [id, ticker] of pairs) {
    const found = grid.crossVenue.get(id)
    const edge = found?.edge ?? null
    if (edge === null || found?.isTradable !== true || edge.net <= 0) continue
    const cents = roundTo(edge.net, 2)
    const text = `«${titleOf(ticker)}»: YES on one venue and NO on the other net ${numberText(cents, 2)}c after fees`
    tensions.push({ kind: 'cross_venue_edge', cents, text })
  }
  for (const event of grid.eventEdges) {
    if (!events.has(`${event.venue} ${event.eventId}`)) continue
    for (const { kind, net } of event.baskets) {
      if (net <= 0) continue
      const side = kind === 'underround' ? 'Buying every outcome' : 'Selling every outcome'
      const text = `${side} nets ${numberText(net, 2)}c after fees`
      tensions.push({ kind: 'basket_edge', cents: roundTo(net, 2), text })
    }
    for (const { net, easier, harder } of event.ladders) {
      if (net === null || net <= 0) continue
      const text = `«${titleOf(harder)}» is priced above «${titleOf(easier)}», ${numberText(net, 2)}c after fees` // prettier-ignore
      tensions.push({ kind: 'ladder_edge', cents: roundTo(net, 2), text })
    }
  }
  for (const { trigger, lagging, gap, direction } of grid.gaps('6h')) {
    if (!named.has(trigger) && !named.has(lagging)) continue
    const verb = direction === 'lagging' ? 'lags' : 'overshoots'
    const size = numberText(Math.abs(gap), 1)
    const text = `«${titleOf(lagging)}» ${verb} «${titleOf(trigger)}» by ${size}c over 6h`
    tensions.push({ kind: 'divergence', cents: Math.abs(gap), text })
  }
  return tensions.sort((a, b) => b.cents - a.cents).slice(0, most)
}
const MOST_TENSIONS = 5

/**
 * What may be said of markets that answer a question, best first; without a grid, what prices say.
 * @returns null for no market
 */
export function answerFactsOf(
  views: readonly MarketView[],
  snapshot: BoardSnapshot,
  grid: Grid | null,
  at: Millis,
): AnswerFacts | null {
  const [headline] = views
  if (headline === undefined) return null
  return {
    at,
    headline: answerMarketOf(headline, grid),
    markets: views.map((view) => answerMarketOf(view, grid)),
    counterpart: counterpartOf(headline, snapshot, grid),
    outcomes: outcomesOf(headline, snapshot).map((view) => answerMarketOf(view, grid)),
    tensions: tensionsOf(views, snapshot, grid),
  }
}
