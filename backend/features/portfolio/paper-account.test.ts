import { expect, it } from 'vitest'
import { foldPosition } from '../../domain/portfolio/position-fold.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { PaperAccount } from './paper-account.ts'

const AT = Date.parse('2026-11-20T12:00:00Z') as Millis
const MARKET = 7 as MarketId

it('[portfolio.paper.opened] charges no fees for positions at its opening, and the venue’s fees later', () => {
  const position = foldPosition([
    {
      eventType: 'fill',
      occurredAt: AT,
      action: 'buy',
      direction: 'yes',
      result: null,
      size: 100e6 as SizeE6,
      price: 4_000 as PriceE4,
      fee: 1.68e6 as MoneyE6,
    },
  ])
  if (position === null) throw new Error('nothing was folded')
  const account = new PaperAccount({
    rule: 'cross',
    balance: 5e6 as MoneyE6,
    at: AT,
    positions: [{ market: MARKET, facts: marketFacts(), position }],
  })
  expect([account.balance, account.net(MARKET)]).toEqual([5e6, 100e6])
  const sizes = { bidSize: 100e6 as SizeE6, askSize: 100e6 as SizeE6 }
  const book = {
    bid: 5_000 as PriceE4,
    ask: 5_100 as PriceE4,
    levels: null,
    ts: AT,
    arrivedAt: AT,
    version: 1,
  }
  account.applyBook(MARKET, { ...book, ...sizes })
  const order = {
    market: MARKET,
    action: 'sell',
    side: 'yes',
    size: 100e6 as SizeE6,
    limit: null,
  } as const
  const [sold] = account.execute(order, AT).fills
  expect(sold?.fill.fee).toBe(1.75e6)
  expect(account.balance).toBe(5e6 + 50e6 - 1.75e6)
})
