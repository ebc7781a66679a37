import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../backend/contract/market-history.ts'
import { formatMoment } from '../../lib/format.ts'
import type { Dock } from '../../shell/dock/dock.ts'
import { created } from '../../testing/fake-chart.ts'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import { barAt } from '../../testing/recorded-canvas.ts'
import ChartLegend from './ChartLegend.svelte'
import ChartPane from './ChartPane.svelte'

vi.mock('../../charts/price-chart.ts', () => import('../../testing/fake-chart.ts'))

beforeEach(() => {
  created.length = 0
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const HOUR = 3_600
const FIRST = Date.parse('2026-11-20T08:00:00.000Z') / 1000
const iso = (time: number) => new Date(time * 1000).toISOString()
const candle = (place: number, more: Partial<Candle> = {}): Candle => ({
  t: FIRST + place * HOUR,
  at: iso(FIRST + place * HOUR),
  o: 40 + place,
  h: 41 + place,
  l: 39 + place,
  c: 40.5 + place,
  v: 2,
  ...more,
})
const trade = (id: string, place: number) => ({
  id,
  at: iso(FIRST + place * HOUR),
  price: 41,
  size: 3,
  side: 'yes',
})
const detail = {
  ...marketRow(),
  tickSize: 1,
  siblings: [{ ticker: 'KXSIB', title: 'A sibling', venue: 'venue_a', price: 30, url: '' }],
  bidLevels: [],
  askLevels: [],
  indicators: {},
  fetchedAt: '',
}
const bodies =
  (more: (path: string) => object | null = () => null) =>
  (path: string): object | null => {
    const own = more(path)
    if (own !== null) return own
    if (path.includes('/candles')) {
      return { candles: [0, 1, 2].map((at) => candle(at)), volumeUnit: 'usd', nextBefore: null }
    }
    if (path.includes('/quotes')) return { bars: [], gaps: [], nextBefore: null }
    if (path.includes('/trades')) return { trades: [], nextBefore: null }
    return path.includes('/market/') ? detail : null
  }

async function show(line: string, more?: (path: string) => object | null) {
  const page = pageUnderTest(bodies(more))
  page.service.isSignedIn = false
  const { terminal } = page
  const pane = page.paneOf(line)
  const { container, unmount } = render(ChartPane, { terminal, pane })
  terminal.dock = {
    frame: () => container,
    describe: () => {},
    add: () => {},
    activate: () => {},
  } as unknown as Dock
  const settle = async () => {
    await pass(1_000)
    await vi.dynamicImportSettled()
    await pass(100)
  }
  const press = async (key: string, more: KeyboardEventInit = {}) => {
    terminal.keys.handle(new KeyboardEvent('keydown', { key, ...more }), [`pane:${pane.id}`])
    await pass(40)
  }
  await settle()
  const chart = () => {
    const drawn = created.at(-1)
    if (drawn === undefined) throw new Error('no chart')
    return drawn
  }
  const choose = async (name: RegExp) => {
    const item = terminal.menu?.items.find(({ label }) => name.test(label))
    if (item === undefined) throw new Error(`no item ${name.source}`)
    item.run()
    await settle()
  }
  const labels = () => terminal.menu?.items.map(({ label }) => label) ?? []
  return { ...page, pane, container, unmount, settle, press, chart, choose, labels }
}

describe('the keys of a chart [terminal.chart.keys]', () => {
  it('change its bars, type, scale and range', async () => {
    const { press, pane, chart, stop, requested } = await show('KX GP 1h')
    expect(chart().moves).toContain('showLast 3')
    const frame = () => pane.command.args['timeframe']
    await press('[')
    expect(frame()).toBe('15m')
    await press(']')
    await press(']')
    expect(frame()).toBe('1d')
    await press(']')
    expect(frame()).toBe('1d')
    await press('v')
    await press('y')
    await pass(40)
    expect(pane.command.args).toMatchObject({ type: 'line', scale: 'fixed' })
    expect(chart().styles.at(-1)).toEqual({ type: 'line', scale: 'fixed', isComparing: false })
    for (let step = 0; step < 4; step += 1) await press('v')
    expect(pane.command.args['type']).toBe('step')
    await press('2')
    await pass(1_000)
    expect(pane.command.args).toMatchObject({ range: '7d', timeframe: '1h' })
    expect(requested.some((path) => path.includes('timeframe=1d'))).toBe(true)
    stop()
  })

  it('move its view, or its crosshair', async () => {
    const { press, chart, terminal, stop } = await show('KX GP 1h')
    chart().moves.length = 0
    await press('+')
    await press('-')
    await press('0')
    await press('ArrowLeft')
    await press('ArrowRight')
    await press('ArrowLeft', { shiftKey: true })
    await press('ArrowRight', { shiftKey: true })
    expect(chart().moves).toEqual([
      'zoom 1.40',
      'zoom 0.71',
      'reset',
      'pan -0.1',
      'pan 0.1',
      'pan -1',
      'pan 1',
    ])
    await press('c')
    const newest = terminal.crosshairs.A?.time ?? 0
    await press('ArrowLeft')
    expect(terminal.crosshairs.A?.time).toBe(newest - HOUR)
    await press('ArrowRight')
    expect(terminal.crosshairs.A?.time).toBe(newest)
    // Nothing beyond the newest bar.
    await press('ArrowRight')
    expect(terminal.crosshairs.A?.time).toBe(newest)
    expect(chart().moves).toHaveLength(7)
    await press('c')
    expect(chart().pointed.at(-1)).toBeNull()
    stop()
  })

  it('open menus, the date form and an alert', async () => {
    const { press, terminal, labels, container, stop } = await show('KX GP 1h')
    for (const [key, label] of [
      ['s', 'Studies'],
      ['o', 'Compare'],
      ['p', 'Draw'],
      ['x', 'Marked events'],
    ] as const) {
      await press(key)
      expect(terminal.menu?.label).toBe(label)
      expect(labels().length).toBeGreaterThan(4)
    }
    for (const key of ['m', 'ContextMenu']) {
      terminal.menu = null
      await press(key)
      expect(terminal.menu).toMatchObject({ label: 'Chart at 42.0¢', at: { x: 10, y: 10 } })
    }
    await press('a')
    expect(terminal.prompt?.text).toBe('$KX ALERT ')
    await press('d')
    expect(container.querySelector('.jump input')).toBe(document.activeElement)
    terminal.instants.A = '2026-11-20T09:00:00.000Z'
    await press('n')
    expect(terminal.instants.A).toBeNull()
    stop()
  })

  it('share its range, with a notice', async () => {
    const { press, terminal, stop } = await show('KX GP 1h')
    await press('z')
    expect(terminal.notice?.text).toBe('Time range shared with charts of group A')
    expect(screen.getByRole('button', { name: 'Share', pressed: true })).toBeTruthy()
    await press('z')
    expect(terminal.notice?.text).toBe('Own time range')
    stop()
  })
})

describe('the tools of a chart', () => {
  it('choose what its keys choose', async () => {
    const { pane, terminal, container, stop } = await show('KX GP 1h')
    const click = async (name: string) => {
      await fireEvent.click(screen.getByRole('button', { name }))
      await pass(40)
    }
    const select = async (name: string, value: string) => {
      await fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } })
      await pass(40)
    }
    await select('Chart type', 'candles')
    await select('Price scale', 'log-odds')
    expect(pane.command.args).toMatchObject({ type: 'candles', scale: 'log-odds' })
    await click('15m')
    expect(pane.command.args['timeframe']).toBe('15m')
    await click('1M')
    expect(pane.command.args).toMatchObject({ range: '30d', timeframe: '1h' })
    for (const [name, label] of [
      ['Studies', 'Studies'],
      ['Compare', 'Compare'],
      ['Draw', 'Draw'],
      ['Marks', 'Marked events'],
    ] as const) {
      terminal.menu = null
      await click(name)
      expect(terminal.menu).toMatchObject({ label })
    }
    await click('Share')
    expect(terminal.notice?.text).toMatch(/^Time range shared/)
    await click('Date')
    expect(container.querySelector('.jump')).not.toBeNull()
    await click('Cancel')
    expect(container.querySelector('.jump')).toBeNull()
    await click('Table')
    expect(screen.getByRole('button', { name: 'Table', pressed: true })).toBeTruthy()
    expect(screen.getAllByRole('gridcell').map(({ textContent }) => textContent)).toContain('42.5¢')
    stop()
  })

  it('open the menu of a point with the pointer, except in the table', async () => {
    const { terminal, press, labels, choose, chart, stop } = await show('KX GP 1h')
    const region = screen.getByRole('region')
    const rightClick = () =>
      region.dispatchEvent(
        new MouseEvent('contextmenu', { clientX: 7, clientY: 40, bubbles: true, cancelable: true }),
      )
    expect(rightClick()).toBe(false)
    expect(terminal.menu).toMatchObject({ label: 'Chart at 60.0¢', at: { x: 7, y: 40 } })
    expect(labels()).toEqual([
      'Alert at 60.0¢',
      'Order: buy YES at 60.0¢',
      'Order: buy NO at 40.0¢',
      'Draw level at 60.0¢',
      'Copy price 60.0¢',
      expect.stringMatching(/^Open at 20 Nov/),
      'Reset view',
    ])
    await choose(/buy NO/)
    expect(terminal.history.at(-1)).toBe('$KX INTENT buy no limit=40')
    await choose(/buy YES/)
    expect(terminal.history.at(-1)).toBe('$KX INTENT buy yes limit=60')
    await choose(/Reset view/)
    expect(chart().moves.at(-1)).toBe('reset')
    await choose(/Draw level/)
    terminal.drawings.add('KX', {
      kind: 'trend',
      from: { time: FIRST, price: 60 },
      to: { time: FIRST + 2 * HOUR, price: 60 },
    })
    rightClick()
    expect(labels()).toContain('Remove level at 60.0¢')
    expect(labels().filter((label) => /^Remove (?!level|all)/.test(label))).toHaveLength(1)
    await choose(/Remove all drawings/)
    expect(terminal.drawings.get('KX')).toEqual([])
    await press('t')
    terminal.menu = null
    expect(rightClick()).toBe(true)
    expect(terminal.menu).toBeNull()
    stop()
  })

  it('copy a price, or say that the browser denies it', async () => {
    const { terminal, press, choose, stop } = await show('KX GP 1h')
    const copied: string[] = []
    vi.stubGlobal('navigator', {
      clipboard: { writeText: (text: string) => void copied.push(text) },
    })
    await press('m')
    await choose(/^Copy price/)
    expect([copied, terminal.notice?.text]).toEqual([['42'], 'Copied 42.0¢'])
    vi.stubGlobal('navigator', {
      clipboard: { writeText: () => Promise.reject(new Error('denied')) },
    })
    await choose(/^Copy price/)
    expect(terminal.notice).toEqual({
      text: 'The browser denied clipboard access: 42.0¢',
      tone: 'error',
    })
    vi.unstubAllGlobals()
    stop()
  })
})

