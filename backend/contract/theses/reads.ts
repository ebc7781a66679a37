import { t } from 'elysia'
import type { Static } from 'elysia'
import { THESIS_STATUSES } from '../../domain/theses/status.ts'
import { VenueEnum } from '../market.ts'
import { PublicThesisRow } from '../reference.ts'
import { Action, Cents, describedEnum, Iso, Num, nullable, stringEnum } from '../schemas.ts'
import { EVALUATION_TRIGGERS } from './thesis.ts'

const Text = nullable(t.String())
const DirectionEnum = stringEnum(['yes', 'no'])

const ContextBook = t.Object({
  bidPrice: Cents,
  askPrice: Cents,
  spread: Cents,
  bidDepth: nullable(t.Number({ description: 'dollars of payout in the best five levels' })),
  askDepth: nullable(t.Number({ description: 'dollars of payout in the best five levels' })),
  liquidityScore: stringEnum(['high', 'medium', 'low']),
  asOf: Iso,
})

/** How an edge of a thesis ended in a settled market. */
export const ScoredEdge = t.Object({
  marketId: t.String(),
  market: t.String(),
  direction: DirectionEnum,
  settledAt: Iso,
  settlement: t.Number({ description: 'cents that YES paid' }),
  thesisPrice: t.Number({
    description: 'last price of the thesis before settlement, cents of YES',
  }),
  marketPrice: nullable(
    t.Number({ description: 'market price at the time of thesisPrice, cents of YES' }),
  ),
  thesisBrier: t.Number({ description: 'squared error of the thesis price, 0 to 1' }),
  marketBrier: nullable(t.Number({ description: 'squared error of the market price, 0 to 1' })),
  entryPrice: Cents,
  returnPct: nullable(
    t.Number({ description: 'held from the first edge to settlement after the fee, percent' }),
  ),
  benchmarkPct: nullable(
    t.Number({ description: 'YES bought at the market price and held, percent' }),
  ),
})
export type ScoredEdge = Static<typeof ScoredEdge>

export const TrackRecord = t.Object({
  trackedSince: nullable(Iso),
  closedEdges: t.Integer({ description: 'edges whose market settled' }),
  winRate: nullable(t.Number({ description: 'share of them with a positive return' })),
  avgReturnPct: nullable(t.Number({ description: 'mean return after the fee, percent' })),
  benchmarkPct: nullable(t.Number({ description: 'mean return of holding YES, percent' })),
  brier: nullable(t.Number({ description: 'of the thesis prices, lower is better' })),
  marketBrier: nullable(t.Number({ description: 'of the market prices at the same times' })),
  evaluations: t.Integer(),
  edges: t.Array(ScoredEdge, { description: 'last settled first' }),
})
export type TrackRecord = Static<typeof TrackRecord>

export const ThesisContext = t.Object({
  thesisId: t.String(),
  thesis: t.String({ description: 'the claim as sent' }),
  title: t.String(),
  status: stringEnum(THESIS_STATUSES),
  confidence: Num,
  horizon: Text,
  updatedAt: Iso,
  causalTree: t.Object({
    rootClaim: t.String(),
    nodes: t.Array(
      t.Object({
        id: t.String(),
        depth: t.Integer({ description: '0 at the top' }),
        parentId: Text,
        label: t.String(),
        probability: t.Number(),
        importance: t.Number(),
        outcome: nullable(DirectionEnum),
        tickers: t.Array(t.String()),
      }),
      { description: 'flat; each subtree follows its root' },
    ),
  }),
  edges: t.Array(
    t.Object({
      marketId: t.String(),
      market: t.String(),
      venue: VenueEnum,
      direction: DirectionEnum,
      marketPrice: Cents,
      thesisPrice: t.Number({ description: 'cents of YES' }),
      edge: Num,
      executableEdge: Num,
      confidence: t.Number(),
      relatedNodeId: Text,
      eventTicker: Text,
      seriesTicker: Text,
      orderbook: t.Optional(nullable(ContextBook)),
    }),
    { description: 'largest executable edge first, unknown ones last' },
  ),
  edgeMeta: t.Object({ lastRescanAt: nullable(Iso), totalEdges: t.Integer() }),
  lastEvaluation: nullable(
    t.Object({
      summary: t.String(),
      evaluatedAt: Iso,
      model: t.String(),
      confidenceDelta: t.Number(),
      positionRecommendations: t.Array(
        t.Object({
          positionId: t.String(),
          recommendation: stringEnum(['hold', 'increase', 'reduce', 'close']),
          reason: t.String(),
        }),
      ),
    }),
  ),
  evaluationHistory: t.Array(
    t.Object({ evaluatedAt: Iso, confidence: Num, delta: t.Number(), summary: t.String() }),
    { description: 'newest first, at most 30' },
  ),
  trackRecord: TrackRecord,
  nextActions: t.Object({ deeper: t.Array(Action), act: t.Array(Action) }),
})
export type ThesisContext = Static<typeof ThesisContext>

