import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasRecordings, recordingPath, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import { scaled } from '../../../scripts/properties.ts'
import { sampleRecordings } from '../../testing/sampled-recordings.ts'
import type { ImportHost } from './import-host.ts'
import { runImport } from './run-import.ts'

/** A dry run reads an empty history and changes nothing. */
const untouched: ImportHost = {
  marketIds: () => Promise.reject(new Error('asked')),
  adopt: () => Promise.reject(new Error('asked')),
  adoptFacts: () => Promise.reject(new Error('asked')),
  storeStatements: () => Promise.reject(new Error('asked')),
  settle: (outcomes) => Promise.resolve(outcomes.map(() => 'no such market')),
  tickersByName: (_venue, names) => Promise.resolve(names.map(() => null)),
  assetsById: () => Promise.resolve([]),
  describeByIds: (versions) => Promise.resolve(versions.map(() => true)),
  nameMarkets: ({ events, series }) =>
    Promise.resolve({
      events: events.map(() => 'no such market'),
      series: series.map(() => 'no such market'),
    }),
}

const UNDATED = 'the time of the recording is not stated'
const UNKNOWN = 'the layout is unknown'
const NO_MARKETS = 'the JSON holds no markets, trades, books or bars of a known venue'

/**
 * Every file of the recordings (of pmus_quotes one day, of other sources one a kind): layout, rows
 * taken, rows refused, and how the error begins of one that cannot be read. What names or settles
 * markets is judged here by an empty history and the files beside it.
 */