it('a chart without bars states it, and one without a market asks for one', async () => {
  const none = await show('. GP 1h')
  expect(none.requested.filter((path) => path.includes('/market/'))).toEqual([])
  await fireEvent.click(screen.getByRole('button', { name: 'Choose a market' }))
  expect(none.terminal.prompt?.text).toBe('')
  await none.press('a')
  await none.press('o')
  await none.press('m')
  expect([none.terminal.prompt?.text, none.terminal.menu]).toEqual(['', null])
  none.unmount()
  none.stop()
  const { stop } = await show('KX GP 1h', (path) =>
    path.includes('/candles') ? { candles: [], volumeUnit: 'usd', nextBefore: null } : null,
  )
  expect(screen.getByText('No trades or quotes yet.')).toBeTruthy()
  stop()
})

describe('older bars', () => {
  /** Three pages of an hour each: bars −5 to 2. */
  const paged = (path: string): object | null => {
    const before = new URL(path, 'http://localhost').searchParams.get('before')
    const page = before === null ? 0 : before === iso(FIRST) ? 1 : before === 'older' ? 2 : null
    if (page === null) return refused(500, null, 'Out of order')
    const next = [iso(FIRST), 'older', null][page] ?? null
    if (path.includes('/candles')) {
      const places = [
        [0, 1, 2],
        [-3, -2, -1],
        [-5, -4],
      ][page]
      return { candles: places?.map((at) => candle(at)), volumeUnit: 'usd', nextBefore: next }
    }
    if (path.includes('/trades')) {
      const places = [
        [2, 1],
        [0, -1],
        [-2, -4],
      ][page]
      return { trades: places?.map((at) => trade(`t${at}`, at)), nextBefore: next }
    }
    if (path.includes('/quotes')) return { bars: [], gaps: [], nextBefore: next }
    return null
  }

  it('load as the user scrolls back, one page at a time and none twice', async () => {
    const { chart, requested, settle, stop } = await show('KX GP 1h', paged)
    const pages = (route: string) =>
      requested.filter((path) => path.includes(route) && path.includes('before=')).length
    expect(chart().bars.map(({ time }) => (time - FIRST) / HOUR)).toEqual([0, 1, 2])
    chart().events.onoldest()
    chart().events.onoldest()
    await settle()
    expect([pages('/candles'), pages('/quotes')]).toEqual([1, 1])
    expect(chart().bars[0]?.time).toBe(FIRST - 3 * HOUR)
    chart().events.onoldest()
    await settle()
    chart().events.onoldest()
    await settle()
    expect([pages('/candles'), pages('/quotes')]).toEqual([2, 2])
    expect(chart().bars.map(({ time }) => (time - FIRST) / HOUR)).toEqual([
      -5, -4, -3, -2, -1, 0, 1, 2,
    ])
    stop()
  })

  it('bring their trades as long as these are in view', async () => {
    const { chart, settle, stop } = await show('KX GP 1h', paged)
    const ids = () => chart().prints.map(({ id }) => id)
    expect(ids()).toEqual(['t2', 't1'])
    // The trades of the view are loaded.
    chart().events.onrange({ from: FIRST + HOUR, to: FIRST + 2 * HOUR })
    await settle()
    expect(ids()).toEqual(['t2', 't1'])
    chart().events.onrange({ from: FIRST - 3 * HOUR, to: FIRST + 2 * HOUR })
    await settle()
    expect(ids()).toEqual(['t2', 't1', 't0', 't-1', 't-2', 't-4'])
    expect(chart().prints[2]).toEqual({ id: 't0', time: FIRST, price: 41, size: 3, side: 'yes' })
    stop()
  })

  it('are named with the reason when they do not load', async () => {
    const { chart, settle, container, stop } = await show('KX GP 1h', (path) =>
      path.includes('/candles') && path.includes('before=')
        ? refused(500, null, 'The history is busy')
        : paged(path),
    )
    chart().events.onoldest()
    await settle()
    expect(container.querySelector('.legend')?.textContent).toContain(
      'Older bars: The history is busy',
    )
    stop()
  })

  it('are loaded back to a date, which then is in the middle', async () => {
    const { chart, press, settle, terminal, container, stop } = await show('KX GP 1h', paged)
    await press('d')
    const field = screen.getByLabelText(/^Jump to/)
    const at = new Date((FIRST - 4 * HOUR) * 1000)
    // The clocks of New York are five hours behind UTC in winter.
    terminal.settings.timeZone = 'America/New_York'
    const wall = new Date(at.getTime() - 5 * HOUR * 1000)
    await fireEvent.input(field, { target: { value: wall.toISOString().slice(0, 16) } })
    await fireEvent.click(screen.getByRole('button', { name: 'Go' }))
    await settle()
    const time = FIRST - 4 * HOUR
    expect(chart().bars[0]?.time).toBe(FIRST - 5 * HOUR)
    expect(chart().shown.at(-1)).toEqual({ from: time - 80 * HOUR, to: time + 80 * HOUR })
    expect(terminal.crosshairs.A?.time).toBe(time)
    expect(container.querySelector('.jump')).toBeNull()
    await press('d')
    await fireEvent.keyDown(screen.getByLabelText(/^Jump to/), { key: 'x' })
    expect(container.querySelector('.jump')).not.toBeNull()
    await fireEvent.keyDown(screen.getByLabelText(/^Jump to/), { key: 'Escape' })
    expect(container.querySelector('.jump')).toBeNull()
    stop()
  })
})

