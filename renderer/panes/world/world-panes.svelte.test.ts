import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RegimeRow } from '../../../backend/contract/market.ts'
import type { SalientItem } from '../../../backend/contract/world.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import ExplainPane from './ExplainPane.svelte'
import RegimePane from './RegimePane.svelte'
import TrailPane from './TrailPane.svelte'
import WorldPane from './WorldPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const LATER = '2026-11-20T10:05:00.000Z'
const BASE = 'http://127.0.0.1:4870/api/agent/world'
const unknown = { disagreement: null, geoRisk: 20, breadth: 0.1, activity: 0 }
const head = (path: readonly string[]) => ({
  asOf: AT,
  sinceBaseline: AT,
  baselineReason: 'last 12h',
  region: { path, label: path.at(-1) ?? 'World', parentUrl: null },
  regime: { label: 'Steady — no dominant macro signal', signals: unknown },
})
const pull = (op: 'explain' | 'trail', query: string) => ({
  op,
  label: op,
  url: `${BASE}?op=${op}&${query}`,
  structured: { op },
})
const item = (id: string, label: string): SalientItem => ({
  id,
  rank: 0,
  type: 'residual',
  label,
  score: 0.4,
  body: { ticker: 'KX-1', title: 'Will it?', price: null },
  pull: [pull('explain', `item=${id}`), pull('trail', 'from=KX-1')],
})
const first = item('s-aaaaaa', 'First')
const second = item('s-bbbbbb', 'Second')
const world = (path: readonly string[], asOf: string, salient: readonly SalientItem[]) => ({
  ...head(path),
  asOf,
  salient,
  childRegions: [
    { name: 'iran', label: 'Iran', teaser: '2 markets', marketCount: 2, salientCount: 1 },
  ],
  index: { ...unknown, value: 30, delta24h: null, components: {} },
  regimeSummary: { calm: 1, active: 2, stressed: 0 },
  movers: [],
  marketCount: 2,
})
const trail = {
  from: { ticker: 'KX-1', venue: 'venue_a', title: 'Start', price: 5, url: '' },
  maxHops: 2,
  nodes: [
    { ticker: 'KX-2', venue: 'venue_a', title: 'Next', price: null, url: '', hop: 1, via: 'KX-1' },
    { ticker: 'KX-3', venue: 'venue_a', title: 'Far', price: null, url: '', hop: 2, via: 'KX-2' },
  ],
  links: [
    {
      from: 'KX-1',
      to: 'KX-2',
      kind: 'contagion',
      strength: 0.5,
      lagSeconds: null,
      note: 'the same theme',
    },
    {
      from: 'KX-3',
      to: 'KX-2',
      kind: 'contagion',
      strength: 0.3,
      lagSeconds: null,
      note: 'the same theme',
    },
  ],
}
const regime = (ticker: string, spread: number | null): RegimeRow => ({
  ...marketRow({ ticker, title: `Will ${ticker}?` }),
  score: 0.6,
  asScore: 0.6,
  label: 'neutral',
  trendLabel: null,
  computedAt: AT,
  signals: {
    spreadCents: spread,
    bidDepthUsd: null,
    askDepthUsd: null,
    volume24h: null,
    observability: 'low',
    eventType: 'political',
    asPrior: 0.6,
    sfEdgeCents: null,
    sfEdgeDirection: null,
  },
  breakdown: [{ name: 'spreadCents', value: spread, effect: 'maker', note: `of ${ticker}` }],
})

const evidence = (title: string, url: string | null) => ({
  source: 'calendar',
  title,
  url,
  at: AT,
})
const hypotheses = [
  {
    rank: 1,
    kind: 'scheduled_event',
    summary: 'The Fed decided',
    confidence: 0.8,
    evidence: [
      { ...evidence('Without address', null), source: 'venue_a' },
      evidence('Elsewhere', 'https://news.example.com/x'),
      evidence('Unsafe', 'javascript:alert(1)'),
      evidence('The market', 'http://here/api/agent/inspect/KX-9'),
    ],
  },
  { rank: 2, kind: 'linked_market', summary: 'Oil moved', confidence: 0.3, evidence: [] },
]

const answers =
  (asOf: () => string) =>
  (path: string): object | null => {
    if (path.includes('op=trail')) return { ...head([]), trail }
    if (path.includes('op=explain') && path.includes('s-bbbbbb')) {
      const explain = { item: second, hypotheses, checked: ['calendar'], unexplained: false }
      return { ...head([]), explain }
    }
    if (path.includes('op=explain')) {
      const explain = { item: first, hypotheses: [], checked: ['calendar'], unexplained: true }
      return { ...head([]), explain }
    }
    if (path.includes('regime/scan')) {
      return {
        markets: [regime('KX-1', null), regime('KX-2', 7)],
        count: 2,
        total: 9,
        byLabel: { maker: 0, neutral: 2, taker: 0 },
        generatedAt: AT,
      }
    }
    if (path.includes('/world/iran')) return world(['iran'], AT, [])
    return path.includes('/world?') ? world([], asOf(), [first]) : null
  }

function setUp(line: string) {
  const scene = { asOf: AT }
  const page = pageUnderTest(answers(() => scene.asOf))
  const pane = page.paneOf(line)
  const opened: string[] = []
  const shown = new Map<string, Pane>()
  page.terminal.dock = {
    float: () => {},
    closeOthers: () => {},
    reset: () => {},
    frame: () => null,
    snapshot: () => ({}) as never,
    show: () => false,
    add: (added) => void shown.set(added.id, added),
    activate: (id) => void opened.push(shown.get(id)?.line ?? id),
    close: () => {},
    toggleMaximised: () => {},
    order: () => [],
    neighbour: () => null,
    move: () => {},
    describe: () => {},
    undo: () => false,
    redo: () => false,
  }
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    page.terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(40)
  }
  return { ...page, pane, scene, opened, press }
}

