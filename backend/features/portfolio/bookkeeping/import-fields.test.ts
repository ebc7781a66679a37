import { describe, expect, it } from 'vitest'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { ImportFields, notNegative, positive } from './import-fields.ts'
import type { ReadContext } from './imported-row.ts'
import { venueAFill, venueASettlement } from './venue-a-rows.ts'
import { venueBFill, venueBSettlement } from './venue-b-rows.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const HASH = `0x${'Ab'.repeat(32)}`
const CONDITION = `0x${'cd'.repeat(32)}`

/** The value that is read, or the message of the error. */
function result<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const read = (value: unknown, as: (fields: ImportFields) => unknown): unknown =>
  result(() => as(new ImportFields({ field: value })))

describe('a field of an imported row', () => {
  it.each([null, 7, [], 'row'])('needs an object, not %j', (row) => {
    expect(result(() => new ImportFields(row))).toBe('row must be an object')
  })

  it('is the first with a value', () => {
    const fields = new ImportFields({ a: '', b: null, c: 0, d: 1 })
    expect([fields.raw('a', 'b', 'c', 'd'), fields.raw('a'), fields.raw('toString')]).toEqual([
      0,
      undefined,
      undefined,
    ])
  })

  it.each([
    [' ab ', 'ab'],
    ['abc', 'abc'],
    ['abcd', 'field must be a string of 1 to 3 characters'],
    ['  ', 'field must be a string of 1 to 3 characters'],
    ['a\u0007', 'field must be a string of 1 to 3 characters'],
    [7, 'field must be a string of 1 to 3 characters'],
    ['', null],
  ])('as text: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.text(3, 'field'))).toBe(expected)
    expect(read(value, (fields) => fields.requiredText(3, 'field'))).toBe(
      expected ?? 'field is required',
    )
  })

  it.each([
    [' buy ', 'BUY'],
    ['SELL', 'SELL'],
    ['hold', 'field must be BUY or SELL'],
    [7, 'field must be BUY or SELL'],
    [null, null],
  ])('as a word: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.choice(['BUY', 'SELL'], 'field'))).toBe(expected)
    expect(read(value, (fields) => fields.requiredChoice(['BUY', 'SELL'], 'field'))).toBe(
      expected ?? 'field is required',
    )
  })

  it.each([
    ['1.5', 15_000],
    [1.5, 15_000],
    ['-.5', -5_000],
    ['+2.', 20_000],
    [1e-4, 1],
    [1e-7, 0],
    ['1e3', 'field must be a number'],
    ['x', 'field must be a number'],
    [true, 'field must be a number'],
    [Infinity, 'field must be a number'],
    ['', null],
  ])('as a scaled number: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.scaled(4, 'field'))).toBe(expected)
  })

  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', 'field must be true or false'],
    ['', null],
  ])('as a flag: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.flag('field'))).toBe(expected)
  })

  it.each([
    ['2026-11-20T14:00:00Z', NOW],
    [NOW / 1_000, NOW],
    [String(NOW), NOW],
    [NOW + 5 * MINUTE, NOW + 5 * MINUTE],
    [NOW + 5 * MINUTE + 1, 'field must not be in the future'],
    ['2018-01-01T00:00:00Z', Date.parse('2018-01-01T00:00:00Z')],
    ['2017-12-31T23:59:59Z', 'field must not be before 2018-01-01'],
    ['soon', 'field must be an ISO 8601 or unix time'],
    [true, 'field must be an ISO 8601 or unix time'],
    ['', 'field is required'],
  ])('as a time: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.time(NOW, 'field'))).toBe(expected)
  })

  it.each([
    [HASH, HASH.toLowerCase()],
    [HASH.slice(0, 65), 'field must be 0x and 64 hex digits'],
    [HASH.replace('A', 'x'), 'field must be 0x and 64 hex digits'],
    [null, 'field is required'],
  ])('as a hash: %j is %j', (value, expected) => {
    expect(read(value, (fields) => fields.hash('field'))).toBe(expected)
  })

  it('may have to be above 0, or not below', () => {
    const numbers = [null, -1, 0, 1]
    expect(numbers.map((value) => result(() => positive(value, 'field')))).toEqual([
      'field is required',
      'field must be above 0',
      'field must be above 0',
      1,
    ])
    expect(numbers.map((value) => result(() => notNegative(value, 'field')))).toEqual([
      0,
      'field must not be below 0',
      0,
      1,
    ])
  })
})