describe('backtest fills', () => {
  const fill = (id: string, place: number) => ({
    id,
    time: FIRST + place * HOUR,
    at: iso(FIRST + place * HOUR),
    label: 'buy',
    title: 'Bought 10',
  })

  it('are marked, the opened one in view, until they are hidden', async () => {
    const { terminal, chart, settle, press, stop } = await show('KX GP 1h')
    const [first, second] = [fill('a', 0), fill('b', 1)]
    terminal.fillMarks.setRun('A', {
      run: 'r',
      byTicker: new Map([['KX', [first, second]]]),
      fill: second,
    })
    await settle()
    expect(chart().marked.map(({ id }) => id)).toEqual(['a', 'b'])
    const around = 60 * HOUR
    expect(chart().shown).toEqual([{ from: second.time - around, to: second.time + around }])
    expect(chart().pointed.at(-1)).toBe(second.time)
    expect(screen.getByRole('button', { name: '2 fills' })).toBeTruthy()
    await press('e')
    expect(chart().marked).toEqual([])
    terminal.fillMarks.setRun('A', {
      run: 'r',
      byTicker: new Map([['KX', [first]]]),
      fill: first,
    })
    await settle()
    await fireEvent.click(screen.getByRole('button', { name: '1 fill' }))
    await pass(40)
    expect(screen.queryByRole('button', { name: '1 fill' })).toBeNull()
    stop()
  })
})

