import { fields, list, oneOf, orNull, values, type Shape } from './shape.ts'

const VENUE = oneOf('venue_a', 'venue_b')
const SIDE = oneOf('yes', 'no')
const STATUS = oneOf('forming', 'active', 'paused', 'killed', 'dormant', 'resolved')
const TRIGGER = oneOf('monitor_cycle', 'signal', 'evaluation')
const ADVICE = oneOf('hold', 'increase', 'reduce', 'close')
const EXIT = oneOf('take_profit', 'stop_loss', 'thesis_exit', 'settlement', 'manual', null)
const ACTION = fields({
  description: 'string',
  method: oneOf('GET', 'POST', 'PATCH', 'DELETE'),
  url: 'string',
  'body?': 'object',
})
const ACTIONS = list(ACTION)

const nodeOf = (children: Shape): Shape =>
  fields({
    id: 'string',
    label: 'string',
    probability: 'number',
    importance: 'number',
    children,
    depth: 'number',
    tickers: list('string'),
    rationale: 'string?',
    killCondition: orNull(
      fields({
        text: 'string',
        op: oneOf('prob_below', 'prob_above', 'price_below', 'price_above', 'text'),
        ticker: 'string?',
        value: 'number?',
      }),
    ),
    outcome: oneOf('yes', 'no', null),
    locked: 'boolean',
    origin: oneOf('model', 'rules', 'user', 'augment'),
    updatedAt: 'iso',
  })
const NODE = nodeOf(list(nodeOf(list(nodeOf(list(nodeOf(list('object'))))))))
const TREE = fields({
  rootClaim: 'string',
  nodes: list(NODE),
  version: 'number',
  generatedAt: 'iso',
  model: 'string',
})
const EDGE = fields({
  marketId: 'string',
  marketTitle: 'string',
  venue: VENUE,
  direction: SIDE,
  marketPrice: 'number?',
  thesisImpliedPrice: 'number',
  edgeSize: 'number?',
  executableEdge: 'number?',
  confidence: 'number',
  rationale: 'string',
  relatedNodeId: 'string?',
  eventTicker: 'string?',
  seriesTicker: 'string?',
  inherited: 'boolean',
  settled: 'boolean',
})
const POSITION = fields({
  id: 'string',
  thesisId: 'string',
  venue: VENUE,
  externalMarketId: 'string',
  marketTitle: 'string',
  direction: SIDE,
  entryPrice: 'number',
  currentPrice: 'number?',
  size: 'number?',
  status: oneOf('open', 'closed'),
  openedAt: 'iso',
  exitedAt: 'iso?',
  exitPrice: 'number?',
  exitReason: EXIT,
  rationale: 'string?',
  unrealizedPnlCents: 'number?',
  realizedPnlCents: 'number?',
  createdAt: 'iso',
  updatedAt: 'iso',
})
const STRATEGY = fields({
  id: 'string',
  thesisId: 'string',
  thesisTitle: 'string',
  marketId: 'string',
  market: 'string',
  venue: VENUE,
  direction: SIDE,
  horizon: oneOf('short', 'medium', 'long'),
  status: oneOf('active', 'watching', 'executed', 'cancelled', 'review'),
  priority: 'number',
  entryBelow: 'number?',
  entryAbove: 'number?',
  stopLoss: 'number?',
  takeProfit: 'number?',
  maxQuantity: 'number',
  perOrderQuantity: 'number',
  executedQuantity: 'number',
  softConditions: 'string?',
  rationale: 'string?',
  createdBy: 'string',
  createdAt: 'iso',
  updatedAt: 'iso',
})
const EVALUATION = fields({
  id: 'string',
  thesisId: 'string',
  evaluatedAt: 'iso',
  trigger: TRIGGER,
  confidence: 'number',
  previousConfidence: 'number?',
  newConfidence: 'number',
  confidenceDelta: 'number',
  summary: 'string',
  nodeProbabilities: values('number'),
  updatedNodes: list(
    fields({
      nodeId: 'string',
      label: 'string',
      previousProbability: 'number',
      newProbability: 'number',
      reason: 'string',
    }),
  ),
  signalsConsumed: list(
    fields({ id: 'string', type: 'string', source: 'string', content: 'string' }),
  ),
  killConditions: list(
    fields({ nodeId: 'string', text: 'string', triggered: 'boolean', evidence: 'string?' }),
  ),
  positionUpdates: list(fields({ positionId: 'string', recommendation: ADVICE, reason: 'string' })),
  events: list(fields({ at: 'iso', title: 'string', source: 'string', url: 'string?' })),
  model: 'string',
  cost: fields({
    usd: 'number',
    llmCalls: 'number',
    searchCalls: 'number',
    inputTokens: 'number',
    outputTokens: 'number',
  }),
  durationMs: 'number',
})

