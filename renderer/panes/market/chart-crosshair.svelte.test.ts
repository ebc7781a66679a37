import '../../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Candle } from '../../../backend/contract/market-history.ts'
import type { Dock } from '../../shell/dock/dock.ts'
import { created } from '../../testing/fake-chart.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import { OWNER, renderSignedIn } from '../../testing/signed-in.svelte.ts'
import ChartPane from './ChartPane.svelte'
import DepthPane from './DepthPane.svelte'

vi.mock('../../charts/price-chart.ts', () => import('../../testing/fake-chart.ts'))

beforeEach(() => {
  created.length = 0
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const HOUR = 3_600
const FIRST = Date.parse('2026-11-20T08:00:00.000Z') / 1000
const candle = (place: number): Candle => ({
  t: FIRST + place * HOUR,
  at: new Date((FIRST + place * HOUR) * 1000).toISOString(),
  o: 40 + place,
  h: 41 + place,
  l: 39 + place,
  c: 40.5 + place,
  v: 2,
})
const page = { candles: [0, 1, 2].map(candle), volumeUnit: 'contracts', nextBefore: null }
const quotes = { bars: [], gaps: [], nextBefore: null }
const tape = { trades: [], nextBefore: null }
/** Bodies of the routes that a chart reads, besides its dates. */
const marketBody = (path: string): object | null => {
  if (path.includes('/candles')) return page
  if (path.includes('/quotes')) return quotes
  if (path.includes('/trades')) return tape
  return path.includes('/market/') ? detail : null
}
const detail = { ...marketRow(), bidLevels: [], askLevels: [], indicators: {}, fetchedAt: '' }

it('charts of a link group share their crosshair, and keys move it [terminal.chart.crosshair]', async () => {
  const { terminal, service, paneOf, requested, stop } = pageUnderTest(marketBody)
  // Without the socket's topics the bars come from polling.
  service.isSignedIn = false
  terminal.links.A = 'KX'
  const [left, right] = [paneOf('. GP 1h'), paneOf('. GP 1h')]
  const elsewhere = paneOf('. GP 1h')
  elsewhere.link = 'B'
  terminal.links.B = 'KX'
  for (const pane of [left, right, elsewhere]) render(ChartPane, { terminal, pane })
  await pass(1_000)
  await vi.dynamicImportSettled()
  await pass(100)
  expect(requested.find((path) => path.includes('/candles'))).toContain('limit=2000')
  expect(created).toHaveLength(3)
  expect(created[0]?.styles.at(-1)).toMatchObject({ isComparing: false, scale: 'auto' })
  created[0]?.events.onpoint(FIRST + HOUR)
  await pass(20)
  expect(created[1]?.pointed.at(-1)).toBe(FIRST + HOUR)
  expect(created[2]?.pointed.at(-1)).toBeNull()
  expect(screen.getAllByText('41.5¢').length).toBeGreaterThan(0)
  // A pointer that leaves another chart does not remove the crosshair.
  created[1]?.events.onpoint(null)
  await pass(20)
  expect(terminal.crosshairs.A?.time).toBe(FIRST + HOUR)
  created[0]?.events.onpoint(null)
  await pass(20)
  expect(created[1]?.pointed.at(-1)).toBeNull()
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true })
    terminal.keys.handle(event, [`pane:${left.id}`])
    await pass(20)
  }
  await press('c')
  await press('ArrowLeft')
  expect(created.slice(0, 2).map(({ pointed }) => pointed.at(-1))).toEqual([
    FIRST + HOUR,
    FIRST + HOUR,
  ])
  await press('c')
  expect(terminal.crosshairs.A).toBeNull()
  expect(left.visibleRows?.()).toHaveLength(3)
  stop()
})

const event = {
  id: 'e',
  kind: 'resolution',
  title: 'Will it?',
  at: '2026-12-11T05:00:00.000Z',
  date: '2026-12-11',
  timeKnown: true,
}

it('a chart marks what decides its market, also in its table [terminal.chart.events]', async () => {
  const { terminal, service, paneOf, requested, stop } = pageUnderTest((path) => {
    if (path.includes('/calendar')) return { events: [event], generatedAt: event.at }
    return marketBody(path)
  })
  service.isSignedIn = false
  const pane = paneOf('KX GP 1h')
  render(ChartPane, { terminal, pane })
  await pass(1_000)
  await vi.dynamicImportSettled()
  await pass(100)
  expect(requested.filter((path) => path.includes('/calendar'))).toEqual([
    expect.stringContaining('ticker=KX&from=2026-08-22T00%3A00%3A00.000Z'),
  ])
  expect(created[0]?.marked).toMatchObject([
    { time: Date.parse(event.at) / 1000, label: 'resolves' },
  ])
  expect(screen.getByRole('img', { name: /1 marked date$/ })).toBeTruthy()
  terminal.keys.handle(new KeyboardEvent('keydown', { key: 't' }), [`pane:${pane.id}`, 'global'])
  await pass(40)
  expect(screen.getByRole('list', { name: 'Dates outside these bars' }).textContent).toContain(
    'resolves',
  )
  stop()
})

