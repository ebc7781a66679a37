import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refused } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import { cells, clickCell, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import CatalystPane from './CatalystPane.svelte'
import DeltaPane from './DeltaPane.svelte'
import DispersionPane from './DispersionPane.svelte'
import ExplainPane from './ExplainPane.svelte'
import IndexPane from './IndexPane.svelte'
import RegimePane from './RegimePane.svelte'
import TrailPane from './TrailPane.svelte'
import WorldPane from './WorldPane.svelte'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
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
const head = (label = 'World') => ({
  asOf: AT,
  sinceBaseline: AT,
  baselineReason: 'last 12h',
  region: { path: [], label, parentUrl: null },
  regime: { label: 'Steady', signals: {} },
})
const unknown = { value: null, disagreement: null, geoRisk: null, breadth: null, activity: null }

describe('changes of the world', () => {
  const change = (kind: string, more: object = {}) => ({
    kind,
    ticker: null,
    label: `A ${kind}`,
    before: null,
    after: null,
    at: '2026-11-20T09:30:00.000Z',
    url: null,
    ...more,
  })
  const delta = (to = AT) => ({
    from: '2026-11-20T09:00:00.000Z',
    to,
    changes: [
      change('price_move', { ticker: 'KX-1', before: 40, after: 52.5 }),
      change('item_moved', { before: 0, after: 2, label: '[residual] 2σ volume' }),
      change('gauge', { before: 0.1, after: 0.25, label: 'Breadth +0.10 → +0.25' }),
    ],
    indexDelta: { ...unknown, value: 1.26, breadth: -0.126, geoRisk: 0 },
    movers: { added: [ref('KX-5', null)], dropped: [{ ticker: 'KX-6', title: 'Dropped?' }] },
    resolved: [],
  })

  it('have both ends in their units, and open their market', async () => {
    const { pane, keys, opened, stop } = await shownPane('DELTA', DeltaPane, () => delta())
    expect(pane.note).toBe('3')
    expect(cells()).toEqual(
      [
        ['09:30', 'price', 'A price_move', '40.0¢', '52.5¢'],
        ['09:30', 'item rank', 'unexplained: 2σ volume', '#1', '#3'],
        ['09:30', 'gauge', 'Breadth +0.10 → +0.25', '+0.1', '+0.25'],
      ].flat(),
    )
    await keys('Home', 'Enter', 'j', 'Enter', 'k', 'h')
    await clickCell('A price_move')
    await clickCell('Breadth +0.10 → +0.25')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-1', 'HIST'],
      [pane, 'KX-1', null],
    ])
    await press('Dropped?')
    await press('Will KX-5 happen? –')
    expect(opened.slice(3)).toEqual([
      [pane, 'KX-6', 'DES'],
      [pane, 'KX-5', 'DES'],
    ])
    expect(await tableColumns()).toBe(
      'Time | Type | Subject | Before, right, hides 1 | After, right',
    )
    stop()
  })

  it('name the gauges with their decimals', async () => {
    const { stop } = await shownPane('DELTA', DeltaPane, () => delta())
    const text = document.body.textContent.replace(/\s+/g, ' ')
    expect(text).toMatch(/Index ?\??\s?\+1\.3/)
    expect(text).toMatch(/Breadth ?\??\s?−0\.13/)
    stop()
  })

  it('of earlier days have their date instead of a time', async () => {
    const at = '2026-11-17T09:30:00.000Z'
    const body = () => ({ ...delta(), changes: [change('gauge', { at })] })
    const { stop } = await shownPane('DELTA 7d', DeltaPane, body)
    expect(column(0)).toEqual(['17 Nov'])
    stop()
  })

  it('are requested over a shorter or longer period', async () => {
    const { pane, keys, requested, stop } = await shownPane('DELTA', DeltaPane, () => delta())
    expect(requested.at(-1)).toContain('since=1h')
    await keys(']')
    expect(pane.line).toBe('DELTA 6h')
    await keys('[', '[')
    expect(pane.line).toBe('DELTA 15m')
    await keys('[', '[')
    expect(pane.line).toBe('DELTA 5m')
    await press('7d')
    expect(pane.line).toBe('DELTA 7d')
    await keys(']')
    expect(pane.line).toBe('DELTA 7d')
    await pass(500)
    expect(requested.at(-1)).toContain('since=7d')
    stop()
    const other = await shownPane('DELTA 2h', DeltaPane, () => delta())
    await other.keys('[')
    expect(other.pane.line).toBe('DELTA 1h')
    other.stop()
  })

  it('are requested again after a newer snapshot only', async () => {
    const page = await shownPane('DELTA', DeltaPane, () => delta())
    const { service, requested, stop } = page
    service.topics.set('world', { epoch: 'e', seq: 1, changes: [], data: { asOf: AT } })
    await pass(500)
    const before = requested.length
    service.change('world', { to: AT, asOf: AT })
    await pass(100)
    expect(requested).toHaveLength(before)
    stop()
  })

  it('may be none', async () => {
    const none = { ...delta(), changes: [], movers: { added: [], dropped: [] } }
    const { pane, stop } = await shownPane('DELTA', DeltaPane, () => none)
    expect(screen.getByText('No changes in this period.')).toBeTruthy()
    expect(screen.queryByText('New movers')).toBeNull()
    expect(pane.note).toBe('')
    stop()
  })

  it.each([
    [{ added: [ref('KX-5')], dropped: [] }, /New movers Will KX-5 happen\? 50\.0¢ dropped –/],
    [{ added: [], dropped: [{ ticker: 'A', title: 'Gone?' }] }, /New movers – dropped Gone\?/],
  ])('show a dash for movers of one side only', async (movers, text) => {
    const { stop } = await shownPane('DELTA', DeltaPane, () => ({ ...delta(), movers }))
    expect(screen.getByText('New movers').parentElement?.textContent.replace(/\s+/g, ' ')).toMatch(
      text,
    )
    stop()
  })
})

