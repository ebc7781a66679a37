import '../testing/set-up-page.ts'
import { render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Scope } from '../lib/keyboard.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import { pageUnderTest } from '../testing/page-under-test.ts'
import { marketRow } from '../testing/rows.ts'
import AnswerPane from './answers/AnswerPane.svelte'
import BriefingPane from './answers/BriefingPane.svelte'
import CalendarPane from './answers/CalendarPane.svelte'
import PairPane from './crossvenue/PairPane.svelte'
import PairsPane from './crossvenue/PairsPane.svelte'
import EdgesPane from './edges/EdgesPane.svelte'
import HighlightsPane from './edges/HighlightsPane.svelte'
import IdeasPane from './edges/IdeasPane.svelte'
import CalibrationPane from './structure/CalibrationPane.svelte'
import ContagionPane from './structure/ContagionPane.svelte'
import CurvesPane from './structure/CurvesPane.svelte'
import LiquidityPane from './structure/LiquidityPane.svelte'
import OddsPane from './structure/OddsPane.svelte'

/** jsdom has no canvas for lines. */
const shownLines = vi.hoisted(() => [] as object[])
vi.mock('../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({
    show: (plan: object) => shownLines.push(plan),
    colour() {},
    resize() {},
    remove() {},
  }),
}))

type PaneComponent = Component<{ terminal: Terminal; pane: Pane }>

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const AT = '2026-11-20T10:00:00.000Z'
const ref = (ticker: string, price: number | null = 50) => ({
  ticker,
  venue: 'venue_a',
  title: `Will ${ticker} happen?`,
  price,
  url: '',
})

/** Renders a pane over the service's answers. */
async function drawn(
  line: string,
  Drawn: PaneComponent,
  answers: (path: string) => object | null,
  market: string | null = null,
) {
  const page = pageUnderTest(answers)
  const { terminal } = page
  if (market !== null) terminal.focusMarket('A', market)
  const pane = page.paneOf(line)
  terminal.focusedPane = pane.id
  const { container } = render(Drawn, { terminal, pane })
  await vi.advanceTimersByTimeAsync(500)
  const scope: Scope = `pane:${pane.id}`
  return {
    ...page,
    pane,
    container,
    press: async (key: string): Promise<void> => {
      terminal.keys.handle(new KeyboardEvent('keydown', { key, code: `Key${key.toUpperCase()}` }), [
        scope,
      ])
      await vi.advanceTimersByTimeAsync(500)
    },
  }
}
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())

describe('every pane', () => {
  const empty = {
    edges: [],
    ideas: [],
    highlights: [],
    pairs: [],
    curves: [],
    odds: [],
    themes: [],
    events: [],
    records: [],
    thesesScanned: 0,
    total: 0,
    sample: 0,
    buckets: [],
    byVenue: [],
    byCategory: [],
    generatedAt: AT,
    asOf: AT,
  }
  const all: readonly (readonly [string, PaneComponent, RegExp])[] = [
    ['EDGE', EdgesPane, /there are no theses yet/],
    ['IDEA', IdeasPane, /No price-based trade remains after costs/],
    ['HIGH', HighlightsPane, /No highlights in this region/],
    ['CONT', ContagionPane, /No linked market has an expected move over 6h/],
    ['XVP', PairsPane, /No pair matches/],
    ['YC', CurvesPane, /No event with several deadlines/],
    ['ODDS', OddsPane, /No question matches/],
    ['CALIB', CalibrationPane, /No market that settled in this period/],
    ['LIQ', LiquidityPane, /No theme matches/],
    ['CAL', CalendarPane, /No events/],
    ['ASK', AnswerPane, /Ask a question in plain words/],
    ['XV', PairPane, /No market selected/],
  ]

  it.each(all)(
    '%s reports that it is empty, and offers an action [terminal.context.states]',
    async (line, Drawn, description) => {
      const { pane, stop } = await drawn(line, Drawn, () => empty)
      expect(screen.getByText(description)).toBeTruthy()
      expect(pane.note).toBe(line === 'CALIB' ? '0' : '')
      expect(screen.getAllByRole('button').length).toBeGreaterThan(0)
      stop()
    },
  )

  it.each([
    ['IDEA conviction=high', IdeasPane, 'No idea matches.', /^Show all ideas$/],
    ['IDEA rates', IdeasPane, 'No idea matches.', /^Show all ideas$/],
    ['IDEA', IdeasPane, 'No price-based trade remains after costs.', /^Show cross-venue pairs$/],
  ] as const)('%s names the filter when that leaves nothing', async (line, Drawn, text, action) => {
    const { stop } = await drawn(line, Drawn, () => empty)
    expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getByRole('button', { name: action })).toBeTruthy()
    stop()
  })

  it.each([...all.slice(0, 10), ['BRIEF', BriefingPane, /./] as const])(
    '%s reports why it cannot show anything',
    async (line, Drawn) => {
      const { stop } = await drawn(line, Drawn, () => null)
      expect(screen.getByRole('alert').textContent).toMatch(/404/)
      expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
      stop()
    },
  )

  it('refuses a filter that its route does not accept', async () => {
    const { requested, stop } = await drawn('CONT gap<3', ContagionPane, () => empty)
    expect(screen.getByText('gap accepts a lower bound only, such as gap>5')).toBeTruthy()
    expect(requested).toEqual([])
    stop()
  })
})

