import type { Clock } from '../../lib/clock.ts'
import type { MarketFacts, Venue } from '../../domain/market.ts'
import { HOUR, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { FakeVenue } from '../fake-venue.ts'
import { described, quoted, traded } from '../venue-events.ts'

/** The venue that the example of CONTRIBUTING.md adds. */
const VENUE = 'venue_c' as Venue
const TICKER = 'COIN-FLIP'
const HOURS = 48

/** One market at 40¢ to 43¢ that traded every hour of the last two days. */
export function createVenueC({ clock }: { readonly clock: Clock }): FakeVenue {
  const now = clock.now()
  const own = { venue: VENUE, ticker: TICKER }
  const facts: Partial<MarketFacts> = {
    ...own,
    title: 'Will the coin land heads?',
    eventId: 'COIN',
    openTime: (now - 4 * 24 * HOUR) as Millis,
    closeTime: (now + 30 * 24 * HOUR) as Millis,
  }
  const trades = Array.from({ length: HOURS }, (_, index) =>
    traded(now - (index + 1) * HOUR, {
      ...own,
      tradeId: `flip-${index}`,
      origin: 'backfilled',
      price: (4_000 + 100 * (index % 4)) as PriceE4,
      size: 20_000_000 as SizeE6,
    }),
  )
  return new FakeVenue(VENUE, {
    open: [described(now, facts), quoted(now, own)],
    trades,
  })
}
