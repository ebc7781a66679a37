import '../testing/set-up-page.ts'
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '../api/client.ts'
import { Live } from '../api/live.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { refuseWrites } from '../testing/refuse-writes.ts'
import { marketRow } from '../testing/rows.ts'
import { noTopics } from '../testing/no-topics.ts'
import CommandBar from './bar/CommandBar.svelte'
import type { Dock } from './dock/dock.ts'
import { MarketFinder } from './bar/market-finder.ts'
import type { MarketHit } from './bar/market-hit.ts'
import type { MarketRanking } from './bar/market-ranking.ts'
import { Terminal } from './terminal.svelte.ts'

const keep = { getItem: () => null, setItem: () => {} }

/** A ranking that returns the same markets for each text. */
const rankingWith = (hits: readonly MarketHit[]): MarketRanking => ({
  add: () => {},
  find: () => hits,
})

type Get = ApiClient['get']

/** A service with these bodies by path; any other path is a 404. */
const serving = (bodies: Readonly<Record<string, object>>): Get =>
  ((path: string) => {
    const body = bodies[path.split('&limit')[0] ?? '']
    const failure = { kind: 'refused', status: 404, code: null, message: '', retryAfter: null }
    return Promise.resolve(body === undefined ? { ok: false, failure } : { ok: true, body })
  }) as Get

const found = (...results: readonly [ticker: string, score: number, event: string][]) => ({
  results: results.map(([ticker, score, event]) => ({
    ...marketRow({ ticker, title: `Question ${ticker}`, eventId: event, eventTitle: event }),
    subtitle: ticker,
    score,
  })),
})

function setUp(hits: readonly MarketHit[] = [], get: Get = async () => null) {
  const clock = new PageClock()
  const live = new Live({
    client: { get, send: refuseWrites },
    clock,
    topics: noTopics(clock),
    inView: () => false,
    onFrame: (work) => work(),
  })
  const terminal = new Terminal(live, keep)
  const activated: string[] = []
  terminal.dock = {
    add: () => {},
    activate: (id) => void activated.push(id),
    describe: () => {},
  } as Partial<Dock> as Dock
  render(CommandBar, { terminal, finder: new MarketFinder(Promise.resolve(rankingWith(hits))) })
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Command' })
  input.addEventListener('keydown', (event) => terminal.keys.handle(event, ['bar']))
  const type = (text: string) => fireEvent.input(input, { target: { value: text } })
  const press = (key: string, init: object = {}) => fireEvent.keyDown(input, { key, ...init })
  const opened = () => [...terminal.panes.values()].map(({ line }) => line)
  return { terminal, input, type, press, opened, activated }
}

