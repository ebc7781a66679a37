import { VENUES } from '../../domain/market.ts'
import { amount, cents, lines, minute, percent, table, text, type Column } from '../output.ts'
import { sparkline } from '../sparkline.ts'
import { list, single } from './answer.ts'
import { changed, left, right, TITLE } from './market-columns.ts'
import { number, oneOf, word } from './read-flags.ts'
import type { Read } from './read.ts'

type Gauge = 'value' | 'disagreement' | 'geoRisk' | 'breadth' | 'activity'
type Gauges = Readonly<Record<Gauge, number | null>>

interface Index extends Gauges {
  readonly delta24h: number | null
  readonly timestamp: string
  readonly dataStartDate: string
  readonly dataNote: string | null
}
const indexAnswer = single((index: Index) =>
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

interface Point extends Gauges {
  readonly at: string
}
const POINT_COLUMNS: readonly Column<Point>[] = [
  left('Time (UTC)', (row) => minute(row.at)),
  right('Index', (row) => amount(row.value)),
  right('Disagreement', (row) => amount(row.disagreement)),
  right('Geopolitical risk', (row) => amount(row.geoRisk)),
  right('Breadth', (row) => amount(row.breadth)),
  right('Activity', (row) => amount(row.activity)),
]
const historyAnswer = single(({ points }: { points: readonly Point[] }, { screen }) => {
  const rows = table(points, POINT_COLUMNS, screen)
  if (screen.columns === null || points.length < 2) return rows
  return `index  ${sparkline(points.map(({ value }) => value))}\n\n${rows}`
})

interface Odds {
  readonly title: string
  readonly price: number | null
  readonly leader: {
    readonly label: string
    readonly ticker: string
    readonly price: number | null
  } | null
  readonly delta24h: number | null
  readonly volume24hUsd: number | null
  readonly venues: readonly string[]
  readonly marketCount: number
  readonly tickers: readonly string[]
  readonly closeTime: string | null
}
const ODDS_COLUMNS: readonly Column<Odds>[] = [
  TITLE,
  right('Price', ({ price, leader }) => cents(price ?? leader?.price)),
  left('Leader', ({ leader }) => text(leader?.label), 30),
  changed('24h', (row) => row.delta24h),
  right('USD 24h', (row) => amount(row.volume24hUsd)),
  right('Markets', (row) => amount(row.marketCount)),
  left('Closes', (row) => minute(row.closeTime)),
  left('Venues', ({ venues }) => text(venues.join(' '))),
  left('Ticker', ({ leader, tickers }) => text(leader?.ticker ?? tickers[0])),
]

interface Bucket {
  readonly from: number
  readonly to: number
  readonly n: number
  readonly predictedMean: number | null
  readonly realizedRate: number | null
  readonly deviation: number | null
  readonly brier: number | null
}
interface Calibration {
  readonly source: string
  readonly period: string
  readonly sample: number
  readonly coveragePct: number | null
  readonly brier: number | null
  readonly brierAtClose: number | null
  readonly hitRate: number | null
  readonly verdict: string | null
  readonly buckets: readonly Bucket[]
}
const BUCKET_COLUMNS: readonly Column<Bucket>[] = [
  left('Bucket', ({ from, to }) => `${cents(from)} to ${cents(to)}`),
  right('Markets', (row) => amount(row.n)),
  right('Priced', (row) => cents(row.predictedMean)),
  right('Happened', (row) => cents(row.realizedRate)),
  changed('Off by', (row) => row.deviation),
  right('Brier', (row) => score(row.brier)),
]
/** Scores of 0 to 1 differ in their third place. */
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

/** What all markets together say, and how right they were. */
export const INDICES: readonly Read[] = [
  {
    name: 'index',
    summary: 'the gauges of the world, now or over days',
    flags: { days: number('days', 'N', 'their course over so many days') },
    ask: ({ flags }) =>
      flags.on('days')
        ? { path: '/api/public/index/history', answer: historyAnswer }
        : { path: '/api/public/index', answer: indexAnswer },
  },
  {
    name: 'odds',
    summary: 'odds by question over both venues, most traded first',
    list: 'limited',
    flags: {
      category: word('category', 'C', 'category of the question'),
      band: oneOf('band', ['mid', 'moving'], '20 to 80¢, or moved by 5¢ and more'),
    },
    ask: () => ({ path: '/api/public/odds', answer: list('odds', ODDS_COLUMNS) }),
  },
  {
    name: 'calibration',
    summary: 'how prices a day before compare with what happened',
    flags: {
      source: oneOf('source', VENUES, 'one venue; both unless told'),
      period: oneOf('period', ['7d', '30d', '90d', 'all'], 'when they settled'),
    },
    ask: () => ({ path: '/api/public/calibration', answer: calibrationAnswer }),
  },
]
