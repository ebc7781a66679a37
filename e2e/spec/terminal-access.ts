import { covered, type Requirement } from './requirement.ts'

/** The terminal's panes of keys, usage, settings and the account, and the login page. */
export const TERMINAL_ACCESS: readonly Requirement[] = [
  covered('terminal.access.keys', '2.7', 'a key is shown once, works, and is revoked by keyboard'),
  covered('terminal.access.key-refusals', '2.7', 'why a key was not made stands in plain words'),
  covered('terminal.access.usage', '4.2', 'usage as totals, chart, tables and limits of now'),
  covered('terminal.access.settings', '4.2', 'theme and row height are kept'),
  covered('terminal.access.rebinding', '4.2', 'keys go on other chords, and clashes are told'),
  covered('terminal.access.providers', '4.2', 'the language model is set, replaced and forgotten'),
  covered('terminal.access.backup', '4.2', 'a backup is followed to its end and its path told'),
  covered('terminal.access.cli-fragment', '4.4', 'the login’s secret leaves the address at once'),
  covered('terminal.access.cli-click', '4.4', 'no login is completed without a click'),
  covered(
    'terminal.access.cli-page',
    '4.4',
    'the login’s page shows the check code and who allows',
  ),
  covered(
    'terminal.access.first-steps',
    '4.2',
    'a card of first commands stands until it is closed',
  ),
  covered('terminal.access.sign-in', '5', 'the page signs in and out, and asks nothing as nobody'),
  covered('terminal.access.own-account', '5', 'name, email and password are set in the terminal'),
  covered('terminal.health.feeds', '4.2', 'data health tells lag, gaps and errors of every feed'),
  covered('terminal.access.accessible', '4.2', 'these panes have no serious accessibility fault'),
]
