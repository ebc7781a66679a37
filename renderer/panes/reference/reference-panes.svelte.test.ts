import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MicrostructurePoint } from '../../../backend/contract/market-history.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import { clickCell, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import DiscussionPane from '../answers/DiscussionPane.svelte'
import HealthPane from '../health/HealthPane.svelte'
import { healthSentence, sourceRows } from '../health/source-rows.ts'
import { flowPlan, flowSentence } from '../market/flow-lines.ts'
import MicroPane from '../market/MicroPane.svelte'
import FeedPane from './FeedPane.svelte'
import GlossaryPane from './GlossaryPane.svelte'
import GuidePane from './GuidePane.svelte'
import OpinionsPane from './OpinionsPane.svelte'
import ScreenPane from './ScreenPane.svelte'
import SkillsPane from './SkillsPane.svelte'
import TechnicalsPane from './TechnicalsPane.svelte'
import TermPopover from './TermPopover.svelte'
import { technicalSentence } from './technical-labels.ts'

// There is no canvas to draw on.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const point = (change: Partial<MicrostructurePoint> = {}): MicrostructurePoint => ({
  at: AT,
  bid: 49,
  ask: 51,
  mid: 50,
  spreadCents: 2,
  bidDepthUsd: 120,
  askDepthUsd: 80,
  imbalance: 0.2,
  trades: 3,
  buyVolume: 5,
  sellVolume: 1,
  flowImbalance: 0.67,
  ...change,
})
const technical = {
  slug: 'kx',
  ticker: 'KX',
  venue: 'venue_a' as const,
  title: 'A market',
  price: 50,
  trend: 'up' as const,
  momentum: 1.5,
  rv: null,
  volumeZ: null,
  breakout: null,
  strength: 0.7,
  summary: 'Rises for four days.',
  asOf: AT,
}
const technicalPage = {
  ...technical,
  levels: [{ price: 40, kind: 'support' as const, touches: 3 }],
  series: [
    { date: '2026-11-18', price: 44, volume: 3 },
    { date: '2026-11-19', price: null, volume: null },
    { date: '2026-11-20', price: 50, volume: 9 },
  ],
  note: '',
}
const SOURCED =
  'Because **rules** say so. [Source](http://here/api/agent/inspect/KX) [other](http://elsewhere/x)'
const opinion = {
  slug: 'o',
  title: 'Too cheap',
  author: 'rules',
  generatedBy: 'rule',
  stance: 'yes',
  summary: '',
  tickers: ['KX'],
  topics: [],
  publishedAt: AT,
}
const status = {
  status: 'degraded',
  components: [
    { name: 'history', status: 'operational', dataAgeSeconds: null, lastOkAt: AT, message: null },
    { name: 'venue_a', status: 'outage', dataAgeSeconds: 90, lastOkAt: AT, message: 'silent' },
  ],
  incidents: [{ id: 'i', title: 'venue_a is down', impact: 'x', startedAt: AT, resolvedAt: null }],
  updatedAt: AT,
}
const BODIES: readonly (readonly [RegExp, object])[] = [
  [
    /screen/,
    {
      total: 300,
      hasMore: true,
      generatedAt: AT,
      markets: [
        {
          ...marketRow(),
          regimeLabel: 'maker',
          indicators: { iy: 120.5, cri: 2, ee: null, las: 0.1, overround: null, tau: 3 },
        },
      ],
    },
  ],
  [/technicals\/kx/, technicalPage],
  [/technicals/, { technicals: [technical], total: 1 }],
  [/opinions\/o/, { ...opinion, body: SOURCED, markets: [] }],
  [/opinions/, { opinions: [opinion], total: 1 }],
  [
    /feed\/iran/,
    {
      topic: 'iran',
      label: 'Iran',
      since: AT,
      items: [
        {
          id: '1',
          kind: 'market',
          at: AT,
          title: 'Deal?',
          summary: 'moved',
          ticker: 'KX',
          price: 44,
          delta: 3,
        },
      ],
    },
  ],
  [
    /guide\?intent/,
    {
      intent: { slug: 'x', title: 'Find edges', summary: 's' },
      intents: [],
      skills: ['edge-hunt'],
      steps: [
        {
          order: 1,
          title: 'Read ideas',
          tool: 't',
          method: 'GET',
          url: 'http://127.0.0.1:1/api/public/ideas',
          why: 'w',
        },
      ],
    },
  ],
  [
    /guide/,
    {
      intent: null,
      steps: [],
      skills: [],
      intents: [{ slug: 'find-edges', title: 'Find edges', summary: 's' }],
    },
  ],
  [
    /skills/,
    {
      skills: [
        {
          slug: 'e',
          name: 'Edge hunt',
          trigger: '',
          description: 'Looks.',
          category: 'c',
          estimatedTime: '1 min',
          prompt: '',
          toolsUsed: [],
        },
      ],
    },
  ],
  [
    /microstructure/,
    {
      ticker: 'KX',
      venue: 'venue_a',
      days: 7,
      stepSeconds: 3600,
      points: [point(), point({ spreadCents: 3, at: '2026-11-20T11:00:00.000Z' })],
    },
  ],
  [/status/, status],
]
const answers = (path: string): object | null => BODIES.find(([of]) => of.test(path))?.[1] ?? null
type Drawn = Component<{ terminal: Terminal; pane: Pane }>

