import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { COLOURS, recordedContext } from '../../testing/recorded-canvas.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import { column } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import { keepSize } from '../../ui/element-size.ts'
import CandleTable from './CandleTable.svelte'
import DepthPane from './DepthPane.svelte'
import FactsPane from './FactsPane.svelte'
import HistoryPane from './HistoryPane.svelte'
import MarketLine from './MarketLine.svelte'
import MicroPane from './MicroPane.svelte'
import TapePane from './TapePane.svelte'

vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))
// Without styles no colour resolves.
vi.mock('../../charts/colours.ts', () => ({ chartColours: () => COLOURS }))

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  keepSize('pane-1 depth', { width: 0, height: 0 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const levels = (...all: readonly (readonly [price: number, size: number])[]) =>
  all.map(([price, size]) => ({ price, size }))
const detail = {
  ...marketRow({ ticker: 'KX', title: 'Fed cuts in December?', closeTime: AT, openTime: AT }),
  description: 'Resolves YES if the Fed cuts.',
  rulesUrl: null,
  expirationTime: null,
  tickSize: 1,
  exclusive: false,
  bidLevels: levels([49, 700], [47, 0.5]),
  askLevels: levels([51, 350]),
  depthAt: AT,
  indicators: { iyYes: 12.44, las: 0.04, vr: 1.5 },
  siblings: [] as object[],
  fetchedAt: AT,
}

type Drawn = Component<{ terminal: Terminal; pane: Pane }>

/** Renders a pane over one answer each path; the sockets stay closed. */
async function show(
  drawn: Drawn,
  line: string,
  answers: (path: string) => object | null,
  prepare: (page: ReturnType<typeof pageUnderTest>, pane: Pane) => void = () => {},
) {
  const page = pageUnderTest(answers)
  page.service.isUp = false
  const pane = page.paneOf(line)
  prepare(page, pane)
  const { container, unmount } = render(drawn, { terminal: page.terminal, pane })
  await pass(1_000)
  await vi.dynamicImportSettled()
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true })
    page.terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(40)
  }
  const pressed = () =>
    screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent.trim())
  return { ...page, pane, container, unmount, press, pressed }
}
const cells = () =>
  screen.getAllByRole('gridcell').map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())

describe('the line of a market above its chart', () => {
  const words = (more: object) => {
    const market = marketRow({ title: 'Fed cuts?', subtitle: null, change24h: 3, ...more })
    const { container } = render(MarketLine, { market, freshness: 'fresh' })
    return container.textContent.replace(/\s+/g, ' ').trim()
  }

  it.each([
    [22, 22, 24, 22, '23.0¢ Mid 22.0¢ +3.0¢ Last'],
    [24, 22, 24, 30, '23.0¢ Mid 24.0¢ +3.0¢ Last, clamped to bid/ask'],
    [23, 22, 24, 23, '23.0¢ Mid +3.0¢'],
    [22, null, null, 22, '22.0¢ Last +3.0¢'],
  ])('price %s of bid %s, ask %s, last %s: %s', (price, bestBid, bestAsk, lastPrice, shown) => {
    // The change belongs to the price before it.
    expect(words({ price, bestBid, bestAsk, lastPrice }).replace(/ ?▲/, '')).toBe(
      `Fed cuts? ${shown}`,
    )
  })
})

