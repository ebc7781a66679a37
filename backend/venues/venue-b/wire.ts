/**
 * venue_b payloads as sent. Every field may be missing or null; numbers come as numbers or text,
 * arrays as arrays or as JSON inside a string; some collectors and the socket use snake_case names
 * (`condition_id`), which the parsers accept too.
 */
type Nullable<T> = { readonly [K in keyof T]?: T[K] | null }

export type WireEvent = Nullable<{
  id: string
  title: string
  category: string
  negRisk: boolean
  openInterest: number
  tags: unknown[]
  series: unknown[]
  markets: unknown[]
}>

export type WireMarket = Nullable<{
  id: string
  conditionId: string
  question: string
  slug: string
  description: string
  resolutionSource: string
  groupItemTitle: string
  category: string
  /** JSON inside a string. */
  outcomes: string
  outcomePrices: string
  clobTokenIds: string
  active: boolean
  closed: boolean
  acceptingOrders: boolean
  enableOrderBook: boolean
  pendingDeployment: boolean
  negRisk: boolean
  umaResolutionStatus: string
  umaEndDate: string
  startDate: string
  endDate: string
  closedTime: string
  acceptingOrdersTimestamp: string
  orderPriceMinTickSize: number
  bestBid: number
  bestAsk: number
  volumeNum: number
  volume: string
  volume24hr: number
  events: unknown[]
  tags: unknown[]
}>

export type WireBook = Nullable<{
  market: string
  asset_id: string
  bids: unknown[]
  asks: unknown[]
  /** Milliseconds, as text. */
  timestamp: string
}>

/** A row of the Data API; version 1 uses `conditionId`, `asset`, `transactionHash`. */
export type WireTrade = Nullable<{
  condition_id: string
  token_id: string
  outcome_index: number
  side: string
  price: number
  size: number
  /** Seconds. */
  timestamp: number
  transaction_hash: string
}>

/** Any message on the market socket; the fields depend on `event_type`. */
export type WireMessage = Nullable<{
  event_type: string
  market: string
  asset_id: string
  timestamp: string
  price: string
  size: string
  side: string
  transaction_hash: string
  price_changes: unknown[]
  new_tick_size: string
  winning_asset_id: string
}>