export const EDGE_CHANGES = ['new', 'gone', 'moved', 'flipped'] as const
export const ThesisUnchanged = t.Object({
  changed: t.Literal(false),
  since: Iso,
  updatedAt: Iso,
})
export const ThesisChanged = t.Object({
  changed: t.Literal(true),
  since: Iso,
  confidence: Num,
  confidenceDelta: nullable(t.Number({ description: 'a fraction' })),
  evaluationCount: t.Integer(),
  latestSummary: Text,
  latestEvalAt: nullable(Iso),
  status: stringEnum(THESIS_STATUSES),
  statusChangedFrom: nullable(stringEnum(THESIS_STATUSES)),
  nodes: t.Array(
    t.Object({ nodeId: t.String(), label: t.String(), from: t.Number(), to: t.Number() }),
    { description: 'largest change first' },
  ),
  edges: t.Array(
    t.Object({
      marketId: t.String(),
      market: t.String(),
      fromEdge: Num,
      toEdge: Num,
      kind: describedEnum(EDGE_CHANGES, 'moved from 2 cents; flipped when the sign changed'),
    }),
    { description: 'largest change first' },
  ),
  signals: t.Integer({ description: 'signals sent since' }),
  updatedAt: Iso,
})
export const ThesisChanges = t.Union([ThesisUnchanged, ThesisChanged])
export type ThesisChanges = Static<typeof ThesisChanges>

export const ThesisPrompt = t.Object({
  thesisId: t.String(),
  title: t.String(),
  prompt: t.String({ description: 'Markdown: claim, tree, edges, positions, evaluations' }),
  tokensEstimate: t.Integer(),
  generatedAt: Iso,
})
export type ThesisPrompt = Static<typeof ThesisPrompt>

/** Evaluations of all theses of the caller. */
export const ThesisFeed = t.Object({
  hours: t.Integer(),
  count: t.Integer(),
  feed: t.Array(
    t.Object({
      id: t.String(),
      thesisId: t.String(),
      thesisShortId: t.String({ description: 'its first 8 characters' }),
      title: t.String(),
      evaluatedAt: Iso,
      confidence: Num,
      delta: t.Number({ description: 'a fraction' }),
      summary: t.String(),
      updatedNodes: t.Array(t.Object({ nodeId: t.String(), newProb: t.Number() })),
      trigger: stringEnum(EVALUATION_TRIGGERS),
    }),
    { description: 'newest first' },
  ),
})
export type ThesisFeed = Static<typeof ThesisFeed>

export const ThesesByTicker = t.Object({
  ticker: t.String(),
  theses: t.Array(
    t.Object({
      ...PublicThesisRow.properties,
      slug: Text,
      publishedAt: nullable(Iso),
      url: Text,
      thesisId: t.Optional(t.String({ description: 'own theses only' })),
      private: t.Boolean(),
      direction: DirectionEnum,
      thesisPrice: t.Number({ description: 'cents of YES' }),
      edge: Num,
    }),
    { description: 'largest edge first' },
  ),
  count: t.Integer(),
})
export type ThesesByTicker = Static<typeof ThesesByTicker>
