import type { Caller } from './auth/auth.ts'
import type { ModelSpend } from '../lib/language-model.ts'
import type { Route } from './routes/route-table.ts'

/** A request of an identified caller, recorded when the status of its response is known. */
export interface AnsweredRequest {
  readonly caller: Caller
  readonly route: Route
  readonly status: number
  /**
   * Milliseconds from the arrival of the request to the start of the response; for a stream, until
   * its first frame could be sent.
   */
  readonly elapsedMs: number
  /** Cost of language model calls made for the request; null if there were none. */
  readonly spent: ModelSpend | null
}

/** Called after every response to an identified caller. Must not throw. */
export type AnswerListener = (request: AnsweredRequest) => void
