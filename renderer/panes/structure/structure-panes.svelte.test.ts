import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cells, clickCell, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import CalibrationPane from './CalibrationPane.svelte'
import ContagionPane from './ContagionPane.svelte'
import CurvesPane from './CurvesPane.svelte'
import LiquidityPane from './LiquidityPane.svelte'
import OddsPane from './OddsPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const ref = (ticker: string, price: number | null = 50) => ({
  ticker,
  venue: 'venue_a',
  title: `Will ${ticker} happen?`,
  price,
  url: '',
})
const tickersAndVerbs = (opened: readonly (readonly [unknown, string, string | null])[]) =>
  opened.map(([, ticker, verb]) => `${ticker} ${verb}`)

describe('the calibration', () => {
  const bucket = (from: number, n: number, change: object = {}) => ({
    from,
    to: from + 10,
    n,
    predictedMean: from + 5,
    realizedRate: from,
    deviation: 5,
    brier: 0.0625,
    ...change,
  })
  const card = (change: object = {}) => ({
    source: 'all',
    period: '30d',
    sample: 60,
    coveragePct: 97.2,
    brier: 0.139,
    brierAtClose: null,
    hitRate: 0.805,
    verdict: null,
    horizonHours: 24,
    generatedAt: AT,
    buckets: [bucket(0, 40), bucket(10, 9, { realizedRate: null }), bucket(90, 1)],
    byVenue: [{ venue: 'venue_a', n: 60, brier: 0.139, hitRate: 0.5 }],
    byCategory: [{ category: 'politics', n: 1_200, brier: null, hitRate: null }],
    ...change,
  })
  const rowsOf = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent))

  it('has its figures, buckets, venues and categories in their units', async () => {
    const { pane, stop } = await shownPane('CALIB', CalibrationPane, () => card())
    expect(pane.note).toBe('60')
    const text = document.body.textContent.replace(/\s+/g, ' ')
    expect(text).toContain('Markets settled in 30d')
    expect(text).toMatch(/At the close ?–.*Hit rate ?80\.5%.*Verdict ?–.*Coverage ?97\.2%/)
    expect(rowsOf('Price buckets')[0]).toEqual(['0–10¢', '40', '5.0¢', '0%', '+5.0¢', '0.063'])
    expect(rowsOf('Price buckets')[1]).toEqual(['10–20¢', '9', '15.0¢', '–', '+5.0¢', '0.063'])
    expect(rowsOf('By venue')).toEqual([['Kalshi', '60', '0.139', '50%']])
    expect(rowsOf('By category')).toEqual([['politics', '1,200', '–', '–']])
    stop()
  })

  it('draws a dot for each bucket with markets whose results are known', async () => {
    const buckets = [
      bucket(0, 1),
      bucket(10, 9, { realizedRate: null }),
      bucket(20, 9, { predictedMean: null }),
      bucket(30, 0),
    ]
    const { stop } = await shownPane('CALIB', CalibrationPane, () => card({ buckets }))
    const titles = [...document.querySelectorAll('circle title')].map((title) => title.textContent)
    expect(titles).toEqual(['0 to 10¢: 1 markets, 0% resolved YES'])
    expect(document.querySelectorAll('[stroke-dasharray], .dashed')).toHaveLength(1)
    stop()
  })

  it('is requested over a shorter or longer period, to the ends of the list', async () => {
    const { pane, keys, requested, stop } = await shownPane('CALIB', CalibrationPane, () => card())
    expect(requested.at(-1)).toContain('period=30d')
    await keys('[')
    expect(pane.line).toBe('CALIB 7d')
    await keys('[')
    expect(pane.line).toBe('CALIB 7d')
    await keys(']', ']', ']')
    expect(pane.line).toBe('CALIB all')
    expect(screen.getByText('All settled markets')).toBeTruthy()
    await keys(']')
    expect(pane.line).toBe('CALIB all')
    await pass(500)
    expect(requested.at(-1)).toContain('period=all')
    stop()
  })

  it('of one market is shown, of none offers all markets', async () => {
    const one = await shownPane('CALIB', CalibrationPane, () => card({ sample: 1 }))
    expect(one.pane.note).toBe('1')
    expect(screen.queryByText(/^No market that settled/)).toBeNull()
    one.stop()
    cleanup()
    const none = await shownPane('CALIB 7d', CalibrationPane, () => card({ sample: 0 }))
    await press('Show all')
    expect(none.pane.line).toBe('CALIB all')
    await pass(1_000)
    expect(screen.getByText('No settled market matches.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
    none.stop()
  })
})

