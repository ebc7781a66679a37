import { covered, type Requirement } from './requirement.ts'

/** What the terminal bears in a real browser. */
export const TERMINAL_PROOFS: readonly Requirement[] = [
  covered('terminal.stale.sweep', '4.2', 'no pane looks fresh while one of its sources is frozen'),
  covered('terminal.stale.prices', '4.2', 'no price is drawn as one of now on an old answer'),
  covered('terminal.stale.own', '4.2', 'own things are marked while the service is silent'),
  covered('terminal.reflow.column', '4.2', 'panes stand in one column at 320 px, all of use'),
  covered('terminal.reflow.zoom', '4.2', 'at 200 % the same, and a wide window is as it was'),
  covered('terminal.chart.events', '4.2', 'a chart marks what decides its market, and when'),
  covered('terminal.chart.range', '4.2', 'charts of a link group share a stretch of time'),
  covered('terminal.live.clock', '6.2', 'ages are too old rather than too young after a sleep'),
]
