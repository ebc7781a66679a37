import { expect, it } from 'vitest'
import fc, { scaled } from '../../../scripts/properties.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { journalOf } from './journal.ts'
import type { LedgerEntry } from './ledger.ts'
import { foldPosition } from './position-fold.ts'

let seq = 0
const entry = (change: Partial<LedgerEntry>): LedgerEntry => {
  seq += 1
  return {
    id: `ple_${seq}`,
    userId: 'usr',
    seq,
    eventType: 'fill',
    mode: 'paper',
    epoch: 0,
    source: 'autopilot',
    occurredAt: seq as Millis,
    recordedAt: seq as Millis,
    venue: 'venue_a',
    ticker: 'KX',
    marketTitle: 'Market',
    category: 'politics',
    action: 'buy',
    direction: 'yes',
    size: 10e6 as SizeE6,
    price: 4_000 as PriceE4,
    cashDelta: 0 as MoneyE6,
    fee: 100_000 as MoneyE6,
    slippage: null,
    realized: null,
    result: null,
    orderId: null,
    liquidity: 'taker',
    tickId: 'pt_1',
    intentId: null,
    confidence: 'exact',
    key: `k${seq}`,
    note: null,
    payload: {},
    ...change,
  }
}
const rowsOf = (entries: LedgerEntry[]) =>
  journalOf(entries).map(({ key, side, size, exitPrice, realized, exitReason }) => {
    const first = entries[0]?.key ?? ''
    return [key.replace(first, 'first'), side, size / 1e6, exitPrice, realized, exitReason]
  })

it('[portfolio.trades.journal] splits a purchase whose parts are sold apart, and keeps its fees', () => {
  const sale = { action: 'sell' as const, price: 5_000 as PriceE4, size: 4e6 as SizeE6 }
  const stop = { ...sale, price: 3_000 as PriceE4, payload: { exitReason: 'stop_loss' } }
  expect(rowsOf([entry({}), entry(sale), entry(stop)])).toEqual([
    // 4 contracts from 40 to 50 cents: 40 cents, less 4 and 10 of fees.
    ['first', 'yes', 4, 5_000, 260_000, 'manual'],
    ['first/1', 'yes', 4, 3_000, -540_000, 'stop_loss'],
    ['first/2', 'yes', 2, null, null, null],
  ])
})

it('[portfolio.trades.journal] closes a trade by buying the other side, and by a settlement', () => {
  const other = entry({ direction: 'no', price: 5_500 as PriceE4, size: 15e6 as SizeE6 })
  const rows = rowsOf([
    entry({}),
    { ...other, fee: 150_000 as MoneyE6 },
    entry({
      eventType: 'settlement',
      direction: 'no',
      price: 10_000 as PriceE4,
      fee: 0 as MoneyE6,
      result: 'no',
    }),
  ])
  expect(rows).toEqual([
    // NO at 55 sells YES at 45: 50 cents, less 10 and 10 of fees.
    ['first', 'yes', 10, 4_500, 300_000, 'manual'],
    [other.key, 'no', 5, 10_000, 2_200_000, 'settlement'],
  ])
})

it('[portfolio.trades.journal] leaves out what others bought, and returns the cost of a void', () => {
  expect(rowsOf([entry({ source: 'manual' })])).toEqual([])
  const voided = entry({ eventType: 'settlement', price: null, result: 'void' })
  expect(rowsOf([entry({}), voided])).toEqual([['first', 'yes', 10, 4_000, -100_000, 'settlement']])
})

it('[portfolio.trades.intents] has the purchases of intents, also those that others sell', () => {
  const bought = entry({ source: 'intent', intentId: 'in_1', price: 5_000 as PriceE4 })
  const sale = entry({ action: 'sell', price: 4_500 as PriceE4, size: 12e6 as SizeE6 })
  const rows = journalOf([entry({}), bought, sale])
  expect(rows.map(({ intentId, size, realized }) => [intentId, size / 1e6, realized])).toEqual([
    // 50 cents less 10 and 10 / 12 of 10 of fees; −10 less 2 and 2 / 12 of 10 of fees.
    [null, 10, 500_000 - 100_000 - 83_333],
    ['in_1', 2, -100_000 - 20_000 - 16_667],
    ['in_1', 8, null],
  ])
})

const anyEntry = fc.record({
  source: fc.constantFrom('autopilot' as const, 'intent' as const),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  direction: fc.constantFrom('yes' as const, 'no' as const),
  size: fc.integer({ min: 1, max: 50_000_000 }),
  price: fc.integer({ min: 1, max: 9_999 }),
  fee: fc.integer({ min: 0, max: 2_000_000 }),
  settles: fc.constantFrom('never', 'never', 'never', 'never', 'yes', 'void'),
})
it('[portfolio.trades.exact] adds up to the fold of the ledger, to the micro-dollar', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), (rows) => {
      const entries = rows.map(({ settles, size, price, fee, ...rest }) =>
        settles === 'never'
          ? entry({ ...rest, size: size as SizeE6, price: price as PriceE4, fee: fee as MoneyE6 })
          : entry({
              eventType: 'settlement',
              action: null,
              price: settles === 'void' ? null : (10_000 as PriceE4),
              result: settles === 'void' ? 'void' : 'yes',
              fee: 0 as MoneyE6,
            }),
      )
      const trades = journalOf(entries)
      const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
      const fold = foldPosition(entries)
      expect(sum(trades.map(({ realized }) => realized ?? 0))).toBe(fold?.realized ?? 0)
      expect(sum(trades.map(({ fees }) => fees))).toBe(fold?.fees ?? 0)
      const open = trades.filter(({ closedAt }) => closedAt === null)
      expect(sum(open.map(({ size }) => size))).toBe(fold?.size ?? 0)
      expect(new Set(trades.map(({ key }) => key)).size).toBe(trades.length)
    }),
    { numRuns: scaled(300) },
  )
})