describe('the command bar', () => {
  it('goes back through the lines that were run, and forward to an empty one', async () => {
    const { input, type, press } = setUp()
    for (const line of ['MOV', 'WORLD']) {
      await type(line)
      await press('Enter')
    }
    const values: string[] = []
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
      await press(key)
      values.push(input.value)
    }
    expect(values).toEqual(['WORLD', 'MOV', 'MOV', 'WORLD', ''])
  })

  it('keeps the line being typed while earlier ones are shown', async () => {
    const { input, type, press } = setUp()
    await type('MOV')
    await press('Enter')
    await type('WORLD oil')
    await press('ArrowUp')
    expect(input.value).toBe('MOV')
    await press('ArrowDown')
    expect(input.value).toBe('WORLD oil')
  })

  it('runs a line on Enter and clears itself', async () => {
    const { type, press, opened, input } = setUp()
    await type('mov iran')
    await press('Enter')
    expect(opened()).toEqual(['iran MOV'])
    expect(input.value).toBe('')
  })

  it('shows the problem and the nearest names, and runs nothing', async () => {
    const { type, press, opened } = setUp()
    await type('KXFED-26DEC BOK')
    await press('Enter')
    expect(screen.getByRole('alert').textContent).toContain('Unknown command BOK')
    expect(screen.getByRole('alert').textContent).toContain('BOOK')
    expect(opened()).toEqual([])
  })

  it('offers markets and opens the selected one', async () => {
    const { type, press, terminal, opened } = setUp([{ ticker: 'KXFED-26DEC', title: 'Fed cuts' }])
    await type('fed cuts')
    const option = await waitFor(() => screen.getByRole('option', { name: /KXFED-26DEC/ }))
    const index = screen.getAllByRole('option').indexOf(option)
    for (let step = 0; step <= index; step++) await press('ArrowDown')
    expect(option.getAttribute('aria-selected')).toBe('true')
    await press('Enter')
    expect(terminal.links.A).toBe('KXFED-26DEC')
    expect(opened()).toEqual(['. DES'])
  })

  it('reuses the open pane, and opens a new one on Ctrl+Enter', async () => {
    const { type, press, opened } = setUp()
    await type('MOV')
    await press('Enter')
    await type('MOV oil')
    await press('Enter')
    expect(opened()).toEqual(['oil MOV'])
    await type('MOV iran')
    await press('Enter', { ctrlKey: true })
    expect(opened()).toEqual(['oil MOV', 'iran MOV'])
  })

  it('completes by Tab and recalls by the arrows', async () => {
    const { type, press, input } = setUp()
    await type('. GP 15')
    await press('Tab')
    expect(input.value).toBe('. GP 15m ')
    await press('Enter')
    await press('Escape')
    await press('ArrowUp')
    expect(input.value).toBe('. GP 15m')
  })

  it('closes, then clears, then moves focus', async () => {
    const { type, press, input, terminal, activated } = setUp()
    terminal.focusedPane = 'pane-9'
    await type('mo')
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0)
    await press('Escape')
    expect([screen.queryAllByRole('option').length, input.value]).toEqual([0, 'mo'])
    await press('Escape')
    expect([input.value, activated]).toEqual(['', []])
    await press('Escape')
    expect(activated).toEqual(['pane-9'])
  })

  it('opens the market that free text clearly means', async () => {
    const get = serving({
      '/api/public/scan?q=fed+dec+cut': found(['KXFED-1', 0.9, 'Fed'], ['KXFED-2', 0.5, 'Fed']),
    })
    const { type, press, terminal, input } = setUp([], get)
    await type('fed dec cut')
    await press('Enter')
    await waitFor(() => expect(terminal.links.A).toBe('KXFED-1'))
    expect(input.value).toBe('')
  })

  it('lists the markets when free text may mean several', async () => {
    const get = serving({
      '/api/public/scan?q=powell': found(['KXFED-1', 0.9, 'Fed'], ['KXOUT-1', 0.85, 'Chair']),
    })
    const { type, press, opened } = setUp([], get)
    await type('powell')
    await press('Enter')
    await waitFor(() => expect(opened()).toEqual(['SCAN powell']))
  })

  it('shows first what Enter opens, and outcomes below the title of their event', async () => {
    const get = serving({
      '/api/public/scan?q=fed+dec+cut': found(
        ['KXFED-2', 0.5, 'Fed decision'],
        ['KXFED-1', 0.4, 'Fed decision'],
        ['KXOUT-1', 0.3, 'Chair'],
      ),
    })
    const { type } = setUp([], get)
    await type('fed dec cut')
    const options = await waitFor(() => screen.getAllByRole('option'))
    await waitFor(() => expect(screen.getByText('Fed decision')).toBeTruthy())
    expect(options.length).toBeGreaterThan(0)
    const rows = screen.getAllByRole('option').map(({ textContent }) => textContent)
    expect(rows[0]).toMatch(/^KXFED-2/)
    expect(rows[0]).toContain('Kalshi')
    expect(rows[2]).toMatch(/^Question KXOUT-1/)
  })

  it('opens the topic of a text that no market matches', async () => {
    const note = 'No open market matches “hormuz”. Nearest topics: Iran.'
    const get = serving({
      '/api/public/scan?q=hormuz': { results: [], note, nearest: [] },
      '/api/public/scan?q=opec': { results: [], note, nearest: [] },
      '/api/public/markets?topic=iran': { markets: [{}] },
      '/api/public/markets?topic=oil': { markets: [] },
    })
    const { type, press, opened, terminal } = setUp([], get)
    await type('hormuz')
    await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain('iran'))
    await press('Enter')
    await waitFor(() => expect(opened()).toEqual(['iran SCAN']))
    expect(terminal.notice?.text).toContain('No open market matches “hormuz”')
    // A topic without markets is not opened.
    await type('opec')
    await press('Enter')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(note))
    expect(opened()).toEqual(['iran SCAN'])
  })

  it('offers the nearest markets when none matches, and a second Enter opens the first', async () => {
    const { results: nearest } = found(['KXNEAR-1', 0.2, 'Near'])
    const note = 'No open market asks “hormuz”. Nearest: “Near”.'
    const get = serving({
      '/api/public/scan?q=hormuz': { results: [], note, nearest },
      '/api/public/market/KXNEAR-1': { ticker: 'KXNEAR-1' },
    })
    const { type, press, terminal, opened } = setUp([], get)
    await type('hormuz')
    await press('Enter')
    const alert = await waitFor(() => screen.getByRole('alert'))
    expect(alert.textContent).toContain('No open market matches “hormuz” exactly')
    const [first] = screen.getAllByRole('option')
    expect(first?.textContent).toContain('KXNEAR-1')
    expect(first?.getAttribute('aria-selected')).toBe('true')
    expect(opened()).toEqual([])
    await press('Enter')
    await waitFor(() => expect(opened()).toEqual(['. DES']))
    expect(terminal.links.A).toBe('KXNEAR-1')
  })

  it('completes the beginnings of words when Enter finds no market', async () => {
    const get = serving({
      '/api/public/scan?q=bitc+90': { results: [], note: 'No such', nearest: [] },
      '/api/public/scan?q=bitcoin+90%2C000': found(['A-1', 0.9, 'BTC'], ['A-2', 0.9, 'BTC']),
    })
    const { type, press, opened } = setUp([{ ticker: 'A-1', title: 'Bitcoin above $90,000?' }], get)
    await type('bitc 90')
    await press('Enter')
    await waitFor(() => expect(opened()).toEqual(['SCAN "bitcoin 90,000"']))
  })

  it('closes its list when another workspace is shown', async () => {
    const { type, terminal, activated } = setUp([{ ticker: 'KXFED-26DEC', title: 'Fed cuts' }])
    await type('fed cuts')
    await waitFor(() => screen.getByRole('option', { name: /KXFED-26DEC/ }))
    terminal.focusedPane = 'p1'
    terminal.workspace = 2
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
    expect(activated).toEqual(['p1'])
  })

  it('checks an unknown ticker before the link group changes', async () => {
    const { results: nearest } = found(['KXFED-26DEC-T4', 0.9, 'Fed'])
    const get = serving({
      '/api/public/scan?q=KXFED-26DEC-T9': { results: [], note: 'No such', nearest },
      '/api/public/scan?q=KXFED-26DEC': found(['A-1', 0.9, 'Fed'], ['A-2', 0.9, 'Fed']),
      '/api/public/market/KXNEW-1': { ticker: 'KXNEW-1' },
    })
    const { type, press, terminal, opened } = setUp([], get)
    await type('KXFED-26DEC-T9 GP')
    await press('Enter')
    const alert = await waitFor(() => screen.getByRole('alert'))
    expect(alert.textContent).toContain('No market has the ticker “KXFED-26DEC-T9”')
    expect([terminal.links.A, opened()]).toEqual([null, []])
    expect(screen.getAllByRole('option')[0]?.textContent).toContain('KXFED-26DEC-T4')
    await type('KXNEW-1 GP')
    await press('Enter')
    await waitFor(() => expect(terminal.links.A).toBe('KXNEW-1'))
    // The code of an event lists its markets.
    await type('KXFED-26DEC')
    await press('Enter')
    await waitFor(() => expect(opened()).toContain('SCAN KXFED-26DEC'))
    expect(terminal.links.A).toBe('KXNEW-1')
  })
})

