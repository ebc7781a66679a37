import type { MenuItemConstructorOptions } from 'electron'
import type { DataState, MenuGroup, ShellCommand } from './bridge.ts'

type Item = MenuItemConstructorOptions

/** Actions of the native menus. */
export interface MenuActions {
  readonly send: (command: ShellCommand) => void
  readonly open: () => void
  readonly showLogs: () => void
  readonly quit: () => void
}

const EDIT: readonly Item[] = [
  { role: 'undo' },
  { role: 'redo' },
  { type: 'separator' },
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
]

/** Ampersands mark the access key of a label on some systems; a name has none. */
const plain = (label: string): string => label.replaceAll('&', '&&')

/**
 * The menu bar: the groups that the page built from its table of commands, between the menus that
 * the system expects. Shortcuts are handled by the page, so that a key never acts twice.
 */
export function menuBar(
  groups: readonly MenuGroup[],
  platform: NodeJS.Platform,
  actions: MenuActions,
): Item[] {
  const own = groups.map(({ label, rows }): Item => ({
    label: plain(label),
    submenu: rows.map((row): Item => ({
      label: plain(row.label),
      click: () => actions.send(row.command),
    })),
  }))
  const logs: Item = { label: 'Show logs', click: actions.showLogs }
  const quit: Item = { label: 'Quit Augury', click: actions.quit }
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { label: 'Edit', submenu: [...EDIT] },
    ...own,
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        {
          label: 'All commands and keys',
          click: () => actions.send({ kind: 'run', line: 'HELP' }),
        },
        { label: 'Tour', click: () => actions.send({ kind: 'run', line: 'HELP TOUR' }) },
        { type: 'separator' },
        logs,
        ...(platform === 'darwin' ? [] : [quit]),
      ],
    },
  ]
}

const MARKS = { fresh: '●', late: '◐', stale: '○', lost: '✕' } as const

/** Tooltip of the tray icon. */
export const trayTip = (state: DataState | null): string =>
  state === null ? 'Augury: starting' : `Augury: ${state.text}`

/** The tray menu: show the window, state of the data, pause or resume, quit. */
export function trayMenu(state: DataState | null, actions: MenuActions): Item[] {
  return [
    { label: 'Open Augury', click: actions.open },
    {
      label: state === null ? 'Starting' : `${MARKS[state.tone]} ${state.text}`,
      enabled: false,
    },
    { type: 'separator' },
    {
      label: 'Pause all',
      type: 'checkbox',
      checked: state?.isPaused === true,
      enabled: state !== null,
      click: () =>
        actions.send({ kind: 'run', line: state?.isPaused === true ? 'PAUSE off' : 'PAUSE on' }),
    },
    { type: 'separator' },
    { label: 'Quit Augury', click: actions.quit },
  ]
}
