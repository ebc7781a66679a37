import { covered, type Requirement } from './requirement.ts'

/** SQL statements and replay in the terminal, from the user's view. */
export const TERMINAL_DATA: readonly Requirement[] = [
  covered('terminal.sql.pane', '1', 'a statement is written, run and its result shown in a pane'),
  covered('terminal.sql.command', '1', 'everything after SQL in a line is its statement'),
  covered(
    'terminal.sql.answer',
    '1',
    'columns with equal names are distinguished, unknown is unknown',
  ),
  covered('terminal.sql.refused', '1', 'an error shows its place, and marks older rows as such'),
  covered('terminal.sql.export', '1', 'a result is exported to a file'),
  covered('terminal.sql.sign-in', '5', 'anonymous users are offered to sign in'),
  covered('terminal.replay.pane', '1', 'the clock of a replay is controlled from a pane'),
  covered('terminal.replay.moves', '1', 'moves are parsed from a line, wrong ones explained'),
  covered('terminal.replay.clock', '1', 'ages in a replay are measured by the clock of the replay'),
]
