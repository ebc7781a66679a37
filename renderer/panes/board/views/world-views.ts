import { byVenue, venueName } from '../../../../backend/domain/venue.ts'
import type {
  CatalystsPanel,
  HealthPanel,
  IndexPanel,
  ThemesPanel,
} from '../../../../backend/contract/panels/panel-payloads.ts'
import {
  formatAge,
  formatCents,
  formatMoment,
  formatNumber,
  formatUtc,
  formatVolume,
  isoOf,
} from '../../../lib/format.ts'
import { changeText, liquiditySentence } from '../../structure/liquidity-labels.ts'
import { formatSigned, GAUGES, gaugeText } from '../../world/gauges.ts'
import {
  countText,
  decimal,
  moveCell,
  numeral,
  textCell,
  rankedRows,
  shareText,
  type Bar,
  type PanelView,
} from './panel-view.ts'

const DAY = 86_400_000

/** The index of the world over a day. */
export function indexView({ current, series }: IndexPanel, now: number): PanelView {
  const knownPoints = series.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]))
  const value = current?.value ?? null
  const change = current?.delta24h ?? null
  const clock = (iso: string | undefined) => formatMoment(iso, now).split(' ').at(-1) ?? ''
  return {
    summary: `Index ${formatNumber(value, 1)}, ${formatSigned(change, 1)} in 24 hours`,
    stat: {
      value: decimal(value, 1),
      label: 'index, 0 to 100',
      change: moveCell(change, `${formatSigned(change, 1)} in 24 h`),
    },
    gauge: { value, from: 0, to: 100, text: formatNumber(value, 1), label: 'index' },
    bars: GAUGES.map(({ name, label }): Bar => {
      const reading = current?.[name] ?? null
      return { id: name, label, value: reading, text: gaugeText(name, reading), ticker: null }
    }),
    line: {
      values: knownPoints.map((point) => point.value),
      ends: [clock(knownPoints[0]?.at), clock(knownPoints.at(-1)?.at)],
      name: 'Index over 24 hours',
      headlinePosition: 'last',
      valueText: (reading) => decimal(reading, 1),
    },
    columns: [
      { id: 'at', label: 'Time', width: 96, flexible: true },
      { id: 'value', label: 'Index', width: 56, numeric: true },
      ...GAUGES.map(({ name, label, help }, index) => ({
        id: name,
        label: label.slice(0, 8),
        help: `${label}: ${help}`,
        width: 68,
        numeric: true,
        hidePriority: index + 1,
      })),
    ],
    rows: series.toReversed().map((point) => ({
      id: point.at,
      ticker: null,
      cells: {
        at: { text: formatMoment(point.at, now), title: formatUtc(point.at), order: point.at },
        value: numeral(point.value, (reading) => decimal(reading, 1)),
        ...Object.fromEntries(
          GAUGES.map(({ name }) => [
            name,
            numeral(point[name], (reading) => gaugeText(name, reading)),
          ]),
        ),
      },
    })),
    empty: current === null && knownPoints.length === 0 ? 'No index yet.' : null,
    missingNote: null,
  }
}

const usd = (value: number | null) => formatVolume(value, 'usd')

/** Tradability by theme. */
export function themesView({ themes, totalVolume24hUsd }: ThemesPanel): PanelView {
  const [first] = themes
  const max = first?.volume24hUsd ?? null
  const total = totalVolume24hUsd
  const isShareKnown = max !== null && total !== null && total > 0
  return {
    summary: liquiditySentence(themes),
    stat: {
      value: usd(total),
      label: 'traded in 24 hours',
      change: first === undefined ? null : textCell(`most in ${first.label}`),
    },
    gauge: {
      value: isShareKnown ? (max / total) * 100 : null,
      from: 0,
      to: 100,
      text: isShareKnown ? shareText(max, total) : '–',
      label: `in ${first?.label ?? '–'}`,
    },
    ...rankedRows(
      themes.map(({ theme, label, volume24hUsd }) => ({
        id: theme,
        label,
        value: volume24hUsd,
        text: usd(volume24hUsd),
        ticker: null,
      })),
      'Dollars traded in 24 hours',
      usd,
    ),
    columns: [
      { id: 'theme', label: 'Theme', width: 96, flexible: true },
      { id: 'volume', label: 'Vol 24h', width: 70, numeric: true },
      {
        id: 'change',
        label: '24h',
        width: 56,
        numeric: true,
        hidePriority: 1,
        help: 'Volume versus the previous day',
      },
      { id: 'depth', label: 'Depth', width: 68, numeric: true, hidePriority: 3 },
      {
        id: 'spread',
        label: 'Spread',
        width: 52,
        numeric: true,
        hidePriority: 4,
        help: 'Median spread',
      },
      { id: 'score', label: 'Liq', width: 62, hidePriority: 2, help: 'Liquidity' },
    ],
    rows: themes.map((row) => ({
      id: row.theme,
      ticker: row.topMarkets[0]?.ticker ?? null,
      cells: {
        theme: textCell(row.label, row.label),
        volume: numeral(row.volume24hUsd, usd),
        change: numeral(row.change24hPct, changeText),
        depth: numeral(row.depthUsd, usd),
        spread: numeral(row.medianSpread, formatCents),
        score: textCell(row.liquidityScore, row.liquidityScore),
      },
    })),
    empty: themes.length === 0 ? 'No theme has open markets.' : null,
    missingNote: null,
  }
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  ...byVenue(venueName),
  traditional: 'Traditional',
  social: 'Social',
  government: 'Government',
  economy: 'Economy',
  content: 'Content',
  computed: 'Computed',
}

