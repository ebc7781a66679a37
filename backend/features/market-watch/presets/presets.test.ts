import { describe, expect, it } from 'vitest'
import type { MarketQuantities } from '../../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../../computed/board/market-board.ts'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../../domain/units.ts'
import type { CoverageRow } from '../../../history/coverage.ts'
import { marketView, NOON, type ViewNumbers } from '../../../testing/builders.ts'
import { FakeBoard } from '../../../testing/fake-board.ts'
import {
  FakeContext,
  marketQuantities,
  contextSnapshotOf,
} from '../../../testing/snapshot-builders.ts'
import { quietSources } from '../../../testing/market-watch-service.ts'
import { worldSnapshotWith } from '../../../testing/world-snapshot.ts'
import { sourceClockAt } from '../panel-content.ts'
import type {
  HealthPanel,
  MoversPanel,
  RegimePanel,
  ScreenPanel,
  WatchlistPanel,
} from '../../../contract/panels/panel-payloads.ts'
import type { PanelSources } from '../panel-sources.ts'
import { dataHealth } from './data-health.ts'
import { index24h } from './index-24h.ts'
import { moversByVolume } from './movers.ts'
import { priceScreen } from './price-screen.ts'
import { regimeAttention } from './regime-attention.ts'
import { watchlistMicrostructure } from './watchlist.ts'

const clock = { now: (): Millis => NOON }
const sourcesOf = (more: Partial<PanelSources>): PanelSources => ({
  ...quietSources(clock),
  ...more,
})
type Fields = Partial<Omit<MarketView, 'facts' | 'price'>> & ViewNumbers
const view = (ticker: string, fields: Fields = {}): MarketView =>
  marketView({ ...fields, facts: { ticker } })
const contextOf = (markets: readonly MarketQuantities[]) =>
  new FakeContext([contextSnapshotOf(markets)], [worldSnapshotWith()])

/** A market of the snapshot whose score of adverse selection is as given. */
function scored(ticker: string, score: number, fields: Fields = {}): MarketQuantities {
  const market = marketQuantities({ view: view(ticker, fields) })
  if (market.regime === null) return market
  const label = score <= 0.35 ? 'maker' : score >= 0.65 ? 'taker' : 'neutral'
  return { ...market, regime: { ...market.regime, score, label } }
}

/** A market of the snapshot without measured trades. */
const untraded = (ticker: string, fields: Fields): MarketQuantities =>
  marketQuantities({
    view: view(ticker, fields),
    adverse: { score: 0.5, prior: 0.5, nTrades: 0, alpha: null },
  })

describe('regime_attention', () => {
  // [market-watch.presets.regime]
  it('counts each label and shows where the score changed most over a day', async () => {
    const now = [
      scored('A', 0.2, { volume24hUsd: 100 }),
      scored('B', 0.3, { volume24hUsd: 50 }),
      scored('C', 0.7, { volume24hUsd: null }),
      scored('D', 0.7, { volume24hUsd: 7 }),
      untraded('QUIET', { volume24hUsd: 3 }),
      scored('PAUSED', 0.9, { status: 'paused' }),
      // Ended after their regime was computed.
      { ...scored('CLOSED', 0.9), view: view('CLOSED', { status: 'closed' }) },
      { ...scored('SETTLED', 0.1), view: view('SETTLED', { status: 'settled' }) },
    ]
    const earlier = [scored('A', 0.25), scored('C', 0.1), scored('D', 0.65)]
    const { payload, source } = await regimeAttention(
      sourcesOf({
        context: contextOf(now),
        dayEarlier: () =>
          Promise.resolve(contextSnapshotOf(earlier, { at: (NOON - DAY) as Millis })),
      }),
    )
    const { buckets, markets } = payload as RegimePanel
    expect(buckets).toEqual([
      { label: 'maker', count: 2, volume24hUsd: 150, meanAsScore: 0.25 },
      { label: 'neutral', count: 0, volume24hUsd: null, meanAsScore: null },
      { label: 'taker', count: 2, volume24hUsd: 7, meanAsScore: 0.7 },
      { label: 'unknown', count: 1, volume24hUsd: 3, meanAsScore: null },
    ])
    expect(markets.map(({ ticker, change24h }) => [ticker, change24h])).toEqual([
      ['C', 0.6],
      ['A', -0.05],
      ['D', 0.05],
      ['B', null],
      ['QUIET', null],
    ])
    expect(markets.at(-1)).toMatchObject({ label: 'unknown', asScore: null })
    expect(source).toEqual({ name: 'regime_snapshots', asOf: NOON, cadence: 'computed' })
  })

  it('has no changes while the day before is unknown', async () => {
    const markets = Array.from({ length: 20 }, (_, i) => scored(`M${i + 10}`, 0.5))
    const { payload } = await regimeAttention(sourcesOf({ context: contextOf(markets) }))
    const shown = (payload as RegimePanel).markets
    expect(shown).toHaveLength(15)
    expect(shown.every(({ change24h }) => change24h === null)).toBe(true)
  })
})

