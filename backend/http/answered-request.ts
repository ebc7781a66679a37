import type { Caller } from './auth.ts'
import type { ModelSpend } from '../lib/language-model.ts'
import type { Route } from './route-table.ts'

/** A request of somebody known, once its answer is settled. */
export interface AnsweredRequest {
  readonly caller: Caller
  readonly route: Route
  readonly status: number
  /** Milliseconds from its arrival until its answer began; of a stream, until the first frame could be sent. */
  readonly took: number
  /** What language models cost meanwhile; null where none was asked. */
  readonly spent: ModelSpend | null
}

/** Hears of every answered request of somebody known; must not throw. */
export type NoteAnswer = (answered: AnsweredRequest) => void
