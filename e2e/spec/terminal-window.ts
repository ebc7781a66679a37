import { covered, type Requirement } from './requirement.ts'

/** The terminal's window: layouts, aliases and keys, pauses, results, and exports. */
export const TERMINAL_WINDOW: readonly Requirement[] = [
  covered('terminal.window.layouts', '4.2', 'a workspace is saved under a name and brought back'),
  covered('terminal.window.layout-file', '4.2', 'layouts go to a file and come back equal'),
  covered(
    'terminal.window.layout-refused',
    '4.2',
    'a damaged or later layout is refused whole, with a sentence',
  ),
  covered(
    'terminal.window.layout-kept',
    '4.2',
    'a kept layout that cannot be read is set aside, and the last good one stands in',
  ),
  covered('terminal.window.bind', '4.2', 'any command goes on a key by command'),
  covered(
    'terminal.window.alias',
    '4.2',
    'own words stand for lines; verbs and circles are refused',
  ),
  covered('terminal.window.link', '4.2', 'a link opens panes and does no more'),
  covered('terminal.window.storage', '4.2', 'a store that is full is told, and nothing is lost'),
  covered('terminal.window.sink-pane', '4.2', 'a command shows in the pane of a number'),
  covered('terminal.window.pause', '4.2', 'panes hold still while they are paused'),
  covered('terminal.window.forms', '4.2', 'answers leave as CSV, JSON, markdown and pictures'),
  covered('terminal.window.tour', '4.2', 'a tour runs six real commands'),
  covered('terminal.keyboard.jobs', '4.2', 'the jobs of the day by keyboard, within their keys'),
  covered('terminal.window.undo', '4.2', 'fifty changes of a layout are undone and done again'),
]