const INVENTORY = [
  ['venue_a/api_recordings/candlesticks_batch.json', 'venue_a_candlesticks', 90, 0, null],
  ['venue_a/api_recordings/event_candlesticks.json', 'venue_a_candlesticks', 90, 0, null],
  ['venue_a/api_recordings/event_metadata.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/event_single.json', 'venue_a_events', 1, 0, null],
  ['venue_a/api_recordings/events_list.json', 'venue_a_events', 5, 0, null],
  ['venue_a/api_recordings/events_multivariate_list.json', 'venue_a_events', 0, 5, null],
  ['venue_a/api_recordings/exchange_announcements.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/exchange_schedule.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/exchange_status.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/filters_by_sport.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/incentive_programs.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/live_data_batch.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/live_data_milestone.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/market_single.json', 'venue_a_markets', 0, 1, null],
  ['venue_a/api_recordings/markets_list.json', 'venue_a_markets', 0, 5, null],
  ['venue_a/api_recordings/milestone_single.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/milestones_list.json', 'venue_a_without_history', 0, 1, null],
  [
    'venue_a/api_recordings/multivariate_event_collection_lookup_tickers.json',
    'venue_a_without_history',
    0,
    1,
    null,
  ],
  [
    'venue_a/api_recordings/multivariate_event_collection_single.json',
    'venue_a_without_history',
    0,
    1,
    null,
  ],
  [
    'venue_a/api_recordings/multivariate_event_collections_list.json',
    'venue_a_without_history',
    0,
    1,
    null,
  ],
  ['venue_a/api_recordings/orderbook.json', 'venue_a_orderbooks', 1, 0, null],
  ['venue_a/api_recordings/pmvl_kalshi_events.json', 'venue_a_events', 9, 0, null],
  ['venue_a/api_recordings/pmvl_kalshi_markets.json', 'venue_a_markets', 3, 0, null],
  ['venue_a/api_recordings/pmvl_kalshi_orderbook.json', null, 0, 0, UNDATED],
  ['venue_a/api_recordings/pmvl_kalshi_series.json', 'venue_a_series', 1, 0, null],
  ['venue_a/api_recordings/pmvl_kalshi_trades.json', 'venue_a_trades', 3, 0, null],
  ['venue_a/api_recordings/series_candlesticks.json', 'venue_a_candlesticks', 90, 0, null],
  ['venue_a/api_recordings/series_fee_changes.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/series_list.json', 'venue_a_series', 23, 218, null],
  ['venue_a/api_recordings/series_single.json', 'venue_a_series', 0, 1, null],
  ['venue_a/api_recordings/structured_target_single.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/structured_targets_list.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/tags_by_categories.json', 'venue_a_without_history', 0, 1, null],
  ['venue_a/api_recordings/trades_list.json', 'venue_a_trades', 5, 0, null],
  ['venue_a/kalshi_2024-07_event_data.json', 'kalshi_2024-07_event_data', 99, 1, null],
  ['venue_a/kalshi_2024-07_market_data.json', 'kalshi_2024-07_market_data', 290, 1, null],
  ['venue_a/kalshi_2024-07_market_history.json', 'kalshi_2024-07_market_history', 996, 969, null],
  ['venue_a/kalshi_2024-07_orderbook_data.json', 'kalshi_2024-07_orderbook_data', 100, 0, null],
  ['venue_a/kalshi_events_nested_2026-03-01.json', 'venue_a_events', 860, 0, null],
  ['venue_a/kalshi_highny_quotes.parquet', 'kalshi_highny_quotes', 735297, 0, null],
  ['venue_a/kalshi_iran_raw_2026-03.json', 'venue_a_events', 763, 0, null],
  ['venue_a/kalshi_macro_actuals.csv', 'kalshi_macro_actuals', 0, 4, null],
  ['venue_a/kalshi_macro_calendar.csv', 'kalshi_macro_calendar', 0, 47, null],
  ['venue_a/kalshi_macro_readings.parquet', 'kalshi_macro_readings', 207, 16239, null],
  ['venue_a/kalshi_nyc_temp_candles_1h.parquet', 'kalshi_nyc_temp_candles_1h', 23920, 0, null],
  ['venue_a/kalshi_nyc_temp_events.parquet', 'kalshi_nyc_temp_events', 1699, 177, null],
  ['venue_a/kalshi_nyc_temp_markets.parquet', 'kalshi_nyc_temp_markets', 630, 0, null],
  [
    'venue_a/kalshi_temp_markets_multicity_2026-05.parquet',
    'kalshi_nyc_temp_markets',
    612,
    0,
    null,
  ],
  ['venue_a/kalshi_temp_settled_outcomes.parquet', 'kalshi_temp_settled_outcomes', 21206, 0, null],
  ['venue_a/lab_kalshi_markets.parquet', 'lab_markets', 3201, 0, null],
  ['venue_a/lab_orderbook_levels_both_venues.parquet', 'lab_orderbook_levels', 15805, 15772, null],
  ['venue_a/lab_settlements_both_venues.parquet', 'lab_settlements', 3378, 0, null],
  ['venue_a/lab_trades_both_venues.parquet', 'lab_trades', 1550, 700, null],
  ['venue_b/api_recordings/nt_book.json', 'venue_b_books', 0, 1, null],
  ['venue_b/api_recordings/nt_clob_book_response.json', 'venue_b_books', 0, 1, null],
  ['venue_b/api_recordings/nt_clob_market_closed_binary_accepting_true.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_data_api_trades_response.json', 'venue_b_trades', 0, 3, null],
  ['venue_b/api_recordings/nt_event.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_events_list.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_gamma_event.json', 'venue_b_events', 2, 0, null],
  ['venue_b/api_recordings/nt_gamma_market.json', 'venue_b_markets', 1, 0, null],
  [
    'venue_b/api_recordings/nt_gamma_market_closed_binary_accepting_true.json',
    'venue_b_markets',
    1,
    0,
    null,
  ],
  [
    'venue_b/api_recordings/nt_gamma_market_closed_nonbinary_legacy.json',
    'venue_b_markets',
    1,
    0,
    null,
  ],
  [
    'venue_b/api_recordings/nt_gamma_market_sports_market_money_line.json',
    'venue_b_markets',
    1,
    0,
    null,
  ],
  ['venue_b/api_recordings/nt_gamma_tags.json', null, 0, 0, UNKNOWN],
  ['venue_b/api_recordings/nt_market.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_market_slug.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_markets.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_markets_list.json', null, 0, 0, UNDATED],
  ['venue_b/api_recordings/nt_search_response.json', 'venue_b_events', 1, 0, null],
  ['venue_b/api_recordings/nt_trades.json', 'venue_b_trades', 4, 0, null],
  ['venue_b/api_recordings/nt_ws_book.json', 'venue_b_books', 0, 1, null],
  ['venue_b/api_recordings/nt_ws_last_trade_price.json', 'venue_b_ws_trades', 0, 1, null],
  ['venue_b/api_recordings/nt_ws_market_best_bid_ask_msg.json', 'venue_b_ws_quotes', 0, 1, null],
  ['venue_b/api_recordings/nt_ws_market_new_market_msg.json', 'venue_b_markets', 1, 0, null],
  ['venue_b/api_recordings/nt_ws_market_resolved_msg.json', 'venue_b_ws_resolutions', 1, 0, null],
  ['venue_b/api_recordings/nt_ws_price_change.json', 'venue_b_ws_quotes', 0, 1, null],
  ['venue_b/api_recordings/nt_ws_price_change_v2.json', 'venue_b_ws_quotes', 0, 3, null],
  ['venue_b/api_recordings/nt_ws_tick_size_change.json', 'venue_b_without_history', 0, 1, null],
  ['venue_b/api_recordings/pmvl_polymarket_book.json', 'venue_b_books', 1, 0, null],
  ['venue_b/api_recordings/pmvl_polymarket_events.json', 'venue_b_events', 7, 1, null],
  ['venue_b/api_recordings/pmvl_polymarket_markets.json', 'venue_b_markets', 3, 0, null],
  ['venue_b/btc_5m_markets_2026-06-08.jsonl.gz', 'btc_5m_markets', 292, 0, null],
  ['venue_b/lab_polymarket_markets.parquet', 'lab_markets', 545, 0, null],
  ['venue_b/pmus_labels.parquet', 'pmus_labels', 34946, 58772, null],
  ['venue_b/pmus_markets.parquet', 'pmus_markets', 111769, 0, null],
  ['venue_b/pmus_quotes/dt=2026-07-10/data_0.parquet', 'pmus_quotes', 783350, 0, null],
  [
    'venue_b/polymarket_equity_weekly_bars_1h.parquet',
    'polymarket_equity_weekly_bars_1h',
    204464,
    935,
    null,
  ],
  [
    'venue_b/polymarket_equity_weekly_markets.csv',
    'polymarket_equity_weekly_markets',
    1384,
    0,
    null,
  ],
  ['venue_b/polymarket_gamma_events_2026-03-01.json', 'venue_b_events', 1191, 570, null],
  ['venue_b/polymarket_iran_raw_2026-03.json', 'venue_b_events', 239, 3, null],
  ['venue_b/polymarket_markets_2026-05_snapshot.csv', 'polymarket_markets_snapshot', 9550, 0, null],
  ['venue_b/polymarket_top100_markets.csv', 'polymarket_top100_markets', 77, 0, null],
  [
    'venue_b/polymarket_top100_snapshots_5min.parquet',
    'polymarket_top100_snapshots_5min',
    97275,
    75,
    null,
  ],
  ['venue_b/polymarket_trades_sample.csv', 'polymarket_trades', 5000, 0, null],
  [
    'pairs/active_markets_both_venues_2026-08-19_21.csv',
    'active_markets_both_venues',
    2774,
    991,
    null,
  ],
  ['pairs/sample_matches_2026.csv', null, 0, 0, UNKNOWN],
  ['pairs/pmvl_matching_benchmark.json', null, 0, 0, NO_MARKETS],
  ['econ/fred_VIXCLS.csv', null, 0, 0, UNKNOWN],
  ['traditional/btc_daily.csv', null, 0, 0, UNKNOWN],
  ['gov/executive.yaml', null, 0, 0, UNKNOWN],
  ['gov/congress_sample_bill.json', null, 0, 0, NO_MARKETS],
  ['audio/jfk_1961_inaugural_11s_16k.wav', null, 0, 0, 'the file is binary and not Parquet'],
] as const

