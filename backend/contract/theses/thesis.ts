import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueEnum } from '../market.ts'
import { Cents, describedEnum, Iso, nullable, Num, PageInfo, stringEnum } from '../schemas.ts'
import { THESIS_OUTCOMES, THESIS_STATUSES } from '../../domain/theses/status.ts'
import { KILL_OPS, NODE_ORIGINS, TREE_LIMITS } from '../../domain/theses/tree.ts'
import { ThesisPosition, ThesisStrategy } from './holdings.ts'

const Text = nullable(t.String())
const Chance = t.Number({ minimum: 0, maximum: 1 })
const DirectionEnum = stringEnum(['yes', 'no'])

export const KillConditionSchema = t.Object({
  text: t.String(),
  op: stringEnum(KILL_OPS),
  ticker: Text,
  value: nullable(t.Number({ description: 'a probability 0 to 1, or a price in cents' })),
})

const nodeFields = {
  id: t.String({ description: 'n1, n1.1, …: dots give the depth' }),
  label: t.String(),
  probability: Chance,
  importance: t.Number({ description: 'weight among its siblings, 0 to 1' }),
  depth: t.Integer({ description: '0 at the top' }),
  tickers: t.Array(t.String()),
  rationale: Text,
  killCondition: nullable(KillConditionSchema),
  outcome: nullable(DirectionEnum),
  locked: t.Boolean({ description: 'not moved by evaluations' }),
  origin: stringEnum(NODE_ORIGINS),
  updatedAt: Iso,
}
const Leaf = t.Object({ ...nodeFields, children: t.Array(t.Unknown(), { maxItems: 0 }) })
const ThirdLevel = t.Object({ ...nodeFields, children: t.Array(Leaf) })
const SecondLevel = t.Object({ ...nodeFields, children: t.Array(ThirdLevel) })
/** A condition with those below it; a tree has four levels. */
export const ThesisNode = t.Object({ ...nodeFields, children: t.Array(SecondLevel) })
export type ThesisNode = Static<typeof ThesisNode>

export const CausalTreeSchema = t.Object({
  rootClaim: t.String(),
  nodes: t.Array(ThesisNode, { maxItems: TREE_LIMITS.top }),
  version: t.Integer({ description: 'increases with each change' }),
  generatedAt: Iso,
  model: t.String({ description: 'rules-1 or the model that formed it' }),
})
export type ServedTree = Static<typeof CausalTreeSchema>

export const ThesisMarketEdge = t.Object({
  marketId: t.String({ description: 'ticker' }),
  marketTitle: t.String(),
  venue: VenueEnum,
  direction: DirectionEnum,
  marketPrice: Cents,
  thesisImpliedPrice: t.Number({ description: 'cents of YES' }),
  edgeSize: nullable(t.Number({ description: 'thesis minus market, cents of YES' })),
  executableEdge: nullable(t.Number({ description: 'cents after crossing the book and the fee' })),
  confidence: t.Number(),
  rationale: t.String({ description: 'how the price follows from the thesis' }),
  relatedNodeId: Text,
  eventTicker: Text,
  seriesTicker: Text,
  inherited: t.Boolean(),
  settled: t.Boolean(),
  derivation: t.Object({
    nodeId: Text,
    nodeLabel: Text,
    relation: describedEnum(['asks', 'opposes'], 'how the market relates to the condition'),
    polarity: t.Union([t.Literal(1), t.Literal(-1)], {
      description: '-1 when it asks the opposite',
    }),
    match: t.Number({ description: '0 to 1: how well the market asks the condition' }),
    confidence: Num,
    shift: nullable(t.Number({ description: 'cents by which the thesis moves the price' })),
  }),
})
export type ThesisMarketEdge = Static<typeof ThesisMarketEdge>

export const EdgeAnalysis = t.Object({
  analyzedAt: Iso,
  lastRescanAt: Iso,
  totalMarketsAnalyzed: t.Integer(),
  edges: t.Array(ThesisMarketEdge, { description: 'largest edge first, unpriced markets last' }),
})
export type EdgeAnalysis = Static<typeof EdgeAnalysis>