describe('overlays and studies [terminal.chart.compare]', () => {
  const key = () =>
    [...document.querySelectorAll('ul[aria-label="Compared markets and studies"] li')].map((row) =>
      row.textContent.replace(/\s+/g, ' ').trim(),
    )

  it('are chosen in menus, listed with their values, and removed', async () => {
    const { press, choose, pane, chart, requested, settle, stop } = await show('KX GP 1h')
    await press('s')
    await choose(/^Simple moving average$/)
    expect(pane.command.args['studies']).toBe('sma:20')
    expect(key()).toEqual(['SMA 20 – ×'])
    await press('s')
    await choose(/^✓ Simple moving average$/)
    expect([pane.command.args['studies'], key()]).toEqual(['plain', []])
    await press('o')
    await choose(/^A sibling$/)
    expect(pane.command.args['overlays']).toBe('+KXSIB')
    expect(requested.some((path) => path.includes('/market/KXSIB/candles'))).toBe(true)
    expect(chart().styles.at(-1)).toMatchObject({ isComparing: true })
    expect(key()).toEqual([expect.stringMatching(/^A market · \w+ 50% ×$/)])
    await press('s')
    await choose(/^Price minus the first compared market$/)
    expect(key()).toEqual([expect.stringContaining(' 50% ×'), 'Spread 0 ×'])
    // Of the bar under the crosshair.
    chart().events.onhover(chart().bars[0] ?? null, null)
    await settle()
    expect(key()).toEqual([expect.stringContaining(' 40.5% ×'), 'Spread 0 ×'])
    const [remove] = screen.getAllByRole('button', { name: /^Remove / })
    await fireEvent.click(remove as HTMLElement)
    await settle()
    expect([pane.command.args['overlays'], key()]).toEqual([
      '+none',
      ['Spread compare a market first ×'],
    ])
    stop()
  })

  it.each([
    ['GP 1h +KX', ['KX this chart ×']],
    ['GP 1h +pair', ['Other venue no such question on the other venue ×']],
    ['GP 1h +index', ['Index 62 ×']],
    ['GP 1h +breadth', ['Breadth 75 ×']],
    ['GP 1h +georisk', ['Geo risk no history yet ×']],
    ['GP 1h profile', ['Profile ×']],
  ])('%s is listed as %j', async (line, rows) => {
    const { stop, requested } = await show(`KX ${line}`, (path) =>
      path.includes('/index/history')
        ? {
            stepSeconds: HOUR,
            points: [
              {
                at: iso(FIRST),
                value: 62,
                breadth: 0.5,
                geoRisk: null,
                disagreement: 1,
                activity: 2,
              },
            ],
          }
        : null,
    )
    expect(key()).toEqual(rows)
    const gauges = requested.filter((path) => path.includes('/index/history'))
    expect(gauges.every((path) => path.includes('days=7'))).toBe(true)
    stop()
  })

  it.each([
    ['+pair', 'cv_preset'],
    ['+index', '/index/history'],
  ])('%s is read as of the past instant of the group', async (word, route) => {
    const { terminal, settle, requested, stop } = await show(`KX GP 1h ${word}`)
    const before = requested.length
    terminal.instants.A = '2026-11-20T09:30:00.000Z'
    await settle()
    const past = requested.slice(before).filter((path) => path.includes(route))
    expect(past).toEqual([expect.stringContaining('asOf=2026-11-20T09%3A30%3A00.000Z')])
    stop()
  })

  it.each([
    ['+pair', '/market/KX?', 'Other venue The history is busy ×'],
    ['+index', '/index/history', 'Index The history is busy ×'],
  ])('%s that cannot be loaded names the reason', async (word, route, row) => {
    const { stop } = await show(`KX GP 1h ${word}`, (path) =>
      path.includes(route) && (word === '+index' || path.includes('cv_preset'))
        ? refused(503, null, 'The history is busy')
        : null,
    )
    expect(key()).toEqual([row])
    stop()
  })

  it('a match that asks the opposite is inverted', async () => {
    const crossVenue = { ticker: '0xAB', inverted: true }
    const { container, stop } = await show('KX GP 1h +pair', (path) =>
      path.includes('/market/KX?') && path.includes('cv_preset') ? { ...detail, crossVenue } : null,
    )
    expect(key()).toEqual([expect.stringMatching(/^100 − A market · .* 50% ×$/)])
    expect(container.querySelector('ul li[title]')?.getAttribute('title')).toMatch(
      /\(asks the opposite, so it is inverted\)$/,
    )
    stop()
  })

  it('at most five are compared', async () => {
    const words = '+index +breadth +activity +georisk +disagreement'
    const { press, choose, terminal, pane, labels, stop } = await show(`KX GP 1h ${words}`)
    await press('o')
    expect(labels().filter((label) => label.startsWith('✓'))).toHaveLength(5)
    await choose(/^A sibling$/)
    expect(terminal.notice).toMatchObject({
      text: 'A chart compares at most 5. Remove one first',
      tone: 'error',
    })
    await choose(/Gauge: Index$/)
    expect(pane.command.args['overlays']).not.toContain('+index')
    await choose(/^Another market…$/)
    expect(terminal.prompt?.text).toMatch(/^\$KX GP .*\+$/)
    stop()
  })
})

