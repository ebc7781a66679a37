import { covered, type Requirement } from './requirement.ts'

/** The terminal's workspace of backtests from the user's view. */
export const TERMINAL_BACKTESTS: readonly Requirement[] = [
  covered('terminal.backtest.workspace', '4.2', 'workspace Backtest opens report, list and form'),
  covered(
    'terminal.backtest.sign-in',
    '5',
    'anonymous users are offered to sign in, and no request is sent',
  ),
  covered('terminal.backtest.form', '7.5', 'a run is started by a form of the strategy’s params'),
  covered('terminal.backtest.command', '4.2', 'a command fills in the form; a second Enter runs'),
  covered('terminal.backtest.grammar', '4.2', 'runs, ranges and params are parsed from a line'),
  covered('terminal.backtest.link', '4.2', 'a link opens reports, and fills in or cancels no run'),
  covered('terminal.backtest.reasons', '7', 'every refusal as a sentence beside its field'),
  covered('terminal.backtest.progress', '7.5', 'a run is followed by its events to its end'),
  covered('terminal.backtest.poll', '7.5', 'while events are silent the run is polled instead'),
  covered('terminal.backtest.cancel', '7.5', 'a run is cancelled after a second Enter'),
  covered(
    'terminal.backtest.report',
    'L',
    'a report shows curves, figures, caveats and conditions',
  ),
  covered('terminal.backtest.curves', 'L', 'drawdown and exposure are those of the equity curve'),
  covered('terminal.backtest.tables', '4.2', 'each chart of a report has a table view'),
  covered('terminal.backtest.trade', '4.2', 'a trade opens on its chart, with fills marked'),
  covered('terminal.backtest.all-trades', '4.2', 'all trades of a run are shown, page by page'),
  covered('terminal.backtest.export', '4.2', 'trades are exported as CSV'),
  covered('terminal.backtest.compare', '7.5', 'two runs side by side, with differences'),
  covered(
    'terminal.backtest.hostile',
    '8',
    'texts of a strategy are plain text and execute nothing',
  ),
  covered('terminal.backtest.accessible', '4.2', 'no serious violation in three themes'),
]