describe('dispersion', () => {
  const outlier = (ticker: string, deviation: number) => ({ ...ref(ticker, 90), deviation })
  const group = (key: string, outliers: readonly object[], more: object = {}) => ({
    key,
    label: `Group ${key}`,
    consensus: 'loose',
    stdev: 12.34,
    mean: 51.26,
    median: 50,
    iqr: 4,
    min: 1,
    max: 99,
    marketCount: 7,
    outliers,
    ...more,
  })
  const groups = [
    group('a', [outlier('KX-1', 40), outlier('KX-2', 30), outlier('KX-3', -20)]),
    group('b', []),
  ]
  const body = (dispersion: object) => ({
    ...head('Oil'),
    dispersion: {
      agreement: 0.625,
      median: 48,
      iqr: 12.25,
      marketCount: 14,
      groups,
      ...dispersion,
    },
  })

  it('lists the outliers of the group under the cursor, and opens them by number', async () => {
    const { pane, keys, opened, stop } = await shownPane('DISP', DispersionPane, () => body({}))
    expect(pane.note).toBe('2')
    const outliers = screen.getByRole('region', { name: 'Largest outliers in Group a' })
    expect(
      within(outliers)
        .getAllByRole('button')
        .map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()),
    ).toEqual([
      '1 Will KX-1 happen? 90.0¢ +40.0¢',
      '2 Will KX-2 happen? 90.0¢ +30.0¢',
      '3 Will KX-3 happen? 90.0¢ −20.0¢',
    ])
    await keys('1', '2', '3', 'Home', 'Enter')
    await clickCell('Group a')
    await press('2 Will KX-2 happen? 90.0¢ +30.0¢')
    expect(opened.map(([, ticker, verb]) => [ticker, verb])).toEqual([
      ['KX-1', 'DES'],
      ['KX-2', 'DES'],
      ['KX-3', 'DES'],
      ['KX-1', 'DES'],
      ['KX-2', 'DES'],
    ])
    await keys('j', 'Enter', '1')
    expect(screen.queryByRole('region', { name: /^Largest outliers/ })).toBeNull()
    expect(opened).toHaveLength(5)
    expect(pane.line).toBe('DISP')
    expect(await tableColumns()).toBe(
      'Group | Consensus, hides 2 | Std dev, right | 0 to 100¢, hides 1 | Median, right | Mean, right, hides 4 | Min, right, hides 3 | Max, right, hides 3 | Markets, right, hides 5',
    )
    stop()
  })

  it('names the agreement, the median and the range', async () => {
    const { stop } = await shownPane('DISP', DispersionPane, () => body({}))
    const text = document.body.textContent.replace(/\s+/g, ' ')
    expect(text).toMatch(/Oil/)
    expect(text).toMatch(/Agreement ?62\.5%/)
    expect(text).toMatch(/Median ?48\.0¢/)
    expect(text).toMatch(/IQR ?12\.3¢/)
    expect(text).toMatch(/Markets ?14/)
    expect(cells()).toEqual(expect.arrayContaining(['12.3¢', '51.3¢', '1.0¢', '99.0¢', '7']))
    stop()
  })

  it('is unknown without an agreement, and offers all regions without groups', async () => {
    const known = await shownPane('DISP', DispersionPane, () => body({ agreement: null }))
    expect(document.body.textContent.replace(/\s+/g, ' ')).toMatch(/Agreement ?–/)
    known.stop()
    const { ran, stop } = await shownPane('DISP oil', DispersionPane, () => body({ groups: [] }))
    expect(screen.getByText('Too few markets to compare here.')).toBeTruthy()
    await press('Compare all regions')
    expect(ran).toEqual([['DISP']])
    stop()
  })
})

