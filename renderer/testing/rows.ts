import type { TickerData } from '../../backend/contract/socket.ts'
import type { MarketRow } from '../../backend/contract/market.ts'

const AT = '2026-11-20T10:00:00.000Z'

/** A row of a list. */
export const marketRow = (change: Partial<MarketRow> = {}): MarketRow => ({
  ticker: 'KX',
  venue: 'venue_a',
  title: 'A market',
  subtitle: null,
  slug: 'kx',
  pageUrl: '/market/kx',
  apiUrl: '/api/public/market/KX',
  inspectUrl: '/api/agent/inspect/KX',
  eventId: 'E',
  eventTitle: null,
  seriesId: null,
  category: 'other',
  topics: [],
  status: 'active',
  result: null,
  price: 50,
  bestBid: 49,
  bestAsk: 51,
  spread: 2,
  lastPrice: 50,
  change24h: 1,
  volume: 10,
  volume24h: 5,
  volumeUnit: 'contracts',
  openInterest: 3,
  liquidityScore: 'low',
  openTime: null,
  closeTime: null,
  tauDays: null,
  updatedAt: AT,
  ...change,
})

/** The data of a ticker topic. */
export const tickerData = (change: Partial<TickerData> = {}): TickerData => ({
  ticker: 'KX',
  venue: 'venue_a',
  title: 'A market',
  lastPrice: 0.5,
  volume24h: 5,
  closeTime: null,
  bestBid: 0.49,
  bestAsk: 0.51,
  status: 'active',
  openInterest: 3,
  ts: Date.parse(AT),
  ...change,
})