describe('the depth pane', () => {
  const book = (more: object = {}) => show(DepthPane, 'KX BOOK', () => ({ ...detail, ...more }))
  const rows = () =>
    [...document.querySelectorAll<HTMLElement>('tbody tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent.trim()).join('|'),
    )

  it('draws sizes, sums and the share of the largest size around the middle', async () => {
    const { container, pressed } = await book()
    // Five rows at least.
    expect(rows()).toEqual([
      '||52.0¢||',
      '||51.0¢|350|350',
      '||50.0¢||',
      '700|700|49.0¢||',
      '700||48.0¢||',
    ])
    const shares = [...container.querySelectorAll<HTMLElement>('.bar')].map(({ style }) =>
      style.getPropertyValue('--share'),
    )
    expect(shares.filter((share) => share !== '0.0%')).toEqual(['50.0%', '100.0%'])
    expect(pressed()).toEqual(['1¢'])
    expect(container.querySelector('.tools')?.textContent).toMatch(/Mid\s*50.0¢\s*Spread\s*2.0¢/)
    expect(screen.getByTitle('Source of the book').textContent).toBe('book 0s, 5 best levels')
    expect(container.querySelector('.stale')).toBeNull()
  })

  it('shows as many rows as fit below the head, and parts of a contract exactly', async () => {
    const { container } = await show(
      DepthPane,
      'KX BOOK',
      () => detail,
      ({ terminal }, pane) => {
        terminal.settings.density = 'roomy'
        keepSize(`${pane.id} depth`, { width: 200, height: 229 })
      },
    )
    expect(rows()).toEqual([
      '||53.0¢||',
      '||52.0¢||',
      '||51.0¢|350|350',
      '||50.0¢||',
      '700|700|49.0¢||',
      '700||48.0¢||',
      '701|0.5|47.0¢||',
    ])
    expect(container.querySelector('tr')?.style.height).toBe('28px')
  })

  it('has no age, spread or middle where the book has none', async () => {
    const { container } = await book({ depthAt: undefined, askLevels: [], bestAsk: null })
    expect(screen.getByTitle('Source of the book').textContent).toBe('5 best levels')
    expect(container.querySelector('.tools')?.textContent).toMatch(/Spread\s*–/)
    expect(rows().some((row) => row.includes('49.0¢'))).toBe(true)
  })

  it('steps through groups by key and click', async () => {
    const { press, pressed, pane } = await book()
    await press(']')
    expect([pressed(), pane.line]).toEqual([['2¢'], '$KX BOOK 2'])
    expect(rows().map((row) => row.split('|')[2])).toContain('48.0¢')
    await press(']')
    await press(']')
    expect(pressed()).toEqual(['5¢'])
    await press('[')
    expect(pressed()).toEqual(['2¢'])
    await fireEvent.click(screen.getByRole('button', { name: '1¢' }))
    expect(pressed()).toEqual(['1¢'])
    await press('[')
    expect(pressed()).toEqual(['1¢'])
  })

  it('orders at the price of a row, chosen by keys or clicked', async () => {
    const { press, terminal, container } = await book()
    const chosen = () => container.querySelector('tr.chosen th')?.textContent ?? null
    await press('Enter')
    expect(terminal.history).toEqual([])
    // The best bid first.
    await press('ArrowUp')
    expect([chosen(), screen.getByRole('status').textContent]).toEqual([
      '49.0¢',
      'Enter: order at 49.0¢',
    ])
    await press('ArrowUp')
    expect(chosen()).toBe('50.0¢')
    for (let step = 0; step < 4; step += 1) await press('ArrowUp')
    expect(chosen()).toBe('52.0¢')
    for (let step = 0; step < 9; step += 1) await press('ArrowDown')
    expect(chosen()).toBe('48.0¢')
    await press('Enter')
    expect(terminal.history).toEqual(['$KX INTENT buy yes limit=48'])
    await fireEvent.click(screen.getByText('51.0¢'))
    expect(terminal.history.at(-1)).toBe('$KX INTENT buy yes limit=51')
    expect(chosen()).toBe('51.0¢')
  })

  it.each([
    ['0.0¢', { bidLevels: levels([1, 5]), askLevels: [] }],
    ['100.0¢', { bidLevels: [], askLevels: levels([99, 5]) }],
  ])('has no order at %s', async (text, more) => {
    const { terminal } = await book(more)
    await fireEvent.click(screen.getByText(text))
    expect(terminal.history).toEqual([])
  })

  it('keeps its rows while the price moves within them, and recentres on demand', async () => {
    let [bid, ask] = [49, 51]
    const { press, requested } = await show(DepthPane, 'KX BOOK', () => ({
      ...detail,
      bidLevels: levels([bid, 5]),
      askLevels: levels([ask, 5]),
    }))
    const top = () => rows()[0]?.split('|')[2]
    const next = async (by: number) => {
      bid += by
      ask += by
      await pass(10_000)
    }
    expect(top()).toBe('52.0¢')
    const before = requested.length
    await next(1)
    expect(requested.length).toBeGreaterThan(before)
    expect(top()).toBe('52.0¢')
    await press('m')
    expect(top()).toBe('53.0¢')
    // Further than a quarter of the rows.
    await next(2)
    expect(top()).toBe('55.0¢')
  })

  it('is empty without a market and without a book', async () => {
    const none = await show(DepthPane, '. BOOK', () => detail)
    expect(none.requested).toEqual([])
    await fireEvent.click(screen.getByRole('button', { name: 'Choose a market' }))
    expect(none.terminal.prompt?.text).toBe('')
    none.unmount()
    const { requested } = await book({ bidLevels: [], askLevels: [] })
    expect(screen.getByText(/^No resting orders, or the venue/)).toBeTruthy()
    const before = requested.length
    await fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await pass(100)
    expect(requested.length).toBeGreaterThan(before)
  })

  it('subscribes to the book of the present only', async () => {
    const page = pageUnderTest(() => detail)
    const state = { epoch: 'e', seq: 1, changes: [] }
    page.service.topics.set('ticker:KX', { ...state, data: tickerData() })
    page.service.topics.set('book:KX', { ...state, data: { bids: [], asks: [], stale: false } })
    const pane = page.paneOf('KX BOOK')
    render(DepthPane, { terminal: page.terminal, pane })
    await pass(1_000)
    expect(page.service.followed).toEqual(['book:KX', 'ticker:KX'])
    page.terminal.instants.A = AT
    await pass(60_000)
    expect(page.service.followed).toEqual([])
    expect(page.requested.at(-1)).toContain('asOf=')
    expect(document.body.textContent).toContain('book 0s, 5 best levels')
    page.stop()
  })
})

describe('the tape', () => {
  const trade = (id: string, size: number, more: object = {}) => ({
    id,
    at: AT,
    price: 41,
    size,
    side: 'yes',
    ...more,
  })
  const trades = [
    trade('a', 5),
    trade('b', 10, { side: 'no' }),
    trade('c', 1_000, { side: null }),
    trade('d', 100, { block: true }),
  ]

  it('lists trades from a size on, chosen by key or click', async () => {
    const { pane, press, pressed, requested } = await show(TapePane, 'KX TAPE', () => ({ trades }))
    expect(requested).toEqual([
      '/api/public/market/KX/trades?ticker=KX&limit=500'.replace('ticker=KX&', ''),
    ])
    expect(pane.note).toBe('4')
    expect(cells().filter((_, index) => index % 4 === 3)).toEqual(['▲ YES', '▼ NO', '–', 'Block'])
    expect([pressed(), screen.queryByText(/newest/)]).toEqual([['All'], null])
    await press('[')
    expect(pressed()).toEqual(['All'])
    await press(']')
    expect([pressed(), pane.note, pane.line]).toEqual([['≥ 10'], '3', '$KX TAPE 10'])
    expect(screen.getByText('3 of the newest 4')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: '≥ 1000' }))
    expect(pane.note).toBe('1')
    await press(']')
    expect(pressed()).toEqual(['≥ 1000'])
    await press('[')
    expect([pressed(), pane.note]).toEqual([['≥ 100'], '2'])
  })

  it('is empty without a trade and without a market', async () => {
    const none = await show(TapePane, '. TAPE', () => null)
    expect([none.requested, none.pane.note]).toEqual([[], ''])
    expect(screen.getByText('No market selected.')).toBeTruthy()
    none.unmount()
    await show(TapePane, 'KX TAPE', () => ({ trades: [] }))
    expect(screen.getByText('No trade yet.')).toBeTruthy()
  })
})

