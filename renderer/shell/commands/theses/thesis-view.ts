import type { Command } from '../command.ts'

export type ThesisView = 'list' | 'new' | 'thesis'

/** The view that the verb's pane shows: each is a pane of its own. */
export function thesisView({ args }: Command): ThesisView {
  if (args['action'] === 'new') return 'new'
  const isOne = args['id'] !== undefined || args['action'] !== undefined
  return isOne || args['part'] !== undefined ? 'thesis' : 'list'
}

/** Suffix of the pane's title for a view. */
export const thesisLabel = (command: Command): readonly string[] =>
  ({ list: [], new: ['new'], thesis: [command.args['part'] ?? 'tree'] })[thesisView(command)]

/** A command of the verb with exactly these arguments. */
export const thesisCommand = (args: Readonly<Record<string, string>>): Command => ({
  verb: 'THES',
  subject: null,
  args,
  filters: [],
  venue: null,
  flags: [],
  sink: null,
})