it('charts of a link group share a time range when enabled [terminal.chart.range]', async () => {
  const { terminal, service, paneOf, stop } = pageUnderTest(marketBody)
  service.isSignedIn = false
  const [one, other, apart] = [paneOf('KX GP 1h'), paneOf('KX GP 1h'), paneOf('KX GP 1h')]
  for (const pane of [one, other, apart]) render(ChartPane, { terminal, pane })
  await pass(1_000)
  await vi.dynamicImportSettled()
  await pass(100)
  const press = (pane: { id: string }) =>
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'z' }), [`pane:${pane.id}`, 'global'])
  const view = { from: FIRST, to: FIRST + 2 * HOUR }
  created[0]?.events.onrange(view)
  await pass(20)
  expect(terminal.ranges.A).toBeNull()
  press(one)
  press(other)
  created[0]?.events.onrange(view)
  await pass(20)
  expect(created.map(({ shown }) => shown)).toMatchObject([[], [view], []])
  press(other)
  created[0]?.events.onrange({ from: FIRST, to: FIRST + HOUR })
  await pass(20)
  expect(created[1]?.shown).toHaveLength(1)
  stop()
})

it('the menu of a chart draws a level and opens an instant [terminal.chart.menu]', async () => {
  const { terminal, service, paneOf, requested, stop } = pageUnderTest(marketBody)
  service.isSignedIn = false
  const [pane, depth] = [paneOf('KX GP 1h'), paneOf('KX BOOK')]
  render(ChartPane, { terminal, pane })
  render(DepthPane, { terminal, pane: depth })
  await pass(1_000)
  await vi.dynamicImportSettled()
  await pass(100)
  const open = async (name: RegExp) => {
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'm' }), [`pane:${pane.id}`])
    await pass(40)
    terminal.menu?.items.find(({ label }) => name.test(label))?.run()
    await pass(40)
  }
  await open(/^Draw level at 42.0¢$/)
  expect(created[0]?.levels).toMatchObject([{ price: 42, kind: 'level' }])
  await open(/^Remove level at 42.0¢$/)
  expect(created[0]?.levels).toEqual([])
  await open(/^Alert at 42.0¢$/)
  expect(terminal.notice?.text).toBe('Sign in to set alerts. ACCOUNT opens the form')
  requested.length = 0
  await open(/^Open at /)
  const past = encodeURIComponent(new Date((FIRST + HOUR) * 1000).toISOString())
  await pass(1_000)
  for (const route of ['/candles', '/quotes', '/trades', 'depth=true']) {
    const read = requested.filter((path) => path.includes(route))
    expect(read.length, route).toBeGreaterThan(0)
    expect(
      read.every((path) => path.includes(`asOf=${past}`)),
      route,
    ).toBe(true)
  }
  screen.getByRole('button', { name: 'Back to now' }).click()
  await pass(40)
  expect(terminal.instants.A).toBeNull()
  stop()
})