describe('contagion', () => {
  const moved = (ticker: string, delta: number) => ({ ...ref(ticker), delta })
  const link = (from: string, to: string, gap: number, more: object = {}) => ({
    trigger: moved(from, -12),
    lagging: moved(to, 1),
    gap,
    relation: 'theme',
    direction: 'lagging',
    theme: 'oil',
    strength: 0.4,
    window: '6h',
    detectedAt: AT,
    ...more,
  })
  const body = (highlights: readonly object[], records: readonly object[] = []) => ({
    window: '6h',
    generatedAt: AT,
    highlights,
    records,
  })

  it('of one bundle is shown, with the market whose gap is largest one key away', async () => {
    const { pane, keys, opened, stop } = await shownPane('CONT', ContagionPane, () =>
      body([link('KX-1', 'KX-2', 4), link('KX-1', 'KX-3', -6)]),
    )
    expect(pane.note).toBe('2')
    expect(screen.getByText(/^No gap has been followed up yet/)).toBeTruthy()
    expect(screen.queryByText(/more in the table/)).toBeNull()
    await keys('Home', 'Enter', 'h')
    await clickCell('Will KX-1 happen?')
    expect(tickersAndVerbs(opened)).toEqual(['KX-3 DES', 'KX-1 HIST', 'KX-3 null'])
    expect(document.querySelectorAll('svg text.up')).toHaveLength(1)
    expect(document.querySelectorAll('svg text.down')).toHaveLength(1)
    expect([...document.querySelectorAll('path')].at(-1)?.getAttribute('stroke-width')).toBe('2.2')
    expect(await tableColumns()).toBe('Leads | Moved, right | Lagging, right | Largest gap, right')
    stop()
  })

  it('sorts by the size of a move, in either direction', async () => {
    const { stop } = await shownPane('CONT', ContagionPane, () =>
      body([
        link('KX-1', 'KX-2', -9),
        link('KX-3', 'KX-4', 4, { trigger: moved('KX-3', 3) }),
        link('KX-5', 'KX-6', 5.04),
      ]),
    )
    await press('Moved')
    expect(column(1)).toEqual(['−12.0¢▼', '−12.0¢▼', '+3.0¢▲'])
    await press('Largest gap')
    expect(column(3)).toEqual(['−9.0¢▼', '+5.0¢▲', '+4.0¢▲'])
    stop()
  })

  it('lists every gap, and counts those that the graph leaves out', async () => {
    const many = Array.from({ length: 8 }, (_, index) => link('KX-0', `KX-${index + 1}`, 9 - index))
    const { keys, opened, stop } = await shownPane('CONT', ContagionPane, () =>
      body(many, [{ kind: 'other', n: 3, hitRate: 0.5, unproven: false, closed: [] }]),
    )
    expect(screen.getByText('1 more in the table (t)')).toBeTruthy()
    const records = screen.getByRole('list', { name: 'Past results of such gaps' })
    expect(records.textContent).toContain('other')
    expect(within(records).queryByText('UNPROVEN')).toBeNull()
    await keys('t', 'Home', 'j', 'Enter', 'b')
    await clickCell('Will KX-8 happen?')
    expect(tickersAndVerbs(opened)).toEqual(['KX-2 DES', 'KX-2 BOOK', 'KX-8 null'])
    expect(cells().slice(0, 8)).toEqual([
      'Will KX-1 happen?',
      '+9.0¢▲',
      '50.0¢',
      '+1.0¢▲',
      'Will KX-0 happen?',
      'same theme',
      '0.40',
      expect.stringMatching(/^10:00/),
    ])
    expect(await tableColumns()).toBe(
      'Lagging market | Expected move, right | Price, right, hides 1 | Moved, right, hides 3 | Trigger, hides 2 | Link, hides 4 | Str, right, hides 5 | Since, right, hides 6',
    )
    stop()
  })

  it('sorts gaps by their size', async () => {
    const { keys, stop } = await shownPane('CONT', ContagionPane, () =>
      body([link('KX-0', 'KX-1', 2), link('KX-0', 'KX-2', -8), link('KX-5', 'KX-3', 4)]),
    )
    await keys('t')
    await press('Expected move')
    expect(column(1)).toEqual(['−8.0¢▼', '+4.0¢▲', '+2.0¢▲'])
    stop()
  })

  it('is computed over a shorter or longer window, to the ends of the list', async () => {
    const { pane, keys, requested, stop } = await shownPane('CONT', ContagionPane, () =>
      body([link('KX-1', 'KX-2', 4)]),
    )
    await keys('[')
    expect(pane.line).toBe('CONT 1h')
    await keys('[')
    expect(pane.line).toBe('CONT 1h')
    await keys(']', ']', ']', ']')
    expect(pane.line).toBe('CONT 3d')
    await pass(500)
    expect(requested.at(-1)).toContain('window=3d')
    stop()
  })

  it('without gaps offers the longest window, and beyond it the movers', async () => {
    const { pane, ran, stop } = await shownPane('CONT', ContagionPane, () => body([]))
    expect(screen.getByText('No linked market has an expected move over 6h.')).toBeTruthy()
    await press('Use a 3-day window')
    expect(pane.line).toBe('CONT 3d')
    await pass(1_000)
    await press('Show movers')
    expect(ran).toEqual([['MOV']])
    stop()
  })
})

