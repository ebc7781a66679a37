import '../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import { refused, type Writes } from '../testing/page-under-test.ts'
import { cells, click, press, shownPane } from '../testing/shown-pane.ts'
import { tableColumns } from '../testing/table-columns.ts'
import AlertsPane from './alerts/AlertsPane.svelte'
import AnswerPane from './answers/AnswerPane.svelte'
import BriefingPane from './answers/BriefingPane.svelte'
import CalendarPane from './answers/CalendarPane.svelte'
import DiscussionPane from './answers/DiscussionPane.svelte'
import EdgesPane from './edges/EdgesPane.svelte'
import HighlightsPane from './edges/HighlightsPane.svelte'
import IdeasPane from './edges/IdeasPane.svelte'
import CalibrationPane from './structure/CalibrationPane.svelte'
import OddsPane from './structure/OddsPane.svelte'
import AliasesPane from './window/AliasesPane.svelte'
import LayoutsPane from './window/LayoutsPane.svelte'

type PaneComponent = Component<{ terminal: Terminal; pane: Pane }>

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const ref = (ticker: string) => ({
  ticker,
  venue: 'venue_a',
  title: `Will ${ticker} happen?`,
  price: 50,
  url: '',
})

/** A pane over this body, with what it opens. */
const shown = (line: string, drawn: PaneComponent, body: object, writes?: Writes) =>
  shownPane(line, drawn, () => body, writes)

describe('edges of theses [terminal.context.edges]', () => {
  const edge = (ticker: string, more: object = {}) => ({
    ...ref(ticker),
    direction: 'yes',
    marketPrice: 50,
    thesisPrice: 60,
    edge: 10,
    executableEdge: 7,
    confidence: 0.6,
    liquidityScore: 'low',
    marketAbsorption: 0.25,
    thesisSlug: null,
    reasoning: `Because of ${ticker}`,
    ...more,
  })
  it('are counted and explained, and open their market', async () => {
    const edges = [edge('KX-1'), edge('KX-2', { marketAbsorption: null, thesisSlug: 'cut' })]
    const body = { edges, thesesScanned: 1, generatedAt: AT }
    const { pane, keys, opened } = await shown('EDGE', EdgesPane, body)
    expect(pane.note).toBe('2')
    expect(screen.getByText(/^1 thesis, largest edge/)).toBeTruthy()
    const why = () => screen.getByRole('region', { name: 'Why' }).textContent
    expect(why()).toBe('Because of KX-1')
    expect(cells()).toEqual(expect.arrayContaining(['+10.0¢▲', '+7.0¢▲', '25.0%', '–']))
    await keys('Home', 'j', 'Enter')
    expect(why()).toBe('Because of KX-2')
    await click('Will KX-1 happen?')
    expect(opened).toEqual([
      [pane, 'KX-2', 'DES'],
      [pane, 'KX-1', null],
    ])
    expect(await tableColumns()).toBe(
      'Market | V, hides 4 | Side | Price, right | Thesis, right | Edge, right | After costs, right | Conf, right, hides 1 | Liq, hides 2 | Absorbed, right, hides 3',
    )
  })

  it('sort by the size of an edge on either side, and open in other panes', async () => {
    const edges = [edge('KX-1', { edge: 3 }), edge('KX-2', { edge: -9 }), edge('KX-3', { edge: 5 })]
    const body = { edges, thesesScanned: 2, generatedAt: AT }
    const { pane, keys, opened } = await shown('EDGE', EdgesPane, body)
    await press('Edge')
    expect(cells().filter((text) => /^[+−]\d+\.0¢[▲▼]$/.test(text) && text !== '+7.0¢▲')).toEqual([
      '−9.0¢▼',
      '+5.0¢▲',
      '+3.0¢▲',
    ])
    await keys('Home', 'g')
    expect(opened).toEqual([[pane, 'KX-2', 'GP']])
  })

  it('of one thesis are shown, with that of the row that has the cursor', async () => {
    const same = { thesisSlug: 'cut', reasoning: 'By the other thesis' }
    const edges = [edge('KX-1'), edge('KX-1', same)]
    const { keys } = await shown('EDGE', EdgesPane, { edges, thesesScanned: 1, generatedAt: AT })
    const why = () => screen.getByRole('region', { name: 'Why' }).textContent
    expect(why()).toBe('Because of KX-1')
    await keys('Home', 'j')
    expect(why()).toBe('By the other thesis')
  })

  it('of several unpublished theses in one market are all shown', async () => {
    const edges = ['t1', 't2'].map((thesisId) =>
      edge('KX-1', { thesisId, reasoning: `By ${thesisId}` }),
    )
    const { keys } = await shown('EDGE', EdgesPane, { edges, thesesScanned: 2, generatedAt: AT })
    await keys('Home', 'j')
    expect(screen.getByRole('region', { name: 'Why' }).textContent).toBe('By t2')
  })

  it('in the market of the link group are marked', async () => {
    const edges = [edge('KX-1'), edge('KX-2', { thesisSlug: 'cut' })]
    const { terminal } = await shown('EDGE', EdgesPane, {
      edges,
      thesesScanned: 1,
      generatedAt: AT,
    })
    terminal.links.A = 'KX-2'
    await pass(50)
    const current = screen.getAllByRole('row').filter((row) => row.classList.contains('current'))
    expect(current.map((row) => row.textContent)).toEqual([expect.stringContaining('Will KX-2')])
  })

  it('that a filter excludes can be shown again', async () => {
    const body = { edges: [], thesesScanned: 3, generatedAt: AT }
    const { ran } = await shown('EDGE', EdgesPane, body)
    expect(screen.getByText('None of 3 theses has an edge here.')).toBeTruthy()
    await press('Show all edges')
    expect(ran).toEqual([['EDGE']])
  })

  it('without theses lead to the ideas', async () => {
    const { ran } = await shown('EDGE', EdgesPane, { edges: [], thesesScanned: 0, generatedAt: AT })
    await press('Show ideas from prices')
    expect(ran).toEqual([['IDEA']])
  })
})