async function show(component: Drawn, line: string, writes?: Writes) {
  const page = pageUnderTest(answers, writes)
  const pane = page.paneOf(line)
  render(component, { terminal: page.terminal, pane })
  await pass(1_000)
  return { ...page, pane }
}
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())

describe('reference panes [terminal.reference.panes]', () => {
  it('a screen shows indicators, and unknown ones as unknown', async () => {
    const { requested, pane, stop } = await show(
      ScreenPane,
      'SCREEN cri iy>10 las<5 price=20..80 @k',
    )
    expect(requested[0]).toBe(
      '/api/public/screen?sort=cri&venue=venue_a&las_max=5&iy_min=10&price_min=20&price_max=80&limit=200&nextActions=off',
    )
    expect(cells()).toEqual(expect.arrayContaining(['120.5%', '2.00', '–', 'maker']))
    expect(screen.getByText('300 active markets match, the first 1 shown')).toBeTruthy()
    expect(pane.note).toBe('1')
    stop()
  })

  it('a screen reports which bound a filter accepts', async () => {
    await show(ScreenPane, 'SCREEN las>5')
    expect(screen.getByText('las accepts an upper bound only, such as las<5')).toBeTruthy()
  })

  it('technicals show the levels and days of the market under the cursor', async () => {
    const { pane } = await show(TechnicalsPane, 'TECH')
    expect(pane.note).toBe('1')
    expect(cells()).toContain('▲ up')
    expect(screen.getByText('Rises for four days.')).toBeTruthy()
    expect(screen.getByText(/^Support 40\.0¢ \(3×\)$/)).toBeTruthy()
    expect(technicalSentence(technicalPage)).toBe(
      'A market: 50.0¢ after 2 days, +6.0¢ from 44.0¢, trending up, 1 level',
    )
    expect(screen.getByRole('img', { name: /^A market: 50\.0¢/ })).toBeTruthy()
  })

  it('an opinion, a feed, a guide and ways of working are shown', async () => {
    const { terminal, pane } = await show(OpinionsPane, 'OPIN')
    expect(pane.note).toBe('1')
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    const text = screen.getByRole('region', { name: 'Selected opinion' })
    expect(text.textContent).toContain('Because rules say so. Source [other](http://elsewhere/x)')
    await fireEvent.click(within(text).getByRole('button', { name: 'Source' }))
    expect(run.mock.calls).toEqual([['$KX DES']])
    const feed = await show(FeedPane, 'FEED iran')
    expect(feed.pane.note).toBe('1')
    expect(cells()).toEqual(expect.arrayContaining(['Deal?', '44.0¢']))
    await show(GuidePane, 'GUIDE find-edges')
    expect(screen.getByText('GET /api/public/ideas')).toBeTruthy()
    await show(GuidePane, 'GUIDE')
    await show(SkillsPane, 'SKILL')
    expect(cells()).toEqual(expect.arrayContaining(['Find edges', 'Edge hunt']))
  })

  it('a feed without a topic asks for one', async () => {
    const { pane } = await show(FeedPane, 'FEED')
    expect(pane.note).toBe('')
    expect(screen.getByText('Name a topic first, such as FEED iran')).toBeTruthy()
  })
})

