import { describe, expect, it } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import type { NewOrder } from '../../trading.ts'
import { parseOrderAnswer } from './order-answer.ts'

const prepared = (change: Partial<NewOrder> = {}) => ({
  order: {
    clientOrderId: 'svc-pt_1-1',
    ticker: '0xabc' as NewOrder['ticker'],
    action: 'buy' as const,
    direction: 'yes' as const,
    size: 10_000_000 as SizeE6,
    limit: 5_000 as PriceE4,
    timeInForce: 'ioc' as const,
    ...change,
  },
  reference: '0xhash',
  body: '',
  preparedAt: 0 as Millis,
})
const MATCHED = {
  success: true,
  errorMsg: '',
  orderID: '0xhash',
  status: 'matched',
  makingAmount: '2.5',
  takingAmount: '5',
}
const NO_MATCH =
  'no orders found to match with FAK order. FAK orders are partially filled or killed'

describe('parseOrderAnswer', () => {
  it.each([
    ['a purchase', 'buy', 5_000_000],
    ['a sale', 'sell', 2_500_000],
  ] as const)('takes the filled contracts of %s', (_, action, filled) => {
    expect(parseOrderAnswer(prepared({ action }), 200, MATCHED)).toMatchObject({
      kind: 'accepted',
      order: { orderId: '0xhash', ticker: '0xabc', status: 'cancelled', filled, remaining: 0 },
    })
  })

  it.each([
    [200, { success: true, errorMsg: NO_MATCH, orderID: '0xhash', status: 'unmatched' }],
    [200, { success: false, errorMsg: NO_MATCH }],
    [400, { error: NO_MATCH }],
  ])('reads an immediate order without an offer as ended unfilled: %s %o', (status, body) => {
    expect(parseOrderAnswer(prepared(), status, body)).toMatchObject({
      kind: 'accepted',
      order: { orderId: '0xhash', status: 'cancelled', filled: 0, remaining: 0 },
    })
    expect(parseOrderAnswer(prepared({ timeInForce: 'gtc' }), status, body)).toMatchObject({
      kind: 'rejected',
    })
  })

  it.each([
    [400, { error: 'not enough balance / allowance' }, '400 not enough balance / allowance'],
    [429, {}, '429 without a reason'],
    [200, { success: true, errorMsg: 'size below minimum', orderID: '0x1' }, 'size below minimum'],
    [200, { success: false, orderID: '0x1' }, 'without a reason'],
  ])('reads a refusal: %s %o', (status, body, reason) => {
    expect(parseOrderAnswer(prepared(), status, body)).toEqual({ kind: 'rejected', reason })
  })

  it.each([
    [{ ...MATCHED, status: 'live', takingAmount: '' }, 'resting', null],
    [{ ...MATCHED, status: 'delayed', makingAmount: '0', takingAmount: '0' }, null, null],
  ])('reads the state of an order that may rest: %o', (body, status, filled) => {
    expect(parseOrderAnswer(prepared({ timeInForce: 'gtc' }), 200, body)).toMatchObject({
      kind: 'accepted',
      order: { status, filled, remaining: null },
    })
  })

  it('does not know what a delayed immediate order fills', () => {
    const body = { ...MATCHED, status: 'delayed', makingAmount: '0', takingAmount: '0' }
    expect(parseOrderAnswer(prepared(), 200, body)).toMatchObject({
      kind: 'accepted',
      order: { orderId: '0xhash', filled: null },
    })
  })

  it('finds an order that the venue has already', () => {
    expect(parseOrderAnswer(prepared(), 400, { error: 'order 0x1 already exists' })).toEqual({
      kind: 'duplicate',
    })
  })

  it.each([[null], [{ success: true, errorMsg: '' }], ['text']])('has no answer in %o', (body) => {
    expect(parseOrderAnswer(prepared(), 200, body)).toEqual({
      kind: 'lost',
      reason: 'the answer names no order',
    })
  })
})
