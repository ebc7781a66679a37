import { describe, expect, it } from 'vitest'
import { marketFacts } from '../../../testing/market-facts.ts'
import { play, type Scenario } from '../../../testing/backtest/scenario.ts'
import type { Cents, Millis } from '../../units.ts'
import { FULL_FILLS } from '../broker/fill-model.ts'
import { reportHtml } from './report-html.ts'
import { reportOf } from './report.ts'

const T0 = Date.parse('2026-08-03T12:00:00Z')
const E6 = 1_000_000
const MINUTE = 60_000

const facts = (market: number, change: Parameters<typeof marketFacts>[0] = {}) =>
  marketFacts({
    ticker: `M${market}`,
    title: `Will <M${market}> & "others" happen?`,
    eventId: `E${market}`,
    openTime: (T0 - 1) as Millis,
    closeTime: null,
    category: market === 0 ? 'economics' : 'politics',
    ...change,
  })
const book = (after: number, market: number, bid: number, ask: number) => ({
  known: T0 + after,
  ts: T0 + after,
  market,
  bids: [[bid * 100, 50 * E6]] as const,
  asks: [[ask * 100, 50 * E6]] as const,
})
const order = (
  received: number,
  market: number,
  action: 'buy' | 'sell',
  contracts: number,
  limit: number,
) => ({
  received,
  order: { market, action, side: 'yes' as const, contracts, limit: limit as Cents },
})

/** Two markets: the first settles YES, the second is sold at a loss; one order is refused. */
const SCENARIO: Scenario = {
  from: T0,
  to: T0 + 60 * MINUTE,
  markets: [
    { venue: 'venue_a', ticker: 'M0' },
    { venue: 'venue_a', ticker: 'M1' },
  ],
  versions: [
    { market: 0, knownAt: (T0 - 1) as Millis, facts: facts(0) },
    { market: 1, knownAt: (T0 - 1) as Millis, facts: facts(1) },
    {
      market: 0,
      knownAt: (T0 + 40 * MINUTE) as Millis,
      facts: facts(0, { status: 'settled', result: 'yes' }),
    },
  ],
  trades: [],
  quotes: [],
  books: [
    book(1, 0, 40, 42),
    book(2, 1, 60, 62),
    book(10 * MINUTE, 0, 45, 47),
    book(20 * MINUTE, 1, 50, 52),
    book(30 * MINUTE, 1, 48, 51),
  ],
  bars: [],
  actions: [
    order(0, 0, 'buy', 10, 42),
    order(1, 1, 'buy', 20, 62),
    order(3, 1, 'sell', 20, 50),
    order(4, 1, 'sell', 500, 40),
  ],
  model: { ...FULL_FILLS, latencyMs: 0 as Millis },
  startCash: 1_000 * E6,
}

const report = (gaps: number) =>
  reportOf(play(SCENARIO), {
    strategy: 'two <markets>',
    about: 'Buys two markets & sells one.',
    params: { contracts: 10 },
    scope: 'M0, M1',
    gaps: Array.from({ length: gaps }, () => ({
      venue: 'venue_a',
      ticker: 'M1',
      feed: 'books',
      from: (T0 + 5 * MINUTE) as Millis,
      to: null,
      state: 'gap',
    })),
    gapsLeftOut: 0,
    checks: [],
    isDeterministic: null,
    capacity: null,
  })

describe('the page of a report', () => {
  it('shows every figure of the run, escaped, as its file states', async () => {
    await expect(reportHtml(report(1))).toMatchFileSnapshot('report.html.txt')
  })

  it('names each gap, up to fifty, and states when there is none', () => {
    expect(reportHtml(report(0))).toContain('None recorded in the range.')
    expect(reportHtml(report(51)).match(/<td>books<\/td>/g)).toHaveLength(50)
  })

  it('has no script, font or image', () => {
    expect(reportHtml(report(1))).not.toMatch(/<(script|img|link|iframe)|https?:\/\/(?!www\.w3)/)
  })
})
