import { app, type CommandSpec } from './command-spec.ts'

export const THEMES = ['dark', 'light', 'contrast', 'system'] as const
export const DENSITIES = ['compact', 'normal', 'roomy'] as const
export type ThemeName = (typeof THEMES)[number]
export type Density = (typeof DENSITIES)[number]

/** The rows of the window itself: workspaces, layouts, looks, and the reader's own words and keys. */
export const SHELL_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'WS',
    title: 'Workspace',
    args: [{ name: 'workspace', kind: 'name', help: 'number, name, or a layout that was saved' }],
    help: 'Go to a workspace, or lay this one out as it was saved',
    example: 'WS 2',
  }),
  app({
    verb: 'SAVE',
    aliases: ['LAYOUTS'],
    title: 'Layouts',
    args: [{ name: 'layout', kind: 'name', help: 'name to save this workspace under' }],
    flags: ['import', 'drop'],
    help: 'Save this workspace under a name; alone it lists what is saved, -import reads a file',
    example: 'SAVE morning',
  }),
  app({
    verb: 'UNDO',
    title: 'Undo',
    help: 'Take back the last change of the layout',
    example: 'UNDO',
  }),
  app({ verb: 'REDO', title: 'Redo', help: 'Do it again', example: 'REDO' }),
  app({
    verb: 'TH',
    title: 'Theme',
    args: [{ name: 'theme', kind: 'enum', values: THEMES, help: 'colours' }],
    help: 'Change the colours',
    example: 'TH light',
  }),
  app({
    verb: 'DENS',
    title: 'Density',
    args: [{ name: 'density', kind: 'enum', values: DENSITIES, help: 'row height' }],
    help: 'Change the row height',
    example: 'DENS compact',
  }),
  app({
    verb: 'PAUSE',
    title: 'Pause',
    args: [{ name: 'state', kind: 'enum', values: ['on', 'off'], help: 'or the other one' }],
    help: 'Hold what all panes show, or let them move again',
    example: 'PAUSE',
  }),
  app({
    verb: 'TERM',
    aliases: ['TERMINAL'],
    title: 'Terminal',
    help: 'What was asked here with its answers, newest last; commands run in it answer in it',
    example: 'TERM',
  }),
  app({
    verb: 'CLR',
    title: 'Clear',
    help: 'Clear the answers of the terminal pane',
    example: 'CLR',
  }),
  app({
    verb: 'BIND',
    title: 'Own keys',
    args: [
      { name: 'chord', kind: 'chord', help: 'keys pressed together: F5, Ctrl+Shift+G' },
      { name: 'line', kind: 'line', help: 'a command after =; nothing takes the key away' },
    ],
    flags: ['take'],
    help: 'Put a command on a key; -take takes a key that does something else',
    example: 'BIND F5 = WORLD iran 24h',
  }),
  app({
    verb: 'ALIAS',
    title: 'Own words',
    args: [
      { name: 'word', kind: 'name', help: 'your own word, letters only' },
      { name: 'line', kind: 'line', help: 'a command after =; nothing takes the word away' },
    ],
    help: 'Make a word of your own for a command; alone it lists your words and keys',
    example: 'ALIAS calm = SCAN vol24h>100k price=45..55',
  }),
]
