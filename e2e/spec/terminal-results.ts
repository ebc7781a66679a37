import { covered, type Requirement } from './requirement.ts'

/** The terminal's results, watchlist, sources and reference panes. */
export const TERMINAL_RESULTS: readonly Requirement[] = [
  covered('terminal.results.block', '4.2', 'a result has command, time, latency, age, component'),
  covered('terminal.results.actions', '4.2', 'a result is repeated, collapsed, opened by keys'),
  covered('terminal.results.clear', '4.2', 'results are cleared, one workspace at a time'),
  covered('terminal.results.kept', '4.2', '200 results are kept, the newest 50 live'),
  covered('terminal.watch.kept', '4.2', 'the watchlist persists, is exported and imported'),
  covered('terminal.watch.refused', '4.2', 'a damaged or later watchlist changes nothing'),
  covered('terminal.watch.one', '4.2', 'a signed-in user has one watchlist, that of the service'),
  covered('terminal.watch.rows', '4.2', 'any row is watched by a key; ended markets are marked'),
  covered(
    'terminal.sources.health',
    '4.2',
    'every source with its state and age, unreachable ones too',
  ),
  covered('terminal.reference.panes', '4.2', 'screens, technicals, opinions, feeds and guides'),
  covered('terminal.reference.flow', '4.2', 'spread, depth and flow as lines and as a table'),
  covered(
    'terminal.reference.discussion',
    '4.2',
    'a discussion is requested once, and explains refusals',
  ),
  covered('terminal.chart.crosshair', '4.2', 'charts of a link group share their crosshair'),
]
