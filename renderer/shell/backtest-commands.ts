import type { Command } from './command.ts'
import { app, type CommandSpec } from './command-spec.ts'

export const BACKTEST_ACTIONS = ['run', 'latest', 'compare', 'cancel'] as const
export const REPORT_PARTS = [
  ...(['overview', 'trades', 'profit', 'calibration', 'conditions'] as const),
] as const
export type ReportPart = (typeof REPORT_PARTS)[number]

/** Strategies played over stored history. No line of it writes: a run begins by the form's button. */
export const BACKTEST_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'BT',
    aliases: ['BACKTEST', 'BACKTESTS'],
    title: 'Backtests',
    effect: 'read',
    route: '/api/backtests',
    args: [
      { name: 'action', kind: 'enum', values: BACKTEST_ACTIONS, help: 'what to do with runs' },
      { name: 'part', kind: 'enum', values: REPORT_PARTS, help: 'part of a report' },
      { name: 'id', kind: 'run', help: 'a run, as bt_…' },
      { name: 'other', kind: 'run', help: 'the run that it is compared with' },
      { name: 'strategy', kind: 'slug', help: 'name of a strategy' },
      { name: 'from', kind: 'instant', help: 'a day, an instant, or how far back: 30d' },
      { name: 'to', kind: 'instant', help: 'a day or an instant; now unless told' },
    ],
    filters: [
      { name: 'tickers', kind: 'text', help: 'markets, with commas between' },
      { name: 'topic', kind: 'text', help: 'a topic, a category or a venue' },
      { name: 'seed', kind: 'number', help: 'of the chances of the run' },
      { name: 'cash', kind: 'number', help: 'dollars to begin with' },
    ],
    flags: ['lookahead', 'determinism'],
    takesParams: 'a parameter of the strategy',
    help: 'Your backtests; run fills the form in, a run’s id shows its report, compare lays two side by side',
    example: 'BT run buy-and-hold 2026-11-01 2026-11-20 contracts=5',
  }),
]

export type BacktestView = 'runs' | 'form' | 'report' | 'compare'

/** Which of its faces the verb's pane shows: each is a pane of its own. */
export function backtestView({ args }: Command): BacktestView {
  if (args['action'] === 'compare') return 'compare'
  if (args['action'] === 'run' || args['strategy'] !== undefined) return 'form'
  return args['id'] !== undefined || args['action'] !== undefined || args['part'] !== undefined
    ? 'report'
    : 'runs'
}

/** What is said of the face beside the verb's title. */
export const backtestWords = (command: Command): readonly string[] =>
  ({ runs: [], form: ['new run'], report: ['report'], compare: ['compare'] })[backtestView(command)]

/** A command of the verb with these words and nothing else. */
export const backtestCommand = (args: Readonly<Record<string, string>>): Command => ({
  ...{ verb: 'BT', subject: null, args, filters: [], venue: null, flags: [], sink: null },
})