describe('contagion', () => {
  const moved = (ticker: string, delta: number) => ({ ...ref(ticker), delta })
  const link = (from: string, to: string, gap: number) => ({
    trigger: moved(from, 12),
    lagging: moved(to, 1),
    gap,
    relation: 'theme',
    direction: 'lagging',
    theme: 'oil',
    strength: 0.4,
    window: '6h',
    detectedAt: AT,
  })
  const body = {
    window: '6h',
    generatedAt: AT,
    highlights: [link('A', 'B', 4), link('A', 'C', -6.5), link('D', 'E', 3)],
    records: [
      {
        kind: 'ladder',
        n: 240,
        hitRate: 0.44,
        unproven: true,
        closed: [{ hours: 24, share: 0.41, n: 212 }],
      },
    ],
  }

  it('groups gaps by what moved, with the record of their kind [terminal.context.contagion]', async () => {
    const { requested, press, stop } = await drawn('CONT', ContagionPane, () => body)
    expect(requested[0]).toContain('records=true')
    expect(screen.getByText('closed 24 h: 41% of 212')).toBeTruthy()
    expect(screen.getByText('UNPROVEN')).toBeTruthy()
    expect(cells().slice(0, 4)).toEqual(['Will A happen?', '+12.0¢▲', '2', '−6.5¢▼'])
    expect(screen.getByRole('img', { name: /Will A happen\? moved \+12.0¢/ })).toBeTruthy()
    await press('j')
    await press('j')
    expect(screen.getByRole('img', { name: /Will D happen\? moved/ })).toBeTruthy()
    await press('t')
    expect(cells()).toContain('Will C happen?')
    expect(screen.queryByRole('img')).toBeNull()
    stop()
  })

  it('switches the window by a key', async () => {
    const { requested, press, pane, stop } = await drawn('CONT', ContagionPane, () => body)
    await press(']')
    expect(pane.line).toBe('CONT 24h')
    expect(requested.at(-1)).toContain('window=24h')
    stop()
  })
})