describe('the legend of a chart', () => {
  const NOW = 1_300_000
  const clock = (seconds: number) => formatMoment(iso(seconds), NOW)
  const traded = { t: 1_200, at: '', o: 41, h: 43, l: 40, c: 42, v: 1_500 }
  const legend = (props: object) => {
    const { container } = render(ChartLegend, {
      bar: barAt(0),
      type: 'step',
      volumeUnit: 'contracts',
      gaps: [],
      hoveredGap: null,
      event: null,
      problem: null,
      now: NOW,
      ...props,
    })
    const parts = [...container.querySelectorAll('.legend > span')].map((part) =>
      part.textContent.replace(/\s+/g, ' ').trim(),
    )
    return parts.slice(1)
  }
  const full = barAt(0, { price: 42, source: 'last', candle: traded, bid: 41, ask: null })
  const mid = { o: 40, h: 44, l: 39, c: 39.5 }

  it.each<readonly [string, object, readonly string[]]>([
    ['an empty bar', {}, ['No price –']],
    ['a trade', { bar: full }, ['Last 42.0¢', 'Bid 41.0¢', 'Ask –', 'Trade 42.0¢', 'Vol 1.5k']],
    [
      'a candle in dollars',
      { bar: full, type: 'candles', volumeUnit: 'usd' },
      ['Last 42.0¢', 'O 41.0¢', 'H 43.0¢', 'L 40.0¢', 'C 42.0¢', 'Bid 41.0¢', 'Ask –', 'Vol $1.5k'],
    ],
    [
      'a candle of midpoints',
      { bar: barAt(0, { mid, ask: 42 }), type: 'mid-candles' },
      ['No price –', 'O 40.0¢', 'H 44.0¢', 'L 39.0¢', 'C 39.5¢', 'Bid –', 'Ask 42.0¢'],
    ],
    [
      'a trade without a volume',
      { bar: barAt(0, { candle: { ...traded, v: null, source: 'venue' } }) },
      ['No price –', 'Trade 42.0¢'],
    ],
    ['an old price', { bar: barAt(0, { isOld: true }) }, ['No price –', 'no recent trade']],
    ['one gap', { gaps: [{ from: 0, to: 1 }] }, ['No price –', 'feed gap']],
    [
      'two gaps',
      {
        gaps: [
          { from: 0, to: 1 },
          { from: 2, to: 3 },
        ],
      },
      ['No price –', '2 feed gaps'],
    ],
    [
      'the gap under the crosshair',
      { gaps: [{ from: 0, to: 1 }], hoveredGap: { from: 60, to: 120 } },
      ['No price –', `feed gap, bars ${clock(60)} to ${clock(120)}`],
    ],
    [
      'a gap of one bar',
      { gaps: [{ from: 0, to: 1 }], hoveredGap: { from: 60, to: 60 } },
      ['No price –', `feed gap, bars ${clock(60)}`],
    ],
    [
      'an event and a problem',
      {
        event: { label: 'release', at: '1970-01-01T00:03:00.000Z', title: 'CPI' },
        problem: 'busy',
      },
      ['No price –', `◆ release ${clock(180)}`, 'Older bars: busy'],
    ],
  ])('has %s', (_name, props, parts) => {
    expect(legend(props)).toEqual(parts)
  })

  it('colours a close below the open as a fall', () => {
    legend({ bar: barAt(0, { mid }), type: 'mid-candles' })
    expect(screen.getByText('39.5¢').className).toMatch(/down/)
    expect(screen.getByText('39.5¢').className).not.toMatch(/up/)
  })
})