describe('highlights [terminal.context.highlights]', () => {
  const highlight = (rank: number, ticker: string | null) => ({
    rank,
    kind: 'mover',
    title: `Highlight ${rank}`,
    summary: 'It moved.',
    ticker,
    price: 41,
    delta24h: -3,
    at: '2026-11-20T09:00:00.000Z',
  })
  it('open their market when they have one', async () => {
    const body = { highlights: [highlight(1, 'KX-1'), highlight(2, null)], generatedAt: AT }
    const { pane, keys, opened } = await shown('HIGH', HighlightsPane, body)
    expect(pane.note).toBe('2')
    expect(cells().slice(0, 5)).toEqual(['mover', 'Highlight 1', 'It moved.', '41.0¢', '−3.0¢▼'])
    await keys('Home', 'Enter', 'j', 'Enter')
    await click('Highlight 1')
    await click('Highlight 2')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-1', null],
    ])
    expect(await tableColumns()).toBe(
      'Type | Market | Why, hides 2 | Price, right | 24h, right, hides 1 | Since, right, hides 3',
    )
  })
})

describe('ideas [terminal.context.ideas]', () => {
  const idea = (id: string, conviction: string, markets: readonly object[]) => ({
    id,
    headline: `Idea ${id}`,
    pitch: 'Because',
    risk: 'Unless',
    conviction,
    direction: 'buy_no',
    edgeCents: 6.5,
    basis: 'yield',
    catalyst: null,
    catalystAt: null,
    timeHorizon: 'weeks',
    category: 'c',
    generatedBy: 'rule',
    createdAt: AT,
    expiresAt: AT,
    markets,
  })
  const market = { ...ref('KX-1'), bestAsk: 51, role: 'hedge' }

  it('open their market, are filtered and sorted by conviction', async () => {
    const ideas = [idea('a', 'low', [market]), idea('b', 'high', []), idea('c', 'medium', [market])]
    const { pane, keys, opened, prefilled } = await shown('IDEA', IdeasPane, {
      ideas,
      generatedAt: AT,
    })
    expect(pane.note).toBe('3')
    await keys('Home', 'Enter', 'j', 'Enter', 'f')
    expect(prefilled).toEqual([['IDEA ']])
    await press('Conviction')
    expect(cells().filter((text) => text.startsWith('Idea '))).toEqual([
      'Idea b',
      'Idea c',
      'Idea a',
    ])
    await click('Idea c')
    await press('Will KX-1 happen?')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-1', 'DES'],
    ])
    expect(screen.getByText('hedge')).toBeTruthy()
    expect(await tableColumns()).toBe(
      'Idea | Side | Edge, right | ▼Conviction, hides 1 | Basis, hides 3 | Expires, right, hides 2',
    )
  })
})

