import { describe, expect, it } from 'vitest'
import type { MenuItemConstructorOptions } from 'electron'
import type { ShellCommand } from './bridge.ts'
import { menuBar, trayMenu, trayTip } from './menus.ts'
import { readDataState, readMenus, readNote } from './bridge-messages.ts'

function acts() {
  const done: (ShellCommand | string)[] = []
  return {
    done,
    send: (command: ShellCommand) => void done.push(command),
    open: () => void done.push('open'),
    showLogs: () => void done.push('logs'),
    quit: () => void done.push('quit'),
  }
}
const press = (item: MenuItemConstructorOptions | undefined) =>
  (item?.click as (() => void) | undefined)?.()
const below = (item: MenuItemConstructorOptions | undefined) =>
  item?.submenu as MenuItemConstructorOptions[]

const GROUPS = [
  {
    label: 'Look & find',
    rows: [
      { label: 'Markets', command: { kind: 'run', line: 'SCAN' } },
      { label: 'Ask…', command: { kind: 'prefill', line: 'ASK ' } },
    ],
  },
] as const

describe('menuBar', () => {
  it('shows the groups of the page’s command table, and sends their lines [terminal.desktop.menus]', () => {
    const did = acts()
    const bar = menuBar(GROUPS, 'linux', did)
    expect(bar.map(({ label, role }) => label ?? role)).toEqual([
      'Edit',
      'Look && find',
      'windowMenu',
      'help',
    ])
    for (const row of below(bar[1])) press(row)
    expect(did.done).toEqual([
      { kind: 'run', line: 'SCAN' },
      { kind: 'prefill', line: 'ASK ' },
    ])
  })

  it('has the standard menus of a system', () => {
    const did = acts()
    expect(menuBar([], 'darwin', did)[0]).toEqual({ role: 'appMenu' })
    const help = below(menuBar([], 'win32', did).at(-1))
    press(help.find(({ label }) => label === 'Show logs'))
    press(help.find(({ label }) => label === 'Quit Augury'))
    expect(did.done).toEqual(['logs', 'quit'])
    const onMac = below(menuBar([], 'darwin', did).at(-1))
    expect(onMac.some(({ label }) => label === 'Quit Augury')).toBe(false)
  })
})

describe('the tray', () => {
  it('opens, shows the state of the data, pauses and quits [terminal.desktop.tray]', () => {
    const did = acts()
    const state = { tone: 'stale', text: 'Venue A stale, data 4 min old', isPaused: false } as const
    const menu = trayMenu(state, did)
    expect(menu.map(({ label }) => label)).toEqual([
      'Open Augury',
      '○ Venue A stale, data 4 min old',
      undefined,
      'Pause all',
      undefined,
      'Quit Augury',
    ])
    for (const item of menu) press(item)
    expect(did.done).toEqual(['open', { kind: 'run', line: 'PAUSE on' }, 'quit'])
    expect(trayTip(state)).toBe('Augury: Venue A stale, data 4 min old')
  })

  it('resumes all, and is disabled until the page sends a state', () => {
    const did = acts()
    const paused = trayMenu({ tone: 'fresh', text: 'Data 2s', isPaused: true }, did)[3]
    expect(paused?.checked).toBe(true)
    press(paused)
    expect(did.done).toEqual([{ kind: 'run', line: 'PAUSE off' }])
    expect(trayMenu(null, did)[3]?.enabled).toBe(false)
    expect(trayTip(null)).toBe('Augury: starting')
  })
})

describe('validation of messages from a page', () => {
  it('menus are accepted completely or not at all', () => {
    expect(readMenus(GROUPS)).toEqual(GROUPS)
    const row = GROUPS[0].rows[0]
    for (const bad of [
      null,
      'SCAN',
      [{ label: 'A' }],
      [{ label: '', rows: [] }],
      [{ label: 'A', rows: [{ ...row, command: { kind: 'link', line: 'HALT' } }] }],
      [{ label: 'A', rows: [{ ...row, command: { kind: 'run', line: '' } }] }],
      [{ label: 'A', rows: [{ ...row, label: 7 }] }],
      [{ label: 'A', rows: Array.from({ length: 61 }, () => row) }],
      Array.from({ length: 13 }, () => GROUPS[0]),
    ]) {
      expect(readMenus(bad)).toBeNull()
    }
  })

  it('a state has a known tone and a text', () => {
    const state = { tone: 'late', text: 'Data 40s', isPaused: true }
    expect(readDataState({ ...state, html: '<b>' })).toEqual(state)
    expect(readDataState({ ...state, tone: 'fine' })).toBeNull()
    expect(readDataState({ ...state, text: '' })).toBeNull()
    expect(readDataState([])).toBeNull()
  })

  it('a notification is truncated to what systems show [terminal.desktop.notify]', () => {
    const note = { title: 'Venue A is stale', body: 'x'.repeat(400), line: 'HEALTH' }
    expect(readNote(note)).toEqual({ ...note, body: 'x'.repeat(240) })
    expect(readNote({ ...note, line: null })?.line).toBeNull()
    expect(readNote({ ...note, title: ' ' })).toBeNull()
    expect(readNote({ ...note, line: 7 })).toBeNull()
    expect(readNote('note')).toBeNull()
  })
})