describe('yield curves', () => {
  const point = (ticker: string, tenorDays: number, price: number | null) => ({
    ticker,
    title: `Point ${ticker}`,
    tenorDays,
    price,
    iy: 12.5,
    volume24h: null,
    closeTime: AT,
  })
  const curve = (eventBase: string, points: readonly object[], more: object = {}) => ({
    eventBase,
    venue: 'venue_a',
    title: `When ${eventBase}?`,
    shape: 'flat',
    pointCount: points.length,
    distinctTenorCount: points.length,
    totalVolume24h: 500,
    avgPrice: 40,
    asOf: AT,
    points,
    ...more,
  })
  const body = (curves: readonly object[]) => ({ generatedAt: AT, curves })

  it('open the first deadline, and each by its row', async () => {
    const { pane, keys, opened, stop } = await shownPane('YC', CurvesPane, () =>
      body([
        curve('IPO', [point('KX-1', 30, 20), point('KX-2', 60, null), point('KX-3', 90, 10)]),
        curve('WAR', [], { totalVolume24h: null, avgPrice: null }),
      ]),
    )
    expect(pane.note).toBe('2')
    expect(cells()).toEqual([
      'When IPO?',
      'K',
      'flat',
      '3',
      '40.0¢',
      '$200',
      'When WAR?',
      'K',
      'flat',
      '0',
      '–',
      '–',
    ])
    const rows = within(screen.getByRole('table', { name: 'Points of the curve' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map((row) => row.classList.contains('warns'))).toEqual([false, false, true])
    expect(rows.map((row) => row.textContent.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/30d20\.0¢12\.5%–$/),
      expect.stringMatching(/60d–12\.5%–$/),
      expect.stringMatching(/90d10\.0¢12\.5%−12\.5%$/),
    ])
    expect([...document.querySelectorAll('circle title')].map((dot) => dot.textContent)).toEqual([
      'Point KX-1: 20¢',
      'Point KX-3: 10¢',
    ])
    await fireEvent.click(within(rows[2]!).getByRole('button'))
    await keys('Home', 'Enter', 'h')
    await clickCell('When IPO?')
    expect(tickersAndVerbs(opened)).toEqual(['KX-3 DES', 'KX-1 DES', 'KX-1 HIST'])
    await keys('j', 'Enter')
    expect(opened).toHaveLength(3)
    expect(screen.getByText('flat, – per month')).toBeTruthy()
    expect(screen.getByRole('img', { name: 'When WAR? no prices' })).toBeTruthy()
    expect(await tableColumns()).toBe(
      'Question | V, hides 3 | Shape | Dates, right | Mean, right, hides 1 | Vol 24h, right, hides 2',
    )
    stop()
  })

  it('without one offer all', async () => {
    const { ran, pane, stop } = await shownPane('YC iran', CurvesPane, () => body([]))
    expect(pane.note).toBe('')
    await press('Show all curves')
    expect(ran).toEqual([['YC']])
    stop()
  })
})

describe('liquidity', () => {
  const theme = (name: string, more: object = {}) => ({
    theme: name,
    label: name.toUpperCase(),
    marketCount: 3,
    volume24hUsd: 900,
    change24hPct: -12,
    openInterestUsd: 2_000,
    depthUsd: 70,
    medianSpread: 1.5,
    liquidityScore: 'low',
    topMarkets: [ref('KX-1')],
    ...more,
  })
  const themes = [
    theme('iran'),
    theme('oil', {
      volume24hUsd: null,
      liquidityScore: 'high',
      topMarkets: [],
      change24hPct: null,
    }),
    theme('fed', { volume24hUsd: 300, liquidityScore: 'medium', change24hPct: 50 }),
  ]
  const body = (shown: readonly object[] = themes) => ({ generatedAt: AT, themes: shown })

  it('opens the world of a theme from its tile', async () => {
    const { pane, ran, keys, stop } = await shownPane('LIQ', LiquidityPane, () => body())
    expect(pane.note).toBe('3')
    const tiles = within(screen.getByRole('group', { name: /IRAN has 75% of it/ })).getAllByRole(
      'button',
    )
    expect(tiles.map((tile) => [tile.title, tile.className.split(' ')[0]])).toEqual([
      ['IRAN: $900 in 24 h, −12%', 'less'],
      ['FED: $300 in 24 h, +50%', 'more'],
    ])
    expect(tiles.map((tile) => tile.style.getPropertyValue('--heat'))).toEqual(['4%', '15%'])
    expect(tiles.map((tile) => tile.tabIndex)).toEqual([0, -1])
    await keys('ArrowRight')
    expect(document.activeElement).toBe(tiles[1])
    expect(tiles.map((tile) => tile.tabIndex)).toEqual([-1, 0])
    await keys('ArrowRight', 'j', 'ArrowDown')
    expect(document.activeElement).toBe(tiles[1])
    await keys('ArrowLeft')
    expect(document.activeElement).toBe(tiles[0])
    await fireEvent.click(tiles[1]!)
    expect(ran).toEqual([['WORLD fed']])
    stop()
  })

  it('is a table that opens the world of a theme, and its most traded market by keys', async () => {
    const { keys, ran, opened, stop } = await shownPane('LIQ', LiquidityPane, () => body())
    await keys('t')
    expect(cells().slice(0, 9)).toEqual([
      'IRAN',
      '$900',
      '−12%',
      '$70',
      '$2.0k',
      '1.5¢',
      'low',
      '3',
      'Will KX-1 happen?',
    ])
    await keys('Home', 'Enter', 'g', 'j', 'g')
    await clickCell('OIL')
    expect(ran).toEqual([['WORLD iran']])
    expect(tickersAndVerbs(opened)).toEqual(['KX-1 GP'])
    await press('Liq')
    expect(column(6)).toEqual(['high', 'medium', 'low'])
    await press('Vol 24h')
    expect(column(1)).toEqual(['$900', '$300', '–'])
    expect(await tableColumns()).toBe(
      'Theme | ▼Vol 24h, right | 24h, right, hides 1 | Depth, right, hides 2 | OI, right, hides 4 | Spread, right, hides 3 | Liq | Mkts, right, hides 5 | Most traded, hides 6',
    )
    stop()
  })

  it('of one theme is shown, of none offers all, and without trades explains itself', async () => {
    const none = await shownPane('LIQ', LiquidityPane, () => body([]))
    expect(none.pane.note).toBe('')
    await press('Show all themes')
    expect(none.ran).toEqual([['LIQ']])
    none.stop()
    cleanup()
    const { keys, stop } = await shownPane('LIQ', LiquidityPane, () =>
      body([theme('oil', { volume24hUsd: 0 })]),
    )
    expect(screen.getAllByText('No trades in 24 hours')).toHaveLength(2)
    await keys('ArrowRight')
    expect(screen.queryByRole('button', { name: 'Show all themes' })).toBeNull()
    stop()
  })
})

describe('odds', () => {
  const row = (slug: string, more: object = {}) => ({
    slug,
    title: `Question ${slug}`,
    category: 'politics',
    venues: ['venue_a', 'venue_b'],
    price: 41.26,
    delta24h: 1.26,
    band: 'toss_up',
    volume24hUsd: 900,
    marketCount: 2,
    tickers: ['KX-1', 'KX-2'],
    leader: null,
    note: null,
    closeTime: null,
    ...more,
  })
  const body = (odds: readonly object[]) => ({ odds, total: 40, asOf: AT, nextCursor: null })

  it('open their leader, or their first market', async () => {
    const { pane, keys, opened, prefilled, stop } = await shownPane('ODDS', OddsPane, () =>
      body([
        row('a', { leader: { label: 'Somebody', ticker: 'KX-9' } }),
        row('b', { note: 'no single leader', delta24h: -8 }),
        row('c', { tickers: [], delta24h: null }),
      ]),
    )
    expect(pane.note).toBe('3')
    expect(screen.getByText('3 of 40 questions, most traded first')).toBeTruthy()
    expect(column(1)).toEqual(['Somebody', 'no single leader', ''])
    expect(column(6)).toEqual(['K P', 'K P', 'K P'])
    await keys('Home', 'Enter', 'j', 'Enter', 'h', 'j', 'Enter', 'f')
    expect(tickersAndVerbs(opened)).toEqual(['KX-9 DES', 'KX-1 DES', 'KX-1 HIST'])
    expect(prefilled).toEqual([['ODDS ']])
    await clickCell('Somebody')
    expect(tickersAndVerbs(opened).at(-1)).toBe('KX-9 null')
    // By the size of the move; unknown last.
    await press('24h')
    expect(column(1)).toEqual(['no single leader', 'Somebody', ''])
    stop()
  })

  it('of one question are shown', async () => {
    const { pane, stop } = await shownPane('ODDS', OddsPane, () => body([row('a')]))
    expect(pane.note).toBe('1')
    expect(screen.queryByText('No question matches.')).toBeNull()
    stop()
  })
})