describe('catalysts', () => {
  const catalyst = (id: string, more: object = {}) => ({
    id,
    kind: 'court_date',
    title: `Event ${id}`,
    at: '2026-11-21T12:00:00.000Z',
    date: '2026-11-21',
    timeKnown: false,
    category: 'c',
    tickers: [],
    importance: 'medium',
    source: 'calendar',
    ...more,
  })
  const items = [
    catalyst('a', { tickers: ['KX-1', 'KX-2', 'KX-3'], importance: 'high' }),
    catalyst('b', { market: ref('KX-9', 33), tickers: ['KX-8'], timeKnown: true }),
    catalyst('c', { importance: 'low' }),
  ]
  const body = (shown: readonly object[] = items) => ({
    ...head(),
    catalyst: { items: shown, total: shown.length },
  })

  it('open their own market, or the first they name', async () => {
    const { pane, keys, opened, stop } = await shownPane('CATL', CatalystPane, () => body())
    expect(pane.note).toBe('3')
    expect(column(0)).toEqual(['2026-11-21', expect.stringMatching(/12:00/), '2026-11-21'])
    expect(column(1)).toEqual(['court date', 'court date', 'court date'])
    expect(column(4)).toEqual(['–', '33.0¢', '–'])
    expect(column(5)).toEqual(['KX-1 +2', 'Will KX-9 happen?', '–'])
    await keys('Home', 'Enter', 'j', 'Enter', 'j', 'Enter')
    await clickCell('Event b')
    await clickCell('Event c')
    expect(opened.map(([, ticker, verb]) => [ticker, verb])).toEqual([
      ['KX-1', 'DES'],
      ['KX-9', 'DES'],
      ['KX-9', null],
    ])
    expect(await tableColumns()).toBe(
      'When | Kind, hides 3 | Event | Weight, hides 2 | Price, right, hides 1 | Market, hides 4',
    )
    stop()
  })

  it('show the outcome of their market, which the width of the column may not cut', async () => {
    const market = { ...ref('KX-7', 5), title: 'Gasoline price on Nov 30? - Above $3.06' }
    const { stop } = await shownPane('CATL', CatalystPane, () => body([catalyst('d', { market })]))
    expect(screen.getByText('Above $3.06').classList.contains('outcome')).toBe(true)
    stop()
  })

  it('without a known time of day name none', async () => {
    const { stop } = await shownPane('CATL', CatalystPane, () => body())
    const [first, second] = document.querySelectorAll('time')
    expect([first?.title, first?.dateTime]).toEqual(['The time of day is not known', '2026-11-21'])
    expect(second?.title).toBe('2026-11-21 12:00:00 UTC')
    stop()
  })

  it('sort by weight, not by its name', async () => {
    const { stop } = await shownPane('CATL', CatalystPane, () => body())
    await press('Weight')
    expect(column(3)).toEqual(['high', 'medium', 'low'])
    stop()
  })

  it('are requested over a nearer or farther period', async () => {
    const { pane, keys, requested, stop } = await shownPane('CATL', CatalystPane, () => body())
    expect(requested.at(-1)).toContain('window=7d')
    await keys(']')
    expect(pane.line).toBe('CATL 30d')
    await keys('[', '[', '[')
    expect(pane.line).toBe('CATL 24h')
    await press('90d')
    await keys(']')
    expect(pane.line).toBe('CATL 90d')
    await pass(500)
    expect(requested.at(-1)).toContain('window=90d')
    stop()
    const other = await shownPane('CATL 10d', CatalystPane, () => body())
    await other.keys(']')
    expect(other.pane.line).toBe('CATL 7d')
    other.stop()
  })

  it('offer a longer period without events', async () => {
    const { pane, stop } = await shownPane('CATL 24h', CatalystPane, () => body([]))
    expect(screen.getByText('No events within 24h.')).toBeTruthy()
    expect(pane.note).toBe('')
    await press('Show 90 days')
    expect(pane.line).toBe('CATL 90d')
    stop()
  })
})