describe('the facts of a market', () => {
  const sibling = (ticker: string, price: number | null, title: string) => ({
    ticker,
    venue: 'venue_a',
    title,
    price,
    url: '',
  })
  const dossier = {
    ticker: 'KX',
    asOf: AT,
    suggestion: {
      action: 'consider_long',
      confidence: 0.625,
      reasoning: 'The price is below the thesis.',
      positives: ['Deep book'],
      warnings: ['Near its close'],
      sizeHint: 'small',
    },
    regime: { label: 'maker', asScore: 0.25, signals: [], computedAt: AT, trendLabel: null },
    indicators: { adjIy: 4.5, residualVr: 2 },
    edges: [
      {
        thesisTitle: 'Cuts come',
        thesisPrice: 60,
        edge: 10,
        executableEdge: 7,
        direction: 'yes',
      },
    ],
    crossVenue: [
      {
        ticker: '0xabc',
        venue: 'venue_b',
        title: 'Fed cut?',
        price: 48,
        gap: 2,
        confidence: 0.9,
        inverted: true,
      },
    ],
    contagion: [
      {
        trigger: sibling('KX', 50, 'Fed cuts'),
        lagging: sibling('KXLAG', 30, 'Two cuts'),
        gap: 3,
        direction: 'lagging',
        window: '6h',
      },
      {
        trigger: sibling('KXLEAD', 30, 'CPI'),
        lagging: sibling('KX', 50, 'Fed cuts'),
        gap: -2,
        direction: 'overshooting',
        window: '1h',
      },
    ],
  }
  const answers =
    (more: object, inspected: object | null = dossier) =>
    (path: string): object | null =>
      path.includes('/inspect/')
        ? inspected
        : path.includes('/market/')
          ? { ...detail, ...more }
          : null

  it('are the market, its dossier and its siblings, which open', async () => {
    const siblings = [sibling('KX2', 41, 'Two cuts?'), sibling('KX3', null, 'Three cuts?')]
    const { container, terminal } = await show(FactsPane, 'KX DES', answers({ siblings }))
    const text = () => container.textContent.replace(/\s+/g, ' ')
    expect(screen.getByRole('region', { name: 'Fed cuts in December?' })).toBeTruthy()
    expect(text()).toContain('Yield YES ? 12.4%')
    expect(text()).toContain('Relative spread ? 4%')
    expect(text()).toContain('Volume surprise ? 1.5σ')
    expect(text()).toContain('Adjusted yield ? 4.5%')
    expect(text()).toContain('Unexplained surprise ? 2σ')
    expect(text()).toContain('consider long confidence 62.5%, size small')
    expect(text()).toContain('Independent')
    expect(text()).toContain('60.0¢ +10.0¢ yes +7.0¢ after costs')
    expect(text()).toContain('Resolves YES if the Fed cuts.')
    const [low] = [...container.querySelectorAll<HTMLElement>('li .bar')]
    expect(low?.style.getPropertyValue('--share')).toBe('41%')
    for (const [name, ticker] of [
      [/Two cuts\?/, 'KX2'],
      [/Fed cut\? \(inverted\).*48.0¢ \+2.0¢ 90%/, '0xabc'],
      [/^lagging: Two cuts \+3.0¢ 6h/, 'KXLAG'],
      [/^after CPI −2.0¢ 1h/, 'KXLEAD'],
    ] as const) {
      await fireEvent.click(screen.getByRole('button', { name }))
      expect(terminal.links.A).toBe(ticker)
    }
  })

  it.each([
    ['Fed cuts', 'Cut', null],
    ['Meeting of the Fed', 'Cut', 'Meeting of the Fed · Cut'],
    ['Meeting of the Fed', null, 'Meeting of the Fed'],
    [null, 'Cut', null],
  ])('name the event “%s” with “%s” only when the title does not', async (event, outcome, line) => {
    const { container } = await show(
      FactsPane,
      'KX DES',
      answers({ eventTitle: event, subtitle: outcome, exclusive: true, tauDays: 3 }),
    )
    expect(container.querySelector('.names .cut')?.textContent ?? null).toBe(line)
    expect(container.textContent).toContain('Mutually exclusive')
    expect(container.textContent).toContain('3.0d')
  })

  it('show a sibling at the newer shared quote', async () => {
    const siblings = [sibling('KX2', 41, 'Two cuts?')]
    const { terminal, container } = await show(FactsPane, 'KX DES', (path) =>
      path.includes('live-tickers')
        ? {
            generatedAt: '2026-11-20T10:00:30.000Z',
            tickers: [{ ticker: 'KX2', title: 'Two cuts?', price: 44, updatedAt: AT }],
            markets: [{ ticker: 'KX2', title: 'Two cuts?', price: 44, updatedAt: AT }],
          }
        : answers({ siblings })(path),
    )
    expect(container.querySelector('li:has(.bar)')?.textContent).toContain('41.0¢')
    const end = terminal.live.subscribe(terminal.health.quotes)
    await pass(1_000)
    expect(terminal.health.quoteOf.get('KX2')?.price).toBe(44)
    expect(container.querySelector('li:has(.bar)')?.textContent).toContain('44.0¢')
    // The siblings of a past instant have the prices of then.
    terminal.instants.A = '2026-11-19T10:00:00.000Z'
    await pass(1_000)
    expect(container.querySelector('li:has(.bar)')?.textContent).toContain('41.0¢')
    end()
  })

  it('say why the dossier is missing, and need a market', async () => {
    const failed = await show(FactsPane, 'KX DES', answers({}, null))
    expect(failed.container.querySelector('p[role="status"]')?.textContent).toMatch(/\w/)
    expect(screen.queryByText('Suggestion')).toBeNull()
    failed.unmount()
    const none = await show(FactsPane, '. DES', answers({}))
    expect([none.requested, screen.getByText('No market selected.')]).toEqual([
      [],
      expect.anything(),
    ])
  })
})

