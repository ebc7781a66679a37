import type { Side, Ticker } from '../../market.ts'
import { roundTo } from '../../units.ts'
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
} from './decision-parts.ts'

/** Entries for edges of one tick, and as many edges that wait. */
const MAX_EDGES = 20

/**
 * Entries for edges of theses that have no strategy in the market, largest first.
 * @param usedTickers markets that are held or entered already; those of the entries are added
 */
export function edgeEntries(input: DecisionInput, usedTickers: Set<Ticker>): TickDecision[] {
  const { theses, markets, limits } = input
  const min = Math.max(MIN_EDGE, limits.minEdgeCents)
  const decidedTickers = new Set<Ticker>()
  let entries = 0
  let waiting = 0
  return theses
    .filter(({ status }) => status === 'active')
    .flatMap((thesis) => {
      const activeStrategies = thesis.strategies.filter(({ status }) => status !== 'cancelled')
      return thesis.edges
        .filter(({ ticker }) => !activeStrategies.some((strategy) => strategy.ticker === ticker))
        .map(({ ticker, yes, no }) => {
          const direction: Side = (yes ?? -Infinity) >= (no ?? -Infinity) ? 'yes' : 'no'
          return { thesis, ticker, direction, edge: (direction === 'yes' ? yes : no) ?? -Infinity }
        })
    })
    .filter(({ edge }) => edge >= min)
    .toSorted((a, b) => b.edge - a.edge || (a.ticker < b.ticker ? -1 : 1))
    .flatMap(({ thesis, ticker, direction, edge }) => {
      const market = markets.get(ticker)
      const isFree = !usedTickers.has(ticker) && !decidedTickers.has(ticker)
      if (!isFree || market?.status !== 'active' || entries >= MAX_EDGES) return []
      decidedTickers.add(ticker)
      const { confidence } = thesis
      const basis = basisOf({ thesisId: thesis.id })
      const subject = { ...market, ticker, direction, confidence, basis }
      const wait = (reason: string): TickDecision[] =>
        (waiting += 1) > MAX_EDGES ? [] : [hold(subject, reason)]
      const price = costOf(market, direction)
      if (price === null) return wait('nothing is offered')
      const affordable = Math.floor(limits.maxSingleOrderCents / price)
      if (affordable < 1) return wait('a contract costs more than maxSingleOrderCents')
      const quantity = Math.min(ENTRY_CONTRACTS, affordable)
      entries += 1
      usedTickers.add(ticker)
      const limitPrice = Math.min(99.99, roundPrice(price + edge - min))
      const reason = `an edge of ${roundTo(edge, 2)}¢ remains after the book and the fee`
      return [planOrder(subject, { quantity, price, bound: limitPrice, reason, exitReason: null })]
    })
}