describe('the regime scan', () => {
  const row = (ticker: string, more: object = {}, signals: object = {}) => ({
    ...marketRow({ ticker, title: `Will ${ticker}?`, price: 41 }),
    score: 0.6,
    asScore: 0.6,
    label: 'neutral',
    trendLabel: null,
    computedAt: AT,
    signals: {
      spreadCents: 2,
      bidDepthUsd: 900,
      askDepthUsd: 300,
      volume24h: null,
      observability: 'low',
      eventType: 'court_case',
      asPrior: 0.6,
      sfEdgeCents: -2.5,
      sfEdgeDirection: null,
      ...signals,
    },
    breakdown: [],
    ...more,
  })
  const volumes = [
    ['contracts', 'Volume 24h, contracts'],
    ['usd', 'Volume 24h, $'],
  ]
  it.each(volumes)('names the unit of a volume in %s', async (volumeUnit, text) => {
    const breakdown = [{ name: 'volume24h', value: 5, effect: 'neutral', note: 'traded' }]
    const body = () => page([row('KX-1', { volumeUnit, breakdown })])
    const { stop } = await shownPane('REG', RegimePane, body)
    expect(screen.getByText(text)).toBeTruthy()
    stop()
  })

  const page = (markets: readonly object[]) => ({
    markets,
    count: markets.length,
    total: 9,
    byLabel: { maker: 1, neutral: 2, taker: 0, unknown: 4 },
    generatedAt: AT,
  })
  const markets = [row('KX-1', { trendLabel: 'rising' }), row('KX-2', {}, { askDepthUsd: null })]

  it('shows the thinner side of each book, unknown with one side only', async () => {
    const { keys, opened, terminal, prefilled, stop } = await shownPane('REG', RegimePane, () =>
      page(markets),
    )
    const focus = vi.spyOn(terminal, 'focusMarket')
    expect(cells().slice(1, 9)).toEqual([
      '0.60',
      'neutral',
      'rising',
      '41.0¢',
      '2.0¢',
      '$300',
      '−2.5¢',
      'court case',
    ])
    expect(column(6)).toEqual(['$300', '–'])
    await press('Depth')
    await press('Depth')
    expect(column(6)).toEqual(['$300', '–'])
    await keys('Home', 'Enter', 'f')
    await clickCell('Will KX-2?KX-2')
    expect(opened.map(([, ticker, verb]) => [ticker, verb])).toEqual([['KX-1', 'DES']])
    expect(focus.mock.calls).toEqual([['A', 'KX-2']])
    expect(prefilled).toEqual([['REG ']])
    expect(await tableColumns()).toBe(
      'Market | Score, right | Label | Trend, hides 5 | Price, right, hides 1 | Spread, right, hides 2 | ▲Depth, right, hides 3 | Edge, right, hides 4 | Event, hides 6',
    )
    stop()
  })

  it('counts each label, and keeps the other filters beside a label', async () => {
    const { pane, keys, requested, stop } = await shownPane('REG as>0.5', RegimePane, () =>
      page(markets),
    )
    const button = (name: RegExp) => screen.getByRole('button', { name })
    expect(button(/^unknown 4$/).getAttribute('aria-pressed')).toBe('false')
    await keys('1')
    expect(pane.line).toBe('REG as>0.5 label=maker')
    await keys('4')
    expect(pane.line).toBe('REG as>0.5 label=unknown')
    expect(button(/^unknown 4$/).getAttribute('aria-pressed')).toBe('true')
    await pass(500)
    expect(requested.at(-1)).toContain('label=unknown')
    await press('neutral 2')
    await pass(500)
    expect(pane.line).toBe('REG as>0.5 label=neutral')
    await press('neutral 2')
    expect(pane.line).toBe('REG as>0.5')
    stop()
  })

  it('offers all markets when none matches, and refuses a bound that its route lacks', async () => {
    const { ran, pane, stop } = await shownPane('REG label=taker', RegimePane, () => page([]))
    expect(pane.note).toBe('0 of 9')
    await press('Show all')
    expect(ran).toEqual([['REG']])
    stop()
    const refusal = await shownPane('REG vol24h<5', RegimePane, () => page([]))
    expect(screen.getByText(/^Volume accepts a lower bound only/)).toBeTruthy()
    expect(refusal.requested.filter((path) => path.includes('/regime/'))).toEqual([])
    expect(refusal.pane.note).toBe('')
    refusal.stop()
  })
})