describe('the keys of the command bar [terminal.keyboard.fresh]', () => {
  const selectedRow = () =>
    screen.getAllByRole('option').findIndex((option) => option.ariaSelected === 'true')

  it('the arrows run through the rows and stop at both ends', async () => {
    const { type, press, input } = setUp()
    await type('. GP 15')
    const count = screen.getAllByRole('option').length
    const places = []
    for (let step = 0; step <= count; step += 1) {
      await press('ArrowDown')
      places.push(selectedRow())
    }
    expect(places).toEqual([...Array(count).keys(), count - 1])
    const option = screen.getAllByRole('option')[count - 1]
    expect(input.getAttribute('aria-activedescendant')).toBe(option?.id)
    for (let step = 0; step < count; step += 1) await press('ArrowUp')
    expect([selectedRow(), input.value]).toEqual([-1, '. GP 15'])
    expect(input.getAttribute('aria-activedescendant')).toBeNull()
    // Typing begins without a selected row.
    await press('ArrowDown')
    await type('. GP 15m')
    expect(selectedRow()).toBe(-1)
  })

  it('the arrow down opens the list again after it was closed', async () => {
    const { type, press } = setUp()
    await type('mo')
    await press('Escape')
    await press('ArrowDown')
    expect([screen.getAllByRole('option').length > 0, selectedRow()]).toEqual([true, -1])
    await press('ArrowDown')
    expect(selectedRow()).toBe(0)
  })

  it('older lines replace what is typed, and typing begins at the newest again', async () => {
    const { type, press, input } = setUp()
    for (const line of ['MOV', 'WORLD', 'FLY']) {
      await type(line)
      await press('Enter')
    }
    expect(screen.getByRole('alert')).toBeTruthy()
    await press('Escape')
    await press('ArrowUp')
    await press('ArrowUp')
    expect([input.value, screen.queryByRole('alert'), screen.queryByRole('option')]).toEqual([
      'MOV',
      null,
      null,
    ])
    await type('x')
    await press('Escape')
    await press('ArrowUp')
    expect(input.value).toBe('WORLD')
    await press('Enter')
    await press('ArrowUp')
    expect(input.value).toBe('WORLD')
  })

  it('Tab completes the selected row, else the first, and leaves an empty line', async () => {
    const { type, press, input, terminal } = setUp()
    await type('. GP 1')
    await press('ArrowDown')
    await press('ArrowDown')
    const second = screen.getAllByRole('option')[1]?.textContent ?? ''
    await press('Tab')
    expect(second).toContain(input.value.trim().split(' ').at(-1))
    expect([input.value.endsWith(' '), selectedRow(), document.activeElement]).toEqual([
      true,
      -1,
      input,
    ])
    await type('')
    const event = new KeyboardEvent('keydown', { key: 'Tab', cancelable: true })
    expect(terminal.keys.handle(event, ['bar'])).toBe(false)
    // A filter is completed up to its value.
    await type('SCAN pric')
    await press('Tab')
    expect(input.value).toBe('SCAN price=')
  })

  it('F1 explains the command of the line', async () => {
    const { type, press, opened, terminal } = setUp()
    await type('iran mov 24h')
    await press('F1')
    await type('nothing')
    await press('F1')
    expect(terminal.history).toEqual(['HELP MOV', 'HELP'])
    expect(opened()).toEqual(['HELP'])
  })

  it('Escape leaves the bar when no pane has the focus', async () => {
    const { press, input, activated } = setUp()
    input.focus()
    await press('Escape')
    if (document.activeElement === input) await press('Escape')
    expect([document.activeElement, activated]).toEqual([document.body, []])
  })

  it('a problem is closed before the line is cleared, and gone with the next letter', async () => {
    const { type, press, input } = setUp()
    await type('FLY')
    await press('Enter')
    expect([input.getAttribute('aria-invalid'), input.value]).toEqual(['true', 'FLY'])
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')).not.toBeNull()
    await press('Escape')
    expect([input.getAttribute('aria-invalid'), input.value]).toEqual(['false', 'FLY'])
    await press('Enter')
    await type('FLYX')
    expect(input.getAttribute('aria-invalid')).toBe('false')
  })

  it('Enter on an empty line runs nothing', async () => {
    const { type, press, terminal } = setUp()
    await type('  ')
    await press('Enter')
    expect([terminal.history, screen.queryByRole('alert')]).toEqual([[], null])
  })

  it('a row is run or completed by a press on it', async () => {
    const { type, opened, input, terminal } = setUp()
    await type('WS mark')
    const press = async () => {
      const [row] = screen.getAllByRole('option')
      if (row === undefined) throw new Error('no row')
      await fireEvent.pointerDown(row)
      await fireEvent.mouseDown(row)
      await fireEvent.click(row)
    }
    await press()
    expect([terminal.workspace, input.value]).toEqual([2, ''])
    await type('SCAN pric')
    await press()
    expect([opened(), input.value, document.activeElement]).toEqual([[], 'SCAN price=', input])
  })
})

