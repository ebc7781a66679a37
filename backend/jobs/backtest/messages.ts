import type { Feed, FactsVersion } from '../../domain/backtest/event-columns.ts'
import type { FillModel } from '../../domain/backtest/broker/fill-model.ts'
import type { CrossedGap, RunReport } from '../../domain/backtest/report/report.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import type { Timeframe } from '../../domain/prices/candle.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { FrameLocation } from '../../history/event-streams.ts'
import type { RunPlan } from './run-plan.ts'

/** Maximum length of a message about a strategy failure, in characters. */
export const FAULT_LIMIT = 2_000

/** Start parameters of a strategy's process. */
export interface StrategyTask {
  /** Address of the module. */
  readonly module: string
  readonly params: Params
}

/** Metadata of a loaded strategy. */
export interface StrategyMetadata {
  readonly name: string
  readonly about: string
  readonly feeds: readonly Feed[]
  readonly candles: readonly Timeframe[]
  /** Its parameters: the defaults, overridden by the given ones. */
  readonly params: Params
}

/** A run as sent to its process; positions of its windows follow in further messages. */
export interface RunTask extends RunPlan {
  readonly from: Millis
  readonly model: FillModel
  readonly startCashUsd: number
  readonly seed: number
  readonly scope: string
  readonly markets: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  /** Returns the full result, for studies that continue from it. */
  readonly keepsResult: boolean
}

export type ToStrategy =
  | { readonly type: 'load'; readonly order: StrategyTask }
  | { readonly type: 'versions'; readonly versions: readonly FactsVersion[] }
  | { readonly type: 'run'; readonly order: RunTask }
  /** A window is in the file that the process received. */
  | { readonly type: 'window'; readonly location: FrameLocation }
  /** This run has no more windows. */
  | { readonly type: 'end' }

/** Columns that a run writes to files. */
export type FileColumns = Readonly<Record<string, Float64Array>>

interface Answer {
  /** Number of messages it has finished processing since its start. */
  readonly answered: number
}

export type FromStrategy =
  | (Answer & { readonly type: 'loaded'; readonly metadata: StrategyMetadata })
  /** It finished processing a message. */
  | (Answer & { readonly type: 'taken' })
  /** Sent periodically while it works, so that a silent process is known to hang. */
  | (Answer & {
      readonly type: 'beat'
      readonly events: number
      readonly now: Millis
      /** Index of the current run. */
      readonly run: number
    })
  /** All runs have finished: it computes the report. */
  | (Answer & { readonly type: 'reporting' })
  | {
      readonly type: 'done'
      readonly report: RunReport
      /** Null when it was not requested. */
      readonly result: RunResult | null
      readonly fills: FileColumns
      readonly samples: FileColumns
      readonly tickers: Readonly<Record<number, Ticker>>
      readonly tags: readonly string[]
    }
  /** A failure of the strategy, worded for its author. */
  | { readonly type: 'failed'; readonly message: string }
