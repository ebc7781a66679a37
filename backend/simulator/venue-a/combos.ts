import { DAY, HOUR, SECOND } from '../../domain/units.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { isTrading } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { hexOf, keyOf, mix, pick } from '../randomness.ts'
import { iso } from './wire.ts'

const LIFE_DAYS = 3

/**
 * Multivariate combination markets, newest first: many, short-lived, untraded, and listed among
 * the others unless a reader excludes them.
 */
export function combos(
  catalogue: Catalogue,
  at: number,
  howMany: number,
): { createdAt: number; id: string; wire: Record<string, unknown> }[] {
  const legsOnOffer = catalogue.markets('venue_a', at).filter((market) => isTrading(market, at))
  if (legsOnOffer.length < 2) return []
  const gap = Math.max(SECOND, Math.floor((LIFE_DAYS * DAY) / howMany))
  const newest = Math.floor(at / gap)
  return Array.from({ length: howMany }, (_, i) =>
    combo(legsOnOffer, (newest - i) * gap, newest - i),
  )
}

function combo(legsOnOffer: readonly SimMarket[], createdAt: number, number: number) {
  const key = mix(keyOf(0, 'combo'), number)
  const legs = [pick(legsOnOffer, key, 1), pick(legsOnOffer, key, 2)]
  const event = `KXMVESPORTSMULTIGAMEEXTENDED-S2026${hexOf(key, 11).toUpperCase()}`
  const id = `${event}-${hexOf(mix(key, 9), 11).toUpperCase()}`
  const title = legs.map((leg) => `yes ${leg.choice.label}`).join(',')
  const close = createdAt + LIFE_DAYS * DAY
  const wire = {
    ticker: id,
    event_ticker: event,
    market_type: 'binary',
    exchange_index: 0,
    title,
    subtitle: '',
    yes_sub_title: title,
    no_sub_title: title,
    rules_primary: '',
    rules_secondary: '',
    mve_collection_ticker: 'KXMVESPORTSMULTIGAMEEXTENDED-R',
    mve_selected_legs: legs.map((leg) => ({
      event_ticker: leg.event.id,
      market_ticker: leg.id,
      side: 'yes',
    })),
    created_time: iso(createdAt),
    updated_time: iso(createdAt),
    open_time: iso(createdAt),
    close_time: iso(close),
    expected_expiration_time: iso(close + HOUR),
    latest_expiration_time: iso(close + 7 * DAY),
    expiration_time: iso(close),
    settlement_timer_seconds: 600,
    can_close_early: true,
    status: 'active',
    strike_type: 'custom',
    yes_bid_dollars: '0.0000',
    yes_ask_dollars: '1.0000',
    no_bid_dollars: '0.0000',
    no_ask_dollars: '1.0000',
    yes_bid_size_fp: '0.00',
    yes_ask_size_fp: '0.00',
    last_price_dollars: '0.0000',
    previous_yes_bid_dollars: '0.0000',
    previous_yes_ask_dollars: '0.0000',
    previous_price_dollars: '0.0000',
    notional_value_dollars: '1.0000',
    volume_fp: '0.00',
    volume_24h_fp: '0.00',
    open_interest_fp: '0.00',
    result: '',
    expiration_value: '',
    settlement_bounds_type: 'default',
    is_provisional: true,
    price_level_structure: 'deci_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
  }
  return { createdAt, id, wire }
}
