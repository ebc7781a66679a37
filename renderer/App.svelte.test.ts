import './testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import App from './App.svelte'
import type { KeyValueStore } from './lib/key-value-store.ts'
import { MarketFinder } from './shell/bar/market-finder.ts'
import { createMarketRanking } from './shell/bar/market-ranking.ts'
import { pageUnderTest } from './testing/page-under-test.ts'
import { marketRow } from './testing/rows.ts'

const AT = '2026-11-20T10:00:00.000Z'
const theme = { light: false, listeners: new Set<() => void>() }

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  Object.assign(theme, { light: false, listeners: new Set() })
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return theme.light
    },
    addEventListener: (_: string, act: () => void) => theme.listeners.add(act),
    removeEventListener: (_: string, act: () => void) => theme.listeners.delete(act),
  }))
  vi.stubGlobal('innerWidth', 1_200)
  Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} })
  history.replaceState(null, '', '/')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

interface Scene {
  readonly keep?: KeyValueStore
  readonly answers?: (path: string) => object | null
  readonly cliToken?: string | null
}
/** The whole page; it holds no panes unless a test opens some. */
async function open({ keep = keeping({}), answers = () => null, cliToken = null }: Scene = {}) {
  const page = pageUnderTest(answers, undefined, keep)
  page.service.isUp = false
  const { terminal } = page
  const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
  const add = vi.spyOn(finder, 'add')
  const { unmount } = render(App, { terminal, finder, cliToken })
  await pass(300)
  terminal.dock?.closeOthers(null)
  terminal.notice = null
  await pass(300)
  const press = async (
    key: string,
    init: KeyboardEventInit = {},
    target: Element = document.body,
  ) => {
    const isLeft = await fireEvent.keyDown(target, { key, ...init })
    await pass(50)
    return !isLeft
  }
  const lines = () => [...terminal.panes.values()].map(({ line }) => line)
  const root = document.documentElement
  return { ...page, unmount, press, lines, root, add }
}
const keeping = (values: Record<string, object>) => {
  // The workspace with the fewest panes.
  const layout = { active: 4, workspaces: {} }
  const kept = new Map(
    Object.entries({ 'augury.layout': layout, ...values }).map(([name, value]) => [
      name,
      JSON.stringify({ version: 1, ...value }),
    ]),
  )
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  }
}

describe('the look of the page', () => {
  it('is that of the settings, and follows them', async () => {
    const keep = keeping({ 'augury.settings': { theme: 'system', density: 'roomy', scale: 1.25 } })
    const { root, terminal, unmount } = await open({ keep })
    const look = () => ['theme', 'density', 'colours'].map((name) => root.dataset[name])
    expect(look()).toEqual(['dark', 'roomy', 'blue-orange'])
    expect(root.style.getPropertyValue('--scale')).toBe('1.25')
    theme.light = true
    for (const follow of theme.listeners) follow()
    terminal.settings.colours = 'green-red'
    await pass(20)
    expect(look()).toEqual(['light', 'roomy', 'green-red'])
    unmount()
    expect(theme.listeners.size).toBe(0)
  })

  it.each([
    { width: 760, scale: 1, isColumn: false },
    { width: 759, scale: 1, isColumn: true },
    { width: 949, scale: 1.25, isColumn: true },
    { width: 950, scale: 1.25, isColumn: false },
  ])(
    'at $width px and scale $scale is one column: $isColumn',
    async ({ width, scale, isColumn }) => {
      vi.stubGlobal('innerWidth', width)
      const { root } = await open({ keep: keeping({ 'augury.settings': { scale } }) })
      expect(root.hasAttribute('data-column')).toBe(isColumn)
    },
  )

  it('marks samples and live trading, which can be halted', async () => {
    const { terminal } = await open()
    expect([screen.queryByText('SAMPLE'), screen.queryByText('LIVE TRADING')]).toEqual([null, null])
    terminal.trading = 'paper'
    await pass(20)
    expect(screen.queryByText('LIVE TRADING')).toBeNull()
    terminal.trading = 'live'
    await pass(20)
    expect(screen.getByText(/orders to the exchanges with real money/)).toBeTruthy()
    terminal.health.holdsSample = true
    await pass(20)
    expect(screen.getByText('SAMPLE')).toBeTruthy()
    expect(screen.getByText(/orders to the SAMPLE exchange/)).toBeTruthy()
    const halt = vi.spyOn(terminal, 'halt').mockImplementation(() => {})
    await fireEvent.click(screen.getByRole('button', { name: 'Halt (F8)' }))
    expect(halt).toHaveBeenCalledOnce()
  })
})

