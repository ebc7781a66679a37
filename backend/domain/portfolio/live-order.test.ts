import { describe, expect, it } from 'vitest'
import type { MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { DEFAULT_CONFIG } from './config.ts'
import { liveRefusal, type LiveOrder } from './live-order.ts'

const CONFIG = { ...DEFAULT_CONFIG, enabled: true, executionMode: 'live' as const }
const sale = {
  ticker: 'KX-1' as LiveOrder['ticker'],
  action: 'sell',
  direction: 'yes',
  size: 10_000_000 as SizeE6,
  limit: 4_000 as PriceE4,
  intentId: null as string | null,
} as const
const earlier = (change: Partial<LiveOrder>): LiveOrder =>
  ({ ...sale, status: 'unknown', filled: 0, booked: 0, ...change }) as LiveOrder

const refusalOf = (
  heldContracts: number,
  open: readonly LiveOrder[] = [],
  change: Pick<LiveOrder, 'intentId'> = sale,
): string | null =>
  liveRefusal(
    { ...sale, ...change },
    {
      held: 0 as MoneyE6,
      heldInMarket: 0 as MoneyE6,
      heldContracts: heldContracts as SizeE6,
      open,
      ordersOfTick: 0,
    },
    CONFIG,
  )

describe('a sale at the exchange', () => {
  it('is of contracts that are held', () => {
    expect(refusalOf(10_000_000)).toBeNull()
    expect(refusalOf(9_999_999)).toContain('more than is held')
    expect(refusalOf(0)).toContain('more than is held')
  })

  it('waits for the last order of its intent, whatever is held', () => {
    const open = [earlier({ intentId: 'in_1' })]
    const refusal = 'the last order of this intent is not finished'
    expect(refusalOf(20_000_000, open, { intentId: 'in_1' })).toBe(refusal)
    expect(refusalOf(20_000_000, open, { intentId: 'in_2' })).toBeNull()
  })

  it.each([
    ['without an answer', earlier({})],
    ['whose fills are not booked', earlier({ status: 'traded', filled: sale.size })],
  ])('waits for an earlier one %s', (_, open) => {
    expect(refusalOf(10_000_000, [open])).toContain('not booked yet')
    expect(refusalOf(20_000_000, [open])).toBeNull()
  })

  it.each([
    ['that is booked', earlier({ status: 'traded', filled: sale.size, booked: sale.size })],
    ['of another market', earlier({ ticker: 'KX-2' })],
    ['of the other side', earlier({ direction: 'no' })],
    ['that buys', earlier({ action: 'buy' })],
  ])('does not wait for one %s', (_, open) => {
    expect(refusalOf(10_000_000, [open])).toBeNull()
  })
})
