import '../../testing/set-up-page.ts'
import type { Path } from '../../api/path.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Market } from '../../../backend/contract/market.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import { clickCell, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import PairPane from './PairPane.svelte'
import PairSide from './PairSide.svelte'
import PairsPane from './PairsPane.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

it('shows bids in the bid column and asks in the ask column, level by level', () => {
  const { terminal } = pageUnderTest(() => null)
  const market = {
    ...marketRow({ title: 'Fed cuts' }),
    description: '',
    rulesUrl: null,
    bidLevels: [
      { price: 41, size: 7 },
      { price: 40, size: 8 },
    ],
    askLevels: [{ price: 44, size: 9 }],
  } as unknown as Market
  const source = terminal.live.source({
    path: '/a' as Path<object>,
    interval: 5_000,
    cadence: 60_000,
    timeOf: () => null,
  })
  render(PairSide, { terminal, market, source, asOf: null, onopen: () => {} })
  const table = screen.getByRole('table', { name: /^Book/ })
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent.trim()))
  expect(cells).toEqual([
    ['Size', 'Bid', 'Ask', 'Size'],
    ['7', '41.0¢', '44.0¢', '9'],
    ['8', '40.0¢', '–', '–'],
  ])
})

const AT = '2026-11-20T10:00:00.000Z'
const opens = (calls: readonly (readonly [unknown, string, string | null])[]) =>
  calls.map(([, ticker, verb]) => `${ticker} ${verb}`)

it('a side without orders, rules or a time states that, and opens its market', async () => {
  const onopen = vi.fn()
  const { terminal } = pageUnderTest(() => null)
  const source = terminal.live.source({
    path: '/a' as Path<object>,
    interval: 5_000,
    cadence: 60_000,
    timeOf: () => null,
  })
  const market = {
    ...marketRow({ title: 'Fed cuts' }),
    description: '',
    rulesUrl: null,
  } as unknown as Market
  const { rerender } = render(PairSide, {
    terminal,
    market,
    source,
    asOf: null,
    onopen,
  })
  const text = () => document.body.textContent.replace(/\s+/g, ' ')
  expect(text()).toContain('No resting orders –')
  expect(text()).toContain('Book – Rules The venue publishes no rules.')
  expect(screen.queryByRole('link')).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: 'Fed cuts' }))
  expect(onopen).toHaveBeenCalledTimes(1)
  const levels = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ price: 40 - index, size: 1 }))
  const depthAt = '2026-11-20T09:59:00.000Z'
  const rulesUrl = 'https://rules.example/a'
  await rerender({
    market: { ...market, bidLevels: levels(7), askLevels: [], depthAt, rulesUrl } as never,
  })
  // The heads, and the five best levels.
  expect(screen.getAllByRole('row')).toHaveLength(6)
  expect(text()).toContain('Book 1m old')
  expect(screen.getByRole('link').textContent).toBe('rules.example')
  // Both sides have the unit that the user chose, so that they can be compared.
  await rerender({ market: { ...market, price: 40, volume24h: 500, volumeUnit: 'contracts' } })
  expect(text()).toContain('$200 in 24 h')
  terminal.settings.volumeUnit = 'contracts'
  await rerender({ market: { ...market, price: 40, volume24h: 200, volumeUnit: 'usd' } })
  expect(text()).toContain('500 in 24 h')
})