describe('the start of the page', () => {
  const quoted = (ticker: string, sample = false) => ({
    ...marketRow({ ticker }),
    quotes: [],
    sample,
  })
  const answers = (sample: boolean) => (path: string) => {
    if (path.includes('live-tickers'))
      return { generatedAt: AT, tickers: [quoted('KX1'), quoted('KX2')] }
    if (path.startsWith('/api/public/markets?limit=500')) {
      return { markets: [quoted('KX3'), quoted('KX4', sample)], nextCursor: null }
    }
    return null
  }

  it('shows the most traded market in the first group', async () => {
    const { terminal } = await open({ answers: answers(false) })
    await pass(1_000)
    expect(terminal.links).toMatchObject({ A: 'KX1', B: null })
  })

  it('leaves the market that was shown last', async () => {
    const keep = keeping({ 'augury.links': { A: 'KX9' } })
    const { terminal } = await open({ answers: answers(false), keep })
    await pass(1_000)
    expect(terminal.links.A).toBe('KX9')
  })

  it.each([true, false])(
    'makes markets searchable; one of them is a sample: %s',
    async (sample) => {
      const { terminal, add } = await open({ answers: answers(sample) })
      await pass(5_000)
      expect(add.mock.calls.flatMap(([rows]) => rows.map(({ ticker }) => ticker))).toEqual([
        'KX3',
        'KX4',
      ])
      expect(terminal.health.sample).toBe(sample)
    },
  )

  it('opens the line of its address, and of each that follows', async () => {
    history.replaceState(null, '', '/?x=1#c=MOV')
    const { terminal, lines, unmount } = await open()
    expect(location.hash).toBe('')
    terminal.panes.clear()
    location.hash = '#c=CHG'
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    await pass(100)
    expect([lines(), location.hash]).toEqual([['CHG'], ''])
    location.hash = '#c=HALT'
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    expect(terminal.notice).toMatchObject({ tone: 'error' })
    expect(terminal.notice?.text).toMatch(/^A link can only open panes/)
    unmount()
    location.hash = '#c=NEW'
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    expect([lines().includes('NEW'), location.hash]).toEqual([false, '#c=NEW'])
  })

  it('runs the line of its address once there are panes', async () => {
    history.replaceState(null, '', '/#c=MOV')
    const { terminal } = pageUnderTest(() => null, undefined, keeping({}))
    const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
    render(App, { terminal, finder, cliToken: null })
    expect(terminal.panes.size).toBe(0)
    await pass(300)
    const shown = terminal.dock?.order().map((id) => terminal.panes.get(id)?.line)
    expect(shown).toEqual(['MW', 'MOV', 'WATCH'])
  })

  it('asks for the approval of a login that its address names, and takes no keys meanwhile', async () => {
    const { terminal, press } = await open()
    expect(await press('/')).toBe(true)
    location.hash = '#cli=secret'
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    await vi.dynamicImportSettled()
    await pass(100)
    expect(location.hash).toBe('')
    const { prompt } = terminal
    expect([await press('/'), terminal.prompt]).toEqual([false, prompt])
  })
})

