import type { FileReport, ImportRequest } from '../../domain/import-report.ts'
import type { ImportSettings } from './run-import.ts'

/** What the reading thread is started with. */
export interface ReaderStart {
  readonly request: ImportRequest
  readonly settings: ImportSettings
}

/** What the reading thread says. */
export type FromReader =
  | { readonly type: 'report'; readonly index: number; readonly report: FileReport }
  | {
      readonly type: 'ask'
      readonly id: number
      readonly question: keyof Questions
      readonly argument: unknown
    }
  | { readonly type: 'done'; readonly reports: readonly FileReport[] }

/** What the reading thread hears. */
export type ToReader =
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'cancel' }

/** The questions a reader asks; the names of the host's functions. */
export interface Questions {
  marketIds: true
  adopt: true
  adoptFacts: true
  adoptStated: true
  settle: true
  tickersNamed: true
  assetsNamed: true
  nameMarkets: true
}
