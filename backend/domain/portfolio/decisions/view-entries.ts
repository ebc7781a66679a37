import type { Ticker } from '../../market.ts'
import { takerFee } from '../../fees.ts'
import { roundTo, type Cents } from '../../units.ts'
import type { TickDecision } from '../tick.ts'
import {
  basisOf,
  costOf,
  ENTRY_CONTRACTS,
  hold,
  MIN_EDGE,
  planOrder,
  roundPrice,
  type DecisionInput,
  type DecisionMarket,
  type TradingView,
} from './decision-parts.ts'

/** Cents of value that each point of conviction gives a contract of the view's side. */
const CENTS_PER_CONVICTION = 10
/** The best price that an order can have, cents. */
const MAX_VALUE = 99
/** Entries for views of one tick. */
const MAX_VIEWS = 20

/** Value of a contract of a view's side by its conviction, cents: 8 of 10 reads as 80 %. */
export const viewValue = ({ conviction }: Pick<TradingView, 'conviction'>): number =>
  Math.min(MAX_VALUE, conviction * CENTS_PER_CONVICTION)

/**
 * Entries for views, highest conviction first: their side is bought while its price and the fee
 * leave an edge under the value of the view.
 * @param usedTickers markets that are held or entered already; those of the entries are added
 */
export function viewEntries(input: DecisionInput, usedTickers: Set<Ticker>): TickDecision[] {
  let entries = 0
  return input.views.flatMap((view) =>
    view.tickers.flatMap((ticker) => {
      const market = input.markets.get(ticker)
      const isHeldForView = input.positions.some(
        (position) => position.ticker === ticker && position.viewId === view.id,
      )
      // Its exit is decided with the positions.
      if (market === undefined || isHeldForView) return []
      const isFull = entries >= MAX_VIEWS
      const decision = viewEntry(view, ticker, market, input, {
        isUsed: usedTickers.has(ticker),
        isFull,
      })
      if (decision.kind === 'entry') {
        entries += 1
        usedTickers.add(ticker)
      }
      return [decision]
    }),
  )
}

function viewEntry(
  view: TradingView,
  ticker: Ticker,
  market: DecisionMarket,
  { theses, limits }: DecisionInput,
  { isUsed, isFull }: { readonly isUsed: boolean; readonly isFull: boolean },
): TickDecision {
  const { id, title, direction, conviction, thesisId } = view
  const confidence = conviction / 10
  const basis = basisOf({ thesisId, viewId: id })
  const subject = { ...market, ticker, direction: direction ?? 'yes', confidence, basis }
  const holdWith = (reason: string): TickDecision => {
    const decision = hold(subject, `the view “${title}” waits: ${reason}`)
    return direction === null ? { ...decision, direction: null } : decision
  }
  if (direction === null) return holdWith('it names no side')
  if (market.status !== 'active') return holdWith('the market is not open')
  if (thesisId !== null && theses.find((thesis) => thesis.id === thesisId)?.status !== 'active') {
    return holdWith('its thesis is not active')
  }
  if (isUsed) return holdWith('the market is held or entered for another reason')
  const price = costOf(market, direction)
  if (price === null) return holdWith('nothing is offered')
  const value = viewValue(view)
  const fee = takerFee(market.venue, price as Cents)
  const edge = roundTo(value - price - fee, 2)
  const min = Math.max(MIN_EDGE, limits.minEdgeCents)
  const figures = `conviction ${conviction} of 10 values ${direction.toUpperCase()} at ${value}¢; at ${price}¢ and ${roundTo(fee, 2)}¢ of fee ${edge}¢ remain`
  if (edge < min) return holdWith(`${figures}, and ${min}¢ are required`)
  if (isFull) return holdWith(`a tick enters at most ${MAX_VIEWS} markets for views`)
  const affordable = Math.floor(limits.maxSingleOrderCents / price)
  if (affordable < 1) return holdWith('a contract costs more than maxSingleOrderCents')
  return planOrder(subject, {
    quantity: Math.min(ENTRY_CONTRACTS, affordable),
    price,
    bound: roundPrice(price + edge - min),
    reason: `the view “${title}”: ${figures}`,
    exitReason: null,
    support: { edgeCents: edge, edgeNote: null, confidence },
  })
}
