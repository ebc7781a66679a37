import { expect, it } from 'vitest'
import fc from '../../../scripts/properties.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import { CorrectedFold } from './corrected-fold.ts'
import { reversalOf, withoutReversed } from './correction.ts'
import { journalOf } from './journal.ts'
import type { LedgerEntry, NewLedgerEntry } from './ledger.ts'
import { foldMarkets } from './position-fold.ts'

/** One drawn entry: whole contracts, whole cents, and a fee that divides by the contracts. */
interface Drawn {
  readonly kind: 'fill' | 'settlement' | 'cancellation' | 'correction'
  readonly isYes: boolean
  readonly sells: boolean
  readonly contracts: number
  readonly cents: number
  readonly unitFee: number
  /** Payout of YES in cents. */
  readonly pays: number | 'void'
  /** Of the entries that count, the one that a correction takes back, as a share of them. */
  readonly target: number
  /** Whether other values take the place of the corrected ones. */
  readonly isReplaced: boolean
}
const histories = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Drawn['kind']>('fill') },
      { weight: 2, arbitrary: fc.constant<Drawn['kind']>('settlement') },
      { weight: 1, arbitrary: fc.constant<Drawn['kind']>('cancellation') },
      { weight: 3, arbitrary: fc.constant<Drawn['kind']>('correction') },
    ),
    isYes: fc.boolean(),
    sells: fc.boolean(),
    contracts: fc.integer({ min: 1, max: 20 }),
    cents: fc.integer({ min: 1, max: 99 }),
    unitFee: fc.integer({ min: 0, max: 17_500 }),
    pays: fc.constantFrom(0, 37, 100, 'void' as const),
    target: fc.double({ min: 0, max: 0.999, noNaN: true }),
    isReplaced: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

/** A row with its cash, as the oracle reads it. */
type Counted = Drawn & { readonly cash: bigint }

const entryOf = (row: Counted, n: number): LedgerEntry => {
  const { kind, isYes, sells, contracts, cents, unitFee, pays, cash } = row
  const isFill = kind === 'fill'
  const price = isFill ? cents * 100 : pays === 'void' ? null : pays * 100
  return {
    id: `ple_${n}`,
    userId: 'usr_1',
    seq: n,
    eventType: kind === 'correction' ? 'settlement' : kind,
    mode: 'live',
    epoch: 0,
    source: 'reconcile',
    occurredAt: n as Millis,
    recordedAt: n as Millis,
    venue: 'venue_a',
    ticker: 'KX',
    marketTitle: null,
    category: null,
    action: isFill ? (sells ? 'sell' : 'buy') : null,
    direction: isFill ? (isYes ? 'yes' : 'no') : 'yes',
    size: (contracts * 1e6) as SizeE6,
    price: price as PriceE4 | null,
    cashDelta: Number(cash) as MoneyE6,
    fee: (isFill ? unitFee * contracts : 0) as MoneyE6,
    slippage: null,
    realized: null,
    result: pays === 'void' && !isFill ? 'void' : null,
    orderId: null,
    liquidity: null,
    tickId: null,
    intentId: null,
    confidence: 'unknown',
    key: `k${n}`,
    note: null,
    payload: {},
  }
}

/** Any cash: what a venue paid need not follow from the position. */
const cashOf = ({ kind, contracts, cents, unitFee }: Drawn): bigint =>
  kind === 'cancellation' ? 0n : BigInt(contracts * cents) * 10_000n - BigInt(unitFee)

/** The entries of a history, and the rows that count after it. */
function written(rows: readonly Drawn[]) {
  const entries: LedgerEntry[] = []
  let counted: { readonly id: string; readonly row: Counted }[] = []
  const add = (row: Counted, payload: object = {}): void => {
    const entry = { ...entryOf(row, entries.length), payload: { ...payload } }
    entries.push(entry)
    counted.push({ id: entry.id, row })
  }
  for (const drawn of rows) {
    const row: Counted = { ...drawn, cash: cashOf(drawn) }
    if (drawn.kind !== 'correction') {
      add(row)
      continue
    }
    const found = counted[Math.floor(drawn.target * counted.length)]
    const corrected = entries.find(({ id }) => id === found?.id)
    if (found === undefined || corrected === undefined) continue
    const n = entries.length
    const about = { id: `ple_${n}`, occurredAt: n as Millis, note: 'changed' }
    const reversal: NewLedgerEntry = reversalOf(corrected, about)
    entries.push({ ...reversal, userId: 'usr_1', seq: n, recordedAt: n as Millis })
    counted = counted.filter((one) => one !== found)
    if (drawn.isReplaced) add({ ...row, kind: found.row.kind }, { corrects: corrected.id })
  }
  return { entries, counted: counted.map(({ row }) => row) }
}

