import type { Feed, FactsVersion } from '../../domain/backtest/event-columns.ts'
import type { FillModel } from '../../domain/backtest/fill-model.ts'
import type { CrossedGap, RunReport } from '../../domain/backtest/report.ts'
import type { RunResult } from '../../domain/backtest/run-result.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import type { Timeframe } from '../../domain/candle.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { WindowPlace } from '../../history/run-reads.ts'
import type { RunPlan } from './run-plan.ts'

/** What a strategy's process is started for. */
export interface StrategyOrder {
  /** Address of the module. */
  readonly module: string
  readonly params: Params
}

/** What a strategy says of itself once it is read. */
export interface StrategyFace {
  readonly name: string
  readonly about: string
  readonly feeds: readonly Feed[]
  readonly candles: readonly Timeframe[]
  /** Its own, with what was given in place of the defaults. */
  readonly params: Params
}

/** A run as its process is told of it; notes of where its windows lie follow. */
export interface RunOrder extends RunPlan {
  readonly from: Millis
  readonly model: FillModel
  readonly startCashUsd: number
  readonly seed: number
  readonly scope: string
  readonly markets: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  /** Hands over all that came of it, for studies that go on from there. */
  readonly keepsResult: boolean
}

export type ToStrategy =
  | { readonly type: 'load'; readonly order: StrategyOrder }
  | { readonly type: 'versions'; readonly versions: readonly FactsVersion[] }
  | { readonly type: 'run'; readonly order: RunOrder }
  /** A window lies in the file that the process was handed. */
  | { readonly type: 'window'; readonly place: WindowPlace }
  /** There are no more windows of this run. */
  | { readonly type: 'end' }

/** Columns that a run leaves as files. */
export type FileColumns = Readonly<Record<string, Float64Array>>

interface Answer {
  /** Messages that it has done with since its start. */
  readonly answered: number
}

export type FromStrategy =
  | (Answer & { readonly type: 'loaded'; readonly face: StrategyFace })
  /** It has done with something it was given. */
  | (Answer & { readonly type: 'taken' })
  /** Said now and then while it works, so that a silent process is known to hang. */
  | (Answer & {
      readonly type: 'beat'
      readonly events: number
      readonly now: Millis
      /** Which of the runs it is at. */
      readonly run: number
    })
  | {
      readonly type: 'done'
      readonly report: RunReport
      /** Null where it was not asked for. */
      readonly result: RunResult | null
      readonly fills: FileColumns
      readonly samples: FileColumns
      readonly tickers: Readonly<Record<number, Ticker>>
      readonly tags: readonly string[]
    }
  /** A fault of the strategy, in words for its author. */
  | { readonly type: 'failed'; readonly message: string }