const opened = (calls: readonly (readonly [unknown, string, string | null])[]) =>
  calls.map(([, ticker, verb]) => `${ticker} ${verb}`)

describe('a screen', () => {
  const row = (ticker: string, more: object = {}) => ({
    ...marketRow({ ticker, title: `Will ${ticker}?`, tauDays: 3 }),
    regimeLabel: null,
    indicators: { iy: null, cri: 2, ee: 1.5, las: 0.105, overround: -2, tau: 3 },
    ...more,
  })
  const body = (total: number, markets: readonly object[]) => () => ({
    total,
    hasMore: false,
    generatedAt: AT,
    markets,
  })

  it('opens and filters its markets', async () => {
    const { pane, keys, prefilled, stop, ...page } = await shownPane(
      'SCREEN',
      ScreenPane,
      body(2, [row('KX-1'), row('KX-2')]),
    )
    expect(screen.getByText('2 active markets match')).toBeTruthy()
    await keys('Home', 'Enter', 'h', 'f')
    await clickCell('Will KX-2?KX-2')
    expect(opened(page.opened)).toEqual(['KX-1 DES', 'KX-1 HIST', 'KX-2 null'])
    expect(prefilled).toEqual([[`${pane.line} `]])
    expect(cells().slice(2, 7)).toEqual(['–', '+1.5¢', '2.00', '10.5%', '−2.0¢'])
    expect(await tableColumns()).toBe(
      'Market | Price, right | Yield, right | Edge, right, hides 3 | Cliff, right, hides 2 | Rel spread, right, hides 4 | Overround, right, hides 5 | Vol 24h, right, hides 1 | Closes, right, hides 6 | Regime, hides 7',
    )
    stop()
  })

  it('counts one market, and offers all when none matches', async () => {
    const one = await shownPane('SCREEN', ScreenPane, body(1, [row('KX-1')]))
    expect(screen.getByText('1 active market matches')).toBeTruthy()
    one.stop()
    cleanup()
    const { ran, stop } = await shownPane('SCREEN', ScreenPane, body(0, []))
    expect(screen.getByText('No market matches.')).toBeTruthy()
    await press('Show all by yield')
    expect(ran).toEqual([['SCREEN']])
    stop()
  })
})

