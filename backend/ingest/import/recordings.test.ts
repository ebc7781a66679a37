import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasRecordings, recordingPath, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import type { ImportHost } from './import-host.ts'
import { runImport } from './run-import.ts'

/** A dry run asks an empty history what it has, and changes nothing. */
const untouched: ImportHost = {
  marketIds: () => Promise.reject(new Error('asked')),
  adopt: () => Promise.reject(new Error('asked')),
  adoptFacts: () => Promise.reject(new Error('asked')),
  settle: (outcomes) => Promise.resolve(outcomes.map(() => 'no such market')),
  tickersNamed: (_venue, names) => Promise.resolve(names.map(() => null)),
  assetsNamed: () => Promise.resolve([]),
  nameMarkets: ({ events, series }) =>
    Promise.resolve({
      events: events.map(() => 'no such market'),
      series: series.map(() => 'no such market'),
    }),
}

/** Rows as the recordings' own inventory counts them: taken, and refused for a reason it names. */
const INVENTORY = [
  ['venue_a/kalshi_nyc_temp_candles_1h.parquet', 'kalshi_nyc_temp_candles_1h', 23_920, 0],
  ['venue_a/kalshi_nyc_temp_markets.parquet', 'kalshi_nyc_temp_markets', 630, 0],
  ['venue_a/kalshi_nyc_temp_events.parquet', 'kalshi_nyc_temp_events', 105, 1_771],
  ['venue_a/kalshi_iran_raw_2026-03.json', 'venue_a_events', 763, 0],
  ['venue_a/kalshi_events_nested_2026-03-01.json', 'venue_a_events', 860, 0],
  ['venue_a/kalshi_2024-07_market_data.json', 'kalshi_2024-07_market_data', 290, 1],
  ['venue_a/kalshi_2024-07_orderbook_data.json', 'kalshi_2024-07_orderbook_data', 100, 0],
  ['venue_a/kalshi_2024-07_market_history.json', 'kalshi_2024-07_market_history', 996, 969],
  ['venue_a/api_recordings/trades_list.json', 'venue_a_trades', 5, 0],
  ['venue_a/api_recordings/series_candlesticks.json', 'venue_a_candlesticks', 90, 0],
  ['venue_a/api_recordings/exchange_status.json', 'venue_a_without_history', 0, 0],
  ['venue_b/polymarket_iran_raw_2026-03.json', 'venue_b_events', 239, 3],
  ['venue_b/pmus_labels.parquet', 'pmus_labels', 34_946, 58_772],
  ['venue_b/pmus_markets.parquet', 'pmus_markets', 111_769, 0],
  ['venue_b/pmus_quotes/dt=2026-07-10/data_0.parquet', 'pmus_quotes', 783_350, 0],
] as const

describe.skipIf(!hasRecordings)(
  `recordings (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    it('are read to their last row', { timeout: 120_000 }, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'augury-recordings-'))
      const paths = INVENTORY.map(([path]) => recordingPath(path))
      const reports = await runImport(
        { paths, venue: null, kind: null, dryRun: true },
        untouched,
        { stageDir: folder, tempDir: folder, memoryLimitMb: 400 },
        new AbortController().signal,
      ).finally(() => rmSync(folder, { recursive: true }))
      expect(
        reports.map(({ layout, rowsTaken, rowsRefused, error }, index) => [
          ...[INVENTORY[index]?.[0], layout, rowsTaken, rowsRefused, error],
        ]),
      ).toEqual(INVENTORY.map((row) => [...row, null]))
    })
  },
)
