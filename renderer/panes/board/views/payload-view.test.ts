import { describe, expect, it } from 'vitest'
import type { PanelPayload } from '../../../../backend/contract/panels/panel-payloads.ts'
import { drawnBars, gaugePosition, linePaths } from './drawing.ts'
import { viewOf } from './payload-view.ts'
import { countText, meanOf, shareText } from './panel-view.ts'

const AT = '2026-11-20T10:00:00.000Z'
const NOW = Date.parse(AT)
const gauges = { disagreement: 12, geoRisk: 25, breadth: 0.17, activity: null }
const market = (ticker: string, title: string, price: number | null = 41) => ({
  ticker,
  venue: 'venue_a' as const,
  title,
  price,
  url: '',
})
const leg = (ticker: string, price: number) => ({
  ticker,
  venue: 'venue_a' as const,
  title: ticker,
  price,
  bestBid: null,
  bestAsk: null,
  volume24h: null,
  closeTime: null,
  pageUrl: '',
  apiUrl: '',
  inspectUrl: '',
})
const screenRow = (ticker: string, probability: number, change: number | null) => ({
  ...market(ticker, ticker, probability * 100),
  probability,
  change,
  bestBid: 40,
  bestAsk: 42,
  spread: 2,
  volume24h: 10,
  closeTime: null,
  updatedAt: AT,
})

const PAYLOADS = {
  index: {
    kind: 'sf_index_24h',
    current: { ...gauges, value: 22, delta24h: -34, at: AT },
    series: [
      { at: '2026-11-20T09:30:00.000Z', value: 56, ...gauges },
      { at: '2026-11-20T09:45:00.000Z', value: null, ...gauges },
      { at: AT, value: 22, ...gauges },
    ],
  },
  themes: {
    kind: 'liquidity_by_theme',
    totalVolume24hUsd: 4_000,
    themes: [
      {
        theme: 'oil',
        label: 'Oil',
        marketCount: 3,
        volume24hUsd: 3_000,
        depthUsd: 10,
        openInterestUsd: null,
        medianSpread: 2,
        liquidityScore: 'high',
        change24hPct: 12,
        topMarkets: [market('KXOIL-1', 'Oil above 100?')],
      },
      {
        theme: 'iran',
        label: 'Iran',
        marketCount: 1,
        volume24hUsd: null,
        depthUsd: null,
        openInterestUsd: null,
        medianSpread: null,
        liquidityScore: 'low',
        change24hPct: null,
        topMarkets: [],
      },
    ],
  },
  regime: {
    kind: 'regime_attention',
    buckets: [
      { label: 'maker', count: 4, volume24hUsd: 1, meanAsScore: 0.2 },
      { label: 'neutral', count: 5, volume24hUsd: 1, meanAsScore: 0.5 },
      { label: 'taker', count: 1, volume24hUsd: 1, meanAsScore: 0.8 },
    ],
    markets: [
      {
        ...market('KXOIL-1', 'Oil above 100?'),
        label: 'taker',
        asScore: 0.8,
        change24h: 0.31,
        volume24h: 5,
        volumeZ: null,
      },
    ],
    regimeSummary: { calm: 6, active: 3, stressed: 1 },
  },
  contagion: {
    kind: 'cross_venue_contagion',
    window: '6h',
    links: [
      {
        trigger: { ...market('KXOIL-1', 'Oil above 100?'), delta: 9 },
        lagging: { ...market('KXOIL-2', 'Oil above 110?'), delta: 1 },
        gap: -4,
        relation: 'theme',
        direction: 'lagging',
        theme: 'oil',
        strength: 0.5,
        window: '6h',
        detectedAt: AT,
      },
    ],
    pairs: [
      {
        id: 'p1',
        confidence: 0.9,
        method: 'text',
        inverted: false,
        gap: 6,
        executableGap: 1,
        closeDeltaDays: 0,
        a: leg('A-1', 40),
        b: leg('B-1', 34),
        status: 'active',
        matchedAt: AT,
      },
    ],
  },
  movers: {
    kind: 'movers_volume_z',
    window: '24h',
    movers: [
      {
        ...market('KXOIL-1', '<img src=x onerror=alert(1)>'),
        delta: 5,
        from: 36,
        volume24h: 1_200,
        volumeZ: 2.5,
      },
      {
        ...market('KXOIL-2', 'Down', null),
        delta: -2.5,
        from: null,
        volume24h: null,
        volumeZ: null,
      },
    ],
  },
  health: {
    kind: 'data_health',
    status: 'degraded',
    ingestPerSecond: 12.5,
    sources: [
      {
        source: 'venue_a',
        status: 'ok',
        lastReceivedAt: AT,
        ageSeconds: 2,
        mode: 'live',
        message: null,
      },
      {
        source: 'venue_b',
        status: 'late',
        lastReceivedAt: AT,
        ageSeconds: 90,
        mode: 'polled',
        message: 'slow',
      },
      {
        source: 'social',
        status: 'off',
        lastReceivedAt: null,
        ageSeconds: null,
        mode: 'off',
        message: null,
      },
    ],
    gaps: [
      {
        source: 'venue_a',
        ticker: 'KXOIL-1',
        from: '2026-11-20T09:00:00.000Z',
        to: null,
        state: 'gap',
      },
    ],
  },
  catalysts: {
    kind: 'calendar_catalysts',
    from: AT,
    to: '2026-11-27T10:00:00.000Z',
    events: [
      {
        id: 'c1',
        kind: 'fed_meeting',
        title: 'Fed decides',
        at: '2026-11-20T13:00:00.000Z',
        date: '2026-11-20',
        timeKnown: true,
        category: 'economy',
        tickers: ['KXFED-1'],
        importance: 'high',
        source: 'calendar',
      },
    ],
  },
  watchlist: {
    kind: 'watchlist_microstructure',
    missing: ['NOPE'],
    emptyReason: null,
    markets: [
      {
        ...market('KXOIL-1', 'Oil above 100?'),
        bestBid: 40,
        bestAsk: 42,
        spread: 2,
        bidDepthUsd: 10,
        askDepthUsd: 30,
        imbalance: -0.5,
        trades1h: 3,
        flowImbalance1h: 0.2,
        label: null,
        asScore: null,
        volume24h: 5,
        updatedAt: AT,
      },
    ],
  },
  screen: {
    kind: 'latest_market_prices',
    count: 2,
    total: 40,
    missing: [],
    emptyReason: null,
    filters: { window: '7d' },
    rows: [screenRow('KXOIL-1', 0.41, 3), screenRow('KXOIL-2', 0.55, null)],
  },
} satisfies Readonly<Record<string, PanelPayload>>