describe('technicals', () => {
  const row = (slug: string, more: object = {}) => ({
    ...technical,
    slug,
    ticker: slug.toUpperCase(),
    title: `Market ${slug}`,
    ...more,
  })
  const page = (slug: string, more: object = {}) => ({
    ...technicalPage,
    slug,
    summary: `Summary ${slug}`,
    levels: [],
    ...more,
  })

  it('open their market, and show the one under the cursor', async () => {
    const rows = [row('a'), row('b', { breakout: 'down', volumeZ: 2.25, trend: 'flat' })]
    const { keys, stop, ...shown } = await shownPane('TECH', TechnicalsPane, (path) => {
      const slug = /technicals\/(\w)/.exec(path)?.[1]
      return slug === undefined ? { technicals: rows, total: 2 } : page(slug)
    })
    expect(screen.getByText('Summary a')).toBeTruthy()
    expect(screen.queryByText(/^Support/)).toBeNull()
    await keys('Home', 'j', 'Enter', 'b')
    await pass(500)
    expect(screen.getByText('Summary b')).toBeTruthy()
    await clickCell('Market aA')
    expect(opened(shown.opened)).toEqual(['B DES', 'B BOOK', 'A null'])
    expect(column(6)).toEqual(['–', '▼ down'])
    expect(column(7)).toEqual(['–', '2.3σ'])
    expect(await tableColumns()).toBe(
      'Market | V, hides 5 | Price, right | Trend | Momentum, right, hides 1 | Strength, right, hides 2 | Breakout, hides 3 | Vol surprise, right, hides 4',
    )
    stop()
  })

  it('chart two known days or more, newest first in the table', async () => {
    const series = (...prices: readonly (number | null)[]) =>
      prices.map((price, index) => ({ date: `2026-11-0${index + 1}`, price, volume: 1_200 }))
    const body = (shown: object) => (path: string) =>
      path.includes('/technicals/') ? page('a', shown) : { technicals: [row('a')], total: 1 }
    const few = await shownPane('TECH', TechnicalsPane, body({ series: series(40, null) }))
    expect(screen.getByText('Too few days to chart.')).toBeTruthy()
    few.stop()
    cleanup()
    const levels = [{ price: 40, kind: 'support' as const, touches: 3 }]
    const { keys, stop } = await shownPane(
      'TECH',
      TechnicalsPane,
      body({ series: series(40, null, 50), levels }),
    )
    expect(screen.queryByText('Too few days to chart.')).toBeNull()
    expect(document.querySelectorAll('[stroke-dasharray], .dashed')).toHaveLength(1)
    const texts = [...document.querySelectorAll('svg text')].map((text) => text.textContent.trim())
    expect(texts).toEqual(expect.arrayContaining(['1 Nov', '3 Nov']))
    await keys('t')
    const days = within(screen.getByRole('table', { name: 'Days' }))
      .getAllByRole('row')
      .slice(1)
    expect(days.map((day) => [...day.children].map((cell) => cell.textContent))).toEqual([
      ['2026-11-03', '50.0¢', '1,200'],
      ['2026-11-02', '–', '1,200'],
      ['2026-11-01', '40.0¢', '1,200'],
    ])
    stop()
  })

  it('offer the movers without a trend', async () => {
    const { ran, requested, stop } = await shownPane('TECH', TechnicalsPane, () => ({
      technicals: [],
      total: 0,
    }))
    expect(requested.filter((path) => path.includes('/technicals/'))).toEqual([])
    await press('Show movers')
    expect(ran).toEqual([['MOV']])
    stop()
  })
})

describe('a feed', () => {
  it('opens the markets of its entries, where they have one', async () => {
    const item = (id: string, ticker: string | null) => ({
      id,
      kind: 'market',
      at: AT,
      title: `Entry ${id}`,
      summary: 'moved',
      ticker,
      price: 44,
      delta: 3,
    })
    const { keys, stop, ...page } = await shownPane('FEED iran', FeedPane, () => ({
      topic: 'iran',
      label: 'Iran',
      since: AT,
      items: [item('1', 'KX-1'), item('2', null)],
    }))
    expect(page.pane.note).toBe('2')
    expect(screen.getByText('Iran, newest first')).toBeTruthy()
    await keys('Home', 'Enter', 'g', 'j', 'Enter', 'g')
    await clickCell('Entry 1')
    await clickCell('Entry 2')
    expect(opened(page.opened)).toEqual(['KX-1 DES', 'KX-1 GP', 'KX-1 null'])
    expect(await tableColumns()).toBe(
      'Time | Kind, hides 2 | Title | Summary, hides 1 | Price, right | Change, right',
    )
    stop()
  })

  it('without entries states that', async () => {
    const { pane, stop } = await shownPane('FEED iran', FeedPane, () => ({
      topic: 'iran',
      label: 'Iran',
      since: AT,
      items: [],
    }))
    expect(screen.getByText('No entries in this period.')).toBeTruthy()
    expect(pane.note).toBe('')
    stop()
  })
})

describe('opinions', () => {
  it('show the one under the cursor, who wrote it, and its markets', async () => {
    const row = (slug: string, stance: string) => ({ ...opinion, slug, stance, title: `T ${slug}` })
    const market = { ticker: 'KX-1', venue: 'venue_a', title: 'Will it?', price: 40, url: '' }
    const { keys, stop, ...page } = await shownPane('OPIN', OpinionsPane, (path) => {
      const slug = /opinions\/(\w)/.exec(path)?.[1]
      if (slug === undefined) return { opinions: [row('a', 'yes'), row('b', 'neutral')], total: 2 }
      return { ...row(slug, 'yes'), body: `Body ${slug}`, markets: [market] }
    })
    const shown = () => screen.getByRole('region', { name: 'Selected opinion' }).textContent
    expect(shown()).toContain('Body a')
    expect(shown()).toContain('By a rule')
    expect(column(1)).toEqual(['YES', 'NEUTRAL'])
    await keys('Home', 'j')
    await pass(500)
    expect(shown()).toContain('Body b')
    await fireEvent.click(screen.getByRole('button', { name: /Will it\?/ }))
    expect(opened(page.opened)).toEqual(['KX-1 DES'])
    expect(await tableColumns()).toBe(
      'Opinion | View | Author, hides 1 | Published, right, hides 2',
    )
    stop()
  })

  it('that are none offer ideas', async () => {
    const { ran, pane, requested, stop } = await shownPane('OPIN', OpinionsPane, () => ({
      opinions: [],
      total: 0,
    }))
    expect(pane.note).toBe('')
    expect(requested.filter((path) => path.includes('/opinions/'))).toEqual([])
    await press('Show ideas from prices')
    expect(ran).toEqual([['IDEA']])
    stop()
  })
})

