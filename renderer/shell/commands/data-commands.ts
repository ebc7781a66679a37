import { app, type CommandSpec } from './command-spec.ts'

export const REPLAY_ACTIONS = ['pause', 'resume', 'step', 'seek', 'speed'] as const
export type ReplayAction = (typeof REPLAY_ACTIONS)[number]

/**
 * Stored history: SQL and replay. No command writes: a replay action is filled in, and the pane's
 * button runs it.
 */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'REPLAY',
    title: 'Replay',
    effect: 'read',
    route: '/api/replay',
    args: [
      { name: 'action', kind: 'enum', values: REPLAY_ACTIONS, help: 'action on the clock' },
      { name: 'span', kind: 'duration', help: 'step: 5m, 1h' },
      { name: 'to', kind: 'instant', help: 'date or time to seek' },
      { name: 'pace', kind: 'enum', values: ['max'], help: 'at full speed' },
      { name: 'times', kind: 'number', help: 'times real time' },
    ],
    help: 'Replay clock of stored history: status, pause, step, seek, speed',
    example: 'REPLAY step 1h',
  }),
  app({
    verb: 'SQL',
    title: 'SQL',
    effect: 'read',
    route: '/api/sql',
    args: [
      {
        name: 'statement',
        kind: 'statement',
        help: 'one SELECT; the rest of the line belongs to it',
      },
    ],
    help: 'Query the stored history with one SELECT; without arguments lists tables and examples',
    example:
      'SQL select ticker, count(*) as prints from trades group by ticker order by prints desc',
  }),
]
