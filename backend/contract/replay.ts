import { t } from 'elysia'
import type { Static } from 'elysia'
import { Iso, stringEnum } from './schemas.ts'
import type { RunReport } from '../domain/backtest/report/report.ts'

/** Maximum seconds of one step: a week. */
export const MAX_STEP_SECONDS = 604_800
export const MAX_SPEED = 1_000_000

const Speed = t.Union([t.Number(), stringEnum(['max', 'step'])], {
  description: 'multiple of real time, max, or step',
})

export const ReplayState = t.Object({
  state: stringEnum(['running', 'paused', 'ended']),
  now: Iso,
  from: Iso,
  to: Iso,
  speed: Speed,
})
export type ReplayState = Static<typeof ReplayState>
export type ReplaySpeed = ReplayState['speed']

export const ReplayReport = t.Object({
  ...ReplayState.properties,
  files: t.Array(t.String(), {
    description: 'on the machine of the service, once the replay ended',
  }),
  report: t.Unsafe<RunReport>(
    t.Record(t.String(), t.Unknown(), { description: 'docs/backtesting.md' }),
  ),
})
export type ReplayReport = Static<typeof ReplayReport>

export const StepBody = t.Object({
  n: t.Optional(t.Number({ description: 'seconds; absent: to the next world snapshot' })),
})

export const SeekBody = t.Object({ to: t.String({ description: 'ISO 8601, within the replay' }) })
export const SpeedBody = t.Object({
  speed: t.Union([t.Number(), t.String()], {
    description: 'above 0 and at most 1,000,000 times real time, max, or step',
  }),
})