describe('the glossary', () => {
  const term = {
    slug: 'brier-score',
    term: 'Brier score',
    short: 'The mean squared error.',
    category: 'statistics',
    formula: 'mean((p - o)^2)',
    body: 'The mean squared error.\n\nFormula: mean((p - o)^2)\n\nLower is better.\n\n  \n\nSecond paragraph.',
    fields: ['brier', 'brierAtClose'],
    seeAlso: ['calibration'],
  }
  const body =
    (more: object = {}) =>
    (path: string) =>
      path.includes('brier') ? { ...term, ...more } : { terms: [term], total: 1 }

  it('lists its terms, which open on a page of their own', async () => {
    const { ran, keys, requested, stop } = await shownPane('GLOSS', GlossaryPane, body())
    expect(requested.filter((path) => path.includes('brier'))).toEqual([])
    await keys('Home', 'Enter', 'Backspace')
    await clickCell('Brier score')
    expect(ran).toEqual([['GLOSS brier-score'], ['GLOSS brier-score']])
    expect(await tableColumns()).toBe('Term | Meaning | About, hides 1')
    stop()
  })

  it('has a page of a term without what is repeated, and a way back', async () => {
    const { ran, keys, requested, stop } = await shownPane(
      'GLOSS brier-score',
      GlossaryPane,
      body(),
    )
    expect(requested.filter((path) => path.includes('/glossary')).length).toBe(1)
    const page = screen.getByRole('region', { name: 'Brier score' })
    expect([...page.querySelectorAll('p')].map((text) => text.textContent.trim())).toEqual([
      'The mean squared error.',
      'mean((p - o)^2)',
      'Lower is better.',
      'Second paragraph.',
      'API fields: brier, brierAtClose',
      expect.stringMatching(/^See also\s+calibration$/),
      'All terms',
    ])
    await press('calibration')
    await press('All terms')
    await keys('Backspace')
    expect(ran).toEqual([['GLOSS calibration'], ['GLOSS'], ['GLOSS']])
    stop()
  })

  it('leaves out what a term does not have', async () => {
    const bare = { formula: null, fields: [], seeAlso: [], body: '' }
    const { stop } = await shownPane('GLOSS brier-score', GlossaryPane, body(bare))
    const page = screen.getByRole('region', { name: 'Brier score' })
    expect([...page.querySelectorAll('p')].map((text) => text.textContent.trim())).toEqual([
      'The mean squared error.',
      'All terms',
    ])
    stop()
  })

  it('explains a term beside its mark, and returns the focus', async () => {
    const { terminal, ran, stop } = await shownPane('GLOSS', GlossaryPane, body())
    const before = document.body.appendChild(document.createElement('button'))
    before.focus()
    const at = { left: 5_000, top: 700, bottom: 720 }
    const open = { term: 'brier-score', name: 'the score', at: at as DOMRect }
    const size = vi.spyOn(Element.prototype, 'getBoundingClientRect')
    size.mockReturnValue({ width: 300, height: 100 } as DOMRect)
    const drawn = async () => {
      terminal.term = open
      const { unmount } = render(TermPopover, { terminal, openTerm: open })
      await pass(500)
      return { unmount, box: screen.getByRole('dialog', { name: 'What the score means' }) }
    }
    const first = await drawn()
    expect(document.activeElement).toBe(first.box)
    expect(first.box.textContent).toContain('mean((p - o)^2)')
    // Above the mark, as there is no room below, and within the window.
    expect([first.box.style.left, first.box.style.top]).toEqual(['718px', '594px'])
    await fireEvent.pointerDown(first.box)
    expect(terminal.term).toEqual(open)
    await fireEvent.pointerDown(before)
    expect(terminal.term).toBeNull()
    first.unmount()
    expect(document.activeElement).toBe(before)
    at.left = 1
    const second = await drawn()
    Object.assign(at, { top: 10, bottom: 30 })
    second.unmount()
    const third = await drawn()
    expect([third.box.style.left, third.box.style.top]).toEqual(['6px', '36px'])
    for (const key of ['Escape', 'i']) {
      terminal.term = open
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), ['menu'])
      expect(terminal.term).toBeNull()
    }
    terminal.term = open
    await press('Open in glossary')
    expect(terminal.term).toBeNull()
    expect(ran).toEqual([['GLOSS brier-score']])
    terminal.term = open
    await press('Close')
    expect(terminal.term).toBeNull()
    // A focus that moved elsewhere stays there.
    const other = document.body.appendChild(document.createElement('button'))
    other.focus()
    third.unmount()
    expect(document.activeElement).toBe(other)
    size.mockRestore()
    before.remove()
    other.remove()
    stop()
  })
})