/** Contract by contract in integers of any size: each meets the oldest one of the other side. */
function oracle(rows: readonly Counted[]) {
  let queue: { readonly isYes: boolean; readonly paid: bigint; readonly fee: bigint }[] = []
  let [realized, fees, cash] = [0n, 0n, 0n]
  const micros = (cents: number): bigint => BigInt(cents) * 10_000n
  for (const row of rows) {
    cash += row.cash
    if (row.kind === 'cancellation') continue
    if (row.kind === 'settlement') {
      for (const { isYes, paid, fee } of queue) {
        const payout = row.pays === 'void' ? paid : micros(isYes ? row.pays : 100 - row.pays)
        realized += payout - paid - fee
      }
      queue = []
      continue
    }
    const isYes = row.isYes !== row.sells
    const paid = micros(row.sells ? 100 - row.cents : row.cents)
    const fee = BigInt(row.unitFee)
    fees += fee * BigInt(row.contracts)
    for (let n = 0; n < row.contracts; n += 1) {
      const [oldest] = queue
      if (oldest === undefined || oldest.isYes === isYes) queue.push({ isYes, paid, fee })
      else {
        queue = queue.slice(1)
        realized += 1_000_000n - paid - oldest.paid - fee - oldest.fee
      }
    }
  }
  const cost = queue.reduce((sum, { paid }) => sum + paid, 0n)
  return { size: BigInt(queue.length) * 1_000_000n, cost, realized, fees, cash }
}

it('[portfolio.corrections.exact] equals a computation contract by contract with corrections, voids and cancellations', () => {
  fc.assert(
    fc.property(histories, (rows) => {
      const { entries, counted } = written(rows)
      const expected = oracle(counted)
      const fold = new CorrectedFold()
      const realized = entries.reduce((sum, entry) => sum + BigInt(fold.apply(entry) ?? 0), 0n)
      const position = foldMarkets(entries).get('KX')
      const { size = 0, cost = 0, realized: gained = 0, fees = 0 } = position ?? {}
      expect({
        size: BigInt(size),
        cost: BigInt(cost),
        realized,
        fees: BigInt(fees),
        cash: entries.reduce((sum, { cashDelta }) => sum + BigInt(cashDelta), 0n),
      }).toEqual(expected)
      expect(BigInt(gained)).toBe(expected.realized)
      // The journal has the lots of the ledger, of whatever source.
      const journal = journalOf(entries.map((entry) => ({ ...entry, source: 'intent' })))
      const closed = journal.reduce((sum, trade) => sum + BigInt(trade.realized ?? 0), 0n)
      expect(closed).toBe(expected.realized)
    }),
    { numRuns: 1_000 },
  )
})

it('[portfolio.corrections.exact] a reversal without new values opens the position again', () => {
  const row: Counted = {
    kind: 'fill',
    isYes: true,
    sells: false,
    contracts: 10,
    cents: 40,
    unitFee: 0,
    pays: 100,
    target: 0,
    isReplaced: false,
    cash: 0n,
  }
  const rows = [
    row,
    { ...row, kind: 'settlement' as const },
    { ...row, kind: 'correction' as const, target: 0.9 },
  ]
  const { entries } = written(rows)
  const fold = new CorrectedFold()
  expect(entries.map((entry) => fold.apply(entry))).toEqual([null, 6e6, -6e6])
  expect(foldMarkets(entries).get('KX')).toMatchObject({ status: 'open', size: 10e6, realized: 0 })
  expect(withoutReversed(entries)).toEqual([entries[0]])
})
