import { MINUTE, type Millis } from '../domain/units.ts'
import type {
  BulkQuery,
  HistoryColumns,
  PrintedColumns,
  QuotedColumns,
  SlotColumns,
  SlotQuery,
} from '../history/context-store.ts'
import { NO_PRICE } from '../history/history-batch.ts'
import type { MarketId, MarketKey } from '../history/market-key.ts'
import type { QuoteRow, TradeRow } from '../history/market-rows.ts'

/** Rows of many markets; one without `knownAt` was known at once. */
export interface ColumnRows {
  readonly prints?: readonly Known<TradeRow>[]
  readonly quoted?: readonly Known<QuoteRow>[]
  readonly bars?: readonly Known<BarRow>[]
}
export type Known<Row> = Row & { readonly market: MarketId; readonly knownAt?: Millis }

/** A venue's bar; `ts` is its end, prices and sizes are those of the store. */
export interface BarRow {
  readonly ts: Millis
  readonly width: Millis
  readonly close: number | null
  readonly volume: number | null
}

const QUOTED_FOR = 15 * MINUTE
const TAKERS = { yes: 1, no: 2 } as const

/**
 * Reads of many markets the slow way: slot by slot, market by market. Rows of one instant keep
 * their order.
 */
export function columnsOf(
  rows: ColumnRows,
  keyOf: (market: MarketId) => MarketKey,
): HistoryColumns {
  const { prints = [], quoted = [], bars = [] } = rows
  return {
    slots: (query) => Promise.resolve(slotsOf({ prints, quoted, bars }, query)),
    printsOf: (query) => Promise.resolve(printedOf(isIncluded(prints, query, keyOf))),
    quotesOf: (query) => Promise.resolve(quotedOf(isIncluded(quoted, query, keyOf))),
    lateMarkets({ from, before, asOf }) {
      const isLate = (row: Stamped): boolean =>
        row.ts > from && row.ts <= before && !isKnown(row, before) && isKnown(row, asOf)
      const late = [...prints, ...quoted].filter(isLate)
      return Promise.resolve([...new Set(late.map(({ market }) => market))])
    },
  }
}

type Stamped = Known<{ readonly ts: Millis }>

const isKnown = ({ ts, knownAt = ts }: Stamped, asOf: Millis): boolean =>
  ts <= asOf && knownAt <= asOf

const inOrder = <Row extends Stamped>(rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (a, b) => a.market - b.market || a.ts - b.ts || (a.knownAt ?? a.ts) - (b.knownAt ?? b.ts),
  )

const byTrade = (rows: readonly Known<TradeRow>[]): Known<TradeRow>[] =>
  rows.toSorted((a, b) => a.market - b.market || a.ts - b.ts || (a.tradeId < b.tradeId ? -1 : 1))

function isIncluded<Row extends Stamped>(
  rows: readonly Row[],
  { from, to, asOf, markets, venue }: BulkQuery,
  keyOf: (market: MarketId) => MarketKey,
): Row[] {
  return rows
    .filter((row) => row.ts > from && row.ts <= to && isKnown(row, asOf))
    .filter(({ market }) => markets === null || markets.includes(market))
    .filter(({ market }) => venue === undefined || keyOf(market).venue === venue)
}

function printedOf(rows: readonly Known<TradeRow>[]): PrintedColumns {
  const printed = byTrade(rows.filter((row) => !row.isBlock))
  return {
    market: Int32Array.from(printed, (row) => row.market),
    ts: Float64Array.from(printed, (row) => row.ts),
    price: Int32Array.from(printed, (row) => row.price),
    size: Float64Array.from(printed, (row) => row.size),
    taker: Uint8Array.from(printed, (row) => (row.takerSide ? TAKERS[row.takerSide] : 0)),
  }
}

function quotedOf(rows: readonly Known<QuoteRow>[]): QuotedColumns {
  const quoted = inOrder(rows)
  return {
    market: Int32Array.from(quoted, (row) => row.market),
    ts: Float64Array.from(quoted, (row) => row.ts),
    bid: Int32Array.from(quoted, (row) => row.bid ?? NO_PRICE),
    ask: Int32Array.from(quoted, (row) => row.ask ?? NO_PRICE),
  }
}

interface Slot {
  readonly market: number
  readonly slot: number
  readonly last: number
  readonly isQuoted: number
  readonly bid: number
  readonly ask: number
  readonly trades: number
  readonly usd: number
}

function slotsOf(rows: Required<ColumnRows>, query: SlotQuery): SlotColumns {
  const markets =
    query.markets ?? [...rows.prints, ...rows.quoted, ...rows.bars].map(({ market }) => market)
  const found: Slot[] = []
  for (const market of [...new Set(markets)].toSorted((a, b) => a - b)) {
    const own = <Row extends Stamped>(all: readonly Row[]): Row[] =>
      all.filter((row) => row.market === market && isKnown(row, query.asOf))
    const ofMarket = {
      prints: byTrade(own(rows.prints)),
      quoted: inOrder(own(rows.quoted)),
      bars: own(rows.bars),
    }
    for (let slot = 0; slot < query.count; slot++) {
      const one = slotOf(ofMarket, query, market, slot)
      if (one !== null) found.push(one)
    }
  }
  return {
    market: Int32Array.from(found, (row) => row.market),
    slot: Int32Array.from(found, (row) => row.slot),
    last: Int32Array.from(found, (row) => row.last),
    isQuoted: Uint8Array.from(found, (row) => row.isQuoted),
    bid: Int32Array.from(found, (row) => row.bid),
    ask: Int32Array.from(found, (row) => row.ask),
    trades: Int32Array.from(found, (row) => row.trades),
    usd: Float64Array.from(found, (row) => row.usd),
  }
}

/** One market at the end of one slot; null when nothing happened. */
function slotOf(
  { prints, quoted, bars }: Required<ColumnRows>,
  { from, step }: SlotQuery,
  market: MarketId,
  slot: number,
): Slot | null {
  const start = from + slot * step
  const end = start + step
  const within = <Row extends Stamped>(all: readonly Row[]): Row[] =>
    all.filter(({ ts }) => ts > start && ts <= end)
  const traded = within(prints)
  const printed = traded.filter((row) => !row.isBlock)
  const quote = quoted.findLast(({ ts }) => ts > end - QUOTED_FOR && ts <= end)
  const barred = moneyByWidth(within(bars).filter(({ width }) => width <= step))
  if (traded.length === 0 && quote === undefined && barred.length === 0) return null
  const money = traded.reduce((sum, { size, price }) => sum + BigInt(size) * BigInt(price), 0n)
  const most = barred.reduce((max, one) => (one > max ? one : max), money)
  return {
    market,
    slot,
    last: printed.at(-1)?.price ?? NO_PRICE,
    isQuoted: quote === undefined ? 0 : 1,
    bid: quote?.bid ?? NO_PRICE,
    ask: quote?.ask ?? NO_PRICE,
    trades: printed.length,
    usd: Number(most) / 1e10,
  }
}

/** Volume by the bars of each width: of each bar the version known last. */
function moneyByWidth(bars: readonly Known<BarRow>[]): bigint[] {
  const newest = new Map<string, Known<BarRow>>()
  for (const bar of inOrder(bars)) newest.set(`${bar.ts} ${bar.width}`, bar)
  const byWidth = new Map<number, bigint>()
  for (const { width, close, volume } of newest.values()) {
    if (close === null || volume === null) continue
    byWidth.set(width, (byWidth.get(width) ?? 0n) + BigInt(volume) * BigInt(close))
  }
  return [...byWidth.values()]
}
