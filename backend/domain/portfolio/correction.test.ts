import { expect, it } from 'vitest'
import type { Millis } from '../units.ts'
import { reversalOf, reversedId, withoutReversed } from './correction.ts'
import type { NewLedgerEntry } from './ledger.ts'

const FILL = {
  id: 'ple_1',
  eventType: 'fill',
  source: 'venue',
  occurredAt: 5,
  note: 'bought',
  ticker: 'KX',
  cashDelta: -4_200_000,
  fee: 70_000,
  slippage: -10_000,
  realized: 300_000,
  key: 'venue_a:1',
  payload: { origin: 'import' },
} as unknown as NewLedgerEntry
const REVERSAL = { id: 'ple_2', occurredAt: 9 as Millis, note: 'the venue amended it' }

it('returns the cash, the fee and the slippage of the entry that it takes back', () => {
  expect(reversalOf(FILL, REVERSAL)).toEqual({
    ...FILL,
    ...REVERSAL,
    source: 'reconcile',
    cashDelta: 4_200_000,
    fee: -70_000,
    slippage: 10_000,
    realized: null,
    key: 'venue_a:1:reversed',
    payload: { corrects: 'ple_1', reversal: true },
  })
  expect(reversalOf({ ...FILL, slippage: null }, REVERSAL).slippage).toBeNull()
  expect(reversalOf({ ...FILL, fee: 0 as NewLedgerEntry['fee'] }, REVERSAL).fee).toBe(0)
})

it.each([
  ['a reversal', { corrects: 'ple_1', reversal: true }, 'ple_1'],
  ['the entry with the right values', { corrects: 'ple_1' }, null],
  ['a reversal without a target', { reversal: true }, null],
  ['any other entry', {}, null],
])('names the entry taken back: %s', (_what, payload, id) => {
  expect(reversedId({ payload })).toBe(id)
})

it('leaves out entries that were taken back, and their reversals', () => {
  const [fill, other] = [
    { id: 'ple_1', payload: {} },
    { id: 'ple_3', payload: { corrects: 'ple_1' } },
  ]
  const reversal = { id: 'ple_2', payload: { corrects: 'ple_1', reversal: true } }
  expect(withoutReversed([fill, reversal, other])).toEqual([other])
  expect(withoutReversed([fill, other])).toEqual([fill, other])
})
