import { canonicalTicker, type Ticker } from '../../domain/market.ts'
import { flagOf, listOf, scaledOf, textOf, wireOf } from '../fields.ts'

/** Status of the exchange as a whole. */
export interface ExchangeStatus {
  /** False while nothing can be traded, whatever the markets' own states. */
  readonly isTrading: boolean
  /** Parts of the exchange that are paused while others trade. */
  readonly pausedShards: ReadonlySet<number>
}

/** `GET /exchange/status`; null when the body has no readable status. */
export function parseExchangeStatus(body: unknown): ExchangeStatus | null {
  const isTrading = tradesNow(body)
  if (isTrading === null) return null
  const pausedShards = new Set<number>()
  for (const shard of listOf(wireOf(body)?.['exchange_index_statuses'])) {
    const index = scaledOf(wireOf(shard)?.['exchange_index'], 0)
    if (index !== null && tradesNow(shard) === false) pausedShards.add(index)
  }
  return { isTrading, pausedShards }
}

/** Status of the whole or of one part; null when neither flag is present. */
function tradesNow(value: unknown): boolean | null {
  const wire = wireOf(value)
  const isActive = flagOf(wire?.['exchange_active'])
  const isTrading = flagOf(wire?.['trading_active'])
  if (isActive === false || isTrading === false) return false
  return isActive === true && isTrading === true ? true : null
}

/** The exchange shard of each market of a page of markets, or of events with their markets. */
export function shardsOf(body: unknown): [Ticker, number][] {
  const page = wireOf(body)
  const nestedMarkets = listOf(page?.['events']).flatMap((event) =>
    listOf(wireOf(event)?.['markets']),
  )
  return [...listOf(page?.['markets']), ...nestedMarkets].flatMap((row): [Ticker, number][] => {
    const ticker = textOf(wireOf(row)?.['ticker'])
    const shard = scaledOf(wireOf(row)?.['exchange_index'], 0)
    return ticker === null || shard === null ? [] : [[canonicalTicker(ticker), shard]]
  })
}
