import type { MarketRow } from '../../backend/contract/market.ts'
import { chartPrice, type HeadlinePrice } from '../../backend/domain/prices/price.ts'
import type { Cents } from '../../backend/domain/units.ts'

/** The price of a market as a chart, its heading and its ladder show it. */
export function currentPrice(
  market: Pick<MarketRow, 'price' | 'bestBid' | 'bestAsk' | 'lastPrice'> & {
    /** Absent for markets that trade. */
    readonly status?: MarketRow['status']
  },
): HeadlinePrice {
  if (market.status === 'settled') {
    return { price: market.price as Cents | null, source: market.price === null ? null : 'settled' }
  }
  return chartPrice({
    bid: market.bestBid as Cents | null,
    ask: market.bestAsk as Cents | null,
    last: market.lastPrice as Cents | null,
  })
}

/** Short name of what a price is. */
export const PRICE_LABELS: Readonly<Record<NonNullable<HeadlinePrice['source']>, string>> = {
  mid: 'Mid',
  last: 'Last',
  clamped: 'Last, within the book',
  settled: 'Settled',
}
