import type { ScoredEdge, ThesisContext, TrackRecord } from '../../contract/theses/reads.ts'
import { toneOf, type Screen } from '../reads/screen.ts'
import {
  cents,
  centsChange,
  dollars,
  lines,
  minute,
  MISSING,
  percent,
  table,
  text,
  type Column,
} from '../terminal/output.ts'
import { chance, points } from './thesis-text.ts'
import { marketColumn } from '../reads/market-columns.ts'

type Node = ThesisContext['causalTree']['nodes'][number]
type Edge = ThesisContext['edges'][number]
type Reading = ThesisContext['evaluationHistory'][number]

const MAX_READINGS = 5

const NODE_COLUMNS: readonly Column<Node>[] = [
  {
    title: 'Condition',
    cell: (node) => `${'  '.repeat(node.depth)}${text(node.label)}`,
    max: 70,
  },
  { title: 'Probability', cell: (node) => chance(node.probability), align: 'right' },
  { title: 'Weight', cell: (node) => chance(node.importance), align: 'right' },
  { title: 'Outcome', cell: (node) => node.outcome ?? MISSING },
  { title: 'Markets', cell: (node) => text(node.tickers.join(' ')), max: 40 },
  { title: 'Node', cell: (node) => node.id },
]

const depthOf = ({ orderbook }: Edge): string =>
  orderbook === null || orderbook === undefined
    ? MISSING
    : `${dollars(orderbook.bidDepth)} / ${dollars(orderbook.askDepth)}`

const EDGE_COLUMNS: readonly Column<Edge>[] = [
  marketColumn((row) => row.market, 90),
  { title: 'Side', cell: (row) => row.direction },
  { title: 'Price', cell: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Thesis', cell: (row) => cents(row.thesisPrice), align: 'right' },
  {
    title: 'Edge',
    cell: (row) => centsChange(row.edge),
    align: 'right',
    tone: (row) => toneOf(row.edge),
  },
  {
    title: 'After costs',
    cell: (row) => centsChange(row.executableEdge),
    align: 'right',
    tone: (row) => toneOf(row.executableEdge),
  },
  { title: 'Bid', cell: (row) => cents(row.orderbook?.bidPrice), align: 'right' },
  { title: 'Ask', cell: (row) => cents(row.orderbook?.askPrice), align: 'right' },
  { title: 'Depth', cell: depthOf, align: 'right' },
  { title: 'Node', cell: (row) => text(row.relatedNodeId) },
  { title: 'Ticker', cell: (row) => text(row.marketId) },
]

const READING_COLUMNS: readonly Column<Reading>[] = [
  { title: 'Summary', cell: (row) => text(row.summary), max: 90 },
  { title: 'Time', cell: (row) => minute(row.evaluatedAt) },
  { title: 'Conf', cell: (row) => chance(row.confidence), align: 'right' },
  { title: 'Chg', cell: (row) => points(row.delta), align: 'right' },
]

const SCORED_COLUMNS: readonly Column<ScoredEdge>[] = [
  { title: 'Settled edge', cell: (row) => text(row.market), max: 90 },
  { title: 'Side', cell: (row) => row.direction },
  { title: 'Thesis', cell: (row) => cents(row.thesisPrice), align: 'right' },
  { title: 'Price', cell: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Settled', cell: (row) => cents(row.settlement), align: 'right' },
  { title: 'Brier', cell: (row) => score(row.thesisBrier), align: 'right' },
  { title: 'Market', cell: (row) => score(row.marketBrier), align: 'right' },
  {
    title: 'Return',
    cell: (row) => percent(row.returnPct),
    align: 'right',
    tone: (row) => toneOf(row.returnPct),
  },
  { title: 'YES held', cell: (row) => percent(row.benchmarkPct), align: 'right' },
  { title: 'Ticker', cell: (row) => text(row.marketId) },
]

const score = (brier: number | null): string => (brier === null ? MISSING : brier.toFixed(3))

/** How the edges of a thesis ended in settled markets. */
export function trackRecordText(record: TrackRecord, screen: Screen): string {
  if (record.closedEdges === 0) return 'track record: no market of its edges has settled'
  const head = lines([
    ['track record', `${record.closedEdges} settled since ${minute(record.trackedSince)}`],
    ['brier', `${score(record.brier)}, market ${score(record.marketBrier)} (lower is better)`],
    [
      'return',
      `${percent(record.avgReturnPct)} after costs, ${percent(record.benchmarkPct)} for YES held`,
    ],
  ])
  return `${head}\n\n${table(record.edges, SCORED_COLUMNS, screen)}`
}

/** A thesis as an agent reads it before it acts. */
export function contextText(context: ThesisContext, screen: Screen): string {
  const { causalTree, edges, edgeMeta, evaluationHistory, trackRecord } = context
  const head = lines([
    ['title', text(context.title)],
    ['claim', text(context.thesis)],
    ['status', context.status],
    ['confidence', chance(context.confidence)],
    ['horizon', context.horizon ?? MISSING],
    ['updated', minute(context.updatedAt)],
    ['edges', `${edges.length} of ${edgeMeta.totalEdges}, priced ${minute(edgeMeta.lastRescanAt)}`],
    ['id', context.thesisId],
  ])
  const readings = evaluationHistory.slice(0, MAX_READINGS)
  return [
    head,
    table(causalTree.nodes, NODE_COLUMNS, screen),
    edges.length === 0 ? 'No edges.' : table(edges, EDGE_COLUMNS, screen),
    ...(readings.length === 0 ? [] : [table(readings, READING_COLUMNS, screen)]),
    trackRecordText(trackRecord, screen),
  ].join('\n\n')
}
