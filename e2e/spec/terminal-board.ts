import { covered, type Requirement } from './requirement.ts'

/** The terminal's board of panels: market watch from the user's view. */
export const TERMINAL_BOARD: readonly Requirement[] = [
  covered('terminal.board.cards', '2.8', 'each panel with number, title, values, cadence and age'),
  covered('terminal.board.drawings', '2.8', 'each payload drawn each way, with a table view'),
  covered(
    'terminal.board.states',
    '2.8',
    'waiting, failed and stale panels are distinguished from fresh ones',
  ),
  covered('terminal.board.tier', '2.8', 'the limits of the tier, and their usage'),
  covered(
    'terminal.board.sign-in',
    '5',
    'anonymous users are offered to sign in, and no request is sent',
  ),
  covered('terminal.board.form', '4.8', 'panels are added and edited by a form'),
  covered('terminal.board.command', '4.8', 'the same by command, submitted by a second Enter'),
  covered('terminal.board.reasons', '7', 'every refusal as a sentence beside its field'),
  covered(
    'terminal.board.reorder',
    '4.8',
    'panels move by drag and by keys, and the order persists',
  ),
  covered('terminal.board.remove', '4.8', 'a panel is removed at once, and restored'),
  covered('terminal.board.run', '7', 'a manual run shows the ring of its cooldown'),
  covered('terminal.board.schedule', '2.8', 'the page polls when a panel is due, unless hidden'),
  covered('terminal.board.keys', '4.2', 'panels are selected, opened and changed by keys'),
  covered('terminal.board.workspace', '4.2', 'workspace Watch opens with board and watchlist'),
  covered('terminal.board.accessible', '4.2', 'the board has no serious accessibility violation'),
  covered('terminal.board.layout', '4.2', 'long and hostile titles break no card'),
]
