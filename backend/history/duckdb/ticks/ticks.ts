import { HOUR, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import type { MarketId } from '../../market-key.ts'
import type { QuoteRow, TradeRow } from '../../market-rows.ts'
import { priceOrNull, readDoubles, readIntegers, readTexts } from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import { sideOf, tradesFrom, type Corrections } from './corrections.ts'
import type { Spans } from './spans.ts'

/** Rows of one market with from < ts <= to that were known at `asOf`. */
export interface TickRange {
  readonly market: MarketId
  readonly from: Millis
  readonly to: Millis
  readonly asOf: Millis
}

const IN_RANGE = `market = $market::integer and ts > $from and ts <= $to
  and ts <= $asOf and ts + lag <= $asOf`

const TRADE_COLUMNS = `trade_id, ts::double, price, size::double, taker::integer, is_block::integer`
const tradesSql = (isCorrected: boolean): string => `
  select ${TRADE_COLUMNS} from ${tradesFrom(isCorrected)} where ${IN_RANGE} order by ts, trade_id`
const newestTradesSql = (isCorrected: boolean): string => `
  select ${TRADE_COLUMNS} from ${tradesFrom(isCorrected)} where ${IN_RANGE}
   order by ts desc, trade_id desc limit $newest`

const QUOTES = `
  select ts::double, coalesce(bid, -1), coalesce(ask, -1)
    from quote_all where ${IN_RANGE} order by ts, lag, part, seq`

const STORED_TRADES = `
  select ${TRADE_COLUMNS} from trade_all
   where market = $market::integer and ts between $from and $to
     and trade_id in (select unnest($ids))`

/** Trades, ascending by (ts, tradeId); with `newest` only that many of the last. */
export async function tradesOf(
  session: Session,
  corrections: Corrections,
  { newest, ...range }: TickRange & { readonly newest?: number },
): Promise<TradeRow[]> {
  const isCorrected = corrections.touches(range.market, range.asOf)
  if (newest === undefined) return readTrades(session, tradesSql(isCorrected), range)
  const rows = await readTrades(session, newestTradesSql(isCorrected), { ...range, newest })
  return rows.reverse()
}

async function readTrades(session: Session, sql: string, bounds: Bounds): Promise<TradeRow[]> {
  const rows: TradeRow[] = []
  for (const chunk of await session.read(sql, bounds)) {
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
        takerSide: sideOf(taker[i]),
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

/** How far a venue's time for the same trade may differ between two messages. */
const RESTATEMENT_WINDOW = HOUR

/** Those of `ids` that are stored for the market, whenever they became known; see the port. */
export async function knownTradesOf(
  session: Session,
  parts: { readonly spans: Spans; readonly corrections: Corrections },
  market: MarketId,
  ids: readonly string[],
  span: { readonly from: Millis; readonly to: Millis } | null,
): Promise<Map<string, TradeRow>> {
  const storedSpan = parts.spans.get('trade', market)
  const tradesById = new Map<string, TradeRow>()
  if (ids.length === 0 || storedSpan === null) return tradesById
  const from = Math.max(storedSpan.first, (span?.from ?? -Infinity) - RESTATEMENT_WINDOW)
  const to = Math.min(storedSpan.last, (span?.to ?? Infinity) + RESTATEMENT_WINDOW)
  if (from <= to) {
    for (const row of await readTrades(session, STORED_TRADES, { market, from, to, ids })) {
      tradesById.set(row.tradeId, row)
    }
  }
  const figures = parts.corrections.figuresOf(market)
  for (const id of figures.size === 0 ? [] : ids) {
    const row = figures.get(id)
    if (row !== undefined) tradesById.set(id, row)
  }
  return tradesById
}
