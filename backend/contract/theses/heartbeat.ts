import { t } from 'elysia'
import type { Static } from 'elysia'
import { EVALUATION_TIERS } from '../../domain/theses/heartbeat.ts'
import { Iso, nullable, stringEnum, integer } from '../schemas.ts'

const ClosedLoop = t.Union([
  t.Boolean({ description: 'both or neither' }),
  t.Object({ entry: t.Boolean(), exit: t.Boolean() }),
])
const heartbeatFields = {
  newsIntervalMin: t.Integer({ description: 'minutes between scans of the news, 15 to 1440' }),
  xIntervalMin: t.Integer({ description: 'minutes between scans of social posts, 60 to 1440' }),
  evalModelTier: stringEnum(EVALUATION_TIERS),
  monthlyBudgetUsd: t.Number({ description: '0 for no limit' }),
  paused: t.Boolean({ description: 'stops the schedule; the status of the thesis is unchanged' }),
  smartModel: t.Boolean({ description: 'a stronger model evaluates large changes again' }),
  closedLoop: ClosedLoop,
}
export const HeartbeatConfig = t.Object(heartbeatFields)

export const HeartbeatChange = t.Object({
  newsIntervalMin: t.Optional(integer({ minimum: 15, maximum: 1_440 })),
  xIntervalMin: t.Optional(integer({ minimum: 60, maximum: 1_440 })),
  evalModelTier: t.Optional(stringEnum(EVALUATION_TIERS)),
  monthlyBudgetUsd: t.Optional(t.Number({ minimum: 0 })),
  paused: t.Optional(t.Boolean()),
  smartModel: t.Optional(t.Boolean()),
  closedLoop: t.Optional(ClosedLoop),
})

const ScanSource = t.Object({
  connected: t.Boolean({ description: 'whether anything is scanned' }),
  note: nullable(t.String({ description: 'what replaces a missing source' })),
})

/** Evaluation schedule of a thesis, and its cost. */
export const ThesisHeartbeat = t.Object({
  thesisId: t.String(),
  config: t.Object({
    ...heartbeatFields,
    mode: stringEnum(['active', 'paused', 'stopped']),
  }),
  defaults: HeartbeatConfig,
  pausedReason: nullable(stringEnum(['user', 'budget'])),
  nextRunAt: nullable(Iso),
  lastRunAt: nullable(Iso),
  lastError: nullable(t.String()),
  costs: t.Object({
    month: t.String({ description: 'YYYY-MM, UTC' }),
    monthlyTotal: t.Number({ description: 'dollars' }),
    llmCalls: t.Integer(),
    searchCalls: t.Integer(),
    inputTokens: t.Integer(),
    outputTokens: t.Integer(),
    unpricedCalls: t.Integer({
      description: 'calls whose price neither the provider nor the user states',
    }),
    budgetRemaining: nullable(t.Number({ description: 'dollars; null without a limit' })),
    budgetNote: nullable(t.String({ description: 'why the budget cannot be enforced' })),
  }),
  sources: t.Object({ news: ScanSource, social: ScanSource }),
})
export type ThesisHeartbeat = Static<typeof ThesisHeartbeat>