describe('a trail', () => {
  const node = (ticker: string, hop: 1 | 2, via: string) => ({ ...ref(ticker, 40), hop, via })
  const trail = {
    from: ref('KX-1', 5),
    maxHops: 2,
    nodes: [node('KX-2', 1, 'KX-1'), node('KX-3', 1, 'KX-1')],
    links: [
      { from: 'KX-1', to: 'KX-2', kind: 'cross_venue', strength: 0.9, lagSeconds: 90, note: 'n' },
      { from: 'KX-1', to: 'KX-3', kind: 'cross_venue', strength: 0.4, lagSeconds: null, note: 'n' },
    ],
  }
  const body = () => ({ ...head(), trail })

  it('opens the market under the cursor in other panes', async () => {
    const { keys, opened, stop } = await shownPane('KX-1 TRAIL', TrailPane, body)
    await keys('d', 'ArrowRight', 'g', 'b', 'h', 'j', 'c', 'k', 'Enter', 'ArrowLeft', 'Enter')
    expect(opened.map(([, ticker, verb]) => `${ticker} ${verb}`)).toEqual([
      'KX-1 DES',
      'KX-2 GP',
      'KX-2 BOOK',
      'KX-2 HIST',
      'KX-3 TRAIL',
      'KX-2 DES',
      'KX-1 DES',
    ])
    stop()
  })

  it('is a table with the lag and strength of each link', async () => {
    const { keys, opened, stop } = await shownPane('KX-1 TRAIL', TrailPane, body)
    await keys('t', 'Home', 'j', 'g', 'Enter')
    await clickCell('Will KX-2 happen?')
    expect(opened.map(([, ticker, verb]) => `${ticker} ${verb}`)).toEqual(['KX-3 GP', 'KX-3 DES'])
    expect(column(6)).toEqual(['1m', '–'])
    await press('Strength')
    await press('Strength')
    expect(column(5)).toEqual(['0.4', '0.9'])
    expect(await tableColumns()).toBe(
      'Hop, right | Market | V, hides 3 | Price, right | Link | ▲Strength, right, hides 1 | Lag, right, hides 2',
    )
    stop()
  })

  it('without linked markets states that, and without a market offers one', async () => {
    const alone = await shownPane('KX-1 TRAIL', TrailPane, () => ({
      ...head(),
      trail: { ...trail, nodes: [], links: [] },
    }))
    expect(screen.getByText('No market is linked to this one.')).toBeTruthy()
    expect(alone.pane.note).toBe('')
    alone.stop()
    const none = await shownPane('. TRAIL', TrailPane, body)
    expect(screen.getByText(/^No market selected/)).toBeTruthy()
    expect(none.requested.filter((path) => path.includes('op=trail'))).toEqual([])
    expect(await none.keys('d')).toBeUndefined()
    expect(none.opened).toEqual([])
    none.stop()
  })
})

