import type { FileReport, ImportRequest } from '../../domain/import-report.ts'
import type { ImportAttempt } from './resumed-host.ts'
import type { ImportSettings } from './run-import.ts'

/** Start parameters of the reader thread. */
export interface ReaderStart {
  readonly request: ImportRequest
  readonly settings: ImportSettings
  readonly attempt: ImportAttempt | null
}

/** Messages from the reader thread. */
export type FromReader =
  | { readonly type: 'report'; readonly index: number; readonly report: FileReport }
  | {
      readonly type: 'call'
      readonly id: number
      readonly method: keyof HostCalls
      readonly argument: unknown
    }
  | { readonly type: 'done'; readonly reports: readonly FileReport[] }

/** Messages to the reader thread. */
export type ToReader =
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'cancel' }

/** Requests of a reader, named after the host's functions. */
export interface HostCalls {
  marketIds: true
  adopt: true
  adoptFacts: true
  storeStatements: true
  settle: true
  tickersByName: true
  assetsById: true
  nameMarkets: true
  describeByIds: true
}
