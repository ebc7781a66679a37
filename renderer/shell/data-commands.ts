import { app, type CommandSpec } from './command-spec.ts'

export const REPLAY_ACTIONS = ['pause', 'resume', 'step', 'seek', 'speed'] as const
export type ReplayAction = (typeof REPLAY_ACTIONS)[number]

/**
 * Stored history by its own language and on its own clock. No line of them writes: what moves a
 * replay is filled in, and done by the pane's button.
 */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'REPLAY',
    title: 'Replay',
    effect: 'read',
    route: '/api/replay',
    args: [
      { name: 'action', kind: 'enum', values: REPLAY_ACTIONS, help: 'what to do with the clock' },
      { name: 'span', kind: 'duration', help: 'how far to step: 5m, 1h' },
      { name: 'to', kind: 'instant', help: 'a day or an instant to seek' },
      { name: 'pace', kind: 'enum', values: ['max'], help: 'as fast as the machine goes' },
      { name: 'times', kind: 'number', help: 'times real time' },
    ],
    help: 'The clock of a replay of stored history: where it stands, pause, step, seek, speed',
    example: 'REPLAY step 1h',
  }),
  app({
    verb: 'SQL',
    title: 'SQL',
    effect: 'read',
    route: '/api/sql',
    args: [{ name: 'statement', kind: 'statement', help: 'one SELECT; all that follows is its' }],
    help: 'Ask the stored history with one SELECT; alone it lists what can be asked',
    example:
      'SQL select ticker, count(*) as prints from trades group by ticker order by prints desc',
  }),
]
