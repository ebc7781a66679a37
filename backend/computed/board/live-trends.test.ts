import { describe, expect, it } from 'vitest'
import type { TrendDay } from '../../domain/trend/daily-trend.ts'
import { impliedYieldYes, tauAt } from '../../domain/prices/indicators.ts'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import { priceOfCents, sizeOfContracts } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { QuoteRow, TradeRow } from '../../history/market-rows.ts'
import { at, marketView } from '../../testing/builders.ts'
import { fakeHistory } from '../../testing/fake-history.ts'
import type { QuoteChanged, TradePrinted } from '../../venues/connector.ts'
import { DailyTrends } from './daily-trends.ts'
import { LiveTrends } from './live-trends.ts'
import type { MarketView } from './market-board.ts'

const view = marketView({
  bid: 41,
  ask: 43,
  facts: { ticker: 'KXLIVE', closeTime: at('2026-12-01') },
})
const named = (ticker: string, market: number): MarketView => ({
  ...marketView({ bid: 41, ask: 43, facts: { ticker } }),
  market,
})
const quote = (iso: string, bid: number, ask: number): QuoteChanged => ({
  type: 'quote_changed',
  venue: 'venue_a',
  ticker: 'KXLIVE',
  at: at(iso),
  receivedAt: at(iso),
  bid: priceOfCents(bid as Cents),
  ask: priceOfCents(ask as Cents),
  bidSize: null,
  askSize: null,
  origin: 'live',
})
const trade = (iso: string, price: number, size: number, isBlock = false): TradePrinted => ({
  type: 'trade_printed',
  venue: 'venue_a',
  ticker: 'KXLIVE',
  at: at(iso),
  receivedAt: at(iso),
  tradeId: iso,
  price: priceOfCents(price as Cents),
  size: sizeOfContracts(size),
  takerSide: null,
  isBlock,
  origin: 'live',
})
const START = at('2026-11-20T14:00:00Z')
const TICKS = [
  quote('2026-11-20T15:00:00Z', 48, 50),
  trade('2026-11-20T15:01:00Z', 60, 10),
  trade('2026-11-20T15:02:00Z', 99, 5, true),
  quote('2026-11-20T15:03:00Z', 30, 34),
  trade('2026-11-21T00:01:00Z', 45, 2),
  quote('2026-11-21T00:02:00Z', 46, 48),
]

/** A history of all ticks up to an instant, as a reader finds it. */
const historyUntil = (until: Millis, ticks = TICKS) => {
  const rowsOf = [
    quote('2026-11-20T13:00:00Z', 41, 43),
    trade('2026-11-20T13:00:00Z', 42, 1),
    ...ticks,
  ].toSorted((a, b) => a.at - b.at)
  const past = rowsOf.filter((tick) => tick.at <= until)
  const quotes = past.flatMap((tick): QuoteRow[] =>
    tick.type === 'quote_changed' ? [{ ts: tick.at, bid: tick.bid, ask: tick.ask }] : [],
  )
  const trades = past.flatMap((tick): TradeRow[] =>
    tick.type === 'trade_printed' ? [{ ...tick, ts: tick.at, takerSide: null }] : [],
  )
  return new DailyTrends(fakeHistory({ views: [view], quotes, trades }))
}