describe('a row of Polymarket', () => {
  const contextOf = (assetIds: readonly string[] | null): ReadContext => {
    const seen = new Map<string, number>()
    return {
      now: NOW,
      marketOf: () => (assetIds === null ? null : { facts: { assetIds } }),
      ordinalOf: (key: string) => {
        const ordinal = seen.get(key) ?? 0
        seen.set(key, ordinal + 1)
        return ordinal
      },
    } as unknown as ReadContext
  }
  const FILL = {
    conditionId: CONDITION,
    side: 'BUY',
    size: '10',
    price: '0.41',
    timestamp: NOW,
    transactionHash: HASH,
    outcomeIndex: 0,
  }
  const context = contextOf(['1', '2'])
  const fill = (more: object = {}, of = context) =>
    result(() => venueBFill(new ImportFields({ ...FILL, ...more }), of))
  const REDEMPTION = { ...FILL, payoutUsd: '10' }
  const redeem = (more: object = {}) =>
    result(() => venueBSettlement(new ImportFields({ ...REDEMPTION, ...more }), context))

  it('is a fill with its cost and fee', () => {
    const key = `b:fill:${HASH.toLowerCase()}:1:BUY:0.41:10`
    const of = contextOf(['1', '2'])
    expect(fill({ feeUsd: '0.1' }, of)).toEqual({
      kind: 'fill',
      key: `${key}:0`,
      occurredAt: NOW,
      ticker: CONDITION,
      action: 'buy',
      direction: 'yes',
      size: 10_000_000,
      price: 4_100,
      fee: 100_000,
      cashDelta: -4_200_000,
      result: null,
      orderId: null,
      clientOrderId: null,
      venueTradeId: HASH.toLowerCase(),
      liquidity: null,
      thesisId: null,
      strategyId: null,
    })
    expect(fill({}, of)).toMatchObject({ key: `${key}:1`, cashDelta: -4_100_000 })
    expect(fill({ side: 'sell', fee: 0.1 })).toMatchObject({ action: 'sell', cashDelta: 4_000_000 })
    expect(fill({ id: 't1' })).toMatchObject({ key: 'b:fill:t1', venueTradeId: 't1' })
  })

  it.each([
    [{ outcomeIndex: 1 }, 'no'],
    [{ outcomeIndex: undefined, outcome: 'No' }, 'no'],
    [{ outcomeIndex: undefined, outcome: 'yes' }, 'yes'],
    [{ outcomeIndex: undefined, tokenId: '2' }, 'no'],
    [{ outcomeIndex: 1, asset: '2' }, 'no'],
  ])('has the outcome of %j', (more, direction) => {
    expect(fill(more)).toMatchObject({ direction })
  })

  it('of an unknown market has the stated outcome', () => {
    expect(fill({ tokenId: '9' }, contextOf(null))).toMatchObject({ direction: 'yes' })
    expect(fill({}, contextOf(null))).toMatchObject({
      key: expect.stringContaining(`:${CONDITION}:0:BUY:`) as string,
    })
    expect(fill({ outcomeIndex: undefined, tokenId: '9' }, contextOf(null))).toBe(
      'tokenId does not belong to a known market',
    )
  })

  it.each([
    [{ conditionId: undefined }, 'conditionId is required'],
    [{ outcomeIndex: undefined }, 'outcomeIndex is required'],
    [{ outcomeIndex: 2 }, 'outcomeIndex must be 0 or 1'],
    [{ outcomeIndex: 0.5 }, 'outcomeIndex must be 0 or 1'],
    [{ outcomeIndex: 0, tokenId: '2' }, 'outcomeIndex does not match tokenId'],
    [{ tokenId: '9' }, 'tokenId does not belong to a known market'],
    [{ side: 'HOLD' }, 'side must be BUY or SELL'],
    [{ size: 0 }, 'size must be above 0'],
    [{ price: 0 }, 'price must be above 0 and below 1'],
    [{ price: 1 }, 'price must be above 0 and below 1'],
    [{ price: undefined }, 'price is required'],
    [{ feeUsd: -1 }, 'feeUsd must not be below 0'],
  ])('is refused: %j', (more, message) => {
    expect(fill(more)).toBe(message)
  })

  it.each([
    ['10', 0, 10_000, 'yes'],
    ['0', 0, 0, 'no'],
    ['10', 1, 10_000, 'no'],
    ['0', 1, 0, 'yes'],
    ['5', 0, 5_000, 'scalar'],
  ])('is a redemption: %s dollars of outcome %i', (payoutUsd, outcomeIndex, price, outcome) => {
    expect(redeem({ payoutUsd, outcomeIndex })).toMatchObject({
      kind: 'settlement',
      key: `b:settle:${HASH.toLowerCase()}:${CONDITION}:${outcomeIndex}`,
      price,
      result: outcome,
      fee: 0,
      cashDelta: Number(payoutUsd) * 1e6,
    })
  })

  it.each([
    [{ payoutUsd: undefined }, 'payoutUsd is required'],
    [{ payoutUsd: '-1' }, 'payoutUsd must not be below 0'],
    [{ payoutUsd: '10.000001' }, 'payoutUsd must be at most a dollar a share'],
  ])('is no redemption: %j', (more, message) => {
    expect(redeem(more)).toBe(message)
  })
})

