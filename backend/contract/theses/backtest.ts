import { t } from 'elysia'
import type { Static } from 'elysia'
import { EXIT_REASONS } from '../../domain/theses/holdings.ts'
import { THESIS_STATUSES } from '../../domain/theses/status.ts'
import { VenueEnum } from '../market.ts'
import { Cents, describedEnum, Iso, Num, nullable, stringEnum } from '../schemas.ts'
import { CausalTreeSchema } from './thesis.ts'

const DirectionEnum = stringEnum(['yes', 'no'])

/**
 * A thesis formed at a past instant from what was known then, evaluated on its schedule until now,
 * with its edges traded on paper.
 */
export const ThesisBacktest = t.Object({
  thesisId: t.String(),
  title: t.String(),
  rootClaim: t.String(),
  from: Iso,
  to: Iso,
  stepMinutes: t.Integer({ description: 'minutes between evaluations' }),
  status: stringEnum(THESIS_STATUSES),
  endedAt: nullable(t.String({ format: 'date-time', description: 'when a condition ended it' })),
  treeAtStart: CausalTreeSchema,
  confidence: t.Array(
    t.Object({
      at: Iso,
      confidence: Num,
      marketPrice: nullable(
        t.Number({ description: 'headline price of the market that asks the claim, cents' }),
      ),
      summary: t.String(),
      changedNodes: t.Integer(),
      signals: t.Integer({ description: 'news items read' }),
    }),
    { description: 'oldest first; formation is the first row' },
  ),
  edges: t.Array(
    t.Object({
      marketId: t.String(),
      market: t.String(),
      venue: VenueEnum,
      direction: DirectionEnum,
      thesisPriceAtStart: t.Number({ description: 'cents of YES' }),
      marketPriceAtStart: t.Number({ description: 'cents of YES' }),
      marketPriceAtEnd: Cents,
      settlement: Cents,
      relatedNodeId: t.String(),
      thesisBrier: Num,
      marketBrier: Num,
    }),
    { description: 'largest edge at the start first' },
  ),
  tradedBy: describedEnum(
    ['strategies', 'edges'],
    'the strategies of the thesis; without any, its edges of the start',
  ),
  trades: t.Array(
    t.Object({
      marketId: t.String(),
      market: t.String(),
      direction: DirectionEnum,
      strategyId: nullable(t.String({ description: 'null for an edge without a strategy' })),
      quantity: t.Number({ description: 'contracts' }),
      openedAt: Iso,
      entryPrice: t.Number({ description: 'cents of the side' }),
      closedAt: nullable(Iso),
      exitPrice: Cents,
      exitReason: nullable(stringEnum(EXIT_REASONS)),
      feesCents: t.Integer(),
      pnlCents: t.Integer({ description: 'after fees; open trades at the last mark' }),
    }),
    { description: 'oldest first' },
  ),
  result: t.Object({
    trades: t.Integer(),
    wins: t.Integer(),
    costCents: t.Integer(),
    feesCents: t.Integer(),
    pnlCents: t.Integer(),
    returnPct: nullable(t.Number({ description: 'profit over cost, percent' })),
    benchmarkPct: nullable(
      t.Number({ description: 'the same markets held as YES at their prices, percent' }),
    ),
    settledEdges: t.Integer(),
    thesisBrier: Num,
    marketBrier: Num,
  }),
  notes: t.Array(t.String(), { description: 'data that the replay did not have' }),
})
export type ThesisBacktest = Static<typeof ThesisBacktest>