it('marks are switched, read and opened by keyboard, at their instant [terminal.chart.marks]', async () => {
  const changed = { id: 'm', ticker: 'KX', at: '2026-11-20T09:00:00.000Z', before: 40, after: 50 }
  const { terminal, service, paneOf, requested, stop } = pageUnderTest((path) => {
    if (path.includes('/calendar')) return { events: [event], generatedAt: event.at }
    if (path.includes('/changes')) {
      return { changes: [{ ...changed, type: 'price_move', delta: 10 }], to: event.at }
    }
    return marketBody(path)
  })
  service.isSignedIn = false
  const pane = paneOf('KX GP 1h')
  const { container } = render(ChartPane, { terminal, pane })
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
  const press = (key: string) =>
    terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`, 'global'])
  const marks = () =>
    [...container.querySelectorAll('[data-mark]')].map((mark) => mark.getAttribute('aria-label'))
  await settle()
  expect(requested.some((path) => path.includes('/changes'))).toBe(false)
  expect(marks()).toEqual([expect.stringMatching(/^Settlement: Will it\?, /)])
  press('x')
  const item = (name: RegExp) => terminal.menu?.items.find(({ label }) => name.test(label))
  expect(item(/^News/)?.key).toBe('no source')
  expect(item(/^Own fills$|^✓ Own fills$/)).toBeDefined()
  item(/^Moves/)?.run()
  await settle()
  expect(marks()).toEqual([
    expect.stringMatching(/^Moves and other changes: .*40.*50/),
    expect.stringMatching(/^Settlement/),
  ])
  press('k')
  press('k')
  await pass(20)
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Moves/)
  expect(container.querySelector('.note')?.textContent).toMatch(/40.*50/)
  ;(document.activeElement as HTMLElement).click()
  await settle()
  expect(terminal.instants.A).toBe(changed.at)
  expect(terminal.history.at(-1)).toBe('$KX CHG 24h')
  expect(requested.filter((path) => path.includes('/calendar')).at(-1)).toContain('asOf=')
  // The settlement is later than the instant that the group now shows.
  expect(marks()).toEqual([expect.stringMatching(/^Moves/)])
  // The calendar of an early instant begins ninety days before it.
  terminal.instants.A = '2026-07-01T12:00:00.000Z'
  await settle()
  expect(requested.filter((path) => path.includes('/calendar')).at(-1)).toContain(
    'from=2026-04-02T00%3A00%3A00.000Z',
  )
  stop()
})

const alert = {
  id: 'r',
  ticker: 'KX',
  state: 'active',
  condition: 'price_above',
  threshold: 70,
  createdAt: event.at,
}

/** A chart of KX with a level at 42¢ and an alert at 70¢. */
async function chartWithLevels(asOf: string | null) {
  const watch = { objects: [{ rules: [alert] }] }
  const { terminal, service, paneOf, sent, stop } = pageUnderTest(
    (path) =>
      path.includes('/auth/me') ? OWNER : path.includes('/api/watch') ? watch : marketBody(path),
    () => ({ ok: true, body: alert }),
  )
  Object.assign(HTMLElement.prototype, { setPointerCapture: () => {} })
  service.isSignedIn = false
  terminal.account.onSignIn()
  terminal.instants.A = asOf
  const pane = paneOf('KX GP 1h')
  terminal.drawings.addLevel('KX', 42)
  await renderSignedIn(ChartPane, terminal, pane)
  await vi.dynamicImportSettled()
  await pass(100)
  const region = screen.getByRole('region')
  const point = (type: string, cents: number) => {
    const at = { bubbles: true, cancelable: true, button: 0, clientY: 100 - cents }
    return region.dispatchEvent(new PointerEvent(type, at))
  }
  return { terminal, pane, sent, point, stop }
}

it('levels and alerts are moved by dragging and by keys, and undone [terminal.chart.drag]', async () => {
  const { terminal, pane, sent, point, stop } = await chartWithLevels(null)
  const prices = () =>
    terminal.drawings.get('KX').map((drawing) => 'price' in drawing && drawing.price)
  // Beside every line the chart pans.
  expect(point('pointerdown', 55)).toBe(true)
  expect(point('pointerdown', 43)).toBe(false)
  point('pointermove', 30)
  await pass(20)
  expect(created[0]?.levels[0]).toMatchObject({ kind: 'level', price: 30 })
  expect(prices()).toEqual([42])
  point('pointerup', 30)
  expect(prices()).toEqual([30])
  point('pointerdown', 30)
  point('pointermove', 10)
  terminal.keys.handle(new KeyboardEvent('keydown', { key: 'Escape' }), ['menu'])
  point('pointerup', 10)
  expect(prices()).toEqual([30])
  pane.edits?.undo()
  expect(prices()).toEqual([42])

  await pass(20)
  point('pointerdown', 70)
  point('pointermove', 20)
  point('pointerup', 20)
  await pass(20)
  // The price is above the new threshold.
  expect(sent.at(-1)).toMatchObject({
    method: 'PATCH',
    path: '/api/alert-rules/r',
    body: { threshold: 20, condition: 'price_below' },
  })
  expect(terminal.notice?.text).toBe('Alert moved to ≤ 20.0¢')

  terminal.keys.handle(new KeyboardEvent('keydown', { key: 'p' }), [`pane:${pane.id}`])
  terminal.menu?.items.find(({ label }) => label === 'Move level at 42.0¢')?.run()
  await pass(20)
  for (const key of ['ArrowUp', 'ArrowUp', 'Enter'])
    terminal.keys.handle(new KeyboardEvent('keydown', { key }), ['menu'])
  expect(prices()).toEqual([44])
  stop()
})

it('an alert that is moved in the chart of a past instant keeps its side of the price', async () => {
  const { terminal, sent, point, stop } = await chartWithLevels('2026-11-20T09:00:00.000Z')
  point('pointerdown', 70)
  point('pointermove', 20)
  point('pointerup', 20)
  await pass(20)
  expect(sent.at(-1)?.body).toEqual({ threshold: 20 })
  expect(terminal.notice?.text).toBe('Alert moved to 20.0¢')
  stop()
})