/**
 * Files of which a push reads one row in so many; `npm run torture -- properties` reads all. None of
 * their rows is refused.
 */
const LARGE: readonly string[] = [
  'venue_a/kalshi_highny_quotes.parquet',
  'venue_b/pmus_quotes/dt=2026-07-10/data_0.parquet',
]
const SAMPLED_EVERY = 40

describe.skipIf(!hasRecordings)(
  `recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    it('are read to their last row', { timeout: 300_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'augury-recordings-'))
      const sampled = scaled(1) === 1 ? LARGE : []
      const copies = await sampleRecordings(sampled, {
        where: `file_row_number % ${SAMPLED_EVERY} = 0`,
        folder,
      })
      const paths = INVENTORY.map(([path]) => copies[sampled.indexOf(path)] ?? recordingPath(path))
      const reports = await runImport(
        { paths, venue: null, kind: null, dryRun: true },
        untouched,
        { stageDir: folder, tempDir: folder, memoryLimitMb: 400 },
        new AbortController().signal,
      ).finally(() => rmSync(folder, { recursive: true }))
      expect(
        reports.map(({ layout, rowsTaken, rowsRefused, error }, index) => {
          const note = INVENTORY[index]?.[4] ?? null
          const asReported = note !== null && error?.startsWith(note) === true ? note : error
          return [INVENTORY[index]?.[0], layout, rowsTaken, rowsRefused, asReported]
        }),
      ).toEqual(
        INVENTORY.map(([path, layout, taken, ...rest]) => {
          const isSampled = sampled.includes(path)
          return [path, layout, isSampled ? Math.ceil(taken / SAMPLED_EVERY) : taken, ...rest]
        }),
      )
    })

    it('are all in the inventory', () => {
      const files = globSync(['venue_a/**/*.*', 'venue_b/**/*.*'], { cwd: recordingPath('') })
      const named = new Set<string>(INVENTORY.map(([path]) => path))
      const missing = files
        .map((path) => path.replaceAll('\\', '/'))
        .filter((path) => !named.has(path) && !path.includes('pmus_quotes'))
      expect(missing).toEqual([])
    })
  },
)
