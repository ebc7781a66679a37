import { expect, it } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../units.ts'
import type { Intent } from './intent.ts'
import type { LedgerEntry } from './ledger.ts'
import { withLiveFills } from './live-intent.ts'
import type { LiveOrder } from './live-order.ts'

const AT = 1_790_000_000_000 as Millis
const SIZE = 3_000_000 as SizeE6
const order = {
  clientOrderId: 'svc-pt_1-1',
  venueOrderId: 'at-venue-1',
  reference: 'ref-1',
  action: 'buy',
  direction: 'yes',
  status: 'done',
  filled: 0,
} as LiveOrder
const fill = {
  eventType: 'fill',
  mode: 'live',
  source: 'autopilot',
  venue: 'venue_a',
  orderId: 'at-venue-1',
  clientOrderId: 'svc-pt_1-1',
  action: 'buy',
  direction: 'yes',
  size: SIZE,
  price: 4_400 as PriceE4,
  occurredAt: AT,
  key: 'a:fill:1',
} as LedgerEntry
const intent = {
  status: 'triggered',
  targetSize: (2 * SIZE) as SizeE6,
  filledSize: 0 as SizeE6,
  fills: [],
} as unknown as Intent

it('an intent has the fills of an order that had ended without one', () => {
  expect(withLiveFills(intent, [order], [fill], AT)).toMatchObject({
    status: 'partial',
    filledSize: SIZE,
    fills: [{ orderId: 'svc-pt_1-1', size: SIZE }],
  })
})

it.each(['svc-pt_1-1', 'at-venue-1', 'ref-1'])(
  'a fill that its user reported as one of %s counts once',
  (orderId) => {
    const reported = { orderId, size: SIZE, price: 4_400 as PriceE4, cost: 0, at: AT }
    const before = { ...intent, filledSize: SIZE, fills: [reported] } as unknown as Intent
    expect(withLiveFills(before, [order], [fill], AT)).toBe(before)
  },
)
