import { centsOf, DAY, type Millis } from '../../domain/units.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import type { HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Venue } from '../../domain/market.ts'
import { descriptorOf } from '../../domain/venue.ts'

const MILLION = 1_000_000

/**
 * Dollars that markets traded over their lifetime, as known at `asOf` (methodology 0.3): the
 * venue's own figure if it counts dollars; otherwise the sum of trades and bars, or its contracts
 * at the last price. Markets without any of these are left out.
 */
export async function lifetimeDollars(
  history: Pick<HistoryStore, 'numbersAt'> & Pick<HistoryColumns, 'slots'>,
  members: readonly {
    readonly market: MarketId
    readonly venue: Venue
    readonly listedAt: Millis | null
  }[],
  asOf: Millis,
): Promise<ReadonlyMap<MarketId, number>> {
  const markets = members.map(({ market }) => market)
  const listingTimes = members.map(({ listedAt }) => listedAt ?? asOf)
  const first = listingTimes.reduce<number>((min, at) => Math.min(min, at), asOf)
  const from = (first - DAY) as Millis
  const range = { from, step: (asOf - from) as Millis, count: 1, asOf, markets }
  const [lifetimeStats, numbers] = await Promise.all([
    history.slots(range),
    history.numbersAt(asOf, markets),
  ])
  const dollars = new Map<MarketId, number>()
  for (const [i, market] of lifetimeStats.market.entries()) {
    const usd = lifetimeStats.usd[i] ?? 0
    if (usd > 0) dollars.set(market, usd)
  }
  const unitOf = new Map(
    members.map(({ market, venue }) => [market, descriptorOf(venue).volumeUnit]),
  )
  for (const { market, activity } of numbers) {
    const volume = activity?.volume ?? null
    const countsDollars = unitOf.get(market) === 'usd'
    if (volume === null || (!countsDollars && dollars.has(market))) continue
    const last = activity?.lastPrice ?? null
    const unit = countsDollars ? 'usd' : 'contracts'
    const usd = volumeUsd(volume / MILLION, unit, last === null ? null : centsOf(last))
    if (usd !== null) dollars.set(market, usd)
  }
  return dollars
}
