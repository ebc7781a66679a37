import { covered, type Requirement } from './requirement.ts'

/** Robustness of the terminal in a real browser. */
export const TERMINAL_PROOFS: readonly Requirement[] = [
  covered('terminal.stale.sweep', '4.2', 'no pane looks fresh while one of its sources is frozen'),
  covered('terminal.stale.prices', '4.2', 'no price is drawn as one of now on an old answer'),
  covered('terminal.stale.own', '4.2', 'own things are marked while the service is silent'),
  covered('terminal.reflow.column', '4.2', 'panes stand in one column at 320 px, all of use'),
  covered('terminal.reflow.zoom', '4.2', 'at 200 % the same, and a wide window is as it was'),
  covered('terminal.chart.events', '4.2', 'a chart marks what decides its market, and when'),
  covered('terminal.chart.range', '4.2', 'charts of a link group share a stretch of time'),
  covered('terminal.hostile.titles', '8', 'titles of any kind run nothing and break no pane'),
  covered('terminal.hostile.texts', '8', 'texts of others are set in type harmlessly'),
  covered('terminal.recovery.crash', '4.2', 'a killed page comes back as it was laid out'),
  covered('terminal.recovery.aside', '4.2', 'a layout that cannot be read is set aside and told'),
  covered('terminal.recovery.tabs', '4.2', 'two windows agree and lose no layout'),
  covered('terminal.recovery.skew', '4.2', 'ages are the service’s whatever the machine’s clock'),
  covered('terminal.recovery.sleep', '4.2', 'what was known before a sleep is marked'),
  covered('terminal.recovery.backend', '4.2', 'a service that comes back costs no page'),
  covered('terminal.recovery.storage', '4.2', 'a full store is told once'),
  covered('terminal.recovery.denied', '4.2', 'nothing asks for notifications unasked'),
  covered('terminal.axe.workspaces', '4.2', 'no serious fault in any workspace and theme'),
  covered(
    'terminal.states.pictures',
    '4.2',
    'each state of a pane looks as it did when it was approved',
  ),
  covered('terminal.live.clock', '6.2', 'ages are too old rather than too young after a sleep'),
]