describe('the history of a market', () => {
  const change = (minute: number, price: number, more: object = {}) => ({
    at: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
    price,
    delta: 1,
    iy: 12.5,
    cri: 3,
    ...more,
  })
  const regime = {
    at: AT,
    score: 0.25,
    label: 'maker',
    spreadCents: 2,
    bidDepthUsd: 120,
    askDepthUsd: 80,
    volume24h: 1_200,
  }
  const history = {
    indicatorHistory: [change(1, 40), change(2, 45), change(3, 42, { delta: null })],
    regimeHistory: [regime, { ...regime, at: '2026-11-20T11:00:00.000Z', label: 'taker' }],
  }

  it('has price changes, and its regimes by key or click, the newest first', async () => {
    const { pane, press, pressed } = await show(HistoryPane, 'KX HIST', () => history)
    expect(pane.note).toBe('3')
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'Seven days: from 40.0¢ to 42.0¢, between 40.0¢ and 45.0¢',
    )
    expect(cells().slice(1, 5)).toEqual(['42.0¢', '–', '12.5%', '3.00'])
    expect(cells()).toHaveLength(15)
    expect(pressed()).toEqual(['prices 3'])
    await press('v')
    expect(pressed()).toEqual(['regimes 2'])
    expect(cells().slice(1, 7)).toEqual(['taker', '0.25', '2.0¢', '$120.00', '$80.00', '1.2k'])
    await press('v')
    expect(pressed()).toEqual(['prices 3'])
    await fireEvent.click(screen.getByRole('button', { name: 'regimes 2' }))
    expect(pressed()).toEqual(['regimes 2'])
    await fireEvent.click(screen.getByRole('button', { name: 'prices 3' }))
    expect(pressed()).toEqual(['prices 3'])
  })

  it('names its feed gaps with their reason, and the repaired ones in their row', async () => {
    const gap = { feed: 'trades', state: 'gap', from: AT, to: AT, reason: 'socket' }
    const gaps = [
      { ...gap, from: '2026-11-20T09:01:30.000Z', to: '2026-11-20T09:01:40.000Z' },
      { ...gap, reason: null },
      {
        ...gap,
        state: 'repaired',
        from: '2026-11-20T09:02:30.000Z',
        to: '2026-11-20T09:02:40.000Z',
      },
    ]
    const { container } = await show(HistoryPane, 'KX HIST', () => ({ ...history, gaps }))
    const line = container.querySelector('.missed')
    expect(line?.textContent.replace(/\s+/g, ' ')).toMatch(
      /^ ?2 feed gaps in these seven days; changes may be missing\. Newest: trades .* to [^(]*$/,
    )
    expect(line?.getAttribute('title')?.split('\n')).toEqual([
      expect.stringMatching(/^trades \d+ Nov \d\d:01:30 to \d+ Nov \d\d:01:40 \(socket\)$/),
      expect.stringMatching(/^trades [^(]*$/),
    ])
    expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/, with 2 feed gaps$/)
    expect(cells().filter((_, index) => index % 6 === 1)).toEqual(['repaired', '▨ feed gap', ''])
  })

  it('offers daily bars when the price did not move, unless there are regimes', async () => {
    const quiet = { indicatorHistory: [], regimeHistory: [] }
    const empty = await show(HistoryPane, 'KX HIST', () => quiet)
    expect(empty.pane.note).toBe('')
    await fireEvent.click(screen.getByRole('button', { name: 'Show daily bars' }))
    expect(empty.terminal.history).toEqual(['. GP 1d'])
    empty.unmount()
    const regimes = await show(HistoryPane, 'KX HIST', () => ({
      ...quiet,
      regimeHistory: [regime],
    }))
    expect(screen.getByText('The price has not moved by 1¢ in seven days.')).toBeTruthy()
    expect(screen.queryByRole('img')).toBeNull()
    await regimes.press('v')
    expect(cells().slice(1, 3)).toEqual(['maker', '0.25'])
    regimes.unmount()
    const none = await show(HistoryPane, '. HIST', () => quiet)
    expect([none.requested, screen.getByText('No market selected.')]).toEqual([
      [],
      expect.anything(),
    ])
  })

  it('reports that no regime was computed', async () => {
    const { press } = await show(HistoryPane, 'KX HIST', () => ({ ...history, regimeHistory: [] }))
    await press('v')
    expect(screen.getByText('No regime was computed in these seven days.')).toBeTruthy()
  })
})

