import type { Command } from './command.ts'

export type BacktestView = 'runs' | 'form' | 'report' | 'compare' | 'thesis'

/** The view that the verb's pane shows: each is a pane of its own. */
export function backtestView({ args }: Command): BacktestView {
  if (args['action'] === 'thesis') return 'thesis'
  if (args['action'] === 'compare') return 'compare'
  if (args['action'] === 'run' || args['strategy'] !== undefined) return 'form'
  return args['id'] !== undefined || args['action'] !== undefined || args['part'] !== undefined
    ? 'report'
    : 'runs'
}

/** Suffix of the pane's title for a view. */
export const backtestLabel = (command: Command): readonly string[] =>
  ({ runs: [], form: ['new run'], report: ['report'], compare: ['compare'], thesis: ['thesis'] })[
    backtestView(command)
  ]

/** A command of the verb with exactly these arguments. */
export const backtestCommand = (args: Readonly<Record<string, string>>): Command => ({
  verb: 'BT',
  subject: null,
  args,
  filters: [],
  venue: null,
  flags: [],
  sink: null,
})