describe('a pair of both venues', () => {
  const detail = (ticker: string, venue: 'venue_a' | 'venue_b', match: object | null) => ({
    ...marketRow({ ticker, venue, title: `Question of ${ticker}` }),
    description: `<b>Rules</b> of ${ticker}`,
    rulesUrl: null,
    fetchedAt: AT,
    siblings: [],
    bidLevels: [{ price: 48, size: 5 }],
    askLevels: [{ price: 50, size: 7 }],
    depthAt: AT,
    crossVenue: match,
  })
  const match = {
    ticker: 'KXB',
    venue: 'venue_b',
    title: 'b',
    gap: null,
    confidence: 0.91,
    closeDeltaDays: 2,
    method: 'text',
    inverted: false,
  }
  const bar = (t: number, c: number) => ({ t, at: AT, o: c, h: c, l: c, c, v: 1 })
  const candles = (venue: string, price: number) => ({
    ticker: 'x',
    venue,
    timeframe: '1h',
    candles: [bar(3_600, price), bar(7_200, price)],
    count: 2,
  })
  const answers = (path: string): object => {
    const isOther = path.includes('KXB')
    if (path.includes('/candles'))
      return candles(isOther ? 'venue_b' : 'venue_a', isOther ? 44 : 50)
    return isOther ? detail('KXB', 'venue_b', null) : detail('KXA', 'venue_a', match)
  }

  it('shows both rules as text, both books, and the gap after fees as rows', async () => {
    const { press, stop } = await drawn('. XV', PairPane, answers, 'KXA')
    const [here, there] = screen.getAllByRole('region', { name: /^(Kalshi|Polymarket)$/ })
    expect(within(here!).getByText('<b>Rules</b> of KXA')).toBeTruthy()
    expect(within(there!).getByText('<b>Rules</b> of KXB')).toBeTruthy()
    expect(within(there!).getByRole('table', { name: 'Book on Polymarket' })).toBeTruthy()
    expect(screen.getByText('0.91')).toBeTruthy()
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(20)
    expect(shownLines.at(-1)).toMatchObject({ times: [3_600, 7_200] })
    await press('t')
    expect(cells().slice(1, 5)).toEqual(['50.0¢', '44.0¢', '+6.0¢▲', '+3.26¢▲'])
    stop()
  })

  it('switches to the other market by a key, and reports that there is no counterpart', async () => {
    const { press, terminal, stop } = await drawn('. XV', PairPane, answers, 'KXA')
    await press('x')
    expect(terminal.links.A).toBe('KXB')
    expect(screen.getByText('No matching market on the other venue.')).toBeTruthy()
    stop()
  })
})

