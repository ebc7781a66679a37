/** Model of the evaluations by timer; base is the configured default. */
export const EVALUATION_TIERS = ['cheap', 'base', 'medium', 'heavy'] as const
export type EvaluationTier = (typeof EVALUATION_TIERS)[number]

/** Which trades a heartbeat may intend. */
export interface ClosedLoop {
  readonly entry: boolean
  readonly exit: boolean
}

/** Settings of the evaluations by timer of a thesis. */
export interface HeartbeatConfig {
  readonly newsIntervalMin: number
  readonly xIntervalMin: number
  readonly evalModelTier: EvaluationTier
  /** Dollars; 0 for no limit. */
  readonly monthlyBudgetUsd: number
  readonly paused: boolean
  readonly smartModel: boolean
  readonly closedLoop: ClosedLoop
}

export const HEARTBEAT_DEFAULTS: HeartbeatConfig = {
  newsIntervalMin: 240,
  xIntervalMin: 240,
  evalModelTier: 'cheap',
  monthlyBudgetUsd: 15,
  paused: false,
  smartModel: true,
  closedLoop: { entry: false, exit: false },
}
