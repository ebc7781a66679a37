import { DAY, MINUTE, type Millis } from '../units.ts'
import { sumOfCosts, type EvaluationCost, type Thesis } from './thesis.ts'

/** Model of the scheduled evaluations; base is the configured default. */
export const EVALUATION_TIERS = ['cheap', 'base', 'medium', 'heavy'] as const
export type EvaluationTier = (typeof EVALUATION_TIERS)[number]

/** The tier of a model; base is the middle one. */
export const tierOf = (tier: EvaluationTier): 'cheap' | 'medium' | 'heavy' =>
  tier === 'base' ? 'medium' : tier

/** Which trades a heartbeat may intend. */
export interface ClosedLoop {
  readonly entry: boolean
  readonly exit: boolean
}

/** Settings of the scheduled evaluations of a thesis. */
export interface HeartbeatConfig {
  readonly newsIntervalMin: number
  readonly xIntervalMin: number
  readonly evalModelTier: EvaluationTier
  /** Dollars; 0 for no limit. */
  readonly monthlyBudgetUsd: number
  readonly paused: boolean
  /** Signals that a cheap model judged to change much are judged again by the medium one. */
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

/** Cents by which a bound market must move to be evaluated before its time. */
const MIN_MOVE = 3

/** Stored schedule of the scheduled evaluations of a thesis. */
export interface Heartbeat {
  readonly thesisId: string
  readonly config: HeartbeatConfig
  readonly pausedReason: 'user' | 'budget' | null
  readonly lastRunAt: Millis | null
  readonly lastError: string | null
  /** When the medium model last judged again what the cheap one had judged. */
  readonly secondJudgedAt?: Millis
  /** Cost of the calls of a month that failed, which no evaluation holds. */
  readonly failedCalls?: { readonly month: string; readonly cost: EvaluationCost }
}

export const newHeartbeat = (thesisId: string): Heartbeat => ({
  thesisId,
  config: HEARTBEAT_DEFAULTS,
  pausedReason: null,
  lastRunAt: null,
  lastError: null,
})

/**
 * The next run after one: the shorter of the two intervals. Paused by a spent budget, the first of
 * the next month, UTC; paused by its owner, null.
 */
export function nextRunAfter(
  { config, pausedReason }: Pick<Heartbeat, 'config' | 'pausedReason'>,
  at: Millis,
): Millis | null {
  if (config.paused) return pausedReason === 'budget' ? nextMonth(at) : null
  const minutes = Math.min(config.newsIntervalMin, config.xIntervalMin)
  return (at + minutes * MINUTE) as Millis
}

function nextMonth(at: Millis): Millis {
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1) as Millis
}

/** Whether a run evaluates: a new signal, a market that moved, or a day without an evaluation. */
export function isEvaluationDue(
  thesis: Pick<Thesis, 'edges' | 'lastEvaluatedAt'>,
  pending: number,
  prices: ReadonlyMap<string, number>,
  settlements: ReadonlyMap<string, number>,
  now: Millis,
): boolean {
  if (pending > 0) return true
  if (thesis.lastEvaluatedAt === null || now - thesis.lastEvaluatedAt >= DAY) return true
  return thesis.edges.some(({ ticker, evaluatedPrice, settlement }) => {
    if (settlement !== null) return false
    if (settlements.has(ticker)) return true
    return Math.abs((prices.get(ticker) ?? evaluatedPrice) - evaluatedPrice) >= MIN_MOVE
  })
}

/** The heartbeat after calls that failed. @param month YYYY-MM, UTC */
export function withFailedCalls(
  heartbeat: Heartbeat,
  month: string,
  cost: EvaluationCost,
): Heartbeat {
  const monthCosts = heartbeat.failedCalls?.month === month ? [heartbeat.failedCalls.cost] : []
  return { ...heartbeat, failedCalls: { month, cost: sumOfCosts([...monthCosts, cost]) } }
}

/** Whether the cost of a month has reached its budget; 0 is no limit. */
export const isOverBudget = ({ monthlyBudgetUsd }: HeartbeatConfig, spentUsd: number): boolean =>
  monthlyBudgetUsd > 0 && spentUsd >= monthlyBudgetUsd