describe('the text of a payload', () => {
  // [terminal.board.drawings]
  it.each(Object.entries(PAYLOADS))('of %s, for each way of drawing it', (_name, payload) => {
    const view = viewOf(payload, NOW, 'contracts')
    expect(view.empty).toBeNull()
    expect(view.summary).not.toMatch(/NaN|undefined|null/)
    expect(view.rows.length).toBeGreaterThan(0)
    expect(view.bars.length).toBeGreaterThan(0)
    expect(view.line.values.length).toBeGreaterThan(0)
    expect(view.stat.value).not.toBe('')
    const { value, from, to } = view.gauge
    expect(value).toSatisfy((one: number) => one >= from && one <= to)
    // The table has all columns and rows of every drawing.
    for (const row of view.rows) {
      expect(Object.keys(row.cells).sort()).toEqual(view.columns.map(({ id }) => id).sort())
      for (const { text } of Object.values(row.cells)) expect(text).not.toMatch(/NaN|undefined/)
    }
    expect(new Set(view.rows.map(({ id }) => id)).size).toBe(view.rows.length)
  })

  it.each([
    ['index', '22.0', 'Index 22, −34 in 24 hours'],
    ['themes', '$4.0k', '$3.0k traded in 24 hours over 2 themes; Oil has 100% of it'],
    ['regime', '1', '1 market stressed, 3 active, 6 calm; largest regime change: Oil above 100?'],
    [
      'contagion',
      '−4.0¢ ▼',
      '1 expected move, 0 across venues, and 1 wide pair; widest: Oil above 110?, −4.0¢ ▼',
    ],
    ['health', 'degraded', 'Service degraded: 1 of 2 sources OK, 1 gap in 24 hours'],
    ['catalysts', 'in 3h', '1 event within seven days; next in 3h: Fed decides'],
    ['watchlist', '2.0¢', '1 market watched, mean spread 2.0¢'],
    ['screen', '40', '40 markets match, most traded first; mean probability 48%'],
  ] as const)('of %s in one figure and one sentence', (name, stat, summary) => {
    const view = viewOf(PAYLOADS[name], NOW, 'contracts')
    expect([view.stat.value, view.summary]).toEqual([stat, summary])
  })

  /** Everything that the drawings of a payload show, a line each. */
  function shownOf(name: string, payload: PanelPayload): string[] {
    const {
      summary,
      stat,
      gauge,
      bars,
      line,
      columns,
      rows,
      missingNote: missing,
      empty,
    } = viewOf(payload, NOW, 'contracts')
    return [
      `# ${name}`,
      ...Object.entries({ summary, stat, gauge, line, missing, empty }).map(
        ([part, value]) => `${part} ${JSON.stringify(value)}`,
      ),
      ...bars.map((bar) => `bar ${JSON.stringify(bar)}`),
      ...columns.map(({ id, label, help }) => `column ${JSON.stringify({ id, label, help })}`),
      ...rows.map((row) => `row ${JSON.stringify(row)}`),
      '',
    ]
  }

  it('is the approved one, with rows and without', async () => {
    const emptied = (payload: PanelPayload): PanelPayload => {
      const parts = Object.entries(payload).map(([name, part]): [string, unknown] => [
        name,
        Array.isArray(part) ? [] : part,
      ])
      return Object.fromEntries(parts) as unknown as PanelPayload
    }
    const lines = Object.entries(PAYLOADS).flatMap(([name, payload]) => [
      ...shownOf(name, payload),
      ...shownOf(`${name} without rows`, emptied(payload)),
    ])
    await expect(lines.join('\n')).toMatchFileSnapshot('payload-views.txt')
  })

  it('has the volumes of both venues in the unit that the user chose', () => {
    const row = { ...market('A', 'A', 40), delta: 5, from: 35, volumeZ: 2, volume24h: 1_200 }
    const movers = [
      { ...row, ticker: 'A', venue: 'venue_a' as const },
      { ...row, ticker: 'B', venue: 'venue_b' as const },
      { ...row, ticker: 'C', venue: 'venue_a' as const, price: null },
    ]
    const volumes = (unit: 'contracts' | 'usd') =>
      viewOf({ ...PAYLOADS.movers, movers }, NOW, unit).rows.map(({ cells }) => cells['volume'])
    expect(volumes('usd')).toEqual([
      { text: '$480', order: 480 },
      { text: '$1.2k', order: 1_200 },
      { text: '–', order: null },
    ])
    expect(volumes('contracts')).toEqual([
      { text: '1.2k', order: 1_200 },
      { text: '3.0k', order: 3_000 },
      { text: '1.2k', order: 1_200 },
    ])
  })

  it('distinguishes unknown from zero', () => {
    const { rows } = viewOf(PAYLOADS.movers, NOW, 'contracts')
    expect(rows[1]?.cells).toMatchObject({
      price: { text: '–', order: null },
      z: { text: '–' },
      volume: { text: '–' },
    })
    expect(viewOf(PAYLOADS.index, NOW, 'contracts').line.values).toEqual([56, 22])
    expect(viewOf(PAYLOADS.themes, NOW, 'contracts').bars[1]).toMatchObject({
      value: null,
      text: '$–'.slice(1),
    })
  })

  it('lists what is missing, and why there are no rows', () => {
    expect(viewOf(PAYLOADS.watchlist, NOW, 'contracts').missingNote).toBe('1 ticker unknown: NOPE')
    expect(viewOf(PAYLOADS.health, NOW, 'contracts').missingNote).toBe('1 gap still open')
    const none = { ...PAYLOADS.screen, rows: [], total: 0, count: 0 }
    const unread: PanelPayload = {
      ...none,
      kind: 'alert_rules',
      emptyReason: 'source_not_executed',
    }
    expect(viewOf({ ...none, emptyReason: 'no_match' }, NOW, 'contracts').empty).toMatch(
      /widen its filters/,
    )
    expect(viewOf(unread, NOW, 'contracts').empty).toMatch(/no data in this version/)
    // A screen may have the same name as a preset.
    const screen: PanelPayload = { ...none, kind: 'liquidity_by_theme', emptyReason: 'no_match' }
    expect(viewOf(screen, NOW, 'contracts').empty).toMatch(/No market matches/)
  })
})

