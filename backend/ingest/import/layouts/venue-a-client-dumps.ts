import { ParseResult } from '../../../venues/parsed.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import { epochOf, listOf, wireOf, type Wire } from '../../../venues/fields.ts'
import { parseQuote } from '../../../venues/venue-a/parse.ts'
import { parseOrderbook } from '../../../venues/venue-a/parse-tape.ts'
import type { Context, RecordedRow, Recording } from '../recording.ts'
import { eventsRecording, marketRows } from './venue-a-recordings.ts'

/**
 * Objects of venue_a's client library of 2024 as a collector dumped them: every key has a leading
 * underscore, prices are cents. Null for any other payload.
 */
export function clientDump(body: unknown): Recording | Context | null {
  const list = listOf(body)
  const first = wireOf(list[0])
  if (first === null) return null
  if ('_event_ticker' in first && !('_ticker' in first)) {
    return eventsRecording(list.map(plainRow), 'kalshi_2024-07_event_data')
  }
  const entries = list.flatMap((entry) => Object.entries(wireOf(entry) ?? {}))
  const [, sample] = entries[0] ?? []
  const point = wireOf(listOf(sample)[0])
  if (point !== null && '_ticker' in point) {
    const markets = entries.flatMap(([, value]) => listOf(value).map(plainRow))
    return dumpOf('kalshi_2024-07_market_data', 1, 'market_described', marketRows(markets))
  }
  if (point !== null && '_ts' in point) {
    const rows = entries.flatMap(([ticker, value]) =>
      listOf(value).map((row) => historyRow(ticker, plainRow(row))),
    )
    return dumpOf('kalshi_2024-07_market_history', 3, 'quote_changed', rows)
  }
  const book = wireOf(sample)
  if (book !== null && '_yes' in book && '_no' in book) {
    const rows = entries.map(
      ([ticker, value]): RecordedRow =>
        (context) =>
          parseOrderbook({ orderbook: plainRow(value) }, context, ticker),
    )
    return dumpOf('kalshi_2024-07_orderbook_data', 3, 'book_changed', rows)
  }
  return null
}

const dumpOf = (
  layout: string,
  rank: number,
  countEvent: Recording['counted'],
  rows: readonly RecordedRow[],
): Recording => ({ layout, venue: 'venue_a', rank, counted: countEvent, rows })

/** An object with the leading underscores of its keys removed. */
function plainRow(value: unknown): Wire {
  const entries = Object.entries(wireOf(value) ?? {})
  return Object.fromEntries(entries.map(([key, value]) => [key.replace(/^_/, ''), value]))
}

const historyRow =
  (ticker: string, point: Wire): RecordedRow =>
  (context) => {
    const parseResult = new ParseResult()
    const at = epochOf(point['ts'], 'seconds')
    if (at === null) parseResult.skip('point without a time')
    else {
      parseResult.add(
        parseQuote(parseResult, point, { ticker: canonicalTicker(ticker) }, context, at),
      )
    }
    return parseResult.result()
  }