describe('movers_volume_z', () => {
  // [market-watch.presets.movers]
  it('sorts by size of the unusual volume, whatever its sign, unknown last', async () => {
    const vr: Record<string, number | null> = {
      A: 1,
      B: -3,
      C: null,
      D: 2,
      STILL: 9,
      THIN: 9,
      UNTRADED: 9,
    }
    const views = [
      view('A'),
      view('B', { change24h: -4 }),
      view('C'),
      view('D'),
      view('STILL', { change24h: 0 }),
      view('THIN', { liquidityScore: 'low' }),
      view('NEW', { change24h: null }),
      view('UNTRADED', { volume24hUsd: 0 }),
      view('OVER', { status: 'closed' }),
    ]
    const context = contextOf(
      views.map((known) =>
        marketQuantities({
          view: known,
          surprise: { vr: vr[known.facts.ticker] ?? null, expectedVr: null, residualVr: null },
        }),
      ),
    )
    const { payload } = await moversByVolume(sourcesOf({ context, board: new FakeBoard(views) }))
    const { movers } = payload as MoversPanel
    expect(movers.map(({ ticker, volumeZ }) => [ticker, volumeZ])).toEqual([
      ['B', -3],
      ['D', 2],
      ['A', 1],
      ['C', null],
    ])
    expect(movers[0]).toMatchObject({ delta: -4, from: 46, price: 42 })
  })

  it('returns twenty', async () => {
    const views = Array.from({ length: 30 }, (_, i) => view(`M${i}`))
    const { payload } = await moversByVolume(
      sourcesOf({ context: contextOf([]), board: new FakeBoard(views) }),
    )
    expect((payload as MoversPanel).movers).toHaveLength(20)
  })

  it('is not ready before the board is', async () => {
    const board = new FakeBoard()
    board.ready = false
    await expect(moversByVolume(sourcesOf({ board }))).rejects.toThrow(
      'The first data is not loaded yet',
    )
  })
})

describe('watchlist_microstructure', () => {
  // [market-watch.presets.watchlist]
  it('returns depth and flow of watched and named markets, by dollars', async () => {
    const views = [
      view('A', { volume24hUsd: 10, bidDepthUsd: 300, askDepthUsd: 100 }),
      view('B', { volume24hUsd: null }),
      view('C', { volume24hUsd: 500, status: 'closed' }),
    ]
    const [a, b] = views.map(({ market }) => market)
    const prints = [
      [a, 3, 1],
      [a, 1, 2],
      [a, 5, 0],
      [b, 2, 0],
    ] as const
    const { payload } = await watchlistMicrostructure(
      sourcesOf({
        board: new FakeBoard(views),
        context: contextOf([scored('A', 0.7)]),
        watchedBy: (userId) => Promise.resolve(userId === 'ann' ? ['A', 'GONE'] : []),
        history: {
          ...quietSources(clock).history,
          printsOf({ from, to, markets }) {
            expect([from, to]).toEqual([NOON - HOUR, NOON])
            expect(markets).toHaveLength(3)
            return Promise.resolve({
              market: Int32Array.from(prints, ([market = 0]) => market),
              size: Float64Array.from(prints, ([, size]) => size * 1_000_000),
              taker: Uint8Array.from(prints, ([, , taker]) => taker),
              ts: new Float64Array(4),
              price: new Int32Array(4),
            })
          },
        },
      }),
      'ann',
      ['C', 'B', 'A'],
    )
    const { markets, missing, emptyReason } = payload as WatchlistPanel
    expect([missing, emptyReason]).toEqual([['GONE'], null])
    const rows = markets.map(({ ticker, imbalance, trades1h, flowImbalance1h, label }) => ({
      ticker,
      imbalance,
      trades1h,
      flowImbalance1h,
      label,
    }))
    expect(rows).toEqual([
      { ticker: 'C', imbalance: null, trades1h: 0, flowImbalance1h: null, label: null },
      { ticker: 'A', imbalance: 0.5, trades1h: 3, flowImbalance1h: 0.5, label: 'taker' },
      { ticker: 'B', imbalance: null, trades1h: 1, flowImbalance1h: null, label: null },
    ])
  })

  it('returns fifty', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `M${i}`)
    const board = new FakeBoard(names.map((name) => view(name)))
    const sources = sourcesOf({ board, watchedBy: () => Promise.resolve(names) })
    const { payload } = await watchlistMicrostructure(sources, 'ann', [])
    expect((payload as WatchlistPanel).markets).toHaveLength(50)
  })
})

