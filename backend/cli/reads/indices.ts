import type { Calibration, CalibrationBucket } from '../../contract/edges.ts'
import type { IndexAnswer, IndexHistory, OddsRow } from '../../contract/indices.ts'
import { venueName } from '../../domain/venue.ts'
import {
  amount,
  cents,
  lines,
  minute,
  percent,
  table,
  text,
  type Column,
} from '../terminal/output.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { list, single } from './answer.ts'
import { changeColumn, leftAlignedColumn, right, TITLE } from './market-columns.ts'
import { number, choiceFlag, venue, textFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'

const indexAnswer = single((index: IndexAnswer) =>
  lines([
    ['index', amount(index.value)],
    ['change 24h', amount(index.delta24h)],
    ['disagreement', amount(index.disagreement)],
    ['geopolitical risk', amount(index.geoRisk)],
    ['breadth', amount(index.breadth)],
    ['activity', amount(index.activity)],
    ['as of', minute(index.timestamp)],
    ['data since', text(index.dataStartDate)],
    ['note', text(index.dataNote)],
  ]),
)

const POINT_COLUMNS: readonly Column<IndexHistory['points'][number]>[] = [
  leftAlignedColumn('Time (UTC)', (row) => minute(row.at)),
  right('Index', (row) => amount(row.value)),
  right('Disagreement', (row) => amount(row.disagreement)),
  right('Geopolitical risk', (row) => amount(row.geoRisk)),
  right('Breadth', (row) => amount(row.breadth)),
  right('Activity', (row) => amount(row.activity)),
]
const historyAnswer = single(({ points }: IndexHistory, { screen }) => {
  const rows = table(points, POINT_COLUMNS, screen)
  if (screen.columns === null || points.length < 2) return rows
  return `index  ${sparkline(points.map(({ value }) => value))}\n\n${rows}`
})

const ODDS_COLUMNS: readonly Column<OddsRow>[] = [
  TITLE,
  right('Price', ({ price, leader }) => cents(price ?? leader?.price)),
  leftAlignedColumn('Leader', ({ leader }) => text(leader?.label), 30),
  changeColumn('24h', (row) => row.delta24h),
  right('USD 24h', (row) => amount(row.volume24hUsd)),
  right('Markets', (row) => amount(row.marketCount)),
  leftAlignedColumn('Closes', (row) => minute(row.closeTime)),
  leftAlignedColumn('Venues', ({ venues }) => text(venues.map(venueName).join(' '))),
  leftAlignedColumn('Ticker', ({ leader, tickers }) => text(leader?.ticker ?? tickers[0])),
]

const BUCKET_COLUMNS: readonly Column<CalibrationBucket>[] = [
  leftAlignedColumn('Bucket', ({ from, to }) => `${cents(from)} to ${cents(to)}`),
  right('Markets', (row) => amount(row.n)),
  right('Priced', (row) => cents(row.predictedMean)),
  right('Happened', (row) => cents(row.realizedRate)),
  changeColumn('Off by', (row) => row.deviation),
  right('Brier', (row) => score(row.brier)),
]
/** Scores from 0 to 1 differ in the third decimal. */
const score = (value: number | null): string => (value === null ? amount(value) : value.toFixed(4))
const calibrationAnswer = single((card: Calibration, { screen }) => {
  const facts = lines([
    ['source', text(card.source)],
    ['period', text(card.period)],
    ['settled markets', amount(card.sample)],
    ['priced a day before', percent(card.coveragePct)],
    ['Brier', score(card.brier)],
    ['Brier at close', score(card.brierAtClose)],
    ['hit rate', amount(card.hitRate)],
    ['verdict', text(card.verdict)],
  ])
  return `${facts}\n\n${table(card.buckets, BUCKET_COLUMNS, screen)}`
})

/** Indices over all markets, and their calibration. */
export const INDICES: readonly Read[] = [
  {
    name: 'index',
    summary: 'gauges of the world, now or over days',
    flags: { days: number('days', 'N', 'history over this many days') },
    routeOf: ({ flags }) =>
      flags.has('days')
        ? request('/api/public/index/history', historyAnswer)
        : request('/api/public/index', indexAnswer),
  },
  {
    name: 'odds',
    summary: 'odds by question over all venues, most traded first',
    list: 'limited',
    flags: {
      category: textFlag('category', 'C', 'category of the question'),
      band: choiceFlag('band', ['mid', 'moving'], 'only 20 to 80¢, or moved by at least 5¢'),
    },
    routeOf: () => request('/api/public/odds', list('odds', ODDS_COLUMNS)),
  },
  {
    name: 'calibration',
    summary: 'calibration: prices a day before against outcomes',
    flags: {
      source: venue('source', 'one venue; all by default'),
      period: choiceFlag('period', ['7d', '30d', '90d', 'all'], 'when they settled'),
    },
    routeOf: () => request('/api/public/calibration', calibrationAnswer),
  },
]
