import type { Feed } from '../../../domain/backtest/event-columns.ts'

/** A span of time: after `from` and by `until`. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

/** The parameters of a sort. */
export interface SortRequest {
  /** Each span becomes a frame. */
  readonly spans: readonly TimeSpan[]
  /** Index in the query of each market; −1 for markets that it does not name. */
  readonly indexByMarket: Int32Array
  /** Folder of the scratch file. */
  readonly folder: string
  /** Shared; non-zero once the result is no longer needed. */
  readonly cancelled: Int32Array
}

/** Messages to the sort thread. */
export type ToSortThread =
  | { readonly type: 'begin'; readonly request: SortRequest }
  /** Rows of a feed, in columns with room for a whole batch. */
  | {
      readonly type: 'rows'
      readonly feed: Feed
      readonly batch: SharedArrayBuffer
      readonly count: number
    }
  /** All rows are sent; answered by `lengths`. */
  | { readonly type: 'measure' }
  /** Write each frame at its position; answered by `written` for each and `sorted` at the end. */
  | { readonly type: 'write'; readonly fd: number; readonly at: Float64Array }
  /** Free everything; answered by `ended`. */
  | { readonly type: 'end' }

/** Messages of the sort thread. */
export type FromSortThread =
  /** The batch may be used again. */
  | { readonly type: 'consumed'; readonly batch: SharedArrayBuffer }
  /** Bytes of the frame of each span. */
  | { readonly type: 'lengths'; readonly bytes: Float64Array }
  | { readonly type: 'written'; readonly span: number }
  | { readonly type: 'sorted' }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly message: string; readonly isDiskFull: boolean }
