import type {
  ContagionPanel,
  RegimePanel,
} from '../../../../backend/contract/panels/panel-payloads.ts'
import type { VolumeUnit } from '../../../../backend/domain/units.ts'
import { formatCount } from '../../../lib/format.ts'
import { RELATIONS } from '../../structure/contagion-bundles.ts'
import { formatSigned } from '../../world/gauges.ts'
import { barOf, MARKET, marketCell, price, PRICE, VOLUME, volumeCell } from './market-cells.ts'
import {
  countText,
  decimal,
  moveCell,
  numeral,
  textCell,
  rankedRows,
  shareText,
  type PanelView,
} from './panel-view.ts'

/** Markets by regime, and the largest changes of the adverse-selection score. */
export function regimeView(
  { buckets, markets, regimeSummary }: RegimePanel,
  unit: VolumeUnit,
): PanelView {
  const { calm, active, stressed } = regimeSummary
  const total = calm + active + stressed
  const labelledCount = buckets.reduce((sum, { count }) => sum + count, 0)
  return {
    summary: `${countText(stressed, 'market')} stressed, ${active} active, ${calm} calm; largest regime change: ${markets[0]?.title ?? 'unknown'}`,
    stat: {
      value: formatCount(stressed),
      label: 'markets stressed',
      change: textCell(`${active} active, ${calm} calm`),
    },
    gauge: {
      value: total === 0 ? null : (stressed / total) * 100,
      from: 0,
      to: 100,
      text: shareText(stressed, total),
      label: 'of markets stressed',
    },
    ...rankedRows(
      buckets.map(({ label, count }) => ({
        id: label,
        label,
        value: count,
        text: formatCount(count),
        ticker: null,
      })),
      'Markets by regime',
      formatCount,
    ),
    columns: [
      MARKET,
      PRICE,
      { id: 'label', label: 'Regime', width: 66 },
      { id: 'score', label: 'Score', width: 52, numeric: true, help: 'Adverse selection, 0 to 1' },
      {
        id: 'change',
        label: '24h',
        width: 60,
        numeric: true,
        hidePriority: 1,
        help: 'Change of the score',
      },
      VOLUME,
    ],
    rows: markets.map((row) => ({
      id: row.ticker,
      ticker: row.ticker,
      cells: {
        market: marketCell(row),
        price: price(row),
        label: textCell(row.label, row.label),
        score: numeral(row.asScore, (value) => decimal(value, 2)),
        change: numeral(row.change24h, (value) => formatSigned(value)),
        volume: volumeCell(row, row.volume24h, unit),
      },
    })),
    empty: labelledCount === 0 ? 'No market has a regime yet.' : null,
    missingNote: null,
  }
}

/** Expected moves: cross-venue ones first, then the widest pairs. */
export function contagionView({ links, pairs }: ContagionPanel): PanelView {
  const widest = [...links].sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap))[0]
  const crossVenueCount = links.filter(({ relation }) => relation === 'cross_venue').length
  const linkRows = links.map((link) => ({
    id: `${link.trigger.ticker} ${link.lagging.ticker}`,
    ticker: link.lagging.ticker,
    market: link.lagging,
    gap: link.gap,
    from: `after ${link.trigger.title}`,
    kind: RELATIONS[link.relation],
  }))
  const pairRows = pairs.map((pair) => ({
    id: pair.id,
    ticker: pair.a.ticker,
    market: { ...pair.a, url: '' },
    gap: pair.gap,
    from: `against ${pair.b.title}`,
    kind: 'pair',
  }))
  const rows = [...linkRows, ...pairRows]
  return {
    summary: `${countText(links.length, 'expected move')}, ${crossVenueCount} across venues, and ${countText(pairs.length, 'wide pair')}${widest === undefined ? '' : `; widest: ${widest.lagging.title}, ${moveCell(widest.gap).text}`}`,
    stat: {
      value: widest === undefined ? '–' : moveCell(widest.gap).text,
      label: widest?.lagging.title ?? 'No expected moves',
      change: widest === undefined ? null : textCell(`after ${widest.trigger.title}`),
    },
    gauge: {
      value: links.length === 0 ? null : (crossVenueCount / links.length) * 100,
      from: 0,
      to: 100,
      text: shareText(crossVenueCount, links.length),
      label: 'of expected moves across venues',
    },
    ...rankedRows(
      rows.map(({ id, market, gap }) => barOf(market, gap, moveCell(gap).text, id)),
      'Gap in cents',
      (value) => moveCell(value).text,
    ),
    columns: [
      { ...MARKET, label: 'Lagging market' },
      { id: 'gap', label: 'Gap', width: 78, numeric: true, help: 'Expected move in cents' },
      PRICE,
      { id: 'kind', label: 'Relation', width: 84, hidePriority: 1 },
      { id: 'from', label: 'Other side', width: 150, hidePriority: 2 },
    ],
    rows: rows.map(({ id, ticker, market, gap, kind, from }) => ({
      id,
      ticker,
      cells: {
        market: marketCell(market),
        price: price(market),
        gap: moveCell(gap),
        kind: textCell(kind, kind),
        from: { text: from, title: from, order: from },
      },
    })),
    empty: rows.length === 0 ? 'No expected moves now.' : null,
    missingNote: null,
  }
}