describe('keys', () => {
  it('go to the focused pane, to the pane of their element, and to the bar alone', async () => {
    const { terminal, press } = await open()
    const pressed: string[] = []
    for (const scope of ['pane:a', 'pane:b', 'bar', 'menu'] as const) {
      terminal.keys.bind(scope, [{ chord: 'F9', label: scope, run: () => pressed.push(scope) }])
    }
    const place = (name: string, value: string) => {
      const element = document.body.appendChild(document.createElement('div'))
      element.setAttribute(name, value)
      return element.appendChild(document.createElement('span'))
    }
    const [inPane, inBar] = [place('data-pane', 'b'), place('data-bar', '')]
    await press('F9', {}, inBar)
    await press('F9', {}, inPane)
    expect(pressed.splice(0)).toEqual(['bar', 'menu'])
    terminal.focusedPane = null
    await press('F9')
    expect(pressed.splice(0)).toEqual(['menu'])
    inPane.parentElement?.remove()
    inBar.parentElement?.remove()
  })

  it('of a pane act in it, or in the focused one', async () => {
    const { terminal, press } = await open()
    const pressed: string[] = []
    for (const scope of ['pane:a', 'pane:b'] as const) {
      terminal.keys.bind(scope, [{ chord: 'F9', label: scope, run: () => pressed.push(scope) }])
    }
    const element = document.body.appendChild(document.createElement('div'))
    element.dataset['pane'] = 'b'
    terminal.focusedPane = 'a'
    await press('F9', {}, element)
    await press('F9')
    terminal.focusedPane = null
    expect(await press('F9')).toBe(false)
    expect(pressed).toEqual(['pane:b', 'pane:a'])
    element.remove()
  })

  it('a capital letter begins a command, unless a text is typed or a modifier is held', async () => {
    const { terminal, press } = await open()
    expect(await press('M', { shiftKey: true })).toBe(true)
    expect(terminal.prompt).toEqual({ text: 'M', count: 1 })
    const field = document.body.appendChild(document.createElement('input'))
    for (const [key, init, target] of [
      ['m', {}, document.body],
      ['M', {}, document.body],
      ['M', { shiftKey: true, ctrlKey: true }, document.body],
      ['M', { shiftKey: true, altKey: true }, document.body],
      ['M', { shiftKey: true, metaKey: true }, document.body],
      ['Ä', { shiftKey: true }, document.body],
      ['M', { shiftKey: true }, field],
      ['M', { shiftKey: true, isComposing: true }, document.body],
    ] as const) {
      expect(await press(key, init, target)).toBe(false)
    }
    expect(terminal.prompt?.count).toBe(1)
    field.remove()
  })

  it('of the user run a line, or report what is wrong with it', async () => {
    const own = [
      { chord: 'F9', line: 'MOV' },
      { chord: 'F10', line: 'FLY' },
    ]
    const { terminal, press, lines } = await open({ keep: keeping({ 'augury.keys': { own } }) })
    await press('F9')
    expect([lines(), terminal.notice]).toEqual([['MOV'], null])
    await press('F10')
    expect(terminal.notice).toEqual({
      tone: 'error',
      text: 'FLY: No command or market called “FLY”',
    })
  })

  it('of a pane are shown by ?, which takes all keys until it is closed', async () => {
    const { press, terminal } = await open()
    await press('?')
    await vi.dynamicImportSettled()
    await pass(100)
    const { prompt } = terminal
    expect([await press('/'), terminal.prompt]).toEqual([false, prompt])
  })
})

describe('what happens beside the page', () => {
  it('reaches it while it is open', async () => {
    const { terminal, unmount } = await open()
    const stored = vi.spyOn(terminal, 'onStoredElsewhere')
    const changed = vi.spyOn(terminal.live, 'viewChanged')
    const woken = vi.spyOn(terminal.live.topics, 'check')
    const visible = vi.spyOn(document, 'visibilityState', 'get')
    const act = () => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'augury.links' }))
      for (const state of ['hidden', 'visible'] as const) {
        visible.mockReturnValue(state)
        document.dispatchEvent(new Event('visibilitychange'))
      }
    }
    act()
    expect([stored.mock.calls, changed.mock.calls.length, woken.mock.calls.length]).toEqual([
      [['augury.links']],
      2,
      1,
    ])
    unmount()
    act()
    expect([stored.mock.calls.length, changed.mock.calls.length]).toEqual([1, 2])
  })

  it('pauses shared prices while a pane is paused', async () => {
    const { terminal, paneOf } = await open()
    const { quotes } = terminal.health
    const pane = paneOf('MOV')
    expect(quotes.pauses).toBe(0)
    terminal.pausing.toggle(pane)
    await pass(50)
    expect(quotes.pauses).toBe(1)
    terminal.pausing.toggle(pane)
    await pass(50)
    expect(quotes.pauses).toBe(0)
  })
})
