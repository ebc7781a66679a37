import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { hexOf, keyOf, mix, tokenOf } from '../randomness.ts'
import { valueNoise } from '../walk.ts'
import type { SimMarket } from './market.ts'

const LIFETIME = 30 * DAY

/**
 * The same question listed again after it ended: by venue_a under its previous ticker, by venue_b
 * under new ids. The outcome of the second listing is unknown.
 */
export function secondListing(market: SimMarket, now: Millis): SimMarket {
  const key = mix(market.key, 0x2e115)
  const isA = market.venue === 'venue_a'
  const closeAt = (now + LIFETIME) as Millis
  const chance = (at: number): number => 0.5 + 0.25 * valueNoise(key, at, 7 * HOUR)
  const isYes = chance(closeAt) >= 0.5
  return {
    ...market,
    key,
    chance,
    closeAt,
    createdAt: now,
    openAt: now,
    endAt: closeAt,
    determinedAt: (closeAt + HOUR) as Millis,
    settledAt: (closeAt + 2 * HOUR) as Millis,
    disputed: false,
    result: isYes ? 'yes' : 'no',
    payout: isYes ? 1 : 0,
    book: 'normal',
    tradesPerDay: Math.max(60, market.tradesPerDay),
    id: isA ? market.id : `0x${hexOf(keyOf(key, 'condition'), 64)}`,
    number: String(1_000_000 + (keyOf(key, 'number') >>> 1)),
    slug: isA ? '' : `${market.slug}-2`,
    tokens: [tokenOf(keyOf(key, 'yes')), tokenOf(keyOf(key, 'no'))],
  }
}