describe('days of a market that is requested again', () => {
  it('are updated by events as if they were read again', async () => {
    const live = new LiveTrends(historyUntil(START))
    await live.read(view, START, true)
    for (const tick of TICKS) {
      live.record(view.market, tick)
      const received = await live.read(view, tick.at, true)
      const read = await historyUntil(tick.at).read(view, tick.at, false)
      expect(received).toEqual(read)
    }
    const rows = await live.read(view, at('2026-11-21T00:02:00Z'), true)
    const tau = tauAt(view.facts.closeTime, at('2026-11-21T00:02:00Z'))
    expect(rows).toEqual([
      { date: '2026-11-20', price: 34, high: 50, low: 34, volume: 16, iy: rows[0]?.iy, cri: 1.941 },
      {
        date: '2026-11-21',
        price: 46,
        high: 46,
        low: 45,
        volume: 2,
        cri: 1.174,
        iy: impliedYieldYes(46 as Cents, tau),
      },
    ])
  })

  it('equal those of history when ticks come late, together, or on the day after', async () => {
    const received = [
      quote('2026-11-20T15:00:00Z', 48, 50),
      trade('2026-11-20T15:01:00Z', 60, 10),
      // Only the last state of an instant counts: 90 was never a price of its own.
      quote('2026-11-20T15:02:00Z', 89, 91),
      trade('2026-11-20T15:02:00Z', 52, 1),
      quote('2026-11-20T15:02:00Z', 51, 53),
      trade('2026-11-20T15:01:30Z', 20, 3),
      quote('2026-11-20T15:03:00Z', 50, 52),
    ]
    let history = historyUntil(START, received)
    const live = new LiveTrends({
      read: (...requested) => history.read(...requested),
      readMany: (...requested) => history.readMany(...requested),
      invalidate: () => history.invalidate(),
    })
    await live.read(view, START, true)
    // The state of the market when its days are read again.
    const prices = { lastPrice: 52 as Cents, bestBid: 51 as Cents, bestAsk: 53 as Cents }
    const later = { ...view, ...prices, quotedAt: at('2026-11-20T15:02:00Z') }
    for (const [n, tick] of received.entries()) {
      live.record(view.market, tick)
      const prefix = received.slice(0, n + 1)
      const now = Math.max(...prefix.map((one) => one.at)) as Millis
      history = historyUntil(now, prefix)
      if (received[n + 1]?.at === now) continue
      expect(await live.read(later, now, true)).toEqual(await history.read(later, now, false))
    }
    const midnight = trade('2026-11-20T23:59:59Z', 70, 5)
    live.record(view.market, { ...midnight, receivedAt: at('2026-11-21T00:00:01Z') })
    const days = await live.read(view, at('2026-11-21T00:00:02Z'), true)
    expect(days.at(0)).toMatchObject({ date: '2026-11-20', price: 52 })
  })

  it('are prefetched, updated, and dropped with their market', async () => {
    let reads = 0
    const days: TrendDay = {
      date: '2026-11-20',
      price: 42 as Cents,
      high: 42 as Cents,
      low: 42 as Cents,
      volume: 1,
      iy: null,
      cri: null,
    }
    const [second, ended] = [named('KXTWO', 2), named('KXENDED', 3)]
    const live = new LiveTrends({
      read: () => Promise.resolve([{ ...days, price: 7 as Cents }]),
      readMany: (views) => {
        reads += 1
        return Promise.resolve(
          (function* () {
            yield
            return new Map(views.map(({ market }) => [market, [days]]))
          })(),
        )
      },
      invalidate: () => undefined,
    })
    const board = (...open: MarketView[]) => ({
      asOf: START,
      get: (ticker: string) => open.find(({ facts }) => facts.ticker === ticker) ?? null,
    })
    const seed = (trading: readonly MarketView[], open: readonly MarketView[]) =>
      live.seed(
        trading,
        () => board(...open),
        (steps) => Promise.resolve(runToCompletion(steps)),
        new AbortController().signal,
      )
    const seeding = seed([view, second, ended], [view, second])
    live.record(view.market, TICKS[0] ?? quote('2026-11-20T15:00:00Z', 48, 50))
    await seeding
    const now = at('2026-11-20T15:00:00Z')
    expect(await live.read(view, now, true)).toMatchObject([{ price: 48, high: 48, low: 42 }])
    expect(await live.read(second, now, true)).toMatchObject([{ price: 42 }])
    // Its market ended since the snapshot: it was not read.
    expect(await live.read(ended, now, true)).toMatchObject([{ price: 7 }])
    expect(reads).toBe(1)
    await seed([view], [view])
    expect(reads).toBe(1)
    expect(await live.read(second, now, true)).toMatchObject([{ price: 7 }])
  })

  it('include ticks received while they were read, and are read again once dropped', async () => {
    const live = new LiveTrends(historyUntil(START))
    const first = live.read(view, START, true)
    live.record(view.market, TICKS[0] ?? quote('2026-11-20T15:00:00Z', 48, 50))
    await first
    const now = at('2026-11-20T15:00:00Z')
    expect(await live.read(view, now, true)).toMatchObject([{ price: 48, high: 48 }])
    live.dropMarket(view.market)
    expect(await live.read(view, now, true)).toMatchObject([{ price: 42 }])
  })
})