describe('a row of Kalshi', () => {
  const context = { now: NOW } as unknown as ReadContext
  const FILL = {
    fill_id: 'f1',
    ticker: 'kx-a',
    action: 'buy',
    side: 'yes',
    count: 10,
    priceCents: 41,
    created_time: NOW,
  }
  const fill = (more: object = {}) =>
    result(() => venueAFill(new ImportFields({ ...FILL, ...more }), context))
  const SETTLEMENT = {
    ticker: 'kx-a',
    market_result: 'yes',
    settled_time: NOW - 1,
    yes_count: 10,
    revenue: 1_000,
  }
  const settle = (more: object = {}) =>
    result(() => venueASettlement(new ImportFields({ ...SETTLEMENT, ...more }), context))

  it('is a fill with its cost and fee', () => {
    expect(fill({ feeCents: 1.5, is_taker: true })).toMatchObject({
      kind: 'fill',
      key: 'a:fill:f1',
      occurredAt: NOW,
      ticker: 'KX-A',
      action: 'buy',
      direction: 'yes',
      size: 10_000_000,
      price: 4_100,
      fee: 15_000,
      cashDelta: -4_115_000,
      venueTradeId: 'f1',
      liquidity: 'taker',
    })
    expect(fill({ action: 'sell', fee_cost: '0.02', is_taker: false })).toMatchObject({
      fee: 20_000,
      cashDelta: 4_080_000,
      liquidity: 'maker',
    })
    expect(fill()).toMatchObject({ fee: 0, liquidity: null })
  })

  it.each([
    [{ priceCents: undefined, yes_price: 41.5 }, 4_150],
    [{ priceCents: undefined, yes_price_dollars: '0.4150' }, 4_150],
    [{ priceCents: undefined, side: 'no', no_price: 60 }, 6_000],
    [{ priceCents: 99.99 }, 9_999],
  ])('has the price of its side: %j', (more, price) => {
    expect(fill(more)).toMatchObject({ price })
  })

  it.each([
    [{ fill_id: undefined }, 'fillId is required'],
    [{ ticker: undefined }, 'ticker is required'],
    [{ action: undefined }, 'action is required'],
    [{ side: undefined }, 'side is required'],
    [{ count: 0 }, 'quantity must be above 0'],
    [{ priceCents: 0 }, 'priceCents must be above 0 and below 100'],
    [{ priceCents: 100 }, 'priceCents must be above 0 and below 100'],
    [{ priceCents: undefined, no_price: 41 }, 'priceCents is required'],
    [{ feeCents: -1 }, 'feeCents must not be below 0'],
  ])('is refused: %j', (more, message) => {
    expect(fill(more)).toBe(message)
  })

  it.each([
    [{}, 'yes', 10_000, 10],
    [{ market_result: 'no', revenue: 0 }, 'yes', 0, 0],
    [{ yes_count: 0, no_count: 10, market_result: 'no' }, 'no', 10_000, 10],
    [{ yes_count: 10, no_count: 10 }, 'yes', 10_000, 10],
    [{ yes_count: 2, no_count: 10, revenue: 200 }, 'no', 0, 2],
    [{ market_result: 'scalar', revenue: 300 }, 'yes', 3_000, 3],
    [{ market_result: 'scalar', yes_count: 0, no_count: 10, revenue: 700 }, 'no', 7_000, 7],
    [{ market_result: 'scalar', yes_count: 10, no_count: 10 }, 'yes', null, 10],
    [{ market_result: 'void', revenue: 400 }, 'yes', null, 4],
  ])('is a settlement: %j', (more, direction, price, dollars) => {
    expect(settle(more)).toMatchObject({
      kind: 'settlement',
      key: `a:settle:KX-A:${Math.floor((NOW - 1) / 1_000)}`,
      direction,
      price,
      fee: 0,
      cashDelta: dollars * 1e6,
    })
  })

  it.each([
    [{ yes_count: 0 }, 'yesQuantity or noQuantity must be above 0'],
    [{ yes_count: -1 }, 'yesQuantity must not be below 0'],
    [{ revenue: undefined }, 'revenueCents is required'],
    [{ revenue: -1 }, 'revenueCents must not be below 0'],
    [
      { market_result: 'scalar', revenue: 1_001 },
      'revenueCents must be from 0 to 100 cents a contract',
    ],
    [
      { market_result: 'scalar', yes_count: 5, no_count: 10, revenue: 1_001 },
      'revenueCents must be from 0 to 100 cents a contract',
    ],
    [{ market_result: 'maybe' }, 'result must be yes or no or scalar or void'],
  ])('is no settlement: %j', (more, message) => {
    expect(settle(more)).toBe(message)
  })
})
