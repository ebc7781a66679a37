import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import type { Dock } from '../dock/dock.ts'
import { globalKeys } from './global-keys.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A terminal with three panes, whose dock records its calls. */
function setUp() {
  const { terminal, paneOf, requested } = pageUnderTest(() => ({}))
  const calls: string[] = []
  const panes = ['MOV', '$KX-1 BOOK', '. GP'].map(paneOf)
  const [first, second, third] = panes.map(({ id }) => id) as [string, string, string]
  const record =
    (what: string) =>
    (...words: unknown[]) =>
      void calls.push([what, ...words].join(' '))
  terminal.dock = {
    order: () => panes.map(({ id }) => id),
    activate: (id) => {
      calls.push(`activate ${id}`)
      terminal.focusedPane = id
    },
    neighbour: (_id, direction) => (direction === 'right' ? second : null),
    move: record('move'),
    toggleMaximised: record('maximise'),
    close: record('close'),
    describe: ({ id }) => void calls.push(`describe ${id}`),
    add: record('add'),
    undo: () => calls.push('undo') > 0,
    redo: () => calls.push('redo') > 0,
  } as Partial<Dock> as Dock
  let shown = 0
  terminal.keys.bind(
    'global',
    globalKeys(terminal, () => (shown += 1)),
  )
  terminal.focusedPane = first
  const press = (key: string, init: KeyboardEventInit = {}, target?: Element) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...init })
    if (target !== undefined) Object.defineProperty(event, 'target', { value: target })
    return terminal.keys.handle(event, ['menu', 'global'])
  }
  const taken = () => calls.splice(0)
  return { terminal, press, taken, panes, first, second, third, requested, shown: () => shown }
}
const CTRL = { ctrlKey: true }
const CTRL_SHIFT = { ctrlKey: true, shiftKey: true }
const digit = (number: number, init: KeyboardEventInit) =>
  [String(number), { code: `Digit${number}`, ...init }] as const

describe('keys that choose a pane', () => {
  it('go round forwards and backwards', () => {
    const { press, taken, first, second, third } = setUp()
    for (let count = 0; count < 3; count += 1) press('F6')
    expect(taken()).toEqual([second, third, first].map((id) => `activate ${id}`))
    for (let count = 0; count < 3; count += 1) press('F6', { shiftKey: true })
    expect(taken()).toEqual([third, second, first].map((id) => `activate ${id}`))
  })

  it('begin with the first without a focused pane, and do nothing without panes', () => {
    const { press, taken, terminal, first } = setUp()
    terminal.focusedPane = null
    press('F6')
    expect(taken()).toEqual([`activate ${first}`])
    terminal.dock = { ...terminal.dock, order: () => [] } as Partial<Dock> as Dock
    for (const shiftKey of [false, true]) press('F6', { shiftKey })
    press(...digit(1, CTRL))
    terminal.dock = null
    press('F6')
    press(...digit(1, CTRL))
    expect(taken()).toEqual([])
  })

  it('by its number', () => {
    const { press, taken, first, third } = setUp()
    press(...digit(3, CTRL))
    press(...digit(1, { altKey: true, shiftKey: true }))
    press(...digit(4, CTRL))
    expect(taken()).toEqual([`activate ${third}`, `activate ${first}`])
  })

  it('in a direction, where there is one', () => {
    const { press, taken, second } = setUp()
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) press(key, CTRL_SHIFT)
    expect(taken()).toEqual([`activate ${second}`])
  })
})