describe('spread, depth and flow', () => {
  const point = {
    at: AT,
    bid: 49,
    ask: 51,
    mid: 50,
    spreadCents: 2,
    bidDepthUsd: 120,
    askDepthUsd: 80,
    imbalance: 0.2,
    trades: 1,
    buyVolume: 5,
    sellVolume: 1,
    flowImbalance: 0.67,
  }
  const T0 = Date.parse(AT) / 1_000
  const bar = (hours: number, bids: object[], asks: object[]) => ({
    t: T0 + hours * 3_600,
    at: AT,
    bids,
    asks,
  })
  const depth = {
    timeframe: '1h',
    bars: [
      bar(0, levels([40, 5], [39, 2]), levels([42, 9])),
      bar(1, levels([41, 3]), levels([42, 4])),
    ],
    gaps: [],
  }
  const answers =
    (points: object[], books: object = depth) =>
    (path: string): object | null =>
      path.includes('microstructure') ? { points } : path.includes('/depth') ? books : null

  it('steps through its metrics, and requests the books only for their view', async () => {
    const { press, pressed, requested, container } = await show(
      MicroPane,
      'KX MICRO',
      answers([point]),
    )
    const read = () => container.querySelector('.read')?.textContent.replace(/\s+/g, ' ') ?? null
    expect([pressed(), read()]).toEqual([['spread'], expect.stringContaining('spread 2.0¢')])
    await press('[')
    expect(pressed()).toEqual(['spread'])
    await press(']')
    expect(read()).toContain('bid $120.00 ask $80.00')
    await press(']')
    expect(read()).toMatch(/flow 0.67 book 0.2, 1 trade$/)
    expect(requested.some((path) => path.includes('/depth'))).toBe(false)
    await press(']')
    await pass(1_000)
    expect(requested.at(-1)).toContain('/market/KX/depth?timeframe=1h&limit=168')
    expect([pressed(), read()]).toEqual([['book'], null])
    await press(']')
    expect(pressed()).toEqual(['book'])
    expect(screen.getByRole('button', { name: 'What depth means' })).toBeTruthy()
    await press('t')
    // Sums of the five levels of each side.
    expect(cells().slice(1, 5)).toEqual(['3', '41.0¢', '42.0¢', '4'])
    expect(cells().slice(6, 10)).toEqual(['7', '40.0¢', '42.0¢', '9'])
  })

  it('reads the book by keys and the pointer, and draws it again', async () => {
    const { context, calls } = recordedContext()
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(144)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(80)
    vi.stubGlobal('devicePixelRatio', 2)
    const { press, container } = await show(MicroPane, 'KX MICRO', answers([point]))
    await fireEvent.click(screen.getByRole('button', { name: 'book' }))
    await pass(1_000)
    const read = () => container.querySelector('[role="status"]')?.textContent ?? ''
    const frames = () => calls.filter((call) => call.startsWith('strokeRect'))
    const canvas = container.querySelector('canvas')
    expect([canvas?.width, canvas?.height]).toEqual([288, 160])
    expect(calls).toContain('scale 2 2')
    // The plot is 100 px wide, beside the prices.
    expect(calls).toContain('fillText 42¢ 106 10')
    expect([read(), frames()]).toEqual([expect.stringContaining('42¢: ask 4 contracts'), []])
    await press('ArrowDown')
    expect(read()).toContain('41¢: bid 3 contracts')
    expect(frames()).toEqual(['strokeRect 50 20 50 20'])
    await press('ArrowLeft')
    expect(read()).toContain('41¢: no size')
    await press('ArrowUp')
    expect(read()).toContain('42¢: ask 9 contracts')
    await press('ArrowRight')
    await press('ArrowRight')
    expect(read()).toContain('42¢: ask 4 contracts')
    const plot = container.querySelector('.plot')
    if (plot === null) throw new Error('no plot')
    await fireEvent(
      plot,
      new PointerEvent('pointermove', { clientX: 10, clientY: 79, bubbles: true }),
    )
    expect(read()).toContain('39¢: bid 2 contracts')
    const drawn = calls.length
    document.documentElement.dataset['theme'] = 'light'
    await pass(40)
    expect(calls.length).toBeGreaterThan(drawn)
    delete document.documentElement.dataset['theme']
    vi.unstubAllGlobals()
  })

  it('reports what is missing', async () => {
    const unknown = { ...point, spreadCents: null, at: '2026-11-20T09:00:00.000Z' }
    const first = await show(
      MicroPane,
      'KX MICRO',
      answers([unknown, { ...unknown, at: AT }], { ...depth, bars: [] }),
    )
    expect(screen.getByText(/^No hour in this period has spread data/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'book' }))
    await pass(1_000)
    expect(screen.getByText(/^No book of this market was stored/)).toBeTruthy()
    first.unmount()
    const second = await show(MicroPane, 'KX MICRO', answers([]))
    expect(screen.getByText(/^No data was recorded/)).toBeTruthy()
    second.unmount()
    const none = await show(MicroPane, '. MICRO', answers([point]))
    await none.press(']')
    expect([none.requested, screen.getByText('No market selected.')]).toEqual([
      [],
      expect.anything(),
    ])
  })
})

