import { app, type CommandSpec } from './command-spec.ts'

export const BACKTEST_ACTIONS = ['run', 'latest', 'compare', 'cancel', 'thesis'] as const
export const REPORT_PARTS = ['overview', 'trades', 'profit', 'calibration', 'conditions'] as const
export type ReportPart = (typeof REPORT_PARTS)[number]

/**
 * Backtests of strategies over stored history. No command writes: a run starts with the form's
 * button.
 */
export const BACKTEST_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'BT',
    aliases: ['BACKTEST', 'BACKTESTS'],
    title: 'Backtests',
    effect: 'read',
    route: '/api/backtests',
    args: [
      { name: 'action', kind: 'enum', values: BACKTEST_ACTIONS, help: 'action' },
      { name: 'part', kind: 'enum', values: REPORT_PARTS, help: 'report section' },
      { name: 'id', kind: 'run', help: 'run id, such as bt_…' },
      { name: 'other', kind: 'run', help: 'run to compare with' },
      { name: 'thesis', kind: 'thesis', help: 'thesis id or its first 8 digits, after thesis' },
      { name: 'strategy', kind: 'slug', help: 'strategy name' },
      { name: 'from', kind: 'instant', help: 'start: date, time, or how far back: 30d' },
      { name: 'to', kind: 'instant', help: 'end: date or time; default now' },
    ],
    filters: [
      { name: 'tickers', kind: 'text', help: 'market tickers, separated by commas' },
      { name: 'topic', kind: 'text', help: 'a topic, a category or a venue' },
      { name: 'seed', kind: 'number', help: 'random seed of the run' },
      { name: 'cash', kind: 'number', help: 'starting cash in dollars' },
    ],
    flags: ['lookahead', 'determinism'],
    takesParams: 'strategy parameter',
    help: 'Your backtests: run opens the form, a run id shows its report, compare shows two side by side, thesis replays a thesis',
    example: 'BT run buy-and-hold 2026-11-01 2026-11-20 contracts=5',
  }),
]
