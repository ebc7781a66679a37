import { MINUTE, type Millis } from '../../../domain/units.ts'
import { listOf, textOf, wireOf, type Wire } from '../../../venues/fields.ts'
import {
  parseEventContext,
  parseSeriesPage,
  type EventContext,
} from '../../../venues/venue-a/catalogue.ts'
import { parseEventsPage, parseMarketsPage } from '../../../venues/venue-a/parse.ts'
import {
  parseCandlesticks,
  parseOrderbook,
  parseTradesPage,
} from '../../../venues/venue-a/parse-tape.ts'
import type { EventTitle } from './titles.ts'
import type { Context, RecordedRow, Recording, RecordingNotes } from '../recording.ts'

/**
 * The recording of a response of venue_a's API, detected by its content; null for any other
 * payload.
 */
export function venueARecording(body: unknown, notes: RecordingNotes): Recording | Context | null {
  const page = wireOf(body)
  if (page === null) {
    const list = listOf(body)
    return isEvent(list[0]) ? eventsRecording(list) : marketsRecording({ markets: list })
  }
  const single = wireOf(page['event'])
  if (single !== null && isEvent(single)) {
    return eventsRecording([{ ...single, markets: single['markets'] ?? page['markets'] }])
  }
  if (isEvent(listOf(page['events'])[0])) return eventsRecording(listOf(page['events']))
  if (page['series'] !== undefined) return seriesContext(page)
  if (isTrade(listOf(page['trades'])[0])) return tradesRecording(listOf(page['trades']))
  return candlesRecording(page, notes) ?? booksRecording(page, notes) ?? marketsRecording(page)
}

const isEvent = (value: unknown): boolean =>
  textOf(wireOf(value)?.['event_ticker']) !== null && textOf(wireOf(value)?.['ticker']) === null
const isMarket = (value: unknown): boolean =>
  textOf(wireOf(value)?.['ticker']) !== null && textOf(wireOf(value)?.['event_ticker']) !== null
const isTrade = (value: unknown): boolean =>
  textOf(wireOf(value)?.['trade_id']) !== null && textOf(wireOf(value)?.['ticker']) !== null

/** Markets of a bare list, each parsed separately so that a bad one is reported with its number. */
export const marketRows = (markets: readonly unknown[]): RecordedRow[] =>
  markets.map((market) => (context, catalogue) => parseMarketsPage({ market }, context, catalogue))

function marketsRecording(page: Wire): Recording | null {
  const markets = page['market'] === undefined ? listOf(page['markets']) : [page['market']]
  if (!isMarket(markets[0])) return null
  const rows = marketRows(markets)
  return { layout: 'venue_a_markets', venue: 'venue_a', rank: 1, counted: 'market_described', rows }
}

/** Events with their markets; events without markets only name markets of other files. */
export function eventsRecording(
  events: readonly unknown[],
  layout = 'venue_a_events',
): Recording | Context {
  const contexts = events.map(parseEventContext)
  if (events.every((event) => listOf(wireOf(event)?.['markets']).length === 0)) {
    return {
      layout,
      venue: 'venue_a',
      rank: 4,
      contextKind: 'event',
      ids: contexts.map((context) => context?.eventId ?? null),
      titles: { events: contexts.flatMap(eventTitle), series: [] },
      addTo: (catalogue) => {
        for (const context of contexts) if (context !== null) catalogue.addEvent(context)
      },
    }
  }
  const rows = events.flatMap((event, index) =>
    listOf(wireOf(event)?.['markets']).map((market) => nestedRow(event, contexts[index], market)),
  )
  return { layout, venue: 'venue_a', rank: 1, counted: 'market_described', rows }
}

const eventTitle = (context: EventContext | null): EventTitle[] =>
  context === null || context.title === null ? [] : [{ ...context, title: context.title }]

const nestedRow =
  (event: unknown, eventContext: EventContext | null | undefined, market: unknown): RecordedRow =>
  (context, catalogue) =>
    parseEventsPage([{ ...wireOf(event), markets: [market] }], context, catalogue, (parsedPage) =>
      catalogue.addEvent(eventContext ?? parsedPage),
    )

function seriesContext(page: Wire): Context {
  const series = Array.isArray(page['series']) ? listOf(page['series']) : [page['series']]
  return {
    layout: 'venue_a_series',
    venue: 'venue_a',
    rank: 4,
    contextKind: 'series',
    ids: series.map((row) => textOf(wireOf(row)?.['ticker'])),
    titles: { events: [], series: parseSeriesPage(page) },
    addTo: (catalogue) => catalogue.addSeries(parseSeriesPage(page)),
  }
}

const tradesRecording = (trades: readonly unknown[]): Recording => ({
  layout: 'venue_a_trades',
  venue: 'venue_a',
  rank: 3,
  counted: 'trade_printed',
  rows: trades.map((trade) => (context) => parseTradesPage({ trades: [trade] }, context)),
})

function booksRecording(page: Wire, notes: RecordingNotes): Recording | null {
  const books = page['orderbooks'] === undefined ? [page] : listOf(page['orderbooks'])
  const hasBook = books.some(
    (book) =>
      wireOf(book)?.['orderbook'] !== undefined || wireOf(book)?.['orderbook_fp'] !== undefined,
  )
  if (!hasBook) return null
  return {
    layout: 'venue_a_orderbooks',
    venue: 'venue_a',
    rank: 3,
    counted: 'book_changed',
    rows: books.map((book) => (context) => parseOrderbook(book, context, notes.ticker)),
  }
}

/** Bars come in three shapes; all become pairs of a ticker and its bars. */
function candlesRecording(page: Wire, notes: RecordingNotes): Recording | null {
  const sets: (readonly [ticker: string | null, bars: readonly unknown[]])[] = []
  const tickers = listOf(page['market_tickers'])
  for (const [index, bars] of listOf(page['market_candlesticks']).entries()) {
    sets.push([textOf(tickers[index]), listOf(bars)])
  }
  for (const market of listOf(page['markets'])) {
    const wire = wireOf(market)
    if (wire?.['candlesticks'] === undefined) continue
    sets.push([textOf(wire['market_ticker']) ?? notes.ticker, listOf(wire['candlesticks'])])
  }
  if (page['candlesticks'] !== undefined) {
    sets.push([textOf(page['ticker']) ?? notes.ticker, listOf(page['candlesticks'])])
  }
  if (sets.length === 0) return null
  const rows = sets.flatMap(([ticker, bars]) => {
    const width = widthOf(bars, notes)
    return bars.map(
      (bar): RecordedRow =>
        (context) =>
          width === null
            ? { events: [], skipped: { 'bar of unknown length': 1 }, cursor: null }
            : parseCandlesticks({ candlesticks: [bar] }, context, width, ticker),
    )
  })
  return {
    layout: 'venue_a_candlesticks',
    venue: 'venue_a',
    rank: 3,
    counted: 'candle_published',
    rows,
  }
}

/**
 * The payload does not state its period: the collector's notes do, or the two nearest bars imply
 * it.
 */
function widthOf(bars: readonly unknown[], notes: RecordingNotes): Millis | null {
  if (notes.periodMinutes !== null) return (notes.periodMinutes * MINUTE) as Millis
  const barEnds = bars
    .map((bar) => wireOf(bar)?.['end_period_ts'])
    .filter((end) => typeof end === 'number')
    .sort((a, b) => a - b)
  const steps = barEnds.slice(1).map((end, index) => end - (barEnds[index] ?? end))
  const step = Math.min(...steps.filter((seconds) => seconds > 0))
  return [60, 3600, 86_400].includes(step) ? ((step * 1000) as Millis) : null
}
