import type { Feed } from '../../domain/backtest/event-columns.ts'

/** A stretch of a run that is played at once: rows known after `from` and by `until`. */
export interface Stretch {
  readonly from: number
  readonly until: number
}

/** Rows of the engine that travel to the thread at once: several of its chunks. */
export const BATCH_ROWS = 32_768

/** What the thread that puts rows in order is told. */
export type ToSorter =
  /** Rows of these stretches come next. */
  | {
      readonly type: 'begin'
      readonly stretches: readonly Stretch[]
      /** Place in the query of each market; −1 for those that it does not name. */
      readonly places: Int32Array
      /** For its scratch file. */
      readonly folder: string
      /** Not zero once nobody wants them any more. */
      readonly stop: Int32Array
    }
  /** Rows of a feed, in columns as the query states them, each with room for a whole batch. */
  | {
      readonly type: 'rows'
      readonly feed: Feed
      readonly batch: SharedArrayBuffer
      readonly count: number
    }
  /** There are no more: it answers how long the window of each stretch is. */
  | { readonly type: 'dealt' }
  /** Where in the file each of them belongs. */
  | { readonly type: 'order'; readonly fd: number; readonly at: Float64Array }
  /** It lets go of everything, and says so. */
  | { readonly type: 'end' }

export type FromSorter =
  /** The rows of a batch were taken. */
  | { readonly type: 'taken'; readonly batch: SharedArrayBuffer }
  | { readonly type: 'lengths'; readonly bytes: Float64Array }
  | { readonly type: 'written'; readonly place: number }
  | { readonly type: 'ordered' }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly message: string; readonly isFull: boolean }