export const EVALUATION_TRIGGERS = ['monitor_cycle', 'signal', 'evaluation'] as const

export const CostSchema = t.Object({
  usd: t.Number({ description: 'dollars of the calls whose price is known' }),
  unpricedCalls: t.Optional(
    t.Integer({ description: 'calls whose price neither the provider nor the user states' }),
  ),
  llmCalls: t.Integer(),
  searchCalls: t.Integer(),
  inputTokens: t.Integer(),
  outputTokens: t.Integer(),
})

export const EvaluationSchema = t.Object({
  id: t.String(),
  thesisId: t.String(),
  evaluatedAt: Iso,
  trigger: stringEnum(EVALUATION_TRIGGERS),
  confidence: Num,
  previousConfidence: Num,
  newConfidence: Num,
  confidenceDelta: t.Number({ description: 'a fraction' }),
  summary: t.String(),
  nodeProbabilities: t.Record(t.String(), t.Number()),
  updatedNodes: t.Array(
    t.Object({
      nodeId: t.String(),
      label: t.String(),
      previousProbability: t.Number(),
      newProbability: t.Number(),
      reason: t.String(),
    }),
    { description: 'largest change first' },
  ),
  signalsConsumed: t.Array(
    t.Object({
      id: t.String(),
      type: t.String(),
      source: t.String(),
      content: t.String({ description: 'its first 280 characters' }),
    }),
  ),
  killConditions: t.Array(
    t.Object({ nodeId: t.String(), text: t.String(), triggered: t.Boolean(), evidence: Text }),
  ),
  positionUpdates: t.Array(
    t.Object({
      positionId: t.String(),
      recommendation: stringEnum(['hold', 'increase', 'reduce', 'close']),
      reason: t.String(),
    }),
  ),
  events: t.Array(t.Object({ at: Iso, title: t.String(), source: t.String(), url: Text })),
  model: t.String({ description: 'rules-1, manual or a model' }),
  cost: CostSchema,
  durationMs: t.Number(),
  corrections: t.Optional(
    t.Array(t.String(), { description: 'parts of a model’s response that were rejected, and why' }),
  ),
  modelAnswer: t.Optional(t.String({ description: 'beginning of the model’s response' })),
})
export type ServedEvaluation = Static<typeof EvaluationSchema>

const rowFields = {
  id: t.String(),
  shortId: t.String({ description: 'its first 8 digits, accepted in place of the id' }),
  title: t.String(),
  rawThesis: t.String(),
  status: stringEnum(THESIS_STATUSES),
  confidence: nullable(t.Number({ description: '0 to 1' })),
  previousConfidence: Num,
  horizon: nullable(t.String({ description: 'last date that the claim names, YYYY-MM-DD' })),
  outcome: nullable(stringEnum(THESIS_OUTCOMES)),
  nodeCount: t.Integer(),
  edgeCount: t.Integer(),
  openPositionCount: t.Integer(),
  parentId: Text,
  published: t.Boolean(),
  slug: Text,
  lastEvaluatedAt: nullable(Iso),
  createdAt: Iso,
  updatedAt: Iso,
}
export const ThesisRow = t.Object(rowFields)
export type ThesisRow = Static<typeof ThesisRow>

const thesisFields = {
  ...rowFields,
  webhookUrl: Text,
  metadata: t.Record(t.String(), t.Unknown()),
  description: Text,
  publicUrl: Text,
  publishedAt: nullable(Iso),
  forkedFrom: nullable(t.Object({ id: Text, slug: Text, title: t.String(), reason: Text })),
  causalTree: nullable(CausalTreeSchema),
  edgeAnalysis: nullable(EdgeAnalysis),
  positions: t.Array(ThesisPosition, { description: 'open ones first, then the last opened' }),
  strategies: t.Array(ThesisStrategy, { description: 'highest priority first' }),
  lastEvaluation: nullable(EvaluationSchema),
  formation: t.Object({
    step: stringEnum(['queued', 'tree', 'markets', 'edges', 'done']),
    startedAt: Iso,
    finishedAt: nullable(Iso),
    processingTimeMs: Num,
    synthesis: stringEnum(['model', 'rules']),
  }),
}
export const ThesisSchema = t.Object(thesisFields)
export type ServedThesis = Static<typeof ThesisSchema>