describe('guides and playbooks', () => {
  const step = (order: number, url: string) => ({
    order,
    title: `Step ${order}`,
    tool: 't',
    method: 'GET',
    url,
    why: 'w',
  })
  const guide = {
    intent: { slug: 'x', title: 'Find edges', summary: 's' },
    intents: [],
    skills: ['edge-hunt'],
    steps: [
      step(1, `https://host/api/x?id=0x${'a'.repeat(64)}`),
      step(2, 'http://127.0.0.1:1/api/y'),
    ],
  }

  it('a list of guides opens each, and a guide its playbooks', async () => {
    const list = { intent: null, steps: [], skills: [], intents: [{ ...guide.intent }] }
    const all = await shownPane('GUIDE', GuidePane, () => list)
    await all.keys('Home', 'Enter', 'Backspace')
    expect(all.ran).toEqual([['GUIDE x']])
    expect(await tableColumns()).toBe('Guide | Description')
    all.stop()
    cleanup()
    const { ran, keys, requested, stop } = await shownPane('GUIDE x', GuidePane, () => guide)
    expect(requested.at(-1)).toContain('intent=x')
    const calls = [...document.querySelectorAll('.call .mono')].map((call) => call.textContent)
    expect(calls[1]).toBe('GET /api/y')
    expect(calls[0]).toMatch(/^GET \/api\/x\?id=0x.{1,20}$/)
    await press('edge-hunt')
    await press('All guides')
    await keys('Backspace')
    expect(ran).toEqual([['SKILL edge-hunt'], ['GUIDE'], ['GUIDE']])
    stop()
  })

  it('an unknown guide states that', async () => {
    const unknown = { intent: null, steps: [], skills: [], intents: [] }
    const { stop } = await shownPane('GUIDE nothing', GuidePane, () => unknown)
    expect(screen.getByText('There is no guide named "nothing".')).toBeTruthy()
    expect(screen.queryByText('Playbooks:')).toBeNull()
    stop()
  })

  it('a list of playbooks opens each, and a playbook shows its instructions', async () => {
    const skill = {
      slug: 'edge-hunt',
      name: 'Edge hunt',
      trigger: 'find edges',
      description: 'Looks.',
      category: 'c',
      estimatedTime: '1 min',
      prompt: 'Do it.',
      toolsUsed: ['a', 'b'],
    }
    const body = (path: string) => (path.includes('edge-hunt') ? skill : { skills: [skill] })
    const list = await shownPane('SKILL', SkillsPane, body)
    expect(list.requested.filter((path) => path.includes('edge-hunt'))).toEqual([])
    await list.keys('Home', 'Enter', 'Backspace')
    expect(list.ran).toEqual([['SKILL edge-hunt']])
    expect(await tableColumns()).toBe('Playbook | Description | Time, hides 1 | Kind, hides 2')
    list.stop()
    cleanup()
    const { ran, keys, stop } = await shownPane('SKILL edge-hunt', SkillsPane, body)
    const text = screen.getByRole('region', { name: 'Edge hunt' }).textContent
    expect(text).toContain('Looks. “find edges”')
    expect(text).toContain('Uses a, b')
    await press('All playbooks')
    await keys('Backspace')
    expect(ran).toEqual([['SKILL'], ['SKILL']])
    stop()
  })
})