describe('the calendar [terminal.context.calendar]', () => {
  const event = (id: string, more: object) => ({
    id,
    at: '2026-11-20T12:00:00.000Z',
    date: '2026-11-20',
    timeKnown: true,
    title: `Event ${id}`,
    source: 'BLS',
    kind: 'econ_release',
    importance: 'low',
    market: null,
    tickers: [],
    ...more,
  })
  it('shows the time left, and opens the market that an event settles', async () => {
    const events = [
      event('a', { market: { ...ref('KX-1'), price: 41 }, tickers: ['KX-2'] }),
      event('b', { importance: 'high', tickers: ['KX-3', 'KX-4'] }),
      event('c', { importance: 'medium', at: '2026-11-20T09:00:00.000Z', kind: 'other' }),
    ]
    const { pane, keys, opened } = await shown('CAL', CalendarPane, { events, generatedAt: AT })
    expect(pane.note).toBe('3')
    expect(cells().slice(1, 7)).toEqual(['2h', 'Event a', 'release', 'low', '41.0¢', '1'])
    expect([cells()[8], cells()[10], cells()[15], cells()[17]]).toEqual([
      '2h',
      'release',
      '0s',
      'other',
    ])
    await keys('Home', 'Enter', 'j', 'Enter', 'j', 'Enter')
    await click('Event a')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-3', 'DES'],
      [pane, 'KX-1', null],
    ])
    await press('Weight')
    expect(cells().filter((text) => text.startsWith('Event '))).toEqual([
      'Event b',
      'Event c',
      'Event a',
    ])
    expect(await tableColumns()).toBe(
      'Due | In, right, hides 2 | Event | Kind, hides 3 | ▼Weight, hides 1 | Price, right, hides 4 | Mkts, right, hides 5',
    )
  })

  it('of a market is as of the past instant of its group', async () => {
    const body = { events: [event('a', {})], generatedAt: AT }
    for (const [line, isPast, timeLeft] of [
      ['. CAL', true, '26h'],
      ['CAL', false, '2h'],
    ] as const) {
      const page = await shown(line, CalendarPane, body)
      page.terminal.links.A = 'KX'
      page.terminal.instants.A = '2026-11-19T10:00:00.000Z'
      await pass(1_000)
      const last = page.requested.filter((path) => path.includes('/calendar')).at(-1) ?? ''
      expect(last.includes('asOf=2026-11-19')).toBe(isPast)
      expect(cells()[1]).toBe(timeLeft)
      cleanup()
      page.stop()
    }
  })

  it('of an empty period offers a year', async () => {
    const { pane, terminal } = await shown('CAL', CalendarPane, { events: [], generatedAt: AT })
    const set = vi.spyOn(terminal, 'setArguments').mockReturnValue()
    await press('Show one year')
    expect(set.mock.calls).toEqual([[pane, { within: '365d' }]])
  })
})

