import type { RunReport } from '../../backend/domain/backtest/report.ts'
import type { Iso, Num } from './types.ts'

/** Bodies of the routes about backtests. */
export type RunState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
export type ParamValue = number | string | boolean

/** What a run was asked for. */
export interface RunRequest {
  readonly strategy: string
  readonly from: string
  readonly to: string
  readonly markets?: readonly string[]
  readonly topic?: string
  readonly params?: Readonly<Record<string, ParamValue>>
  readonly checks?: readonly ('lookahead' | 'determinism')[]
  readonly seed?: number
  readonly startCashUsd?: number
}

interface RunTimes {
  readonly createdAt: Iso
  readonly startedAt: Iso | null
  readonly endedAt: Iso | null
}
export interface RunRow extends RunTimes {
  readonly id: string
  readonly state: RunState
  /** 0 to 1. */
  readonly progress: number
  readonly strategy: string
  readonly error: string | null
  readonly from: Iso
  readonly to: Iso
  /** Dollars. */
  readonly profit: Num
  readonly trades: Num
}
export interface RunPage {
  readonly data: readonly RunRow[]
  readonly pageInfo: { readonly hasMore: boolean; readonly nextCursor: string | null }
}

/** Trades of a run that is done, oldest first. */
export interface TradePage {
  readonly data: readonly (Omit<RunReport['tradeList'][number], 'at'> & { readonly at: Iso })[]
  readonly pageInfo: RunPage['pageInfo']
}

export type Report = RunReport
export interface Run extends RunTimes {
  readonly id: string
  readonly state: RunState
  readonly progress: number
  readonly strategy: string
  readonly error: string | null
  readonly request: RunRequest
  readonly report: Report | null
  /** On the service's machine. */
  readonly files: readonly string[]
}

/** One event of a run that is followed. */
export interface RunTold {
  readonly id: string
  readonly state: RunState
  readonly progress: number
  readonly error: string | null
}

export interface StrategyNames {
  readonly strategies: readonly string[]
}
export interface StrategyParam {
  readonly name: string
  readonly kind: 'number' | 'string' | 'boolean'
  readonly default: ParamValue
}
export interface StrategyFace {
  readonly name: string
  readonly about: string
  readonly feeds: readonly string[]
  readonly params: readonly StrategyParam[]
}