describe('the flow of a market [terminal.reference.flow]', () => {
  it('is drawn with a sentence, and shown as a table', async () => {
    const { terminal, pane } = await show(MicroPane, 'KX MICRO')
    expect(
      screen.getByRole('img', { name: '2 hours: spread 3.0¢ now, between 2.0¢ and 3.0¢' }),
    ).toBeTruthy()
    const event = new KeyboardEvent('keydown', { key: 't', cancelable: true })
    terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(40)
    expect(cells()).toEqual(expect.arrayContaining(['3.0¢', '$120.00']))
  })

  it('leaves gaps where nothing is known', () => {
    const points = [point({ bidDepthUsd: null }), point()]
    expect(flowPlan(points, 'depth').lines.map(({ values }) => values)).toEqual([
      [null, 120],
      [80, 80],
    ])
    expect(flowSentence([point({ spreadCents: null })], 'spread')).toBe('1 hour: spread unknown')
  })
})

describe('a discussion [terminal.reference.discussion]', () => {
  const answer = {
    question: 'Will it?',
    synthesis: 'Perhaps.',
    disagreements: ['the price'],
    markets: [],
    perspectives: [{ role: 'For YES', stance: 'yes', argument: 'Because.', evidence: ['a fact'] }],
    meta: { model: null, synthesis: 'template', latencyMs: 3 },
  }

  it('is requested once, and again on r', async () => {
    const page = await show(DiscussionPane, 'DISC will it', () => ({ ok: true, body: answer }))
    expect(page.sent).toEqual([
      { method: 'POST', path: '/api/public/discuss', body: { question: 'will it' } },
    ])
    expect(screen.getByRole('region', { name: 'For YES' }).textContent).toContain('a fact')
    await pass(600_000)
    expect(page.sent).toHaveLength(1)
    const event = new KeyboardEvent('keydown', { key: 'r', cancelable: true })
    page.terminal.keys.handle(event, [`pane:${page.pane.id}`])
    await pass(40)
    expect(page.sent).toHaveLength(2)
  })

  it('explains a refusal, and what is required', async () => {
    await show(DiscussionPane, 'DISC will it', () =>
      refused(429, 'RATE_LIMITED', 'rate limit exceeded'),
    )
    expect(screen.getByRole('alert')).toBeTruthy()
    await show(DiscussionPane, 'DISC')
    expect(screen.getByText('Ask a question, or name a market or a topic')).toBeTruthy()
  })
})

describe('the state of the sources [terminal.sources.health]', () => {
  it('lists each with its age, and open incidents', async () => {
    const { stop } = await show(HealthPane, 'HEALTH')
    expect(cells()).toEqual(expect.arrayContaining(['Kalshi', 'down', 'silent', 'OK']))
    expect(screen.getByRole('status').textContent).toMatch(/Kalshi down/)
    expect(screen.getByText(/venue_a is down/)).toBeTruthy()
    stop()
  })

  it('ages continuously, and is unknown while the service is unreachable', () => {
    const link = { tone: 'ok', text: 'Live', help: '' } as const
    const connection = {
      status: status as never,
      statusAge: 30_000,
      link,
      arrivedAt: 0,
      now: 5_000,
    }
    const rows = sourceRows({ ...connection, isLost: false })
    expect(rows.map(({ state, age }) => [state, age])).toEqual([
      ['OK', '–'],
      ['down', '2m'],
      ['live', '5s'],
    ])
    const lost = sourceRows({ ...connection, isLost: true, arrivedAt: null })
    expect(lost.slice(0, 2).map(({ state }) => state)).toEqual(['unknown', 'unknown'])
    expect(healthSentence(rows.slice(0, 1))).toBe('All 1 sources are OK.')
  })
})
