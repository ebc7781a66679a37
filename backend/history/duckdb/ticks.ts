import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketId, QuoteRow, TradeRow } from '../history-store.ts'
import { priceOrNull, readDoubles, readIntegers, readTexts } from './columns.ts'
import type { Session } from './connections.ts'

/** Rows of one market with from < ts <= to that were known at `asOf`. */
export interface TickRange {
  readonly market: MarketId
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
}

const IN_RANGE = `market = $market::integer and ts > $from and ts <= $to
  and ts <= $asOf and ts + lag <= $asOf`

const TRADES = `
  select trade_id, ts::double, price, size::double, taker::integer, is_block::integer
    from trade_all where ${IN_RANGE} order by ts, trade_id`

const QUOTES = `
  select ts::double, coalesce(bid, -1), coalesce(ask, -1)
    from quote_all where ${IN_RANGE} order by ts, lag, part, seq`

const KNOWN_TRADES = `
  select trade_id from trade_all
   where market = $market::integer and trade_id in (select unnest($ids))`

/** Trades, ascending by (ts, tradeId). */
export async function tradesOf(session: Session, range: TickRange): Promise<TradeRow[]> {
  const rows: TradeRow[] = []
  for (const chunk of await session.read(TRADES, { ...range })) {
    const ids = readTexts(chunk, 0)
    const [ts, size] = [readDoubles(chunk, 1), readDoubles(chunk, 3)]
    const [price, taker, block] = [
      readIntegers(chunk, 2),
      readIntegers(chunk, 4),
      readIntegers(chunk, 5),
    ]
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({
        tradeId: ids[i] ?? '',
        ts: ts[i] as Millis,
        price: price[i] as PriceE4,
        size: size[i] as SizeE6,
        takerSide: taker[i] === 1 ? 'yes' : taker[i] === 2 ? 'no' : null,
        isBlock: block[i] === 1,
      })
    }
  }
  return rows
}

/** Quotes, ascending; those of one instant in the order of their arrival. */
export async function quotesOf(session: Session, range: TickRange): Promise<QuoteRow[]> {
  const rows: QuoteRow[] = []
  for (const chunk of await session.read(QUOTES, { ...range })) {
    const ts = readDoubles(chunk, 0)
    const [bid, ask] = [readIntegers(chunk, 1), readIntegers(chunk, 2)]
    for (let i = 0; i < chunk.rowCount; i++) {
      rows.push({ ts: ts[i] as Millis, bid: priceOrNull(bid[i]), ask: priceOrNull(ask[i]) })
    }
  }
  return rows
}

/** Those of `ids` that are stored for the market, whenever they became known. */
export async function knownTradesOf(
  session: Session,
  market: MarketId,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const chunks = await session.read(KNOWN_TRADES, { market, ids })
  return new Set(chunks.flatMap((chunk) => readTexts(chunk, 0)).filter((id) => id !== null))
}