describe('keys of the focused pane', () => {
  it.each([
    ['f', CTRL_SHIFT, 'maximise'],
    ['w', CTRL, 'close'],
    ['w', { altKey: true }, 'close'],
  ] as const)('%s %j: %s', (key, init, call) => {
    const { press, taken, first, terminal } = setUp()
    expect(press(key, init)).toBe(true)
    expect(taken()).toEqual([`${call} ${first}`])
    terminal.focusedPane = null
    expect([press(key, init), taken()]).toEqual([false, []])
  })

  it('moves until Enter or Escape', () => {
    const { press, taken, first, terminal } = setUp()
    for (const [end, key, direction] of [
      ['Enter', 'ArrowLeft', 'left'],
      ['Escape', 'ArrowDown', 'down'],
    ] as const) {
      press('m', CTRL)
      expect(terminal.notice?.text).toBe('Moving Movers: arrow keys move, Enter or Esc ends')
      press(key)
      expect([taken(), terminal.notice?.text]).toEqual([
        [`move ${first} ${direction}`],
        `Movers moved ${direction}`,
      ])
      press(end)
      expect(terminal.notice?.text).toBe('Moved')
      expect([press(key), press(end), taken()]).toEqual([false, false, []])
    }
  })

  it('Space pauses it, unless a control has the focus', () => {
    const { press, panes, terminal } = setUp()
    const space = (target: Element) => press(' ', { code: 'Space' }, target)
    expect(space(document.body)).toBe(true)
    expect(panes[0]?.isPaused).toBe(true)
    const button = document.createElement('button')
    button.append(document.createElement('span'))
    expect([space(button), space(button.firstElementChild as Element)]).toEqual([false, false])
    expect(panes[0]?.isPaused).toBe(true)
    expect(space(document.body)).toBe(true)
    expect(panes[0]?.isPaused).toBe(false)
    terminal.focusedPane = null
    expect(space(document.body)).toBe(false)
  })

  it('w watches its market and takes it off again; other panes have none', () => {
    const { press, terminal, second, third } = setUp()
    const watched = () => terminal.watchlist.all.map(({ ticker }) => ticker)
    press('w')
    expect(watched()).toEqual([])
    terminal.focusedPane = third
    press('w')
    expect(watched()).toEqual([])
    terminal.focusedPane = second
    press('w')
    expect(watched()).toEqual(['KX-1'])
    press('w')
    expect(watched()).toEqual([])
  })

  it('l changes its link group, r requests its answers again', async () => {
    const { press, panes, taken, first, terminal, requested } = setUp()
    press('l')
    expect([panes[0]?.link, taken()]).toEqual(['B', [`describe ${first}`]])
    const source = terminal.live.source({ path: '/a', interval: 1e9, cadence: 1 } as never)
    terminal.live.subscribe(source)
    await vi.advanceTimersByTimeAsync(100)
    if (panes[0] !== undefined) panes[0].sources = [source]
    press('r')
    await vi.advanceTimersByTimeAsync(100)
    expect(requested.filter((path) => path === '/a')).toHaveLength(2)
  })

  it('is copied as a command, or not', async () => {
    const { press, terminal, second } = setUp()
    terminal.focusedPane = second
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    })
    press('l', CTRL_SHIFT)
    await vi.advanceTimersByTimeAsync(0)
    expect([copied, terminal.notice]).toEqual([
      ['KX-1 BOOK'],
      { text: 'Copied KX-1 BOOK', tone: 'info' },
    ])
    vi.stubGlobal('navigator', {
      clipboard: { writeText: () => Promise.reject(new Error('denied')) },
    })
    press('l', CTRL_SHIFT)
    await vi.advanceTimersByTimeAsync(0)
    expect(terminal.notice).toEqual({
      text: 'The browser denied clipboard access',
      tone: 'error',
    })
  })

  it('is explained by F1', () => {
    const { press, terminal } = setUp()
    const lines = () => terminal.history.splice(0)
    press('F1')
    terminal.run('HELP')
    press('F1')
    expect(lines()).toEqual(['HELP MOV', 'HELP'])
    terminal.focusedPane = null
    press('F1')
    expect(lines()).toEqual(['HELP'])
  })
})

describe('keys of the window', () => {
  it('open the command bar', () => {
    const { press, terminal } = setUp()
    press('/')
    press('k', CTRL)
    expect(terminal.prompt).toEqual({ text: '', count: 2 })
  })

  it('undo, redo, and open settings and workspaces', () => {
    const { press, taken, terminal } = setUp()
    press('z', CTRL)
    press('z', CTRL_SHIFT)
    expect(taken()).toEqual(['undo', 'redo'])
    press(',', CTRL)
    expect(terminal.history.at(-1)).toBe('SET')
    press(...digit(3, { altKey: true }))
    expect(terminal.workspace).toBe(3)
  })

  it('show the keys of the pane', () => {
    const { press, shown } = setUp()
    press('?', { shiftKey: true })
    press('?')
    expect(shown()).toBe(2)
  })
})
