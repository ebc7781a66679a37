import { covered, type Requirement } from './requirement.ts'

/** Robustness of the terminal in a real browser. */
export const TERMINAL_PROOFS: readonly Requirement[] = [
  covered('terminal.stale.sweep', '4.2', 'no pane looks fresh while one of its sources is frozen'),
  covered('terminal.stale.prices', '4.2', 'no price is shown as current for past data'),
  covered(
    'terminal.stale.own',
    '4.2',
    'the user’s own data are marked while the service is silent',
  ),
  covered('terminal.reflow.column', '4.2', 'panes are one column at 320 px, all usable'),
  covered('terminal.reflow.zoom', '4.2', 'at 200 % the same, and a wide window is restored'),
  covered('terminal.chart.events', '4.2', 'a chart marks what decides its market, and when'),
  covered(
    'terminal.chart.marks',
    '4.2',
    'a chart marks releases, settlement, evaluations, own fills and changes, none after its instant',
  ),
  covered(
    'terminal.chart.thin',
    '4.2',
    'a chart carries quotes and trades into every bar, and leaves a gap where data are missing',
  ),
  covered('terminal.chart.scales', '4.2', 'a chart has automatic, 0 to 100¢ and log-odds scales'),
  covered(
    'terminal.chart.legible',
    '4.2',
    'a thin, a busy and a settled market chart in all types',
  ),
  covered('terminal.chart.one-price', '4.2', 'heading, legend, ladder and axis show one price'),
  covered('terminal.chart.menu', '4.2', 'the chart sets alerts, draws levels and opens an instant'),
  covered('terminal.chart.levels', '4.2', 'levels that the user drew are kept per market'),
  covered(
    'terminal.chart.compare',
    '4.2',
    'a chart compares markets, the other venue and gauges on one percent axis',
  ),
  covered('terminal.chart.studies', '4.2', 'a chart draws studies, kept with its pane'),
  covered(
    'terminal.chart.drawings',
    '4.2',
    'lines, ranges, moves and texts are drawn, kept and undone',
  ),
  covered('terminal.chart.range', '4.2', 'charts of a link group share a time range'),
  covered('terminal.hostile.titles', '8', 'titles of any kind execute nothing and break no pane'),
  covered('terminal.hostile.texts', '8', 'foreign texts are rendered harmlessly'),
  covered('terminal.recovery.crash', '4.2', 'a killed page is restored with its layout'),
  covered('terminal.recovery.aside', '4.2', 'an unreadable layout is set aside and reported'),
  covered('terminal.recovery.tabs', '4.2', 'two windows share settings and lose no layout'),
  covered('terminal.recovery.skew', '4.2', 'ages are the service’s for any clock of the machine'),
  covered('terminal.recovery.sleep', '4.2', 'values from before a sleep are marked'),
  covered('terminal.recovery.backend', '4.2', 'a service that restarts costs no page'),
  covered('terminal.recovery.storage', '4.2', 'a full store is reported once'),
  covered('terminal.recovery.denied', '4.2', 'nothing requests notifications without an action'),
  covered('terminal.axe.workspaces', '4.2', 'no serious violation in any workspace and theme'),
  covered('terminal.states.pictures', '4.2', 'each state of a pane matches its approved picture'),
  covered('terminal.live.clock', '6.2', 'ages are never too young after a sleep'),
]