describe('yield curves', () => {
  const point = (tenorDays: number, price: number) => ({
    ticker: `T${tenorDays}`,
    title: 't',
    tenorDays,
    price,
    iy: null,
    volume24h: null,
    closeTime: AT,
  })
  const curve = (eventBase: string, points: readonly object[]) => ({
    eventBase,
    venue: 'venue_a',
    title: `When ${eventBase}?`,
    shape: 'up',
    pointCount: 3,
    distinctTenorCount: 3,
    totalVolume24h: null,
    avgPrice: 30,
    asOf: AT,
    points,
  })
  const body = {
    generatedAt: AT,
    curves: [
      curve('IPO', [point(30, 20), point(60, 30), point(120, 45)]),
      curve('WAR', [point(10, 40), point(20, 30)]),
    ],
  }

  it('draws the curve under the cursor with its slope, yields and hazards', async () => {
    const { press, stop } = await drawn('YC', CurvesPane, () => body)
    const rows = () =>
      within(screen.getByRole('table', { name: 'Points of the curve' }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
    expect(rows()).toEqual([
      ['30d', '20.0¢', '–', '–'],
      ['60d', '30.0¢', '–', '12.5%'],
      ['120d', '45.0¢', '–', '21.4%'],
    ])
    expect(screen.getByText('up, +8.21 pp per month')).toBeTruthy()
    expect(screen.getByRole('img', { name: /^When IPO\? up, 20.0¢ at 30 days/ })).toBeTruthy()
    await press('j')
    await press('j')
    expect(rows()[1]).toEqual(['20d', '30.0¢', '–', '−16.7%'])
    stop()
  })
})

it('the calibration draws buckets with data and lists every bucket', async () => {
  const bucket = (from: number, n: number, rate: number | null) => ({
    from,
    to: from + 10,
    n,
    predictedMean: rate === null ? null : from + 5,
    realizedRate: rate,
    deviation: rate === null ? null : from + 5 - rate,
    brier: null,
  })
  const body = {
    source: 'all',
    period: '30d',
    sample: 60,
    coveragePct: 97.2,
    brier: 0.139,
    brierAtClose: null,
    hitRate: 0.8,
    verdict: 'good',
    horizonHours: 24,
    generatedAt: AT,
    buckets: [bucket(0, 40, 6), bucket(10, 0, null), bucket(90, 20, 85)],
    byVenue: [{ venue: 'venue_a', n: 60, brier: 0.139, hitRate: 0.8 }],
    byCategory: [],
  }
  const { container, stop } = await drawn('CALIB', CalibrationPane, () => body)
  expect(container.querySelectorAll('circle')).toHaveLength(2)
  const table = within(screen.getByRole('table', { name: 'Price buckets' }))
  expect(table.getAllByRole('row')).toHaveLength(4)
  expect(table.getByRole('row', { name: /10–20¢ 0 – – – –/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'What calibration means' })).toBeTruthy()
  expect(screen.getAllByText(/Largest bias at 90 to 100¢/).length).toBeGreaterThan(0)
  stop()
})

describe('liquidity', () => {
  const theme = (name: string, volume24hUsd: number | null, change24hPct: number | null) => ({
    theme: name,
    label: name.toUpperCase(),
    marketCount: 3,
    volume24hUsd,
    change24hPct,
    openInterestUsd: null,
    depthUsd: null,
    medianSpread: null,
    liquidityScore: 'low',
    topMarkets: [ref('KX')],
  })
  const body = {
    generatedAt: AT,
    themes: [theme('iran', 900, 12), theme('oil', 300, null), theme('dull', 0, null)],
  }

  it('is a map of volume with arrow keys, and a table on t [terminal.context.liquidity]', async () => {
    const { press, stop } = await drawn('LIQ', LiquidityPane, () => body)
    const map = within(screen.getByRole('group', { name: /IRAN has 75% of it/ }))
    expect(map.getAllByRole('button').map(({ title }) => title)).toEqual([
      'IRAN: $900 in 24 h, +12%',
      'OIL: $300 in 24 h, –',
    ])
    await press('ArrowRight')
    expect(document.activeElement?.getAttribute('title')).toContain('OIL')
    await press('t')
    expect(screen.getAllByRole('row')).toHaveLength(4)
    stop()
  })
})

describe('an answer', () => {
  const row = (ticker: string) => ({
    ticker,
    title: `Will ${ticker} happen?`,
    price: 22,
    bestBid: null,
    bestAsk: null,
    volume24h: null,
    closeTime: null,
  })
  const body = {
    query: 'will it rain',
    contextSuggestion: null,
    keyFactors: ['Price fell by 3¢'],
    answer: 'Likely not: **22¢** on KXRAIN.\n\n<script>alert(1)</script>',
    venue_a: [row('KXSNOW'), row('KXRAIN')],
    meta: {
      sources: ['venue_a'],
      ts: AT,
      model: null,
      synthesis: 'template',
      unavailable: ['social'],
    },
  }

  it('shows text, factors and markets one key away, and parts that were not requested', async () => {
    const { container, press, terminal, stop } = await drawn(
      '? will it rain',
      AnswerPane,
      () => body,
    )
    expect(container.querySelector('script')).toBeNull()
    expect(screen.getByText('<script>alert(1)</script>')).toBeTruthy()
    expect(screen.getByText('Price fell by 3¢')).toBeTruthy()
    expect(screen.getByText(/not connected: social/)).toBeTruthy()
    await press('1')
    expect(terminal.links.A).toBe('KXRAIN')
    stop()
  })
})

it('ideas show the risk of the one under the cursor', async () => {
  const idea = (id: string, edgeCents: number | null) => ({
    id,
    headline: `Idea ${id}`,
    pitch: `Because ${id}`,
    risk: `Unless ${id}`,
    conviction: 'high',
    direction: 'buy_yes',
    edgeCents,
    basis: 'cross_venue',
    catalyst: null,
    catalystAt: null,
    timeHorizon: 'weeks',
    category: 'c',
    generatedBy: 'rule',
    createdAt: AT,
    expiresAt: AT,
    markets: [{ ...ref(`KX${id}`, null), bestAsk: null, role: 'primary' }],
  })
  const body = { ideas: [idea('one', 6.5), idea('two', null)], generatedAt: AT }
  const { press, stop } = await drawn('IDEA', IdeasPane, () => body)
  expect(cells().slice(0, 3)).toEqual(['Idea one', 'buy YES', '+6.5¢'])
  expect(screen.getByText('Unless one')).toBeTruthy()
  await press('j')
  await press('j')
  expect(screen.getByText('Unless two')).toBeTruthy()
  expect(screen.getByText('–, ask –')).toBeTruthy()
  stop()
})