describe('odds [terminal.context.odds]', () => {
  const odds = (slug: string, more: object) => ({
    slug,
    title: `Question ${slug}`,
    category: 'politics',
    leader: null,
    tickers: [],
    note: null,
    price: 41,
    delta24h: 1,
    volume24hUsd: 100,
    marketCount: 2,
    venues: ['venue_a'],
    closeTime: AT,
    ...more,
  })
  it('open the leader, else the first market, and sort by the size of a change', async () => {
    const rows = [
      odds('a', { leader: { ticker: 'KX-1', label: 'Leader' }, tickers: ['KX-9'] }),
      odds('b', { tickers: ['KX-2'], delta24h: -5, note: 'Two ways' }),
      odds('c', { delta24h: null }),
    ]
    const body = { odds: rows, total: 7, asOf: AT }
    const { pane, keys, opened, prefilled } = await shown('ODDS', OddsPane, body)
    expect(pane.note).toBe('3')
    expect(screen.getByText(/^3 of 7 questions/)).toBeTruthy()
    await keys('Home', 'Enter', 'j', 'Enter', 'j', 'Enter', 'f')
    await click('Question a')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-2', 'DES'],
      [pane, 'KX-1', null],
    ])
    expect(prefilled).toEqual([['ODDS ']])
    await press('24h')
    const titles = () => cells().filter((text) => text.startsWith('Question '))
    expect(titles()).toEqual(['Question b', 'Question a', 'Question c'])
    expect(await tableColumns()).toBe(
      'Question | Leader, hides 2 | Odds, right | ▼24h, right | Vol 24h, right, hides 1 | Mkts, right, hides 4 | V, hides 5 | Closes, right, hides 3',
    )
  })
})

