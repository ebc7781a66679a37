import { covered, type Requirement } from './requirement.ts'

/** The terminal's panes of keys, usage, settings and the account, and the login page. */
export const TERMINAL_ACCESS: readonly Requirement[] = [
  covered('terminal.access.keys', '2.7', 'a key is shown once, works, and is revoked by keyboard'),
  covered(
    'terminal.access.key-refusals',
    '2.7',
    'the reason why a key was not created is explained',
  ),
  covered('terminal.access.usage', '4.2', 'usage as totals, chart, tables and current limits'),
  covered('terminal.access.settings', '4.2', 'theme and row height persist'),
  covered('terminal.access.rebinding', '4.2', 'keys can be rebound, and conflicts are reported'),
  covered('terminal.access.providers', '4.2', 'the language model is set, replaced and removed'),
  covered('terminal.access.backup', '4.2', 'a backup is followed to its end and its path shown'),
  covered(
    'terminal.access.cli-fragment',
    '4.4',
    'the login’s secret is removed from the address at once',
  ),
  covered('terminal.access.cli-click', '4.4', 'no login is completed without a click'),
  covered('terminal.access.cli-page', '4.4', 'the login’s page shows the check code and the user'),
  covered(
    'terminal.access.first-steps',
    '4.2',
    'a card of first commands is shown until it is closed',
  ),
  covered(
    'terminal.access.sign-in',
    '5',
    'the page signs in and out, and sends no requests when signed out',
  ),
  covered('terminal.access.own-account', '5', 'name, email and password are set in the terminal'),
  covered('terminal.health.feeds', '4.2', 'data health shows lag, gaps and errors of every feed'),
  covered(
    'terminal.access.accessible',
    '4.2',
    'these panes have no serious accessibility violation',
  ),
]
