import { activeMarkets } from './active-markets.ts'
import { exportedTicks } from './augury-export.ts'
import { exportedMarkets } from './augury-markets.ts'
import { exportedStatements } from './augury-statements.ts'
import { equityBars, equityMarkets } from './equity-weekly.ts'
import { highnyQuotes } from './highny-quotes.ts'
import { labBooks } from './lab-books.ts'
import { labMarkets } from './lab-markets.ts'
import { labSettlements } from './lab-settlements.ts'
import { labTrades } from './lab-trades.ts'
import { macroActuals, macroCalendar, macroReadings } from './macro-readings.ts'
import { polymarketSnapshot } from './polymarket-snapshot.ts'
import { polymarketTrades } from './polymarket-trades.ts'
import { temperatureOutcomes } from './temperature-outcomes.ts'
import { top100Markets, top100Snapshots } from './top100.ts'
import { temperatureCandles, temperatureEvents, temperatureMarkets } from './nyc-temperature.ts'
import { pmusLabels, pmusMarkets, pmusQuotes } from './pmus.ts'
import type { TableLayout } from './reading.ts'
import { textOf, wireOf } from '../../venues/fields.ts'
import { parseGammaMarketsPage } from '../../venues/venue-b/parse.ts'
import {
  NO_NOTES,
  type Context,
  type RecordedRow,
  type Recording,
  type RecordingNotes,
} from './recording.ts'
import { clientDump } from './venue-a-client-dumps.ts'
import { venueARecording } from './venue-a-recordings.ts'
import { venueBMessages } from './venue-b-messages.ts'
import { venueBRecording } from './venue-b-recordings.ts'

const TABLES: readonly TableLayout[] = [
  ...[pmusQuotes, pmusMarkets, pmusLabels],
  ...[temperatureCandles, temperatureMarkets, temperatureEvents, temperatureOutcomes],
  ...[highnyQuotes, macroReadings, macroActuals, macroCalendar],
  ...[labMarkets, labTrades, labBooks, labSettlements, activeMarkets],
  ...[equityBars, equityMarkets, top100Markets, top100Snapshots],
  ...[polymarketSnapshot, polymarketTrades],
  // Corrections have all columns of trades and one more: they are looked for first.
  ...[exportedMarkets, ...exportedStatements, ...exportedTicks],
]

/** Every name that a file's layout can have. */
export const LAYOUT_NAMES: readonly string[] = [
  ...TABLES.map((layout) => layout.name),
  ...['venue_a_events', 'venue_a_markets', 'venue_a_series', 'venue_a_trades'],
  ...['venue_a_candlesticks', 'venue_a_orderbooks', 'venue_a_without_history'],
  ...['venue_b_events', 'venue_b_markets', 'venue_b_trades', 'venue_b_books'],
  ...['venue_b_ws_trades', 'venue_b_ws_quotes', 'venue_b_ws_resolutions'],
  ...['venue_b_without_history', 'btc_5m_markets'],
  ...['kalshi_2024-07_event_data', 'kalshi_2024-07_market_data'],
  ...['kalshi_2024-07_market_history', 'kalshi_2024-07_orderbook_data'],
]

/** The layout that has all its columns among these, or null. */
export const tableLayoutOf = (columns: ReadonlySet<string>): TableLayout | null =>
  TABLES.find((layout) => layout.columns.every((column) => columns.has(column))) ?? null

/** Lines of JSON, each with the catalogue entry of a market of venue_b in `raw`; null for others. */
export function linesOf(first: unknown, lines: readonly string[]): Recording | null {
  const raw = wireOf(wireOf(first)?.['raw'])
  if (raw === null || textOf(raw['conditionId']) === null) return null
  return {
    ...{ layout: 'btc_5m_markets', venue: 'venue_b', rank: 1, counted: 'market_described' },
    rows: lines.map((line): RecordedRow => (context) => {
      const market = rawOf(line)
      return market === null
        ? { events: [], skipped: { 'line is no JSON with a market in raw': 1 }, cursor: null }
        : parseGammaMarketsPage([market], context)
    }),
  }
}

/** The catalogue entry in a line of such a file, or null. */
export function rawOf(line: string): unknown {
  try {
    return wireOf(wireOf(JSON.parse(line))?.['raw'])
  } catch {
    return null
  }
}

/** What a JSON payload is by its content, or null. */
export const recordingOf = (
  body: unknown,
  notes: RecordingNotes = NO_NOTES,
): Recording | Context | null =>
  clientDump(body) ?? venueARecording(body, notes) ?? venueBMessages(body) ?? venueBRecording(body)
