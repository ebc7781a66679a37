import { expect, it } from 'vitest'
import { marketFacts } from '../../testing/market-facts.ts'
import type { Millis } from '../units.ts'
import { ReplayedAccount } from './backtest.ts'

const AT = Date.parse('2026-08-03T12:00:00Z') as Millis

it('sells purchases of parts of a contract completely', () => {
  const account = new ReplayedAccount()
  const facts = marketFacts({ ticker: 'KX' })
  const size = { bidSize: 100, askSize: 100 }
  account.quote({ facts, status: 'active', bid: 40, ask: 42, ...size }, AT)
  const order = { ticker: 'KX', direction: 'yes', strategyId: null } as const
  for (const quantity of [1.1, 2.2]) account.buy({ ...order, quantity }, 50, AT)
  account.sell({ ...order, quantity: 3.3 }, 'thesis_exit', AT)
  expect(account.heldContracts(order)).toBe(0)
  expect(account.trades.map(({ quantity, closedAt }) => [quantity, closedAt])).toEqual([
    [1.1, AT],
    [2.2, AT],
  ])
})
