import type {
  MoversPanel,
  ScreenPanel,
  WatchlistPanel,
} from '../../../../backend/contract/panels/panel-payloads.ts'
import type { VolumeUnit } from '../../../../backend/domain/units.ts'
import {
  formatCents,
  formatCount,
  formatMoment,
  formatNumber,
  formatUtc,
} from '../../../lib/format.ts'
import { formatSigned } from '../../world/gauges.ts'
import { barOf, MARKET, marketCell, price, PRICE, VOLUME, volumeCell } from './market-cells.ts'
import {
  countText,
  decimal,
  meanOf,
  moveCell,
  numeral,
  textCell,
  rankedRows,
  shareText,
  type PanelView,
} from './panel-view.ts'

/** Movers by unusual volume. */
export function moversView({ movers }: MoversPanel, unit: VolumeUnit): PanelView {
  const rising = movers.filter(({ delta }) => delta > 0).length
  const [first] = movers
  return {
    summary:
      first === undefined
        ? 'No market moved in 24 hours'
        : `${countText(movers.length, 'market')} moved in 24 hours, ${rising} up; most unusual volume: ${first.title}, ${moveCell(first.delta).text}`,
    stat: {
      value: first === undefined ? '–' : moveCell(first.delta).text,
      label: first?.title ?? 'No mover',
      change: first === undefined ? null : textCell(`volume z ${formatNumber(first.volumeZ, 1)}`),
    },
    gauge: {
      value: movers.length === 0 ? null : (rising / movers.length) * 100,
      from: 0,
      to: 100,
      text: shareText(rising, movers.length),
      label: 'of these rose',
    },
    ...rankedRows(
      movers.map((row) => barOf(row, row.delta, moveCell(row.delta).text)),
      'Change in 24 hours',
      (value) => moveCell(value).text,
    ),
    columns: [
      MARKET,
      PRICE,
      { id: 'change', label: '24h', width: 78, numeric: true },
      {
        id: 'z',
        label: 'z',
        width: 46,
        numeric: true,
        hidePriority: 1,
        help: 'Volume versus its usual level, in standard deviations',
      },
      VOLUME,
    ],
    rows: movers.map((row) => ({
      id: row.ticker,
      ticker: row.ticker,
      cells: {
        market: marketCell(row),
        price: price(row),
        change: moveCell(row.delta),
        z: numeral(row.volumeZ, (value) => decimal(value, 1)),
        volume: volumeCell(row, row.volume24h, unit),
      },
    })),
    empty: movers.length === 0 ? 'No market moved in the last 24 hours.' : null,
    missingNote: null,
  }
}

const missingText = (missingTickers: readonly string[]): string | null =>
  missingTickers.length === 0
    ? null
    : `${countText(missingTickers.length, 'ticker')} unknown: ${missingTickers.join(', ')}`

/** Microstructure of watched markets. */
export function watchlistView({ markets, missing }: WatchlistPanel, unit: VolumeUnit): PanelView {
  const spread = meanOf(markets.map((row) => row.spread))
  const imbalance = meanOf(markets.map((row) => row.imbalance))
  return {
    summary: `${countText(markets.length, 'market')} watched, mean spread ${formatCents(spread)}`,
    stat: {
      value: formatCents(spread),
      label: 'mean spread',
      change: textCell(countText(markets.length, 'market')),
    },
    gauge: {
      value: imbalance,
      from: -1,
      to: 1,
      text: formatSigned(imbalance),
      label: 'mean imbalance: asks left, bids right',
    },
    ...rankedRows(
      markets.map((row) => barOf(row, row.imbalance, formatSigned(row.imbalance))),
      'Book imbalance, −1 to 1',
      (value) => formatSigned(value),
    ),
    columns: [
      MARKET,
      PRICE,
      { id: 'spread', label: 'Spread', width: 54, numeric: true, help: 'Spread' },
      {
        id: 'imbalance',
        label: 'Imb',
        width: 54,
        numeric: true,
        hidePriority: 1,
        help: 'Book imbalance, −1 to 1',
      },
      {
        id: 'flow',
        label: 'Flow 1h',
        width: 62,
        numeric: true,
        hidePriority: 3,
        help: 'Buys minus sells over the last hour, −1 to 1',
      },
      VOLUME,
    ],
    rows: markets.map((row) => ({
      id: row.ticker,
      ticker: row.ticker,
      cells: {
        market: marketCell(row),
        price: price(row),
        spread: numeral(row.spread, formatCents),
        imbalance: numeral(row.imbalance, (value) => formatSigned(value)),
        flow: numeral(row.flowImbalance1h, (value) => formatSigned(value)),
        volume: volumeCell(row, row.volume24h, unit),
      },
    })),
    empty: markets.length === 0 ? 'No market to show. Edit the panel and name tickers.' : null,
    missingNote: missingText(missing),
  }
}

/** Markets by price; the other sources of a screen have no data yet. */
export function screenView(payload: ScreenPanel, unit: VolumeUnit): PanelView {
  const { rows, total, missing, emptyReason, filters } = payload
  const window = filters.window ?? '24h'
  const mean = meanOf(rows.map(({ probability }) => probability))
  const percent = (value: number | null) =>
    value === null ? '–' : `${formatNumber(value * 100, 1)}%`
  return {
    summary: `${countText(total, 'market')} match, most traded first; mean probability ${percent(mean)}`,
    stat: {
      value: formatCount(total),
      label: total === 1 ? 'market matches' : 'markets match',
      change: textCell(`mean ${percent(mean)}`),
    },
    gauge: {
      value: mean === null ? null : mean * 100,
      from: 0,
      to: 100,
      text: percent(mean),
      label: 'mean probability',
    },
    ...rankedRows(
      rows.map((row) =>
        barOf(
          row,
          row.probability === null ? null : row.probability * 100,
          percent(row.probability),
        ),
      ),
      'Probability in percent',
      (value) => `${formatNumber(value, 1)}%`,
    ),
    columns: [
      MARKET,
      PRICE,
      { id: 'change', label: window, width: 78, numeric: true, help: `Change over ${window}` },
      { id: 'spread', label: 'Spread', width: 54, numeric: true, hidePriority: 3, help: 'Spread' },
      VOLUME,
      { id: 'closes', label: 'Closes', width: 96, numeric: true, hidePriority: 4 },
    ],
    rows: rows.map((row) => ({
      id: row.ticker,
      ticker: row.ticker,
      cells: {
        market: marketCell(row),
        price: price(row),
        change: moveCell(row.change),
        spread: numeral(row.spread, formatCents),
        volume: volumeCell(row, row.volume24h, unit),
        closes: {
          text: formatMoment(row.closeTime),
          title: formatUtc(row.closeTime),
          order: row.closeTime,
        },
      },
    })),
    empty:
      emptyReason === 'source_not_executed'
        ? 'Screens over this source have no data in this version.'
        : emptyReason === 'no_match'
          ? 'No market matches. Edit the panel and widen its filters.'
          : null,
    missingNote: missingText(missing),
  }
}