describe('charts', () => {
  it('draw bars of both signs around zero', () => {
    const bar = (id: string, value: number | null) => ({
      id,
      label: id,
      value,
      text: '',
      ticker: null,
    })
    const { zero, bars } = drawnBars([bar('a', 30), bar('b', -10), bar('c', null)])
    expect(zero).toBe(25)
    expect(bars.map(({ from, width }) => [from, width])).toEqual([
      [25, 75],
      [0, 25],
      [25, 0],
    ])
    expect(drawnBars([bar('a', 0)]).bars[0]).toMatchObject({ from: 0, width: 0 })
  })

  it('draw a line within their box, a single value as a level', () => {
    expect(linePaths([1, 2]).line).toMatch(/^M0\.0 \d+\.\dL300\.0 \d+\.\d$/)
    expect(linePaths([5]).line).toBe('M0 50H300')
    expect(linePaths([]).line).toBe('')
  })

  it('keep a gauge value within its ends', () => {
    expect([-1, 0, 2].map((value) => gaugePosition(value, { from: -1, to: 1 }))).toEqual([
      0, 50, 100,
    ])
    expect(gaugePosition(null, { from: 0, to: 1 })).toBeNull()
  })
})

it('a share of nothing is unknown, and a mean ignores unknown values', () => {
  expect([shareText(1, 4), shareText(0, 3), shareText(0, 0)]).toEqual(['25%', '0%', '–'])
  expect([meanOf([1, null, 4]), meanOf([null]), meanOf([])]).toEqual([2.5, null, null])
  expect([
    countText(1, 'market'),
    countText(2, 'market'),
    countText(0, 'entry', 'entries'),
  ]).toEqual(['1 market', '2 markets', '0 entries'])
})