describe('the tables of a market', () => {
  const sortBy = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  it('of its history and its regimes have their columns', async () => {
    const row = { at: AT, price: 40, delta: 1, iy: 12.5, cri: 3 }
    const regime = {
      at: AT,
      score: 0.25,
      label: 'maker',
      spreadCents: 2,
      bidDepthUsd: 120,
      askDepthUsd: 80,
      volume24h: 1_200,
    }
    const { press } = await show(HistoryPane, 'KX HIST', () => ({
      indicatorHistory: [row, { ...row, at: '2026-11-20T09:00:00.000Z', delta: -5, price: 41 }],
      regimeHistory: [regime],
    }))
    await sortBy('Change')
    expect(column(2)).toEqual(['+1.0¢▲', '−5.0¢▼'])
    expect(await tableColumns()).toBe(
      'Time | Price, right | ▼Change, right | Yield, right, hides 2 | Cliff, right, hides 1',
    )
    await press('v')
    expect(await tableColumns()).toBe(
      'Time | Label | Score, right | Spread, right, hides 1 | Bid depth, right, hides 2 | Ask depth, right, hides 2 | Vol 24h, right, hides 3',
    )
  })

  it('of its trades have theirs', async () => {
    const trade = { id: 'a', at: AT, price: 40, size: 7, takerSide: 'yes', side: 'yes' }
    await show(TapePane, 'KX TAPE', () => ({
      trades: [trade, { ...trade, id: 'b', price: 42, size: 3 }],
    }))
    await sortBy('Price')
    expect(column(1)).toEqual(['42.0¢', '40.0¢'])
    expect(await tableColumns()).toBe('Time | ▼Price, right | Size, right | Taker')
  })

  it('of its candles have theirs, the newest first, with what happened in each', async () => {
    const page = pageUnderTest(() => null)
    const candle = (t: number, o: number, c: number, more: object = {}) => ({
      t,
      at: new Date(t * 1_000).toISOString(),
      o,
      h: 60,
      l: 30,
      c,
      v: 1_200,
      ...more,
    })
    const event = (id: string, time: number) => ({
      id,
      time,
      label: `event ${id}`,
      at: AT,
      title: id,
    })
    const props = {
      terminal: page.terminal,
      pane: page.paneOf('KX GP'),
      candles: [
        candle(3_600, 40, 44),
        candle(7_200, 50, 41, { gap: true, partial: true }),
        candle(10_800, 41, 42, { partial: true }),
      ] as never,
      unit: 'contracts' as const,
      events: [event('a', 3_601), event('b', 7_199), event('c', 20_000)] as never,
      seconds: 3_600,
    }
    render(CandleTable, { props })
    await pass(50)
    expect(column(1)).toEqual(['41.0¢', '50.0¢', '40.0¢'])
    expect(column(5)).toEqual(['+1.0¢▲', '−9.0¢▼', '+4.0¢▲'])
    expect(column(6)).toEqual(['1.2k', '1.2k', '1.2k'])
    expect(column(7)).toEqual(['open bar', 'feed gap', 'event a, event b'])
    const outside = screen.getByRole('list', { name: 'Dates outside these bars' })
    expect(outside.textContent.replace(/\s+/g, ' ')).toMatch(/◆ event c/)
    expect(outside.querySelectorAll('li')).toHaveLength(1)
    await sortBy('Change')
    expect(column(5)).toEqual(['+4.0¢▲', '+1.0¢▲', '−9.0¢▼'])
    await sortBy('High')
    expect(await tableColumns()).toBe(
      'Start | Open, right | ▼High, right | Low, right | Close, right | Change, right | Volume, right | Note, hides 1',
    )
    page.stop()
  })
})
