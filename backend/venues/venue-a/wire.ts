import type { Wire } from '../fields.ts'

/**
 * venue_a payloads as sent. Every field may be missing or null: the venue adds and removes fields
 * every month, recordings before 2026-03 have integer cents beside or instead of `*_dollars`, its
 * historical endpoints drop the suffixes, and some collectors keep dollars under the old names.
 */
type Nullable<T> = { readonly [K in keyof T]?: T[K] | null }

export type WireEvent = Nullable<{
  event_ticker: string
  series_ticker: string
  title: string
  sub_title: string
  category: string
  mutually_exclusive: boolean
  markets: unknown[]
}>

export type WireSeries = Nullable<{
  ticker: string
  title: string
  category: string
  categories: string[]
  tags: string[]
  contract_url: string
  contract_terms_url: string
}>

export type WireMarket = Nullable<{
  ticker: string
  event_ticker: string
  mve_collection_ticker: string
  title: string
  yes_sub_title: string
  subtitle: string
  rules_primary: string
  rules_secondary: string
  status: string
  result: string
  settlement_value_dollars: string
  settlement_ts: string
  open_time: string
  close_time: string
  expected_expiration_time: string
  latest_expiration_time: string
  expiration_time: string
  can_close_early: boolean
  price_ranges: unknown[]
  yes_bid_dollars: string
  yes_ask_dollars: string
  yes_bid_size_fp: string
  yes_ask_size_fp: string
  volume_fp: string
  volume_24h_fp: string
  open_interest_fp: string
}>

export type WireTrade = Nullable<{
  trade_id: string
  /** REST; the stream has `market_ticker`. */
  ticker: string
  market_ticker: string
  yes_price_dollars: string
  count_fp: string
  taker_outcome_side: string
  /** Deprecated spelling of the outcome side. */
  taker_side: string
  is_block_trade: boolean
  /** REST; the stream has `ts_ms`. */
  created_time: string
  ts_ms: number
}>

export type WireCandle = Nullable<{
  end_period_ts: number
  /** Open, high, low and close in dollars; empty in a period without a trade. */
  price: Wire
  yes_bid: Wire
  yes_ask: Wire
  volume_fp: string
}>

/** The envelope of everything on the socket. */
export type WireMessage = Nullable<{
  type: string
  id: number
  sid: number
  seq: number
  msg: unknown
}>

export type WireLifecycle = Nullable<{
  market_ticker: string
  event_type: string
  open_ts: number
  close_ts: number
  result: string
  settlement_value: string
  is_deactivated: boolean
  price_ranges: unknown[]
}>