describe('pairs of both venues', () => {
  const side = (ticker: string, venue: string, price: number | null) => ({
    ticker,
    venue,
    title: `Will ${ticker}?`,
    price,
    bestBid: null as number | null,
    bestAsk: null as number | null,
    closeTime: AT,
    url: '',
  })
  const pair = (id: string, more: object = {}) => ({
    id,
    a: side(`KX-${id}`, 'venue_a', 52),
    b: side(`PM-${id}`, 'venue_b', 45),
    gap: 7,
    executableGap: 3.5,
    confidence: 0.912,
    closeDeltaDays: 2,
    method: 'text',
    inverted: false,
    status: 'active',
    ...more,
  })
  const body = (pairs: readonly object[]) => () => ({ pairs, total: 40, generatedAt: AT })

  it('are counted and marked, and compare by Enter', async () => {
    const rows = [
      pair('1'),
      pair('2', { inverted: true, suspect: true, gap: -9 }),
      pair('3', { gap: null }),
    ]
    const { pane, keys, prefilled, opened, stop } = await shownPane('XVP', PairsPane, body(rows))
    expect(pane.note).toBe('3')
    expect(screen.getByText(/^3 of 40 pairs; Enter compares/)).toBeTruthy()
    expect(column(1)).toEqual(['0.91', '0.91', '0.91'])
    expect(column(2)).toEqual(['K52.0¢', 'K52.0¢', 'K52.0¢'])
    expect(column(3)).toEqual(['P45.0¢', 'P⇄45.0¢', 'P45.0¢'])
    expect(column(4)[1]).toMatch(/^\?\s?−9\.0¢▼$/)
    await keys('Home', 'Enter', 'g', 'f')
    await clickCell('Will KX-2?KX-2')
    expect(opens(opened)).toEqual(['KX-1 XV', 'KX-1 GP', 'KX-2 null'])
    expect(prefilled).toEqual([['XVP ']])
    // By the size of the gap; unknown last.
    await press('Gap')
    expect(column(0).map((name) => name.slice(0, 9))).toEqual([
      'Will KX-2',
      'Will KX-1',
      'Will KX-3',
    ])
    expect(await tableColumns()).toBe(
      'Question | Conf, right | Mark, right | Other, right | ▼Gap, right | After costs, right | Close diff, right, hides 1 | Match, hides 2 | State, hides 3',
    )
    stop()
  })

  it('show the marks that their gap is the difference of', async () => {
    const row = pair('1', {
      // Last trades at the edge of a book that has moved.
      a: { ...side('KX-1', 'venue_a', 39), bestBid: 30, bestAsk: 39 },
      b: { ...side('PM-1', 'venue_b', 35), bestBid: 34, bestAsk: 36 },
      gap: -0.5,
    })
    const { stop } = await shownPane('XVP', PairsPane, body([row]))
    expect([column(2), column(3)]).toEqual([['K34.5¢'], ['P35.0¢']])
    stop()
  })

  it('that are none offer all, and one is shown', async () => {
    const one = await shownPane('XVP', PairsPane, body([pair('1')]))
    expect(screen.queryByText('No pair matches.')).toBeNull()
    one.stop()
    cleanup()
    const { ran, pane, stop } = await shownPane('XVP', PairsPane, body([]))
    expect(pane.note).toBe('')
    await press('Show all pairs')
    expect(ran).toEqual([['XVP']])
    stop()
  })
})

