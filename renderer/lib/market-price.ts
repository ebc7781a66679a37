import type { MarketRow } from '../../backend/contract/market.ts'
import { chartPrice, headlinePrice, type HeadlinePrice } from '../../backend/domain/prices/price.ts'
import type { Cents } from '../../backend/domain/units.ts'

type QuotedMarket = Pick<MarketRow, 'price' | 'bestBid' | 'bestAsk' | 'lastPrice'> & {
  /** Absent for markets that trade. */
  readonly status?: MarketRow['status']
}

const settledPrice = ({ price }: QuotedMarket): HeadlinePrice => ({
  price: price as Cents | null,
  source: price === null ? null : 'settled',
})

/** The price of a market as a chart, its heading and its ladder show it. */
export function currentPrice(market: QuotedMarket): HeadlinePrice {
  if (market.status === 'settled') return settledPrice(market)
  return chartPrice({
    bid: market.bestBid as Cents | null,
    ask: market.bestAsk as Cents | null,
    last: market.lastPrice as Cents | null,
  })
}

/**
 * The price of a market as lists and routes state it, which its change over a day belongs to, and
 * where it comes from.
 */
export function statedPrice(market: QuotedMarket): HeadlinePrice {
  if (market.status === 'settled') return settledPrice(market)
  const { source } = headlinePrice({
    bid: market.bestBid as Cents | null,
    ask: market.bestAsk as Cents | null,
    last: market.lastPrice as Cents | null,
    bookValid: market.bestBid !== null && market.bestAsk !== null,
  })
  return { price: market.price as Cents | null, source: market.price === null ? null : source }
}

/** The midpoint of the book, null while it is too wide for one or a side is missing. */
export function midPrice(market: QuotedMarket): Cents | null {
  const { price, source } = currentPrice(market)
  return source === 'mid' ? price : null
}

/** Short name of what a price is. */
export const PRICE_LABELS: Readonly<Record<NonNullable<HeadlinePrice['source']>, string>> = {
  mid: 'Mid',
  last: 'Last',
  clamped: 'Last, clamped to bid/ask',
  settled: 'Settled',
}
