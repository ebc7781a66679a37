import { activeMarkets } from './active-markets.ts'
import { exportedTicks } from './augury-export.ts'
import { exportedMarkets } from './augury-markets.ts'
import { exportedStatements } from './augury-statements.ts'
import { equityBars, equityMarkets } from './equity-weekly.ts'
import { highnyQuotes } from './highny-quotes.ts'
import { labBooks } from './lab/lab-books.ts'
import { labMarkets } from './lab/lab-markets.ts'
import { labSettlements } from './lab/lab-settlements.ts'
import { labTrades } from './lab/lab-trades.ts'
import { macroActuals, macroCalendar, macroReadings } from './macro-readings.ts'
import { polymarketSnapshot } from './polymarket-snapshot.ts'
import { polymarketTrades } from './polymarket-trades.ts'
import { temperatureOutcomes } from './nyc-temperature/temperature-outcomes.ts'
import { top100Markets, top100Snapshots } from './top100.ts'
import {
  temperatureCandles,
  temperatureEvents,
  temperatureMarkets,
} from './nyc-temperature/nyc-temperature.ts'
import { pmusLabels, pmusMarkets, pmusQuotes } from './pmus.ts'
import type { TableLayout } from '../reading.ts'
import { textOf, wireOf } from '../../../venues/fields.ts'
import { parseGammaMarketsPage } from '../../../venues/venue-b/parse.ts'
import {
  NO_NOTES,
  type Context,
  type RecordedRow,
  type Recording,
  type RecordingNotes,
} from '../recording.ts'
import { clientDump } from './venue-a-client-dumps.ts'
import { venueARecording } from './venue-a-recordings.ts'
import { venueBMessages } from './venue-b-messages.ts'
import { venueBRecording } from './venue-b-recordings.ts'

const TABLES: readonly TableLayout[] = [
  pmusQuotes,
  pmusMarkets,
  pmusLabels,
  temperatureCandles,
  temperatureMarkets,
  temperatureEvents,
  temperatureOutcomes,
  highnyQuotes,
  macroReadings,
  macroActuals,
  macroCalendar,
  labMarkets,
  labTrades,
  labBooks,
  labSettlements,
  activeMarkets,
  equityBars,
  equityMarkets,
  top100Markets,
  top100Snapshots,
  polymarketSnapshot,
  polymarketTrades,
  // Corrections have all columns of trades and one more, so they are matched first.
  exportedMarkets,
  ...exportedStatements,
  ...exportedTicks,
]

/** A file may contain fewer columns of a layout by coincidence. */
const MIN_PRESENT = 2
/** With a smaller share of its columns, a layout is not suggested. */
const MIN_SHARE = 1 / 3

/** Every possible name of a file's layout. */
export const LAYOUT_NAMES: readonly string[] = [
  ...TABLES.map((layout) => layout.name),
  'venue_a_events',
  'venue_a_markets',
  'venue_a_series',
  'venue_a_trades',
  'venue_a_candlesticks',
  'venue_a_orderbooks',
  'venue_a_without_history',
  'venue_b_events',
  'venue_b_markets',
  'venue_b_trades',
  'venue_b_books',
  'venue_b_ws_trades',
  'venue_b_ws_quotes',
  'venue_b_ws_resolutions',
  'venue_b_without_history',
  'btc_5m_markets',
  'kalshi_2024-07_event_data',
  'kalshi_2024-07_market_data',
  'kalshi_2024-07_market_history',
  'kalshi_2024-07_orderbook_data',
]

/** A layout of which some columns are missing. */
export interface NearLayout {
  readonly name: string
  readonly present: readonly string[]
  readonly missing: readonly string[]
}

/**
 * The layout with the largest share of its columns present, when that is at least a third; else
 * null.
 */
export function nearestLayout(columns: ReadonlySet<string>): NearLayout | null {
  let nearest: NearLayout | null = null
  for (const layout of TABLES) {
    const present = layout.columns.filter((column) => columns.has(column))
    const missing = layout.columns.filter((column) => !columns.has(column))
    const share = present.length / layout.columns.length
    if (present.length < MIN_PRESENT || share < MIN_SHARE) continue
    if (nearest === null || share > shareOf(nearest))
      nearest = { name: layout.name, present, missing }
  }
  return nearest
}

const shareOf = ({ present, missing }: NearLayout): number =>
  present.length / (present.length + missing.length)

/** The layout that has all its columns among these, or null. */
export const tableLayoutOf = (columns: ReadonlySet<string>): TableLayout | null =>
  TABLES.find((layout) => layout.columns.every((column) => columns.has(column))) ?? null

/** Lines of JSON, each with the catalogue entry of a market of venue_b in `raw`; null for others. */
export function linesOf(first: unknown, lines: readonly string[]): Recording | null {
  const raw = wireOf(wireOf(first)?.['raw'])
  if (raw === null || textOf(raw['conditionId']) === null) return null
  return {
    layout: 'btc_5m_markets',
    venue: 'venue_b',
    rank: 1,
    counted: 'market_described',
    rows: lines.map((line): RecordedRow => (context) => {
      const market = rawOf(line)
      return market === null
        ? { events: [], skipped: { 'line is not JSON with a market in raw': 1 }, cursor: null }
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

/** The recording that a JSON payload is, by its content, or null. */
export const recordingOf = (
  body: unknown,
  notes: RecordingNotes = NO_NOTES,
): Recording | Context | null =>
  clientDump(body) ?? venueARecording(body, notes) ?? venueBMessages(body) ?? venueBRecording(body)