describe('latest_market_prices', () => {
  // [market-watch.screens.prices]
  it('returns a hundred, and counts them all', async () => {
    const views = Array.from({ length: 130 }, (_, i) => view(`M${i}`, { volume24hUsd: i }))
    const unpriced = [view('X', { price: null }), view('Y', { status: 'paused' })]
    const board = new FakeBoard([...views, ...unpriced])
    const { payload } = await priceScreen(sourcesOf({ board }), {})
    const { rows, count, total } = payload as ScreenPanel
    expect([rows.length, count, total]).toEqual([100, 100, 130])
    expect(rows[0]).toMatchObject({ ticker: 'M129', price: 42, probability: 0.42, change: 1 })
  })

  // [market-watch.screens.prices]
  it.each([
    ['1h', HOUR],
    ['6h', 6 * HOUR],
    ['7d', 7 * DAY],
    ['30d', 30 * DAY],
  ] as const)('returns changes over %s', async (window, span) => {
    const views = [view('A'), view('NEW')]
    const known = views[0]?.market ?? 0
    const { payload } = await priceScreen(
      sourcesOf({
        board: new FakeBoard(views),
        reference: {
          headlinesOf(markets, at) {
            expect(at).toBe(NOON - span)
            expect(markets).toHaveLength(2)
            return Promise.resolve(new Map([[known, 39.5 as Cents]]))
          },
        },
      }),
      { window },
    )
    const changes = (payload as ScreenPanel).rows.map(({ ticker, change }) => [ticker, change])
    expect(changes).toEqual([
      ['A', 2.5],
      ['NEW', null],
    ])
  })

  it('recognises an ended market, and leaves it out', async () => {
    const board = new FakeBoard([view('A'), view('OVER', { status: 'settled' })])
    const { payload } = await priceScreen(sourcesOf({ board }), { tickers: ['OVER', 'NOPE'] })
    expect(payload).toMatchObject({ rows: [], missing: ['NOPE'], emptyReason: 'no_match' })
  })
})

describe('data_health', () => {
  const gap = (minutesAgo: number, fields: Partial<CoverageRow> = {}): CoverageRow => ({
    venue: 'venue_a',
    market: null,
    feed: 'trades',
    state: 'gap',
    reason: null,
    from: (NOON - minutesAgo * MINUTE) as Millis,
    to: (NOON - (minutesAgo - 5) * MINUTE) as Millis,
    knownAt: NOON,
    ...fields,
  })
  const gapsOf = async (rows: readonly CoverageRow[]) => {
    const { payload } = await dataHealth(
      sourcesOf({
        history: {
          ...quietSources(clock).history,
          gaps: () => Promise.resolve([...rows]),
          keyOf: (market) => ({ venue: 'venue_a', ticker: `M${market}` }),
        },
      }),
    )
    return (payload as HealthPanel).gaps
  }

  // [market-watch.presets.health]
  it('lists each span once: missing if one of its feeds is, repaired if all are', async () => {
    const gaps = await gapsOf([
      gap(10, { to: null, market: 7 }),
      gap(20),
      gap(20, { feed: 'quotes' }),
      gap(20, { state: 'repaired' }),
      gap(40),
      gap(40, { state: 'repaired' }),
    ])
    expect(gaps).toEqual([
      { source: 'venue_a', ticker: 'M7', from: '2026-11-20T13:50:00.000Z', to: null, state: 'gap' },
      {
        source: 'venue_a',
        ticker: null,
        state: 'gap',
        from: '2026-11-20T13:40:00.000Z',
        to: '2026-11-20T13:45:00.000Z',
      },
      {
        source: 'venue_a',
        ticker: null,
        state: 'repaired',
        from: '2026-11-20T13:20:00.000Z',
        to: '2026-11-20T13:25:00.000Z',
      },
    ])
  })

  it('returns twenty', async () => {
    expect(await gapsOf(Array.from({ length: 30 }, (_, i) => gap(i + 6)))).toHaveLength(20)
  })
})

describe('the clock of a source', () => {
  // [market-watch.presets.source-clock]
  it.each([
    ['computed', 45, false],
    ['computed', 46, true],
    ['polled', 15, false],
    ['polled', 16, true],
  ] as const)('%s, %i minutes old: stale %s', (cadence, minutes, stale) => {
    const asOf = (NOON - minutes * MINUTE) as Millis
    expect(sourceClockAt({ name: 'quotes', asOf, cadence }, NOON)).toEqual({
      source: 'quotes',
      ageSeconds: minutes * 60,
      stale,
      asOf: new Date(asOf).toISOString(),
    })
  })

  it('has no age without data', async () => {
    const { source } = await index24h(sourcesOf({}))
    expect(sourceClockAt(source, NOON)).toEqual({
      source: 'index_snapshots',
      asOf: null,
      ageSeconds: null,
      stale: false,
    })
  })
})
