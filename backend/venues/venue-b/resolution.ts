import type { MarketFacts, MarketStatus } from '../../domain/market.ts'
import type { PriceE4 } from '../../domain/units.ts'
import { embeddedListOf, listOf, pick, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'

export type Outcome = Pick<MarketFacts, 'result' | 'settlementPrice'>

const UNDECIDED: Outcome = { result: null, settlementPrice: null }
const FINAL = new Set(['resolved', 'settled'])
const PENDING = new Set(['proposed', 'disputed', 'challenged', 'reproposed', 'requested'])

/** The outcome when index `index` of the two won; index 0 is YES. */
export const outcomeOfWinner = (index: number): Outcome => ({
  result: index === 0 ? 'yes' : 'no',
  settlementPrice: (index === 0 ? 10_000 : 0) as PriceE4,
})

/** The outcome for a YES payout in 1e-4 dollars. */
const outcomeOfPayout = (price: number): Outcome =>
  price === 10_000 || price === 0
    ? outcomeOfWinner(price === 10_000 ? 0 : 1)
    : { result: 'scalar', settlementPrice: price as PriceE4 }

/**
 * The outcome that a catalogue row proves: closed, with prices of exactly one and zero, or an even
 * split confirmed by the oracle. Prices near one, or both zero, prove nothing.
 */
export function outcomeOf(wire: Wire): Outcome {
  if (wire['closed'] !== true) return UNDECIDED
  const prices = embeddedListOf(pick(wire, 'outcomePrices', 'outcome_prices')).map((price) =>
    scaledOf(price, 6),
  )
  const [yes = null, no = null] = prices
  if (prices.length !== 2 || yes === null || no === null) return UNDECIDED
  if (yes === 1_000_000 && no === 0) return outcomeOfWinner(0)
  if (yes === 0 && no === 1_000_000) return outcomeOfWinner(1)
  const isEven = yes === 500_000 && no === 500_000
  return isEven && FINAL.has(oracleStatus(wire)) ? outcomeOfPayout(5_000) : UNDECIDED
}

const oracleStatus = (wire: Wire): string =>
  (textOf(pick(wire, 'umaResolutionStatus', 'uma_resolution_status')) ?? '').toLowerCase()

/**
 * State of a catalogue row; fields that a collector left out default to those of an open market.
 */
export function statusOf(wire: Wire, outcome: Outcome): MarketStatus {
  if (wire['closed'] === true) return outcome.result === null ? 'resolving' : 'settled'
  if (wire['active'] === false || wire['pendingDeployment'] === true) return 'upcoming'
  if (pick(wire, 'enableOrderBook', 'enable_order_book') === false) return 'upcoming'
  const accepting = pick(wire, 'acceptingOrders', 'accepting_orders')
  if (accepting !== false) return 'active'
  const oracle = oracleStatus(wire)
  return PENDING.has(oracle) || FINAL.has(oracle) ? 'resolving' : 'paused'
}

/** Outcomes by condition id from `GET /v2/resolutions`: payouts are the most reliable source. */
export function parseResolutions(body: unknown): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>()
  const data = wireOf(body)?.['data'] ?? body
  for (const row of Array.isArray(data) ? data : [data]) {
    const wire = wireOf(row)
    const condition = textOf(pick(wire ?? {}, 'condition_id', 'condition'))
    if (wire === null || condition === null || wire['status'] !== 'resolved') continue
    const [yes = null, no = null] = listOf(wire['payouts']).map((payout) => scaledOf(payout, 0))
    if (yes === null || no === null || yes < 0 || yes + no !== 1_000_000) continue
    outcomes.set(condition.toLowerCase(), outcomeOfPayout(Math.round(yes / 100)))
  }
  return outcomes
}

/** The outcome in `GET /markets/{conditionId}` of the order book service, from its winner flags. */
export function parseClobWinner(body: unknown): Outcome {
  const tokens = listOf(wireOf(body)?.['tokens']).map(wireOf)
  const winners = tokens.filter((token) => token?.['winner'] === true)
  if (tokens.length !== 2 || winners.length !== 1) return UNDECIDED
  return outcomeOfWinner(tokens[0]?.['winner'] === true ? 0 : 1)
}
