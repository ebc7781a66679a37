import type { Thesis } from '../../domain/theses/thesis.ts'
import type { Clock } from '../../lib/clock.ts'
import { formedByRules, type ThesisStep } from './thesis-changes.ts'
import type { ThesisBoard } from './thesis-markets.ts'

/** Forms theses: by a language model where one is configured, else by rules. */
export interface ThesisEngine {
  form(thesis: Thesis): Promise<ThesisStep>
}

export function createThesisEngine(deps: {
  readonly board: ThesisBoard
  readonly clock: Clock
}): ThesisEngine {
  const { board, clock } = deps
  return {
    form: (thesis) => formedByRules(board, thesis, { asOf: null, at: clock.now() }),
  }
}