/** Every source, and the gaps of the last day. */
export function healthView(payload: HealthPanel, now: number): PanelView {
  const { status, sources, gaps, ingestPerSecond } = payload
  const usedSources = sources.filter((source) => source.status !== 'off')
  const healthy = usedSources.filter((source) => source.status === 'ok')
  const openGaps = gaps.filter(({ to }) => to === null).length
  const age = (seconds: number | null) => formatAge(seconds === null ? null : seconds * 1_000)
  return {
    summary: `Service ${status}: ${healthy.length} of ${countText(usedSources.length, 'source')} OK, ${countText(gaps.length, 'gap')} in 24 hours`,
    stat: {
      value: status,
      label: `${healthy.length} of ${countText(usedSources.length, 'source')} OK`,
      change: textCell(`${formatNumber(ingestPerSecond, 1)} events a second`),
    },
    gauge: {
      value: usedSources.length === 0 ? null : healthy.length,
      from: 0,
      to: Math.max(1, usedSources.length),
      text: `${healthy.length} of ${usedSources.length}`,
      label: 'sources OK',
    },
    ...rankedRows(
      usedSources.map(({ source, ageSeconds }) => ({
        id: source,
        label: SOURCE_NAMES[source] ?? source,
        value: ageSeconds,
        text: age(ageSeconds),
        ticker: null,
      })),
      'Age of the newest data',
      age,
    ),
    columns: [
      { id: 'source', label: 'Source', width: 96, flexible: true },
      { id: 'state', label: 'State', width: 70 },
      { id: 'age', label: 'Age', width: 52, numeric: true },
      { id: 'mode', label: 'Mode', width: 72, hidePriority: 1 },
      { id: 'note', label: 'Note', width: 150, hidePriority: 2 },
    ],
    rows: [
      ...sources.map((row) => ({
        id: row.source,
        ticker: null,
        cells: {
          source: textCell(SOURCE_NAMES[row.source] ?? row.source, row.source),
          state: textCell(row.status, row.status),
          age: numeral(row.ageSeconds, age),
          mode: textCell(row.mode, row.mode),
          note: { text: row.message ?? '', title: row.message ?? '', order: row.message },
        },
      })),
      ...gaps.map((gap, index) => ({
        id: `gap ${index} ${gap.from}`,
        ticker: gap.ticker,
        cells: {
          source: textCell(
            `Gap: ${gap.ticker ?? SOURCE_NAMES[gap.source] ?? gap.source}`,
            gap.ticker ?? gap.source,
          ),
          state: textCell(gap.state, gap.state),
          mode: textCell(''),
          age: {
            text: formatAge((gap.to === null ? now : Date.parse(gap.to)) - Date.parse(gap.from)),
            title: `${formatUtc(gap.from)} to ${formatUtc(gap.to)}`,
            order: gap.from,
          },
          note: textCell(
            gap.to === null
              ? `since ${formatMoment(gap.from, now)}`
              : `until ${formatMoment(gap.to, now)}`,
          ),
        },
      })),
    ],
    empty: null,
    missingNote: openGaps === 0 ? null : `${countText(openGaps, 'gap')} still open`,
  }
}

/** Events dated within a week. */
export function catalystsView({ from, to, events }: CatalystsPanel, now: number): PanelView {
  const [next] = events
  const until = (iso: string) => `in ${formatAge(Date.parse(iso) - now)}`
  const begin = Date.parse(from)
  const days = Math.max(1, Math.round((Date.parse(to) - begin) / DAY))
  const bars = Array.from({ length: days }, (_, day): Bar => {
    const [start, end] = [begin + day * DAY, begin + (day + 1) * DAY]
    const count = events.filter(({ at }) => {
      const instant = Date.parse(at)
      return instant >= start && (instant < end || day === days - 1)
    }).length
    const label = formatMoment(isoOf(start), now).split(' ').slice(0, 2).join(' ')
    return { id: String(day), label, value: count, text: String(count), ticker: null }
  })
  return {
    summary:
      next === undefined
        ? 'No events within seven days'
        : `${countText(events.length, 'event')} within seven days; next ${until(next.at)}: ${next.title}`,
    stat: {
      value: next === undefined ? '–' : until(next.at),
      label: next?.title ?? 'No events',
      change: textCell(`${events.length} within seven days`),
    },
    gauge: {
      value: next === undefined ? null : Math.max(0, Date.parse(next.at) - now) / DAY,
      from: 0,
      to: days,
      text: next === undefined ? '–' : until(next.at),
      label: `to the next, of ${days} days`,
    },
    bars,
    line: {
      values: bars.map(({ value }) => value ?? 0),
      ends: [bars[0]?.label ?? '', bars.at(-1)?.label ?? ''],
      name: 'Events by day',
      headlinePosition: 'first',
      valueText: (count) => formatNumber(count, 0),
    },
    columns: [
      { id: 'title', label: 'Event', width: 120, flexible: true },
      { id: 'at', label: 'When', width: 96, numeric: true },
      { id: 'kind', label: 'Kind', width: 92, hidePriority: 2 },
      { id: 'importance', label: 'Weight', width: 64, hidePriority: 1 },
    ],
    rows: events.map((event) => ({
      id: event.id,
      ticker: event.market?.ticker ?? event.tickers[0] ?? null,
      cells: {
        title: { text: event.title, title: event.title, order: event.title },
        at: {
          text: event.timeKnown
            ? formatMoment(event.at, now)
            : formatMoment(event.at, now).split(' ').slice(0, 2).join(' '),
          title: event.timeKnown ? formatUtc(event.at) : 'Time unknown',
          order: event.at,
        },
        kind: textCell(event.kind.replaceAll('_', ' '), event.kind),
        importance: textCell(event.importance, event.importance),
      },
    })),
    empty: events.length === 0 ? 'No events within seven days.' : null,
    missingNote: null,
  }
}
