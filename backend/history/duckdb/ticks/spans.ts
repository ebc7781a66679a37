import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { MarketId } from '../../market-key.ts'
import type { Session } from '../engine/connections.ts'
import { readDoubles, readIntegers } from '../engine/columns.ts'

/** Kinds of tick tables; the position is the code in `market_span`. */
export const TICK_KINDS = ['trade', 'quote', 'book', 'candle', 'activity'] as const
export type TickKind = (typeof TICK_KINDS)[number]

/**
 * First and last time of the stored rows of one kind of one market, and their approximate count.
 */
export interface Span {
  readonly first: number
  readonly last: number
  readonly rows: number
}

/**
 * The bounds of every market's rows in memory: a read starts at the newest row and stops at the
 * oldest, whatever the age of the history. Bounds only limit the search; they never change a
 * result.
 */
export class Spans {
  readonly #spans = new Map<TickKind, Map<MarketId, { first: number; last: number; rows: number }>>(
    TICK_KINDS.map((kind) => [kind, new Map()]),
  )

  readonly #earliest = new Map<TickKind, number>()

  /** Time of the oldest row of a kind; Infinity when none is stored. */
  earliest(kind: TickKind): number {
    return this.#earliest.get(kind) ?? Infinity
  }

  /** Null when no row of the kind is stored. */
  get(kind: TickKind, market: MarketId): Span | null {
    return this.#spans.get(kind)?.get(market) ?? null
  }

  all(kind: TickKind): ReadonlyMap<MarketId, Span> {
    return this.#spans.get(kind) ?? new Map()
  }

  /** Bounds of all rows of these markets; empty bounds for none. */
  spanOf(kind: TickKind, markets: readonly MarketId[]): Span {
    const all = { first: Infinity, last: -Infinity, rows: 0 }
    for (const market of markets) {
      const span = this.get(kind, market)
      if (span === null) continue
      all.first = Math.min(all.first, span.first)
      all.last = Math.max(all.last, span.last)
      all.rows += span.rows
    }
    return all
  }

  widen(kind: TickKind, market: MarketId, first: number, last: number, rows: number): void {
    if (first < this.earliest(kind)) this.#earliest.set(kind, first)
    const markets = this.#spans.get(kind)
    const span = markets?.get(market)
    if (span === undefined) {
      markets?.set(market, { first, last, rows })
      return
    }
    if (first < span.first) span.first = first
    if (last > span.last) span.last = last
    span.rows += rows
  }

  /** Extends the bounds by appended columns. */
  widenBy(kind: TickKind, market: Int32Array, ts: Float64Array): void {
    for (let i = 0; i < market.length; i++) {
      const at = ts[i] ?? 0
      this.widen(kind, market[i] ?? 0, at, at, 1)
    }
  }
}

/** The bounds of one market's rows. */
export interface MarketSpan extends Span {
  readonly market: MarketId
}

/** Bounds from rows of market, first and last time, and count. */
export function* spansIn(chunks: readonly DuckDBDataChunk[]): Generator<MarketSpan> {
  for (const chunk of chunks) {
    const market = readIntegers(chunk, 0)
    const [first, last, rows] = [
      readDoubles(chunk, 1),
      readDoubles(chunk, 2),
      readDoubles(chunk, 3),
    ]
    for (let i = 0; i < chunk.rowCount; i++) {
      yield {
        market: market[i] ?? -1,
        first: first[i] ?? 0,
        last: last[i] ?? 0,
        rows: rows[i] ?? 0,
      }
    }
  }
}

/** Reads the bounds at open: one stored row per market and kind, and the unsorted rows. */
export async function loadSpans(session: Session): Promise<Spans> {
  const spans = new Spans()
  for (const [code, kind] of TICK_KINDS.entries()) {
    const chunks = await session.read(
      `select market, min(first_ts)::double, max(last_ts)::double, sum(row_count)::double
         from (select market, first_ts, last_ts, row_count from market_span where kind = ${code}
               union all select market, ts, ts, 1 from ${kind}_recent)
        group by market`,
    )
    for (const { market, first, last, rows } of spansIn(chunks)) {
      spans.widen(kind, market, first, last, rows)
    }
  }
  return spans
}

/**
 * Windows [from, to], newest first, that together cover a span up to `end`: the first is `width`
 * wide, each further one four times as wide, so that the cost depends on the request and not on the
 * age of the market. Starts are multiples of `align`.
 */
export function* windowsBack(
  span: Span,
  end: number,
  width: number,
  align = 1,
): Generator<{ from: number; to: number }> {
  let to = Math.min(end, span.last)
  // A market with few rows is read at once: the cost of a read depends on rows, not on time.
  let chunkSpan = span.rows <= 4_096 ? Infinity : width
  while (to >= span.first) {
    const chunkStart = Math.max(span.first, to - chunkSpan + 1)
    const from = Math.floor(chunkStart / align) * align
    yield { from, to }
    to = from - 1
    chunkSpan *= 4
  }
}
