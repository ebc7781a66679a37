import { app, type CommandSpec } from './command-spec.ts'

export const THEMES = ['dark', 'light', 'contrast', 'system'] as const
export const DENSITIES = ['compact', 'normal', 'roomy'] as const
export type ThemeName = (typeof THEMES)[number]
export type Density = (typeof DENSITIES)[number]

/**
 * The rows of the window itself: workspaces, layouts, appearance, and the user's aliases and keys.
 */
export const SHELL_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'WS',
    title: 'Workspace',
    args: [{ name: 'workspace', kind: 'name', help: 'number, name, or a saved layout' }],
    help: 'Open a workspace, or apply a saved layout',
    example: 'WS 2',
  }),
  app({
    verb: 'SAVE',
    aliases: ['LAYOUTS'],
    title: 'Layouts',
    args: [{ name: 'layout', kind: 'name', help: 'name to save this workspace under' }],
    flags: ['import', 'drop'],
    help: 'Save this workspace under a name; without arguments lists saved layouts, -import reads a file',
    example: 'SAVE morning',
  }),
  app({
    verb: 'UNDO',
    title: 'Undo',
    help: 'Undo the last layout change',
    example: 'UNDO',
  }),
  app({ verb: 'REDO', title: 'Redo', help: 'Redo the last undone change', example: 'REDO' }),
  app({
    verb: 'CLOSE',
    title: 'Close',
    args: [
      { name: 'which', kind: 'enum', values: ['others', 'all'], help: 'default: the focused pane' },
    ],
    help: 'Close the focused pane, all others, or all panes of the workspace; UNDO restores them',
    example: 'CLOSE others',
  }),
  app({
    verb: 'RESET',
    title: 'Reset layout',
    help: 'Show the default panes of this workspace; UNDO restores the previous layout',
    example: 'RESET',
  }),
  app({
    verb: 'TH',
    title: 'Theme',
    args: [{ name: 'theme', kind: 'enum', values: THEMES, help: 'colours' }],
    help: 'Change the colour theme',
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
    args: [{ name: 'state', kind: 'enum', values: ['on', 'off'], help: 'default: toggle' }],
    help: 'Pause or resume updates in all panes',
    example: 'PAUSE',
  }),
  app({
    verb: 'TERM',
    aliases: ['TERMINAL'],
    title: 'Terminal',
    help: 'Commands and results of this workspace, newest last',
    example: 'TERM',
  }),
  app({
    verb: 'CLR',
    title: 'Clear',
    help: 'Clear the results of the terminal pane',
    example: 'CLR',
  }),
  app({
    verb: 'BIND',
    title: 'Shortcuts',
    args: [
      { name: 'chord', kind: 'chord', help: 'a key combination: F5, Ctrl+Shift+G' },
      { name: 'line', kind: 'line', help: 'a command after =; empty removes the shortcut' },
    ],
    flags: ['take'],
    help: 'Assign a command to a key; -take reassigns a key that is in use',
    example: 'BIND F5 = WORLD iran 24h',
  }),
  app({
    verb: 'ALIAS',
    title: 'Aliases',
    args: [
      { name: 'word', kind: 'name', help: 'alias name, letters only' },
      { name: 'line', kind: 'line', help: 'a command after =; empty removes the alias' },
    ],
    help: 'Define an alias for a command; without arguments lists aliases and shortcuts',
    example: 'ALIAS calm = SCAN vol24h>100k price=45..55',
  }),
]