describe('windows are changed with keys', () => {
  it('of the calibration, from a week to all time', async () => {
    const { pane, keys } = await shown('CALIB', CalibrationPane, {})
    const seen: unknown[] = []
    for (const key of ['[', '[', ']', ']', ']', ']']) {
      await keys(key)
      seen.push(pane.command.args['period'])
    }
    expect(seen).toEqual(['7d', '7d', '30d', '90d', 'all', 'all'])
  })

  it('of the briefing, which cites each market once', async () => {
    const item = ref('KX-1')
    const body = {
      generatedAt: AT,
      generatedBy: 'model',
      markdown: 'Rates fell · http://here/api/agent/inspect/KX-1',
      sections: [{ items: [item, ref('KX-2')] }, { items: [{ ...item, price: 60 }] }],
    }
    const { pane, keys, terminal } = await shown('BRIEF', BriefingPane, body)
    expect(screen.getByText(/^24h to now, summary by a model;/)).toBeTruthy()
    expect(screen.getAllByRole('button', { name: /KX-1 happen/ })).toHaveLength(1)
    const seen: unknown[] = []
    for (const key of ['[', ']', ']']) {
      await keys(key)
      seen.push(pane.command.args['window'])
    }
    expect(seen).toEqual(['12h', '24h', '48h'])
    expect(screen.queryByText(/http:/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Open' }).title).toBe(
      'http://here/api/agent/inspect/KX-1',
    )
    const repeated = async (key: string) => {
      for (let count = 0; count < 9; count++) await keys(key)
      return pane.command.args['window']
    }
    expect([await repeated('['), await repeated(']')]).toEqual(['1h', '30d'])
    expect(terminal.notice).toBeNull()
  })
})

describe('a question [terminal.context.answer]', () => {
  it('that is empty asks for one, and one that was answered is rephrased', async () => {
    const { keys, prefilled, requested } = await shown('ASK', AnswerPane, {})
    expect(requested.filter((path) => path.includes('query'))).toEqual([])
    await keys('f')
    await press('Ask')
    expect(prefilled).toEqual([['ASK '], ['ASK ']])
    cleanup()
    const body = {
      query: 'will it rain',
      contextSuggestion: 'iran',
      content: [
        { id: '1', kind: 'glossary', title: 'Rain', excerpt: 'e', publishedAt: null, slug: 'rain' },
        { id: '2', kind: 'news', title: 'Storm', excerpt: 'e', publishedAt: AT, slug: null },
      ],
      meta: { sources: [], ts: AT, model: null, synthesis: 'none', unavailable: [] },
    }
    const other = await shown('? will it rain', AnswerPane, body)
    expect(screen.getByText('No market matches this question.')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Key factors' })).toBeNull()
    expect(screen.queryByText(/^Not searched/)).toBeNull()
    await press('World of iran')
    await press('Rain')
    await other.keys('f')
    expect(other.ran).toEqual([['WORLD iran'], ['GLOSS rain']])
    expect(other.prefilled).toEqual([[other.pane.line]])
  })
})

describe('a discussion [terminal.context.discussion]', () => {
  const body = {
    question: 'Will it rain?',
    synthesis: 'Unclear.',
    perspectives: [
      { role: 'Bull', stance: 'yes', argument: 'Bull: It will.', evidence: ['KX-1'], markets: [] },
      { role: 'Bear', stance: 'no', argument: 'It will not.', evidence: [], markets: [] },
    ],
    markets: [],
    disagreements: ['Rain'],
    meta: { synthesis: 'rules', ts: AT, model: null, sources: [] },
  }
  it('is requested once, again with a key, and its sides are exported', async () => {
    const { sent, keys, pane, prefilled } = await shown(
      'DISC will it rain',
      DiscussionPane,
      {},
      () => ({
        ok: true,
        body,
      }),
    )
    const requests = () => sent.filter(({ path }) => path === '/api/public/discuss').length
    expect(requests()).toBe(1)
    expect(screen.getByText('It will.')).toBeTruthy()
    expect(screen.getByText('It will not.')).toBeTruthy()
    expect(pane.visibleRows?.()).toEqual([
      { role: 'Bull', stance: 'yes', argument: 'Bull: It will.', evidence: ['KX-1'] },
      { role: 'Bear', stance: 'no', argument: 'It will not.', evidence: [] },
    ])
    await pass(60_000)
    expect(requests()).toBe(1)
    await keys('r')
    expect(requests()).toBe(2)
    await keys('f')
    expect(prefilled).toEqual([['DISC ']])
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('of an older request is not shown, and none is requested while the pane is hidden', async () => {
    const answers: ((answer: object) => void)[] = []
    const writes: Writes = () => new Promise((resolve) => answers.push(resolve)) as never
    const { sent, keys, pane } = await shown('DISC will it rain', DiscussionPane, {}, writes)
    await keys('r')
    expect(sent).toHaveLength(2)
    answers[1]?.({ ok: true, body })
    await pass(20)
    answers[0]?.({ ok: true, body: { ...body, synthesis: 'Older.' } })
    await pass(20)
    expect(screen.getByText('Unclear.')).toBeTruthy()
    expect(screen.queryByText('Older.')).toBeNull()
    pane.visible = false
    pane.command = { ...pane.command, args: { ...pane.command.args, text: 'will it snow' } }
    await pass(50)
    expect(sent).toHaveLength(2)
    pane.visible = true
    await pass(50)
    expect(sent).toHaveLength(3)
    // The former answer is not that of the new question.
    expect(screen.queryByText('Unclear.')).toBeNull()
    pane.visible = false
    await pass(50)
    pane.visible = true
    await pass(50)
    expect(sent).toHaveLength(3)
  })

  it('that fails is reported, and can be requested again', async () => {
    let answer: ReturnType<Writes> = refused(503, null, 'The service is busy')
    const { keys } = await shown('DISC will it rain', DiscussionPane, {}, () => answer)
    expect(screen.getByRole('alert').textContent).toContain('busy')
    answer = { ok: true, body }
    await keys('r')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Unclear.')).toBeTruthy()
    // The answer stays when a repetition fails, with the reason.
    answer = refused(503, null, 'The service is busy')
    await keys('r')
    expect(screen.getByRole('alert').textContent).toContain('busy')
    expect(screen.getByText('Unclear.')).toBeTruthy()
  })
})

describe('aliases and shortcuts', () => {
  it('are listed, run, changed and deleted', async () => {
    const { terminal, pane, keys, ran, prefilled } = await shown('ALIAS', AliasesPane, {})
    expect(screen.getByText(/^None yet\./)).toBeTruthy()
    expect(pane.sources).toEqual([])
    terminal.aliases.define('CALM', 'SCAN price=45..55')
    await pass(20)
    expect(cells()).toEqual(['alias', 'CALM', 'SCAN price=45..55'])
    expect(pane.visibleRows?.()).toEqual([
      { kind: 'alias', name: 'CALM', line: 'SCAN price=45..55' },
    ])
    await keys('Home', 'Enter', 'e', 'Delete')
    expect(ran).toEqual([['SCAN price=45..55'], ['ALIAS CALM =']])
    expect(prefilled).toEqual([['ALIAS CALM = SCAN price=45..55']])
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('of a key are changed and deleted as one, and further ones begin at the bar', async () => {
    const { terminal, pane, keys, ran, prefilled } = await shown('ALIAS', AliasesPane, {})
    terminal.aliases.define('CALM', 'SCAN price=45..55')
    terminal.keySettings.bindLine('F8', 'WORLD iran')
    await pass(20)
    expect(cells().slice(3)).toEqual(['key', 'F8', 'WORLD iran'])
    expect(pane.visibleRows?.().at(1)).toEqual({ kind: 'key', name: 'F8', line: 'WORLD iran' })
    await keys('Home', 'j', 'Enter', 'e', 'Delete')
    await click('WORLD iran')
    await press('All keys')
    expect(ran).toEqual([['WORLD iran'], ['BIND F8 ='], ['WORLD iran'], ['SET keys']])
    await press('New alias')
    await press('New key')
    expect(prefilled).toEqual([['BIND F8 = WORLD iran'], ['ALIAS '], ['BIND ']])
    expect(await tableColumns()).toBe('Kind | Alias or key | Runs')
  })
})

describe('saved layouts', () => {
  it('are counted, shown, and deleted after a confirmation', async () => {
    const { terminal, pane, keys, ran, prefilled } = await shown('SAVE', LayoutsPane, {})
    expect(screen.getByText(/^No saved layouts/)).toBeTruthy()
    expect(pane.note).toBe('')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export all' }).disabled).toBe(
      true,
    )
    const dock = { grid: {}, panels: {} } as never
    terminal.layouts.save('morning', dock, AT)
    terminal.layouts.save('two words', dock, AT)
    await pass(20)
    expect(pane.note).toBe('2')
    await keys('Home', 'Enter', 'j', 'Enter', 'Delete')
    await press('Save this workspace')
    expect(prefilled).toEqual([['SAVE ']])
    const strip = () => within(screen.getByRole('alertdialog', { name: 'Delete layout' }))
    await fireEvent.click(strip().getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await keys('Delete')
    await fireEvent.click(strip().getByRole('button', { name: 'Delete layout' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(ran).toEqual([['WS morning'], ['WS "two words"'], ['SAVE "two words" -drop']])
    await press('Export all')
    expect(ran.at(-1)).toEqual(['SAVE to json'])
    expect(await tableColumns()).toBe('Name | Panes | Saved, right, hides 1')
  })
})

describe('alerts', () => {
  const rule = (id: string, more: object = {}) => ({
    id,
    ticker: 'KX-1',
    kind: 'price_crosses',
    condition: 'price_above',
    label: 'Above 60',
    threshold: 60,
    state: 'active',
    conditionTrue: false,
    channel: 'webhook',
    lastFiredAt: null,
    createdAt: AT,
    ...more,
  })
  const page = (...rules: readonly object[]) => ({
    objects: [{ id: 'wo_1', label: 'Rate cut?', snapshot: null, rules }],
  })
  const reads = (requested: readonly string[]) =>
    requested.filter((path) => path.startsWith('/api/watch?')).length

  it('count the active ones, and open their market', async () => {
    const rules = [rule('ar_1'), rule('ar_2', { state: 'paused', ticker: null, createdAt: '2026' })]
    const { pane, keys, opened, requested } = await shown('ALERTS', AlertsPane, page(...rules))
    expect(reads(requested)).toBe(1)
    expect(pane.note).toBe('1')
    await keys('Home', 'Enter', 'j', 'Enter')
    expect(opened).toEqual([[pane, 'KX-1', null]])
    expect(await tableColumns()).toBe(
      'Market | Alert at, right | Price, right | State | Last fired, right, hides 2 | , hides 1',
    )
  })

  it('none have no count', async () => {
    const { pane } = await shown('ALERTS', AlertsPane, page())
    expect(pane.note).toBe('')
    expect(screen.getByText(/^No alerts yet\./)).toBeTruthy()
  })

  it('mark a condition that is met, and archived ones cannot be paused', async () => {
    const rules = [
      rule('ar_1', { conditionTrue: true, lastFiredAt: AT, createdAt: '2026-11-03' }),
      rule('ar_2', { state: 'paused', conditionTrue: true, createdAt: '2026-11-02' }),
      rule('ar_3', { state: 'archived', createdAt: '2026-11-01' }),
    ]
    await shown('ALERTS', AlertsPane, page(...rules))
    expect(document.querySelectorAll('.reached')).toHaveLength(1)
    expect(screen.getAllByRole('button', { name: /^(Pause|Resume)$/ })).toHaveLength(2)
    expect(screen.getAllByRole('button', { name: 'Remove' })).toHaveLength(3)
    expect(cells().filter((_, index) => index % 6 === 4)[0]).toMatch(/10:00/)
  })

  it('are paused by a key, and removed by their button', async () => {
    const { sent, keys } = await shown('ALERTS', AlertsPane, page(rule('ar_1')), () => ({
      ok: true,
      body: {},
    }))
    await keys('Home', 'p')
    await press('Remove')
    await pass(50)
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /api/alert-rules/ar_1',
      'DELETE /api/alert-rules/ar_1',
    ])
  })

  it('archived ones are not resumed by a key', async () => {
    const { sent, terminal, keys } = await shown(
      'ALERTS',
      AlertsPane,
      page(rule('ar_1', { state: 'archived' })),
      () => ({ ok: true, body: {} }),
    )
    await keys('Home', 'p')
    expect(sent).toEqual([])
    expect(terminal.notice?.text).toBe('An archived alert cannot be resumed. Set a new one')
  })

  const button = (name: RegExp) => screen.getByRole('button', { name })
  it.each([
    ['active', 'paused', 'Alert paused', /^Pause/],
    ['paused', 'active', 'Alert resumed', /^Resume/],
  ])('one that is %s becomes %s', async (state, next, text, name) => {
    const { sent, terminal, requested } = await shown(
      'ALERTS',
      AlertsPane,
      page(rule('ar_1', { state })),
      () => ({ ok: true, body: {} }),
    )
    requested.length = 0
    await fireEvent.click(button(name))
    await pass(50)
    expect(sent).toEqual([
      { method: 'PATCH', path: '/api/alert-rules/ar_1', body: { state: next } },
    ])
    expect([terminal.notice?.text, reads(requested)]).toEqual([text, 1])
  })

  it('one is tested and removed, and each failure is reported', async () => {
    let answer: ReturnType<Writes> = { ok: true, body: { ok: false } }
    const { sent, terminal, requested, keys } = await shown(
      'ALERTS',
      AlertsPane,
      page(rule('ar_1')),
      () => answer,
    )
    await keys('Home')
    const tried = async (key: string) => {
      requested.length = 0
      await keys(key)
      expect(reads(requested)).toBe(1)
      return [terminal.notice?.tone, terminal.notice?.text]
    }
    expect(await tried('t')).toEqual(['error', 'The test could not be sent by webhook'])
    answer = { ok: true, body: { ok: true } }
    expect(await tried('t')).toEqual(['info', 'Test notice sent'])
    expect(await tried('Delete')).toEqual([
      'info',
      expect.stringMatching(/^Alert removed: Rate cut\? /),
    ])
    answer = refused(409, 'CONFLICT', 'it is gone')
    expect(await tried('t')).toEqual(['error', 'It is gone.'])
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/alert-rules/ar_1/test',
      'POST /api/alert-rules/ar_1/test',
      'DELETE /api/alert-rules/ar_1',
      'POST /api/alert-rules/ar_1/test',
    ])
  })
})
