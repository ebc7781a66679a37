import { expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { withoutReplaced, type LedgerEntry } from './ledger.ts'

const fill = (change: Partial<LedgerEntry>): LedgerEntry => ({
  id: 'ple_1',
  userId: 'usr_1',
  seq: 1,
  eventType: 'fill',
  mode: 'live',
  epoch: 0,
  source: 'reconcile',
  occurredAt: 1 as Millis,
  recordedAt: 1 as Millis,
  venue: 'venue_a',
  ticker: 'KX',
  marketTitle: null,
  category: null,
  action: 'buy',
  direction: 'yes',
  size: 1e6 as SizeE6,
  price: 4_000 as PriceE4,
  cashDelta: -400_000 as MoneyE6,
  fee: 0 as MoneyE6,
  slippage: null,
  realized: null,
  result: null,
  orderId: null,
  liquidity: null,
  tickId: null,
  intentId: null,
  confidence: 'unknown',
  key: 'a:fill:1',
  note: null,
  payload: {},
  ...change,
})

it('[portfolio.fills.replaced] the venue’s fills replace the report of their order and take its attribution', () => {
  const venue = fill({ orderId: 'o1' })
  const other = fill({ orderId: 'o2', key: 'a:fill:2' })
  const named = { intentId: 'in_1', thesisId: 't1', confidence: 'exact' } as const
  const report = fill({ ...named, orderId: 'o1', key: 'i:in_1:o1', price: 4_100 as PriceE4 })
  expect(withoutReplaced([report])).toEqual([report])
  expect(withoutReplaced([report, venue, other])).toEqual([{ ...venue, ...named }, other])
  const guessed = { ...venue, thesisId: 't2', strategyId: 's2', confidence: 'low' } as const
  expect(withoutReplaced([report, guessed])).toEqual([{ ...venue, ...named }])
  const view = fill({ intentId: 'in_1', viewId: 'v1', orderId: 'o1', key: 'i:in_1:o1' })
  expect(withoutReplaced([view, guessed])).toEqual([
    { ...venue, intentId: 'in_1', viewId: 'v1', confidence: 'exact' },
  ])
  const exact = { ...venue, thesisId: 't2', confidence: 'exact' } as const
  expect(withoutReplaced([exact, report])).toEqual([exact])
})

it('[portfolio.fills.replaced] whatever is reported in any order, cash is that of the venue where it is known', () => {
  const orders = fc.array(
    fc.record({
      cash: fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 3 }),
      reported: fc.option(fc.integer({ min: -1e9, max: 1e9 })),
      isLate: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(orders, (all) => {
      const [early, late, atVenue]: LedgerEntry[][] = [[], [], []]
      let expected = 0n
      for (const [n, { cash, reported, isLate }] of all.entries()) {
        const orderId = `o${n}`
        for (const [k, one] of cash.entries()) {
          expected += BigInt(one)
          atVenue?.push(fill({ orderId, key: `a:fill:${n}-${k}`, cashDelta: one as MoneyE6 }))
        }
        if (reported === null) continue
        if (cash.length === 0) expected += BigInt(reported)
        const report = fill({ orderId, key: `i:in:${orderId}`, cashDelta: reported as MoneyE6 })
        ;(isLate ? late : early)?.push(report)
      }
      const entries = [...(early ?? []), ...(atVenue ?? []), ...(late ?? [])]
      const sum = withoutReplaced(entries).reduce((cash, one) => cash + BigInt(one.cashDelta), 0n)
      expect(sum).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
})