const row = {
  id: 'string',
  shortId: 'string',
  title: 'string',
  rawThesis: 'string',
  status: STATUS,
  confidence: 'number?',
  previousConfidence: 'number?',
  horizon: 'string?',
  outcome: oneOf('yes', 'no', 'void', null),
  nodeCount: 'number',
  edgeCount: 'number',
  openPositionCount: 'number',
  parentId: 'string?',
  published: 'boolean',
  slug: 'string?',
  lastEvaluatedAt: 'iso?',
  createdAt: 'iso',
  updatedAt: 'iso',
} as const satisfies Readonly<Record<string, Shape>>
const thesis = {
  ...row,
  webhookUrl: 'string?',
  metadata: 'object',
  description: 'string?',
  publicUrl: 'string?',
  publishedAt: 'iso?',
  forkedFrom: orNull(
    fields({ id: 'string?', slug: 'string?', title: 'string', reason: 'string?' }),
  ),
  causalTree: orNull(TREE),
  edgeAnalysis: orNull(
    fields({
      analyzedAt: 'iso',
      lastRescanAt: 'iso',
      totalMarketsAnalyzed: 'number',
      edges: list(EDGE),
    }),
  ),
  positions: list(POSITION),
  strategies: list(STRATEGY),
  lastEvaluation: orNull(EVALUATION),
  formation: fields({
    step: oneOf('queued', 'tree', 'markets', 'edges', 'done'),
    startedAt: 'iso',
    finishedAt: 'iso?',
    processingTimeMs: 'number?',
    synthesis: oneOf('model', 'rules'),
  }),
} as const satisfies Readonly<Record<string, Shape>>

const pageInfo = fields({ limit: 'number', nextCursor: 'string?', hasMore: 'boolean' })

