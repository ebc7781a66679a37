import { covered, type Requirement } from './requirement.ts'

/** The terminal's window: layouts, aliases and keys, pauses, results, and exports. */
export const TERMINAL_WINDOW: readonly Requirement[] = [
  covered(
    'terminal.panes.reuse',
    '3',
    'a command reuses the pane of its kind in the link group unless it is kept or a new one is requested',
  ),
  covered(
    'terminal.help.examples',
    '3',
    'examples of the help name markets of the current data and run when clicked',
  ),
  covered(
    'terminal.commands.panes',
    '3',
    'the example of every command shows a pane without errors, raw ids, unlabelled axes or text cut beside free space',
  ),
  covered('terminal.panes.menus', '2', 'rows and tabs have context menus'),
  covered('terminal.window.layouts', '4.2', 'a workspace is saved under a name and restored'),
  covered('terminal.window.dock', '4.2', 'panes are moved, resized, tabbed and closed'),
  covered('terminal.window.layout-file', '4.2', 'layouts are exported and imported unchanged'),
  covered(
    'terminal.window.layout-refused',
    '4.2',
    'a damaged or later layout is refused as a whole, with a message',
  ),
  covered(
    'terminal.window.layout-kept',
    '4.2',
    'a stored layout that cannot be read is set aside, and replaced by the last good one',
  ),
  covered('terminal.window.bind', '4.2', 'any command can be bound to a key by command'),
  covered(
    'terminal.window.alias',
    '4.2',
    'aliases expand to lines; command names and cycles are refused',
  ),
  covered('terminal.window.link', '4.2', 'a link only opens panes'),
  covered('terminal.window.storage', '4.2', 'a full store is reported, and nothing is lost'),
  covered('terminal.window.sink-pane', '4.2', 'a command is shown in a numbered pane'),
  covered('terminal.window.pause', '4.2', 'panes do not update while they are paused'),
  covered(
    'terminal.window.forms',
    '4.2',
    'results are exported as CSV, JSON, markdown and pictures',
  ),
  covered('terminal.window.tour', '4.2', 'a tour runs six real commands'),
  covered(
    'terminal.keyboard.jobs',
    '4.2',
    'the tasks of the day by keyboard, within their number of keys',
  ),
  covered(
    'terminal.keyboard.fresh',
    '4.2',
    'the six daily jobs take 6, 1, 4, 1, 1 and 1 keys in a page that was just opened',
  ),
  covered(
    'terminal.search.starts',
    '3',
    'free text, typos, outcomes, parts of tickers and venues open what is meant',
  ),
  covered('terminal.window.undo', '4.2', 'fifty changes of a layout are undone and redone'),
]