describe('a pair', () => {
  const match = {
    ticker: 'PM-1',
    venue: 'venue_b',
    title: 'b',
    gap: 7,
    confidence: 0.91,
    closeDeltaDays: 2,
    method: 'text',
    inverted: false,
  }
  const detail = (ticker: string, more: object = {}) => ({
    ...marketRow({
      ticker,
      venue: ticker.startsWith('PM') ? 'venue_b' : 'venue_a',
      title: `Will ${ticker}?`,
    }),
    description: 'Rules',
    rulesUrl: null,
    fetchedAt: AT,
    siblings: [],
    bidLevels: [{ price: 48, size: 5 }],
    askLevels: [{ price: 50, size: 7 }],
    depthAt: AT,
    crossVenue: null,
    ...more,
  })
  const bar = (t: number, c: number) => ({ t, at: AT, o: c, h: c, l: c, c, v: 1 })
  const answers =
    ({ own = {}, other = {}, bars = 2 }: { own?: object; other?: object; bars?: number } = {}) =>
    (path: string) => {
      const isOther = path.includes('PM-1')
      if (path.includes('/candles')) {
        const candles = Array.from({ length: bars }, (_, index) =>
          bar(3_600 * (index + 1), isOther ? 44 : 50 + index),
        )
        return {
          ticker: 'x',
          venue: isOther ? 'venue_b' : 'venue_a',
          timeframe: '1h',
          candles,
          count: bars,
        }
      }
      return isOther ? detail('PM-1', other) : detail('KX-1', { crossVenue: match, ...own })
    }
  const text = () => document.body.textContent.replace(/\s+/g, ' ')

  it('shows both markets at the past instant of its group', async () => {
    const { requested, terminal, stop } = await shownPane('KX-1 XV', PairPane, answers())
    expect(text()).toContain('Best now:')
    const before = requested.length
    terminal.instants.A = '2026-11-20T09:59:00.000Z'
    await pass(1_000)
    const past = requested.slice(before)
    expect(past.filter((path) => path.includes('/market/'))).toHaveLength(4)
    expect(past.filter((path) => !path.includes('asOf='))).toEqual([])
    expect(text()).toContain('Best then:')
    stop()
  })

  it('opens both of its markets, and swaps its sides', async () => {
    const { keys, opened, requested, stop } = await shownPane('KX-1 XV', PairPane, answers())
    await keys('d', 'g', 'b', 'x')
    await press('Will PM-1?')
    await press('Will KX-1?')
    expect(opens(opened)).toEqual([
      'KX-1 DES',
      'KX-1 GP',
      'KX-1 BOOK',
      'PM-1 XV',
      'PM-1 DES',
      'KX-1 DES',
    ])
    expect(requested.filter((path) => path.includes('/candles'))).toHaveLength(2)
    expect(text()).toContain('match confidence 0.91 (text)')
    expect(text()).not.toContain('prices inverted')
    stop()
  })

  it('is charted in shorter or longer bars, to the ends of the list', async () => {
    const { pane, keys, requested, stop } = await shownPane('KX-1 XV', PairPane, answers())
    const seen: unknown[] = []
    for (const key of [']', '[', '[']) {
      await keys(key)
      seen.push(pane.command.args['timeframe'])
    }
    expect(new Set(seen).size).toBe(3)
    expect(seen[1]).toBe('1h')
    await pass(500)
    expect(requested.at(-1)).toContain(`timeframe=${String(seen[2])}&`)
    for (let count = 0; count < 9; count++) await keys('[')
    const shortest = pane.command.args['timeframe']
    await keys('[')
    expect([shortest, pane.command.args['timeframe']]).toEqual(['1m', '1m'])
    stop()
  })

  it('is listed newest first, and charted from two bars', async () => {
    const { keys, stop } = await shownPane('KX-1 XV', PairPane, answers())
    expect(
      screen.getByRole('img', { name: /^Price gap over 2 1h bars, last \+7\.0¢/ }),
    ).toBeTruthy()
    await keys('t')
    expect(column(1)).toEqual(['51.0¢', '50.0¢', '48.0¢', '48.0¢'])
    expect(column(3).slice(0, 2)).toEqual(['+7.0¢▲', '+6.0¢▲'])
    expect(await tableColumns()).toBe(
      'Time | Kalshi, right | Polymarket, right | Gap, right | After fees, right',
    )
    stop()
    cleanup()
    const one = await shownPane('KX-1 XV', PairPane, answers({ bars: 1 }))
    expect(screen.queryByRole('img', { name: /^Price gap over/ })).toBeNull()
    expect(screen.getByText(/^Price gap over 1 1h bars/)).toBeTruthy()
    one.stop()
    cleanup()
    const none = await shownPane('KX-1 XV', PairPane, answers({ bars: 0 }))
    expect(screen.getByText('No history of both markets yet')).toBeTruthy()
    none.stop()
  })

  it('names the better side to buy, or the order book that is missing', async () => {
    const cheap = [{ price: 30, size: 3 }]
    const here = await shownPane(
      'KX-1 XV',
      PairPane,
      answers({ own: { askLevels: cheap, bestAsk: 30 } }),
    )
    expect(text()).toMatch(/Best now: YES at Kalshi and NO at Polymarket nets \+\d/)
    here.stop()
    cleanup()
    const there = await shownPane(
      'KX-1 XV',
      PairPane,
      answers({ other: { askLevels: cheap, bestAsk: 30 } }),
    )
    expect(text()).toMatch(/Best now: YES at Polymarket and NO at Kalshi nets \+\d/)
    there.stop()
    cleanup()
    const missing = await shownPane(
      'KX-1 XV',
      PairPane,
      answers({ other: { bidLevels: [], askLevels: [] } }),
    )
    expect(text()).toContain('Trading both sides needs two order books; one is missing.')
    missing.stop()
  })

  it('without a counterpart offers all pairs, and leaves its keys', async () => {
    const { keys, ran, opened, requested, stop } = await shownPane(
      'KX-1 XV',
      PairPane,
      answers({ own: { crossVenue: null } }),
    )
    await keys('x')
    expect(opened).toEqual([])
    await press('Show all pairs')
    expect(ran).toEqual([['XVP']])
    expect(requested.filter((path) => path.includes('/candles'))).toEqual([])
    stop()
    cleanup()
    const none = await shownPane('. XV', PairPane, answers())
    await none.keys('d', 'g', 'x')
    expect(none.opened).toEqual([])
    none.stop()
  })
})