describe('the world', () => {
  const item = (id: string, label: string, more: object = {}) => ({
    id,
    rank: Number(id),
    type: 'residual',
    label,
    score: 0.4,
    body: { ticker: `KX-${id}`, title: 'Will it?', price: null },
    pull: [
      { op: 'trail', label: 'trail', url: `http://here/api/agent/world?op=trail&from=KX-${id}` },
      { op: 'inspect', label: 'details', url: `http://here/api/agent/inspect/KX-${id}` },
      { op: 'dispersion', label: 'groups', url: 'http://here/api/agent/world?op=dispersion' },
    ],
    ...more,
  })
  const region = (name: string, more: object = {}) => ({
    name,
    label: name.toUpperCase(),
    teaser: `About ${name}`,
    marketCount: 2,
    salientCount: 1,
    ...more,
  })
  const world = (more: object = {}) => ({
    ...head(),
    salient: [item('0', 'First'), item('1', 'Second', { type: 'novel', body: {}, score: 0.1 })],
    childRegions: [region('iran'), region('oil', { marketCount: 9, salientCount: 0 })],
    index: { ...unknown, value: 30, delta24h: 2.5, components: {} },
    regimeSummary: { calm: 1, active: 2, stressed: 0 },
    movers: [],
    marketCount: 2,
    ...more,
  })

  it('follows the item under the cursor, and an item without a market only by Enter', async () => {
    const { terminal, pane, keys, ran, prefilled, stop } = await shownPane('WORLD', WorldPane, () =>
      world(),
    )
    const focus = vi.spyOn(terminal, 'focusMarket')
    expect(pane.note).toBe('2')
    const shown = () => screen.getByRole('region', { name: 'Selected item' }).textContent
    expect(shown()).toContain('First')
    await keys('1', '2', '3')
    expect(ran).toEqual([['KX-0 TRAIL'], ['KX-0 DES'], ['DISP']])
    await keys('Home', 'j')
    expect(shown()).toContain('Second')
    await keys('1', 'Enter', 'f')
    expect(ran.slice(3)).toEqual([['KX-1 TRAIL'], ['EXPLAIN 1']])
    await clickCell('Second')
    expect(focus.mock.calls).toEqual([])
    await clickCell('First')
    expect(focus.mock.calls).toEqual([['A', 'KX-0']])
    expect(prefilled).toEqual([['WORLD ']])
    expect(await tableColumns()).toBe('#, right | Type, hides 1 | Item | Salience, right, hides 2')
    stop()
  })

  it('opens the gauges of its region', async () => {
    const gauges = () => screen.getByTitle('Gauge history')
    const { ran, stop } = await shownPane('WORLD', WorldPane, () => world())
    expect(gauges().textContent.replace(/\s+/g, ' ')).toContain('Index 30 +2.5 in 24h')
    expect(gauges().textContent.replace(/\s+/g, ' ')).toContain('1 calm, 2 active, 0 stressed')
    await fireEvent.click(gauges())
    expect(ran).toEqual([['IDX']])
    stop()
    cleanup()
    const iran = await shownPane('WORLD iran', WorldPane, () =>
      world({ index: { ...unknown, delta24h: null, components: {} } }),
    )
    expect(gauges().textContent).not.toContain('in 24h')
    await fireEvent.click(gauges())
    expect(iran.ran).toEqual([['IDX iran']])
    iran.stop()
  })

  it('lists its regions, without their detail, and walks through them', async () => {
    const { keys, pane, requested, stop } = await shownPane('WORLD 6h', WorldPane, () => world())
    await keys('v')
    expect(cells()).toEqual(['IRAN', '2', '1', 'OIL', '9', '0'])
    expect(screen.queryByRole('region', { name: 'Selected item' })).toBeNull()
    // The links belong to the items.
    await keys('1')
    expect(await tableColumns()).toBe('Region | Markets, right | Items, right')
    await keys('Home', 'Enter')
    expect(pane.line).toBe('WORLD iran 6h')
    // Items again after each step.
    await pass(500)
    expect(requested.at(-1)).toContain('/world/iran')
    expect(screen.getByRole('grid', { name: 'Salient items' })).toBeTruthy()
    await press('OIL 9')
    expect(pane.line).toBe('WORLD iran/oil 6h')
    await pass(500)
    await keys('Backspace')
    expect(pane.line).toBe('WORLD iran 6h')
    await pass(500)
    await press('World')
    expect(pane.line).toBe('WORLD 6h')
    await pass(500)
    await keys('Backspace')
    expect(pane.line).toBe('WORLD 6h')
    stop()
  })

  it('has no list of regions where there are none', async () => {
    const { keys, stop } = await shownPane('WORLD iran', WorldPane, () =>
      world({ childRegions: [] }),
    )
    expect(screen.queryByRole('navigation', { name: 'Regions within' })).toBeNull()
    await keys('v')
    expect(screen.getByText('No regions within this one.')).toBeTruthy()
    await keys('v')
    expect(screen.getByRole('grid', { name: 'Salient items' })).toBeTruthy()
    stop()
  })
})

