import { expect, it } from 'vitest'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { journalOf } from './journal.ts'
import type { LedgerEntry } from './ledger.ts'

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
    entry({ eventType: 'settlement', price: 10_000 as PriceE4, result: 'no' }),
  ])
  expect(rows).toEqual([
    // NO at 55 sells YES at 45: 50 cents, less 10 and 10 of fees.
    ['first', 'yes', 10, 4_500, 300_000, 'manual'],
    [other.key, 'no', 5, 10_000, 2_200_000, 'settlement'],
  ])
})

it('[portfolio.trades.journal] leaves out what others bought, and returns the cost of a void', () => {
  expect(rowsOf([entry({ source: 'intent' })])).toEqual([])
  const voided = entry({ eventType: 'settlement', price: null, result: 'void' })
  expect(rowsOf([entry({}), voided])).toEqual([['first', 'yes', 10, 4_000, -100_000, 'settlement']])
})