describe('the list of the command bar', () => {
  it('is there while the bar has the focus', async () => {
    const { type, input } = setUp()
    await type('mo')
    await fireEvent.blur(input)
    expect([screen.queryByRole('option'), input.ariaExpanded]).toEqual([null, 'false'])
    await fireEvent.focus(input)
    expect([screen.getAllByRole('option').length > 0, input.ariaExpanded]).toEqual([true, 'true'])
  })

  it('follows a prompt, also the same one again', async () => {
    const { terminal, input, type } = setUp()
    await type('FLY')
    terminal.prefill('ASK ')
    await waitFor(() => expect([input.value, document.activeElement]).toEqual(['ASK ', input]))
    await type('ASK why')
    expect(input.value).toBe('ASK why')
    terminal.prefill('ASK ')
    await waitFor(() => expect(input.value).toBe('ASK '))
  })

  it('offers the strategies of the service while one is named', async () => {
    const { type, input, terminal } = setUp()
    const held = vi.spyOn(terminal.live, 'subscribe')
    await type('MOV')
    expect(held).not.toHaveBeenCalled()
    await type('BT run x')
    expect(held).toHaveBeenCalledOnce()
    await fireEvent.blur(input)
    await fireEvent.focus(input)
    expect(held).toHaveBeenCalledTimes(2)
  })

  it('names the key of the bar, unless it has none', async () => {
    const { terminal } = setUp()
    const shown = () => document.querySelector('kbd')?.textContent ?? null
    expect(shown()).toBe('/')
    terminal.keySettings.rebind('global', '/', null)
    await waitFor(() => expect(shown()).toBe('Ctrl+K'))
    terminal.keySettings.rebind('global', '$mod+k', null)
    await waitFor(() => expect(shown()).toBeNull())
  })
})