export const ThesisPage = t.Object({
  data: t.Array(ThesisRow),
  theses: t.Array(ThesisRow),
  pageInfo: PageInfo,
})
export type ThesisPage = Static<typeof ThesisPage>

/** The endpoint that a request made for the events of a thesis. */
export const ThesisWebhook = t.Object({
  endpointId: t.String({ description: 'we_…' }),
  secret: t.String({ description: 'signs deliveries; it is shown here only' }),
})
export type ThesisWebhook = Static<typeof ThesisWebhook>

export const ThesisUpdated = t.Object({
  ...thesisFields,
  webhook: t.Optional(ThesisWebhook),
})
export type ThesisUpdated = Static<typeof ThesisUpdated>

/** A thesis that is being formed. */
export const ThesisQueued = t.Object({
  id: t.String(),
  thesisId: t.String(),
  shortId: t.String(),
  status: stringEnum(THESIS_STATUSES),
  message: t.String(),
  statusUrl: t.String({ description: 'absolute' }),
  existing: t.Optional(t.Literal(true, { description: 'the same claim was created before' })),
  webhook: t.Optional(ThesisWebhook),
})
export type ThesisQueued = Static<typeof ThesisQueued>

/** A thesis with its tree and edges, as `sync=true` answers. */
export const ThesisFormed = t.Object({
  ...thesisFields,
  success: t.Literal(true),
  thesisId: t.String(),
  processingTimeMs: t.Number(),
  suggestedPositions: t.Array(
    t.Object({
      marketId: t.String(),
      marketTitle: t.String(),
      venue: VenueEnum,
      direction: DirectionEnum,
      entryPrice: t.Number({ description: 'cents of the side' }),
      size: t.Number({ description: 'contracts' }),
      rationale: t.String(),
    }),
    { description: 'best executable edge first, at most five' },
  ),
  existing: t.Optional(t.Literal(true)),
  webhook: t.Optional(ThesisWebhook),
})
export type ThesisFormed = Static<typeof ThesisFormed>

/** Why a text is not a claim. */
export const ClaimRefused = t.Object({
  error: t.String(),
  code: t.String(),
  reason: t.Optional(t.String()),
  hint: t.Optional(t.String()),
})

export const ThesisRemoved = t.Object({ ok: t.Literal(true) })

export const TreeEdited = t.Object({
  thesisId: t.String(),
  previousConfidence: Num,
  confidence: Num,
  confidenceDelta: t.Number({ description: 'a fraction' }),
  changed: t.Array(t.String()),
  causalTree: CausalTreeSchema,
})
export type TreeEdited = Static<typeof TreeEdited>

export const WhatIfAnswer = t.Object({
  thesisId: t.String(),
  asOf: Iso,
  treeVersion: t.Integer(),
  overrides: t.Array(
    t.Object({
      nodeId: t.String(),
      label: t.String(),
      oldProb: t.Number(),
      newProb: t.Number(),
    }),
  ),
  oldConfidence: Num,
  newConfidence: Num,
  confidenceDelta: t.Number({ description: 'a fraction' }),
  edges: t.Array(
    t.Object({
      marketId: t.String(),
      market: t.String(),
      venue: VenueEnum,
      direction: DirectionEnum,
      marketPrice: Cents,
      oldThesisPrice: t.Number(),
      newThesisPrice: t.Number(),
      oldEdge: Num,
      newEdge: Num,
      delta: Num,
      signal: stringEnum(['unchanged', 'reduced', 'gone', 'reversed']),
      relatedNodeId: Text,
      positioned: t.Boolean({ description: 'the thesis holds a position in it' }),
    }),
    { description: 'largest change first' },
  ),
})
export type WhatIfAnswer = Static<typeof WhatIfAnswer>

