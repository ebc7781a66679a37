import type {
  EvaluationDay,
  ServedEvaluation,
  ServedThesis,
  ThesisMarketEdge,
  ThesisNode,
  ThesisRow,
  WhatIfAnswer,
} from '../../contract/theses/thesis.ts'
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
import { marketColumn } from '../reads/market-columns.ts'

/** A probability 0 to 1 in percent, one decimal. */
export const chance = (value: number | null | undefined): string =>
  percent(typeof value === 'number' ? Math.round(value * 1_000) / 10 : null)
/** A change of a probability in percentage points. */
export const points = (value: number | null | undefined): string =>
  typeof value === 'number'
    ? `${value > 0 ? '+' : ''}${Math.round(value * 1_000) / 10} pp`
    : MISSING

const changeOf = ({ confidence, previousConfidence }: ThesisRow): number | null =>
  confidence === null || previousConfidence === null ? null : confidence - previousConfidence

export const THESIS_COLUMNS: readonly Column<ThesisRow>[] = [
  { title: 'Thesis', cell: (row) => text(row.title), max: 60 },
  { title: 'Status', cell: (row) => row.status },
  { title: 'Conf', cell: (row) => chance(row.confidence), align: 'right' },
  {
    title: 'Chg',
    cell: (row) => points(changeOf(row)),
    align: 'right',
    tone: (row) => toneOf(changeOf(row)),
  },
  { title: 'Edges', cell: (row) => String(row.edgeCount), align: 'right' },
  { title: 'Horizon', cell: (row) => row.horizon ?? MISSING },
  { title: 'Public', cell: (row) => text(row.slug), max: 30 },
  { title: 'Id', cell: (row) => row.shortId },
]

