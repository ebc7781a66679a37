import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Cents, type Millis, type PriceE4 } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import { startDemoService, type DemoService } from '../../testing/demo-service.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { traded } from '../../testing/venue-events.ts'
import { LastPrices } from './last-prices.ts'
import { ReferencePrices } from './reference-prices.ts'

describe('last prices of a running service', () => {
  let demo: DemoService
  beforeAll(async () => {
    demo = await startDemoService({ seed: 4, markets: 50, start: '2026-11-20T14:00:20.000Z' })
  })
  afterAll(() => demo.stop())

  const pricesOf = async (prices: LastPrices, instant: number) => {
    const { board } = demo.service.data
    const of = await prices.at(instant as Millis)
    const expected: [MarketId, number | null][] = (await board.at(null))
      .list(new Set(['active']))
      .filter(({ firstSeenAt }) => firstSeenAt <= instant)
      .map(({ market }) => [market, of(market)])
    return expected.sort(([a], [b]) => a - b)
  }

  // [data-service.movers.same-after-restart]
  it('equal those that a newly started service reads from history', async () => {
    const start = demo.clock.now()
    const { data } = demo.service
    const { board, history, lastPrices } = data
    const [market] = (await board.at(null)).list(new Set(['active']))
    if (market === undefined) throw new Error('the demo has no market')
    const { ticker, venue } = market.facts
    const trade = (price: number) =>
      data.accept([traded(demo.clock.now() - 200, { ticker, venue, price: price as PriceE4 })])
    for (const price of [7_700, 3_300]) {
      await trade(price)
      await demo.advance(MINUTE)
    }
    await demo.advance(15_000)
    const now = demo.clock.now()
    const restarted = new LastPrices({
      reference: new ReferencePrices(history),
      clock: demo.clock,
    })
    const received = [start + MINUTE, start + 2 * MINUTE]
    const before = [start, start - MINUTE, now - HOUR, now - 4 * HOUR]
    for (const instant of [...received, ...before]) {
      const prices = await pricesOf(lastPrices, instant)
      expect(prices).toEqual(await pricesOf(restarted, instant))
      expect(prices.length).toBeGreaterThan(10)
    }
    // The price moved meanwhile, so that received prices matter.
    expect(await pricesOf(lastPrices, received[0] ?? 0)).not.toEqual(
      await pricesOf(lastPrices, received[1] ?? 0),
    )
  })

  it('come from history again once older rows arrived', async () => {
    const { lastPrices } = demo.service.data
    const instant = demo.clock.now() - MINUTE
    const prices = await pricesOf(lastPrices, instant)
    lastPrices.invalidate()
    expect(await pricesOf(lastPrices, instant)).toEqual(prices)
  })
})

it('last prices are read again when older rows arrive during a read', async () => {
  const clock = new FakeClock()
  const price = 42 as Cents
  const then = new Map([
    [1, { mark: price, last: { price, ts: clock.now(), isTrade: true }, isQuoted: true }],
  ])
  let during = (): void => {}
  const prices = new LastPrices({
    clock,
    reference: {
      pricesAt: () => {
        during()
        return Promise.resolve(then)
      },
    },
  })
  await clock.advance(MINUTE)
  during = () => prices.invalidate()
  const instant = clock.now()
  await clock.advance(1)
  const priceOf = await prices.at(instant)
  expect(priceOf(1)).toBe(price)
})
