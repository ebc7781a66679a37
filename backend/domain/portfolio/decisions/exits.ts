import type { ThesisStrategy, ExitReason } from '../../theses/holdings.ts'
import type { TickDecision } from '../tick.ts'
import type { TradingThesis } from '../trading-thesis.ts'
import {
  basisOf,
  hold,
  planOrder,
  proceedsOf,
  type DecisionInput,
  type HeldMarket,
  type Subject,
} from './decision-parts.ts'
import { viewValue } from './view-entries.ts'

/** Whether contracts are sold: by their thesis, their stop, their target or their view. */
export function exitOf(position: HeldMarket, input: DecisionInput): TickDecision[] {
  const { ticker, direction, quantity, thesisId, strategyId, viewId } = position
  const thesis = input.theses.find(({ id }) => id === thesisId)
  if (thesis === undefined && viewId === null) return []
  const strategy = thesis?.strategies.find(({ id }) => id === strategyId)
  const market = input.markets.get(ticker)
  const confidence = thesis?.confidence ?? null
  const basis = basisOf({ thesisId, strategyId, viewId })
  const subject: Subject = { ...position, confidence, basis }
  const price = market === undefined ? null : proceedsOf(market, direction)
  const exit =
    thesis === undefined || (viewId !== null && thesis.status !== 'killed')
      ? exitForView(position, price, input)
      : exitReasonOf(thesis, strategy, price)
  if (typeof exit === 'string') return [hold(subject, exit)]
  const [exitReason, reason] = exit
  if (price === null) return [hold(subject, `${reason}, and there is no bid`)]
  // A larger exit is sold in slices, one a tick.
  const slice = Math.floor(input.limits.maxSingleOrderCents / price)
  const size = slice >= 1 ? Math.min(quantity, slice) : quantity
  return [planOrder(subject, { quantity: size, price, bound: null, reason, exitReason })]
}

/** Reason to exit a position, or to hold it. */
type Exit = readonly [ExitReason, string] | string

function exitReasonOf(
  thesis: TradingThesis,
  strategy: ThesisStrategy | undefined,
  price: number | null,
): Exit {
  const holdReason = `held: no exit of ${thesis.title} is due`
  if (thesis.status === 'killed') return ['thesis_exit', 'the thesis was killed']
  if (strategy === undefined || price === null) return holdReason
  const { stopLoss, takeProfit } = strategy
  if (stopLoss !== null && price <= stopLoss) {
    return ['stop_loss', `bid ${price}¢ is at or below the stop of ${stopLoss}¢`]
  }
  if (takeProfit !== null && price >= takeProfit) {
    return ['take_profit', `bid ${price}¢ is at or above the target of ${takeProfit}¢`]
  }
  return holdReason
}

function exitForView(
  { viewId, ticker, direction }: HeldMarket,
  price: number | null,
  { views }: DecisionInput,
): Exit {
  const view = views.find(({ id }) => id === viewId)
  if (view === undefined) {
    return 'held: the view was paused, deleted or has ended; create an intent to sell'
  }
  if (view.direction === null || !view.tickers.includes(ticker)) {
    return `held: the view “${view.title}” no longer covers this side; create an intent to sell`
  }
  if (view.direction !== direction) {
    const side = view.direction.toUpperCase()
    return ['thesis_exit', `the view “${view.title}” is now for ${side}`]
  }
  const value = viewValue(view)
  if (price === null) return `held for the view “${view.title}”: there is no bid`
  if (price < value) {
    return `held for the view “${view.title}”: bid ${price}¢ is below its value of ${value}¢`
  }
  return [
    'take_profit',
    `bid ${price}¢ is at or above the value of the view “${view.title}”, ${value}¢`,
  ]
}