export const SignalQueued = t.Object({
  id: t.String(),
  signalId: t.String(),
  message: t.String(),
  pending: t.Integer({ description: 'signals that wait for the next evaluation' }),
})
export type SignalQueued = Static<typeof SignalQueued>

export const ThesisEvaluated = t.Object({
  thesisId: t.String(),
  evaluation: EvaluationSchema,
  status: stringEnum(THESIS_STATUSES),
})
export type ThesisEvaluated = Static<typeof ThesisEvaluated>

export const EvaluationDay = t.Object({
  date: t.String({ description: 'YYYY-MM-DD, UTC' }),
  open: Num,
  close: Num,
  high: Num,
  low: Num,
  delta: nullable(t.Number({ description: 'close minus the previous close' })),
  count: t.Integer(),
  latestSummary: t.String(),
  latestEvalAt: Iso,
  model: t.String(),
  costUsd: t.Number(),
})
export type EvaluationDay = Static<typeof EvaluationDay>

/** Evaluations by day, or one by one with `raw=true`; newest first. */
export const EvaluationPage = t.Object({
  data: t.Array(t.Union([EvaluationDay, EvaluationSchema])),
  evaluations: t.Array(t.Union([EvaluationDay, EvaluationSchema])),
  pageInfo: PageInfo,
})
export type EvaluationPage = Static<typeof EvaluationPage>

export const ThesisPublished = t.Object({
  published: t.Literal(true),
  slug: t.String(),
  url: t.String({ description: 'public page' }),
  apiUrl: t.String({ description: 'public route' }),
  publishedAt: Iso,
})
export type ThesisPublished = Static<typeof ThesisPublished>
export const ThesisUnpublished = t.Object({ unpublished: t.Literal(true) })

const publicNode = {
  id: t.String(),
  label: t.String(),
  probability: Chance,
  importance: t.Number(),
}
const PublicLeaf = t.Object({ ...publicNode, children: t.Array(t.Unknown(), { maxItems: 0 }) })
const PublicThird = t.Object({ ...publicNode, children: t.Array(PublicLeaf) })
const PublicSecond = t.Object({ ...publicNode, children: t.Array(PublicThird) })
const PublicNode = t.Object({ ...publicNode, children: t.Array(PublicSecond) })
export type PublicNode = Static<typeof PublicNode>

export const PublicThesis = t.Object({
  thesis: t.Object({
    title: t.String(),
    slug: t.String(),
    confidence: Num,
    status: t.String(),
    publishedAt: Iso,
    description: Text,
    author: t.String(),
  }),
  causalTree: t.Object({ rootClaim: t.String(), nodes: t.Array(PublicNode) }),
  impliedReturns: t.Object({
    trackedSince: nullable(Iso),
    avgReturnPct: Num,
    winRate: Num,
    winners: t.Integer(),
    losers: t.Integer(),
    edges: t.Array(
      t.Object({
        market: t.String(),
        ticker: t.String(),
        entryPrice: Cents,
        currentPrice: Cents,
        returnPct: Num,
      }),
    ),
  }),
  confidenceHistory: t.Array(
    t.Object({
      evaluatedAt: Iso,
      confidence: Num,
      delta: t.Number(),
      summary: t.String(),
    }),
    { description: 'newest first' },
  ),
  edges: t.Array(
    t.Object({
      market: t.String(),
      ticker: t.String(),
      venue: VenueEnum,
      marketPrice: Cents,
      thesisPrice: t.Number(),
      edge: t.Number(),
      direction: DirectionEnum,
      orderbook: nullable(
        t.Object({
          bestBid: Cents,
          bestAsk: Cents,
          spread: Cents,
          liquidityScore: stringEnum(['high', 'medium', 'low']),
        }),
      ),
    }),
    { description: 'largest edge first' },
  ),
})
export type PublicThesis = Static<typeof PublicThesis>
