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

/** A probability 0 to 1 in percent, one decimal. */
export const chance = (value: number | null | undefined): string =>
  percent(typeof value === 'number' ? Math.round(value * 1_000) / 10 : null)
/** A change of a probability in percentage points. */
const points = (value: number | null | undefined): string =>
  typeof value === 'number'
    ? `${value > 0 ? '+' : ''}${Math.round(value * 1_000) / 10} pp`
    : MISSING

const changeOf = ({ confidence, previousConfidence }: ThesisRow): number | null =>
  confidence === null || previousConfidence === null ? null : confidence - previousConfidence

export const THESIS_COLUMNS: readonly Column<ThesisRow>[] = [
  { title: 'Thesis', of: (row) => text(row.title), most: 60 },
  { title: 'Status', of: (row) => row.status },
  { title: 'Conf', of: (row) => chance(row.confidence), align: 'right' },
  {
    title: 'Chg',
    of: (row) => points(changeOf(row)),
    align: 'right',
    tone: (row) => toneOf(changeOf(row)),
  },
  { title: 'Edges', of: (row) => String(row.edgeCount), align: 'right' },
  { title: 'Horizon', of: (row) => row.horizon ?? MISSING },
  { title: 'Public', of: (row) => text(row.slug), most: 30 },
  { title: 'Id', of: (row) => row.shortId },
]

export const EDGE_COLUMNS: readonly Column<ThesisMarketEdge>[] = [
  { title: 'Market', of: (row) => text(row.marketTitle), most: 60 },
  { title: 'Side', of: (row) => row.direction },
  { title: 'Price', of: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Thesis', of: (row) => cents(row.thesisImpliedPrice), align: 'right' },
  {
    title: 'Edge',
    of: (row) => centsChange(row.edgeSize),
    align: 'right',
    tone: (row) => toneOf(row.edgeSize),
  },
  {
    title: 'After costs',
    of: (row) => centsChange(row.executableEdge),
    align: 'right',
    tone: (row) => toneOf(row.executableEdge),
  },
  { title: 'Node', of: (row) => text(row.relatedNodeId) },
  { title: 'Ticker', of: (row) => text(row.marketId) },
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
    of: (node) => `${'  '.repeat(node.depth)}${text(node.label)}`,
    most: 70,
  },
  { title: 'Probability', of: (node) => chance(node.probability), align: 'right' },
  { title: 'Weight', of: (node) => chance(node.importance), align: 'right' },
  { title: 'Node', of: (node) => node.id },
  { title: 'Notes', of: (node) => marks(node), most: 60 },
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
    of: (row) => text(isDay(row) ? row.latestSummary : row.summary),
    most: 90,
  },
  { title: 'Time', of: (row) => (isDay(row) ? row.date : minute(row.evaluatedAt)) },
  {
    title: 'Conf',
    of: (row) => chance(isDay(row) ? row.close : row.newConfidence),
    align: 'right',
  },
  {
    title: 'Chg',
    of: (row) => points(isDay(row) ? row.delta : row.confidenceDelta),
    align: 'right',
  },
  { title: 'Model', of: (row) => text(row.model) },
  {
    title: 'Cost',
    of: (row) => dollars(isDay(row) ? row.costUsd : row.cost.usd),
    align: 'right',
  },
]

export function evaluationText(evaluation: ServedEvaluation): string {
  const { updatedNodes, killConditions } = evaluation
  const moved = updatedNodes.map(
    ({ nodeId, label, previousProbability, newProbability, reason }) =>
      `  ${nodeId} ${text(label)}: ${chance(previousProbability)} to ${chance(newProbability)}. ${text(reason)}`,
  )
  const met = killConditions
    .filter(({ triggered }) => triggered)
    .map((kill) => `  kill condition met: ${text(kill.text)}. ${text(kill.evidence)}`)
  return [text(evaluation.summary), ...moved, ...met].join('\n')
}

const PROJECTED_COLUMNS: readonly Column<WhatIfAnswer['edges'][number]>[] = [
  { title: 'Market', of: (row) => text(row.market), most: 60 },
  { title: 'Price', of: (row) => cents(row.marketPrice), align: 'right' },
  { title: 'Edge', of: (row) => centsChange(row.oldEdge), align: 'right' },
  { title: 'If', of: (row) => centsChange(row.newEdge), align: 'right' },
  { title: 'Signal', of: (row) => row.signal },
  { title: 'Ticker', of: (row) => text(row.marketId) },
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