describe('an explanation', () => {
  const item = {
    id: 's-1',
    rank: 0,
    type: 'residual',
    label: 'First',
    score: 0.4,
    body: {},
    pull: [
      { op: 'trail', label: 'trail', url: 'http://here/api/agent/world?op=trail&from=KX-1' },
      { op: 'x', label: 'elsewhere', url: 'https://example.com/' },
      { op: 'inspect', label: 'details', url: 'http://here/api/agent/inspect/KX-1' },
    ],
  }
  const hypothesis = (rank: number, kind: string, confidence: number, evidence: object[]) => ({
    rank,
    kind,
    summary: `Summary ${rank}`,
    confidence,
    evidence,
  })
  const evidence = { source: 'calendar', title: 'E', url: null, at: AT }
  const hypotheses = [
    hypothesis(1, 'linked_market', 0.3, [evidence, evidence]),
    hypothesis(2, 'scheduled_event', 0.8, []),
  ]
  const body = () => ({
    ...head(),
    explain: { item, hypotheses, checked: ['price_history'], unexplained: false },
  })

  it('follows the links of its item, and sorts by confidence', async () => {
    const { keys, ran, stop } = await shownPane('EXPLAIN s-aaaaaa', ExplainPane, body)
    await keys('1', '2', '3')
    expect(ran).toEqual([['KX-1 TRAIL'], ['KX-1 DES']])
    expect(cells()).toEqual(
      [
        ['linked market', 'Summary 1', '30%', '2'],
        ['scheduled event', 'Summary 2', '80%', '0'],
      ].flat(),
    )
    expect(screen.getByText('Sources searched: price history')).toBeTruthy()
    await keys('Home', 'Enter')
    await clickCell('Summary 1')
    expect(ran).toHaveLength(2)
    await press('Confidence')
    expect(column(2)).toEqual(['80%', '30%'])
    expect(await tableColumns()).toBe(
      'Kind | Hypothesis | ▼Confidence, right | Evidence, right, hides 1',
    )
    stop()
  })

  it('without an item offers the world', async () => {
    const { ran, requested, stop } = await shownPane('EXPLAIN', ExplainPane, body)
    expect(requested.filter((path) => path.includes('op=explain'))).toEqual([])
    await press('Show the world')
    expect(ran).toEqual([['WORLD']])
    stop()
  })
})

it.each([
  ['IDX', IndexPane],
  ['DELTA', DeltaPane],
  ['DISP', DispersionPane],
  ['CATL', CatalystPane],
  ['REG', RegimePane],
  ['KX-1 TRAIL', TrailPane],
  ['WORLD', WorldPane],
  ['EXPLAIN s-aaaaaa', ExplainPane],
] as const)(
  '%s reports why it cannot show anything, and requests it again',
  async (line, drawn) => {
    const { requested, stop } = await shownPane(line, drawn, () =>
      refused(503, null, 'The service is busy'),
    )
    expect(screen.getByRole('alert').textContent).toContain('The service is busy')
    const before = requested.length
    await press('Retry')
    await pass(50)
    expect(requested.length).toBeGreaterThan(before)
    stop()
  },
)
