import type { MarketFacts } from '../../domain/market.ts'
import type { Wire } from '../fields.ts'
import { epochOf, scaledOf } from '../fields.ts'
import { parsePriceRanges, resultOf, settlementOf } from './parse.ts'
import type { WireLifecycle } from './wire.ts'

/**
 * The facts of a market after a lifecycle message, or null when the message is not enough (a new
 * market, new texts) and the market must be requested.
 */
export function applyLifecycle(facts: MarketFacts, raw: Wire): MarketFacts | null {
  const wire = raw as WireLifecycle
  const result = resultOf(wire.result) ?? facts.result
  const settlementValue = scaledOf(wire.settlement_value, 4)
  switch (wire.event_type) {
    case 'activated':
      return { ...facts, status: 'active' }
    case 'deactivated':
      return { ...facts, status: wire.is_deactivated === false ? 'active' : 'paused' }
    case 'close_date_updated':
      return { ...facts, closeTime: epochOf(wire.close_ts, 'seconds') ?? facts.closeTime }
    case 'determined':
      return withResult({ ...facts, status: 'resolving' }, result, settlementValue)
    case 'settled':
      return withResult({ ...facts, status: 'settled' }, result, settlementValue)
    case 'price_level_structure_updated': {
      const priceRanges = parsePriceRanges(wire.price_ranges)
      return priceRanges.length === 0 ? null : { ...facts, priceRanges }
    }
    default:
      return null
  }
}

const withResult = (
  facts: MarketFacts,
  result: MarketFacts['result'],
  settlementValue: number | null,
): MarketFacts => ({
  ...facts,
  result,
  settlementPrice: settlementOf(result, settlementValue ?? facts.settlementPrice),
})