describe('the world pane', () => {
  it('uses a new snapshot of the socket, and reloads the rest [terminal.world.follows]', async () => {
    const { service, terminal, requested, pane, scene, stop } = setUp('WORLD')
    service.topics.set('world', { epoch: 'e', seq: 1, changes: [], data: { asOf: AT } })
    render(WorldPane, { terminal, pane })
    await pass(500)
    expect(screen.getByRole('gridcell', { name: 'First' })).toBeTruthy()
    expect(service.followed).toContain('world')
    const before = requested.length
    scene.asOf = LATER
    service.change('world', { to: LATER, salient: [second] })
    await pass(17)
    expect(screen.getByRole('gridcell', { name: 'Second' })).toBeTruthy()
    await pass(40)
    expect(requested.length).toBe(before + 1)
    stop()
  })

  it('opens each thread of an item by its number, and its explanation by Enter', async () => {
    const { terminal, pane, opened, press, stop } = setUp('WORLD')
    render(WorldPane, { terminal, pane })
    await pass(500)
    await press('2')
    await press('1')
    await press('j')
    await press('Enter')
    expect(opened).toEqual(['. TRAIL', 'EXPLAIN s-aaaaaa', 'EXPLAIN s-aaaaaa'])
    expect(terminal.links.A).toBe('KX-1')
    stop()
  })

  it('drills into a region and comes back, and shows unknown values as a dash', async () => {
    const { terminal, pane, press, stop } = setUp('WORLD')
    const { container } = render(WorldPane, { terminal, pane })
    await pass(500)
    expect(container.textContent).toMatch(/Disagreement –/)
    expect(container.textContent).toMatch(/Activity 0/)
    await press('v')
    await press('j')
    await press('Enter')
    await pass(500)
    expect(pane.line).toBe('WORLD iran')
    expect(screen.getByText('No salient items since the baseline.')).toBeTruthy()
    await press('Backspace')
    expect(pane.line).toBe('WORLD')
    stop()
  })

  it('explains its terms beside their mark', async () => {
    const { terminal, pane, press, stop } = setUp('WORLD')
    render(WorldPane, { terminal, pane })
    await pass(500)
    await press('i')
    expect(terminal.term).toMatchObject({ term: 'salience', name: 'salience' })
    stop()
  })
})

it('an item without an explanation lists the sources that were searched', async () => {
  const { terminal, pane, stop } = setUp('EXPLAIN s-aaaaaa')
  render(ExplainPane, { terminal, pane })
  await pass(500)
  expect(screen.getByText(/^No source explains this item/)).toBeTruthy()
  expect(screen.getByText('Sources searched: calendar')).toBeTruthy()
  stop()
})

it('an explanation shows the evidence of the hypothesis under the cursor, and Enter opens it', async () => {
  const { terminal, pane, press, stop } = setUp('EXPLAIN s-bbbbbb')
  const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
  render(ExplainPane, { terminal, pane })
  await pass(500)
  const shown = () => screen.getByRole('region', { name: 'Selected hypothesis' })
  expect(shown().textContent).toContain('The Fed decided')
  expect(shown().textContent).toContain('Kalshi · ')
  expect(shown().textContent).not.toContain('venue a')
  expect(within(shown()).getByRole('link').textContent).toBe('Elsewhere (news.example.com)')
  expect(within(shown()).getAllByRole('button')).toHaveLength(1)
  expect(shown().textContent).toContain('Unsafe')
  await press('Home')
  await press('Enter')
  expect(run.mock.calls).toEqual([['KX-9 DES']])
  await press('j')
  expect(shown().textContent).toContain('Oil moved')
  // It has no evidence to open.
  await press('Enter')
  expect(run).toHaveBeenCalledTimes(1)
  await press('k')
  await fireEvent.click(within(shown()).getByRole('button', { name: 'The market' }))
  expect(run).toHaveBeenCalledTimes(2)
  stop()
})

it('arrow keys move through a trail, Enter opens a market, and t shows a table [terminal.world.trail]', async () => {
  const { terminal, pane, press, stop } = setUp('KX-1 TRAIL')
  render(TrailPane, { terminal, pane })
  await pass(500)
  const group = screen.getByRole('group', { name: /^Trail of Start: 2 markets/ })
  expect(within(group).getAllByRole('button')).toHaveLength(3)
  expect(pane.note).toBe('2')
  await press('ArrowRight')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Next, –, hop 1')
  await press('Enter')
  expect(terminal.links.A).toBe('KX-2')
  await press('t')
  const cellsOf = (title: string) =>
    within(screen.getByRole('row', { name: new RegExp(title) }))
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent)
  expect(cellsOf('Next')).toEqual(
    expect.arrayContaining(['1', 'Next', 'moves together', '0.5', '–']),
  )
  // A link may run either way between the two markets.
  expect(cellsOf('Far')).toEqual(expect.arrayContaining(['2', 'Far', 'moves together', '0.3', '–']))
  stop()
})

it('the regime scan shows the reasons of the row under the cursor', async () => {
  const { terminal, pane, press, stop } = setUp('REG')
  render(RegimePane, { terminal, pane })
  await pass(500)
  expect(screen.getByRole('region', { name: 'Why Will KX-1? is neutral' })).toBeTruthy()
  expect(pane.note).toMatch(/^2 of \d+$/)
  await press('j')
  await press('j')
  const reasons = screen.getByRole('region', { name: 'Why Will KX-2? is neutral' })
  expect(within(reasons).getByText('of KX-2')).toBeTruthy()
  await press('3')
  expect(pane.line).toBe('REG label=taker')
  await press('3')
  expect(pane.line).toBe('REG')
  stop()
})