describe('an answer of the finder', () => {
  /** A service whose answers wait for the test. */
  const waiting = () => {
    const answers: ((body: object | null) => void)[] = []
    const get = (() =>
      new Promise((resolve) => {
        answers.push((body) => resolve(body === null ? null : { ok: true, body }))
      })) as unknown as Get
    return { get, answers }
  }

  it('to a line that was changed meanwhile opens nothing', async () => {
    const { get, answers } = waiting()
    const { type, press, opened, input } = setUp([], get)
    await type('powell')
    await press('Enter')
    await type('powell s')
    answers[0]?.(found(['KXFED-1', 0.9, 'Fed']))
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect([opened(), input.value, screen.queryByRole('alert')]).toEqual([[], 'powell s', null])
    await type('KXNEW-1 GP')
    await press('Enter')
    await type('KXNEW-1 G')
    answers[1]?.({ ticker: 'KXNEW-1' })
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect([opened(), input.value]).toEqual([[], 'KXNEW-1 G'])
  })

  it('that is missing leaves the problem of the line', async () => {
    const { type, press, opened } = setUp()
    await type('powell')
    await press('Enter')
    const alert = await waitFor(() => screen.getByRole('alert'))
    expect(alert.textContent).toContain('No command or market called “powell”')
    expect(opened()).toEqual([])
  })

  it('opens a new pane on Ctrl+Enter', async () => {
    const get = serving({
      '/api/public/scan?q=fed+dec+cut': found(['KXFED-1', 0.9, 'Fed'], ['KXFED-2', 0.5, 'Fed']),
      '/api/public/market/KXNEW-1': { ticker: 'KXNEW-1' },
    })
    const { type, press, opened } = setUp([], get)
    await type('fed dec cut')
    await press('Enter', { ctrlKey: true })
    await waitFor(() => expect(opened()).toEqual(['KXFED-1 DES']))
    await type('KXNEW-1 GP')
    await press('Enter', { ctrlKey: true })
    await waitFor(() => expect(opened()).toEqual(['KXFED-1 DES', 'KXNEW-1 GP']))
  })

  it('offers the markets of the page when it has none near, selected for a second Enter', async () => {
    const note = 'No open market asks “celtcs”.'
    const get = serving({ '/api/public/scan?q=celtcs': { results: [], note, nearest: [] } })
    const { type, press, opened } = setUp([{ ticker: 'KXNBA-26', title: 'Celtics win' }], get)
    await type('celtcs')
    await press('Enter')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The nearest:'))
    const rows = screen.getAllByRole('option')
    expect([rows.length, rows[0]?.ariaSelected]).toEqual([1, 'true'])
    expect(opened()).toEqual([])
    // The rows of another line are not those of the problem.
    await type('MOV')
    expect(screen.getAllByRole('option').length).toBeGreaterThan(1)
  })
})
