import '../../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ThesisBacktest } from '../../../backend/contract/theses/backtest.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { thesisUnderTest } from '../../testing/theses.ts'
import ThesisReport from './ThesisReport.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))
beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const FROM = '2026-09-21T10:00:00.000Z'
const TO = '2026-11-20T10:00:00.000Z'
const me = {
  user: { id: 'usr_1', name: 'Owner', tier: 'free', isOwner: true, isAdmin: true },
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: TO },
  tier: { tier: 'free', requestsPerMinute: 600 },
}
const { id: ID } = thesisUnderTest()
const EVALUATED = { summary: '', changedNodes: 0, signals: 0 }
const EMPTY: ThesisBacktest = {
  thesisId: ID,
  title: 'A claim',
  rootClaim: 'A claim by 2027',
  from: FROM,
  to: TO,
  stepMinutes: 960,
  status: 'active',
  endedAt: null,
  treeAtStart: {
    rootClaim: 'A claim by 2027',
    nodes: [],
    version: 1,
    model: 'rules-1',
    generatedAt: FROM,
  },
  confidence: [{ at: FROM, confidence: 0.4, marketPrice: null, ...EVALUATED }],
  edges: [],
  tradedBy: 'edges',
  trades: [],
  result: {
    trades: 0,
    wins: 0,
    costCents: 0,
    feesCents: 0,
    pnlCents: 0,
    returnPct: null,
    benchmarkPct: null,
    settledEdges: 0,
    thesisBrier: null,
    marketBrier: null,
  },
  notes: ['News are not replayed.'],
}
const TRADE: ThesisBacktest['trades'][number] = {
  marketId: 'KX-1',
  market: '<b>Rates</b> cut',
  direction: 'no',
  strategyId: null,
  quantity: 100,
  openedAt: FROM,
  entryPrice: 40,
  closedAt: TO,
  exitPrice: 25,
  exitReason: 'stop_loss',
  feesCents: 12,
  pnlCents: -1_512,
}

async function shown(line: string, report: ThesisBacktest) {
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') return me
    if (path.startsWith('/api/thesis?')) return { data: [thesisUnderTest()] }
    return path.startsWith(`/api/thesis/${ID}/backtest`) ? report : null
  })
  page.service.isSignedIn = true
  const { account } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => page.terminal.live.clock.start())
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  await pass(100)
  const pane = page.paneOf(line)
  render(ThesisReport, { terminal: page.terminal, pane })
  await pass(200)
  const region = screen.getByRole('region', { name: 'Backtest of a thesis' })
  return {
    ...page,
    pane,
    text: region.textContent.replace(/\s+/g, ' '),
    end: () => (stop(), page.stop()),
  }
}

// [theses.terminal.backtest]
it('replays the named thesis over the stated time, and shows trades, edges and scores', async () => {
  const { requested, text, pane, end } = await shown(`BT thesis ${ID} 60d`, {
    ...EMPTY,
    confidence: [
      { at: FROM, confidence: 0.4, marketPrice: 30, ...EVALUATED },
      { at: TO, confidence: 0.55, marketPrice: 35, ...EVALUATED },
    ],
    edges: [
      {
        marketId: 'KX-1',
        market: '<b>Rates</b> cut',
        venue: 'venue_a',
        direction: 'no',
        thesisPriceAtStart: 40,
        marketPriceAtStart: 60,
        marketPriceAtEnd: null,
        settlement: 0,
        relatedNodeId: 'n1',
        thesisBrier: 0.16,
        marketBrier: 0.36,
      },
    ],
    trades: [TRADE, { ...TRADE, closedAt: null, exitPrice: null, exitReason: null, pnlCents: 300 }],
    result: { ...EMPTY.result, trades: 2, wins: 1, pnlCents: -1_212, thesisBrier: 0.16 },
  })
  expect(requested.filter((path) => path.includes('backtest'))).toEqual([
    `/api/thesis/${ID}/backtest?window=60d`,
  ])
  expect(text).toContain('evaluated every 16 h')
  expect(text).toContain('2, 1 won')
  expect(text).toContain('40% → 55%')
  expect(text).toContain('Market of the claim')
  const bought = '<b>Rates</b> cut NO 100 at 40.0¢ 21 Sept 10:00'
  expect(text).toContain(`${bought} 25.0¢, stop −$15.12`)
  expect(text).toContain(`${bought} open $3.00`)
  expect(text).toContain('NO, thesis 40.0¢ against market 60.0¢ settled at 0.0¢')
  expect(pane.visibleRows?.()).toHaveLength(2)
  end()
})

// [theses.terminal.backtest]
it('takes the thesis that changed last and 90 days by default, and states what was not known', async () => {
  const { requested, text, end } = await shown('BT thesis', EMPTY)
  expect(requested.filter((path) => path.includes('backtest'))).toEqual([
    `/api/thesis/${ID}/backtest?window=90d`,
  ])
  expect(text).toContain('No trades: no quotes of that period are stored')
  expect(text).toContain('No edges: no market of the claim was listed then')
  expect(text).not.toContain('Market of the claim')
  end()
})

it('shows steps that are no whole hours', async () => {
  const { text, end } = await shown('BT thesis', { ...EMPTY, stepMinutes: 90 })
  expect(text).toContain('evaluated every 1.5 h')
  end()
})