export const EDGE_COLUMNS: readonly Column<ThesisMarketEdge>[] = [
  marketColumn((row) => row.marketTitle, 90),
  { title: 'Side', cell: (row) => row.direction },
  { title: 'Price', cell: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Thesis', cell: (row) => cents(row.thesisImpliedPrice), align: 'right' },
  {
    title: 'Edge',
    cell: (row) => centsChange(row.edgeSize),
    align: 'right',
    tone: (row) => toneOf(row.edgeSize),
  },
  {
    title: 'After costs',
    cell: (row) => centsChange(row.executableEdge),
    align: 'right',
    tone: (row) => toneOf(row.executableEdge),
  },
  { title: 'Node', cell: (row) => text(row.relatedNodeId) },
  { title: 'Ticker', cell: (row) => text(row.marketId) },
]

const marks = ({ locked, outcome, killCondition }: ThesisNode): string =>
  [
    ...(outcome === null ? [] : [`outcome ${outcome}`]),
    ...(locked ? ['locked'] : []),
    ...(killCondition === null ? [] : [`kill: ${text(killCondition.text)}`]),
  ].join(', ')

const NODE_COLUMNS: readonly Column<ThesisNode>[] = [
  {
    title: 'Condition',
    cell: (node) => `${'  '.repeat(node.depth)}${text(node.label)}`,
    max: 70,
  },
  { title: 'Probability', cell: (node) => chance(node.probability), align: 'right' },
  { title: 'Weight', cell: (node) => chance(node.importance), align: 'right' },
  { title: 'Node', cell: (node) => node.id },
  { title: 'Notes', cell: (node) => marks(node), max: 60 },
]

/** Conditions in tree order. */
const flat = (nodes: readonly unknown[]): ThesisNode[] =>
  (nodes as readonly ThesisNode[]).flatMap((node) => [node, ...flat(node.children)])

export const edgesText = (thesis: ServedThesis, screen: Screen): string => {
  const edges = thesis.edgeAnalysis?.edges ?? []
  return edges.length === 0 ? 'No edges.' : table(edges, EDGE_COLUMNS, screen)
}

export function thesisText(thesis: ServedThesis, screen: Screen): string {
  const { causalTree, lastEvaluation } = thesis
  const change = changeOf(thesis)
  const head = lines([
    ['title', text(thesis.title)],
    ['claim', text(thesis.rawThesis)],
    ['status', `${thesis.status}${thesis.outcome === null ? '' : ` (${thesis.outcome})`}`],
    ['confidence', `${chance(thesis.confidence)}${change === null ? '' : ` (${points(change)})`}`],
    ['horizon', thesis.horizon ?? MISSING],
    ['formed by', thesis.formation.synthesis],
    ['evaluated', `${minute(thesis.lastEvaluatedAt)} ${text(lastEvaluation?.summary)}`],
    ['public', text(thesis.publicUrl)],
    ['id', thesis.id],
  ])
  if (causalTree === null) return head
  return [
    head,
    table(flat(causalTree.nodes), NODE_COLUMNS, screen),
    edgesText(thesis, screen),
  ].join('\n\n')
}

const isDay = (row: EvaluationDay | ServedEvaluation): row is EvaluationDay => 'date' in row

export const EVALUATION_COLUMNS: readonly Column<EvaluationDay | ServedEvaluation>[] = [
  {
    title: 'Summary',
    cell: (row) => text(isDay(row) ? row.latestSummary : row.summary),
    max: 90,
  },
  { title: 'Time', cell: (row) => (isDay(row) ? row.date : minute(row.evaluatedAt)) },
  {
    title: 'Conf',
    cell: (row) => chance(isDay(row) ? row.close : row.newConfidence),
    align: 'right',
  },
  {
    title: 'Chg',
    cell: (row) => points(isDay(row) ? row.delta : row.confidenceDelta),
    align: 'right',
  },
  { title: 'Model', cell: (row) => text(row.model) },
  {
    title: 'Cost',
    cell: (row) => dollars(isDay(row) ? row.costUsd : row.cost.usd),
    align: 'right',
  },
]

export function evaluationText(evaluation: ServedEvaluation): string {
  const { updatedNodes, killConditions, positionUpdates, events } = evaluation
  const movedLines = updatedNodes.map(
    ({ nodeId, label, previousProbability, newProbability, reason }) =>
      `  ${nodeId} ${text(label)}: ${chance(previousProbability)} to ${chance(newProbability)}. ${text(reason)}`,
  )
  const killLines = killConditions
    .filter(({ triggered }) => triggered)
    .map((kill) => `  kill condition met: ${text(kill.text)}. ${text(kill.evidence)}`)
  const advice = positionUpdates.map(
    ({ positionId, recommendation, reason }) =>
      `  ${text(positionId)}: ${recommendation}, ${text(reason)}`,
  )
  const eventLines = events.map(
    ({ at, title, source }) => `  ${minute(at)} ${text(title)} (${text(source)})`,
  )
  return [text(evaluation.summary), ...eventLines, ...movedLines, ...killLines, ...advice].join(
    '\n',
  )
}

const PROJECTED_COLUMNS: readonly Column<WhatIfAnswer['edges'][number]>[] = [
  marketColumn((row) => row.market, 90),
  { title: 'Price', cell: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Edge', cell: (row) => centsChange(row.oldEdge), align: 'right' },
  { title: 'If', cell: (row) => centsChange(row.newEdge), align: 'right' },
  { title: 'Signal', cell: (row) => row.signal },
  { title: 'Ticker', cell: (row) => text(row.marketId) },
]

export function whatIfText(answer: WhatIfAnswer, screen: Screen): string {
  const head = lines([
    ...answer.overrides.map(
      ({ nodeId, label, oldProb, newProb }) =>
        [nodeId, `${chance(oldProb)} to ${chance(newProb)}, ${text(label)}`] as const,
    ),
    [
      'confidence',
      `${chance(answer.oldConfidence)} to ${chance(answer.newConfidence)} (${points(answer.confidenceDelta)})`,
    ],
  ])
  return answer.edges.length === 0
    ? head
    : `${head}\n\n${table(answer.edges, PROJECTED_COLUMNS, screen)}`
}