export const THESIS_LIST = fields({
  data: list(fields(row)),
  theses: list(fields(row)),
  pageInfo,
})
export const THESIS = fields(thesis)
export const QUEUED = fields({
  id: 'string',
  thesisId: 'string',
  shortId: 'string',
  status: STATUS,
  message: 'string',
  statusUrl: 'string',
})
export const FORMED = fields({
  ...thesis,
  success: 'boolean',
  thesisId: 'string',
  processingTimeMs: 'number',
  suggestedPositions: list(
    fields({
      marketId: 'string',
      marketTitle: 'string',
      venue: VENUE,
      direction: SIDE,
      entryPrice: 'number',
      size: 'number',
      rationale: 'string',
    }),
  ),
})
export const SIGNAL = fields({
  id: 'string',
  signalId: 'string',
  message: 'string',
  pending: 'number',
})
export const EVALUATED = fields({ thesisId: 'string', evaluation: EVALUATION, status: STATUS })
export const CONTEXT = fields({
  thesisId: 'string',
  thesis: 'string',
  title: 'string',
  status: STATUS,
  confidence: 'number?',
  horizon: 'string?',
  updatedAt: 'iso',
  causalTree: fields({
    rootClaim: 'string',
    nodes: list(
      fields({
        id: 'string',
        depth: 'number',
        parentId: 'string?',
        label: 'string',
        probability: 'number',
        importance: 'number',
        outcome: oneOf('yes', 'no', null),
        tickers: list('string'),
      }),
    ),
  }),
  edges: list(
    fields({
      marketId: 'string',
      market: 'string',
      venue: VENUE,
      direction: SIDE,
      marketPrice: 'number?',
      thesisPrice: 'number',
      edge: 'number?',
      executableEdge: 'number?',
      confidence: 'number',
      relatedNodeId: 'string?',
      eventTicker: 'string?',
      seriesTicker: 'string?',
      orderbook: orNull(
        fields({
          bidPrice: 'number?',
          askPrice: 'number?',
          spread: 'number?',
          bidDepth: 'number?',
          askDepth: 'number?',
          liquidityScore: oneOf('high', 'medium', 'low'),
          asOf: 'iso',
        }),
      ),
    }),
  ),
  edgeMeta: fields({ lastRescanAt: 'iso', totalEdges: 'number' }),
  lastEvaluation: orNull(
    fields({
      summary: 'string',
      evaluatedAt: 'iso',
      model: 'string',
      confidenceDelta: 'number',
      positionRecommendations: list(
        fields({ positionId: 'string', recommendation: ADVICE, reason: 'string' }),
      ),
    }),
  ),
  evaluationHistory: list(
    fields({ evaluatedAt: 'iso', confidence: 'number', delta: 'number', summary: 'string' }),
  ),
  trackRecord: fields({
    trackedSince: 'iso?',
    closedEdges: 'number',
    winRate: 'number?',
    avgReturnPct: 'number?',
    brier: 'number?',
    evaluations: 'number',
  }),
  nextActions: fields({ deeper: ACTIONS, act: ACTIONS }),
})
export const WHAT_IF = fields({
  thesisId: 'string',
  asOf: 'iso',
  treeVersion: 'number',
  overrides: list(
    fields({ nodeId: 'string', label: 'string', oldProb: 'number', newProb: 'number' }),
  ),
  oldConfidence: 'number',
  newConfidence: 'number',
  confidenceDelta: 'number',
  edges: list(
    fields({
      marketId: 'string',
      market: 'string',
      venue: VENUE,
      direction: SIDE,
      marketPrice: 'number?',
      oldThesisPrice: 'number',
      newThesisPrice: 'number',
      oldEdge: 'number?',
      newEdge: 'number?',
      delta: 'number?',
      signal: oneOf('unchanged', 'reduced', 'gone', 'reversed'),
      relatedNodeId: 'string?',
      positioned: 'boolean',
    }),
  ),
})
export const PUBLISHED = fields({
  published: 'boolean',
  slug: 'string',
  url: 'string',
  apiUrl: 'string',
  publishedAt: 'iso',
})
export const UNPUBLISHED = fields({ unpublished: 'boolean' })
export const CREATED = fields({ id: 'string' })
export const STRATEGIES = fields({ data: list(STRATEGY), strategies: list(STRATEGY), pageInfo })
export const FEED = fields({
  hours: 'number',
  count: 'number',
  feed: list(
    fields({
      id: 'string',
      thesisId: 'string',
      thesisShortId: 'string',
      title: 'string',
      evaluatedAt: 'iso',
      confidence: 'number?',
      delta: 'number?',
      summary: 'string',
      updatedNodes: list(fields({ nodeId: 'string', newProb: 'number' })),
      trigger: TRIGGER,
    }),
  ),
})
export const EDGES = fields({
  priceUnit: oneOf('cents'),
  edges: list(
    fields({
      ticker: 'string',
      venue: VENUE,
      title: 'string',
      status: oneOf('upcoming', 'active', 'paused', 'closed', 'resolving', 'settled'),
      marketPrice: 'number?',
      thesisPrice: 'number',
      edge: 'number',
      executableEdge: 'number?',
      direction: SIDE,
      confidence: 'number',
      liquidityScore: oneOf('high', 'medium', 'low'),
      spread: 'number?',
      reasoning: 'string',
      edgeAgeHours: 'number?',
      marketAbsorption: 'number?',
      edgeType: oneOf('consensus_gap', 'attention_gap', 'timing_gap', 'risk_premium'),
      thesisSlug: 'string?',
      'thesisId?': 'string',
      private: 'boolean',
    }),
  ),
  totalEdges: 'number',
  thesesScanned: 'number',
  generatedAt: 'iso',
})
