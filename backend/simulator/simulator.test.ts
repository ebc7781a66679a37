import { describe, expect, it } from 'vitest'
import {
  marketsOfA,
  marketsOfB,
  read,
  rows,
  START,
  start,
  text,
  tokensOf,
} from '../testing/simulated-venues.ts'
import type { Simulator } from './simulator.ts'

describe('the same seed and clock', () => {
  it('give byte-equal responses on every route', async () => {
    const [{ sim: one }, { sim: two }] = await Promise.all([start(300), start(300)])
    const [a] = await marketsOfA(one)
    const active =
      (await marketsOfA(one)).find((market) => market['status'] === 'active') ?? a ?? {}
    const [b = {}] = await marketsOfB(one, false)
    const ticker = active['ticker'] as string
    const [event] = rows(await read(`${one.venueA.baseUrl}/events?limit=1`), 'events')
    const token = tokensOf(b)[0] ?? ''
    const condition = b['conditionId'] as string
    const range = `start_ts=${START / 1000 - 86_400}&end_ts=${START / 1000}&period_interval=60`
    const paths: ((sim: Simulator) => string)[] = [
      ...[
        '/exchange/status',
        '/exchange/schedule',
        '/series',
        '/events?with_nested_markets=true',
        `/events/${event?.['event_ticker'] as string}`,
        `/series/${event?.['series_ticker'] as string}`,
        '/markets?limit=1000',
        `/markets/${ticker}`,
        `/markets/${ticker}/orderbook`,
        `/markets/orderbooks?tickers=${ticker}`,
        '/markets/trades?limit=1000',
        `/markets/trades?ticker=${ticker}`,
        `/series/X/markets/${ticker}/candlesticks?${range}`,
        `/markets/candlesticks?market_tickers=${ticker}&${range}`,
        '/historical/cutoff',
        '/historical/markets',
        '/historical/trades',
      ].map((path) => (sim: Simulator) => sim.venueA.baseUrl + path),
      ...[
        '/markets/keyset',
        '/events/keyset',
        '/markets',
        '/events',
        '/tags',
        '/series',
        `/markets/${b['id'] as string}`,
        `/markets/slug/${b['slug'] as string}`,
      ].map((path) => (sim: Simulator) => sim.venueB.gammaUrl + path),
      ...[
        '/ok',
        '/time',
        `/book?token_id=${token}`,
        `/midpoint?token_id=${token}`,
        `/price?token_id=${token}&side=BUY`,
        `/tick-size?token_id=${token}`,
        `/markets/${condition}`,
        `/clob-markets/${condition}`,
        `/prices-history?market=${token}&startTs=${START / 1000 - 86_400}&endTs=${START / 1000}&fidelity=60`,
      ].map((path) => (sim: Simulator) => sim.venueB.clobUrl + path),
      ...[
        '/v2/status',
        '/v2/trades?limit=1000',
        `/v2/trades?condition=${condition}`,
        `/v2/oi?condition=${condition}`,
        `/v2/resolutions?condition=${condition}`,
        `/v2/prices-history?token_id=${token}&interval=1d`,
      ].map((path) => (sim: Simulator) => sim.venueB.dataUrl + path),
    ]
    for (const path of paths) {
      const [first, second] = [await fetch(path(one)), await fetch(path(two))]
      expect(first.status, path(one)).toBe(200)
      expect(await first.text()).toBe(await second.text())
    }
    const books = { method: 'POST', body: JSON.stringify([{ token_id: token }]) }
    expect(await text(`${one.venueB.clobUrl}/books`, books)).toBe(
      await text(`${two.venueB.clobUrl}/books`, books),
    )
  })
})
