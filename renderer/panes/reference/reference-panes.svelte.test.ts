import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MicrostructurePoint } from '../../../backend/contract/market-history.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import DiscussionPane from '../answers/DiscussionPane.svelte'
import HealthPane from '../health/HealthPane.svelte'
import { healthSentence, sourceRows } from '../health/source-rows.ts'
import { flowPlan, flowSentence } from '../market/flow-lines.ts'
import MicroPane from '../market/MicroPane.svelte'
import FeedPane from './FeedPane.svelte'
import GuidePane from './GuidePane.svelte'
import OpinionsPane from './OpinionsPane.svelte'
import ScreenPane from './ScreenPane.svelte'
import SkillsPane from './SkillsPane.svelte'
import TechnicalsPane from './TechnicalsPane.svelte'
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
    const connection = { status: status as never, since: 30_000, link, arrivedAt: 0, now: 5_000 }
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
