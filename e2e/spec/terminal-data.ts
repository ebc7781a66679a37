import { covered, type Requirement } from './requirement.ts'

/** SQL statements and replay in the terminal, from the user's view. */
export const TERMINAL_DATA: readonly Requirement[] = [
  covered('terminal.sql.pane', '1', 'a statement is written, asked and its answer read in a pane'),
  covered('terminal.sql.command', '1', 'all that follows SQL in a line is its statement'),
  covered('terminal.sql.answer', '1', 'columns of one name are told apart, unknown is unknown'),
  covered('terminal.sql.refused', '1', 'a refusal names its place, and marks older rows as such'),
  covered('terminal.sql.export', '1', 'an answer leaves as a file'),
  covered('terminal.sql.sign-in', '5', 'nobody is offered to sign in'),
  covered('terminal.replay.pane', '1', 'the clock of a replay is watched and moved from a pane'),
  covered('terminal.replay.moves', '1', 'moves are read as words of a line, wrong ones explained'),
  covered('terminal.replay.clock', '1', 'ages in a replay are told on the clock of the replay'),
]
