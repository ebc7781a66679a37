import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MarketView } from '../../../computed/board/market-board.ts'
import type { LedgerImported } from '../../../contract/orders/imports.ts'
import type { NamedSide } from '../../../domain/portfolio/named-basis.ts'
import type { Millis } from '../../../domain/units.ts'
import { NotFound } from '../../../lib/errors.ts'
import { openState, type State } from '../../../state/open.ts'
import { marketFacts, marketView } from '../../../testing/builders.ts'
import fc, { scaled } from '../../../../scripts/properties.ts'
import { withoutReversed } from '../../../domain/portfolio/correction.ts'
import { foldMarkets } from '../../../domain/portfolio/position-fold.ts'
import { createLedgerStore } from '../ledger.store.ts'
import { settlementEntry } from '../live/live-fills.ts'
import { createImportStore } from './import.store.ts'
import { createLedgerImports, IMPORT_FORMATS } from './import.service.ts'
import { addUser } from '../../../testing/users.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z') as Millis
const CONDITION = `0x${'ab'.repeat(32)}`
const HASH = `0x${'cd'.repeat(32)}`

let state: State
let users = 0
beforeAll(async () => {
  state = await openState(':memory:')
})
afterAll(() => state.destroy())

const newUser = async (): Promise<string> => {
  const id = `usr_${(users += 1)}`
  await addUser(state, id)
  return id
}

const known: MarketView = marketView({
  facts: marketFacts({ venue: 'venue_b', ticker: CONDITION, assetIds: ['11', '22'] }),
})
const importsWith = (named: readonly NamedSide[] = []) =>
  createLedgerImports({
    store: createImportStore(state),
    board: {
      markets: (tickers) =>
        Promise.resolve(new Map(tickers.includes(CONDITION) ? [[CONDITION, known]] : [])),
    },
    theses: {
      basis: (_userId, { thesisId, strategyId }) =>
        thesisId === 'foreign'
          ? Promise.reject(new NotFound('Thesis not found'))
          : Promise.resolve({ thesisId: `${thesisId}-in-full`, strategyId }),
      namedSides: () => Promise.resolve([...named]),
    },
    ordersAt: () => Promise.resolve([]),
    clock: { now: () => NOW },
  })

const FILL = {
  fillId: 'f1',
  ticker: 'kxtest-a',
  action: 'buy',
  side: 'yes',
  quantity: 10,
  priceCents: 40,
  feeCents: 7,
  createdAt: '2026-11-10T10:00:00Z',
}
const SETTLEMENT = {
  ticker: 'KXTEST-A',
  result: 'yes',
  settledAt: '2026-11-12T10:00:00Z',
  yesQuantity: 10,
  revenueCents: 1000,
}
const TRADE = {
  conditionId: CONDITION,
  outcomeIndex: 0,
  side: 'BUY',
  size: '12.5',
  price: 0.41,
  timestamp: 1_762_000_000,
  transactionHash: HASH,
}
const REDEEM = {
  conditionId: CONDITION,
  outcomeIndex: 0,
  size: 12.5,
  payoutUsd: 12.5,
  timestamp: 1_762_600_000_000,
  transactionHash: HASH,
}

const take = async (
  venue: keyof typeof IMPORT_FORMATS,
  body: object,
  userId?: string,
): Promise<LedgerImported> =>
  importsWith().importEntries(userId ?? (await newUser()), IMPORT_FORMATS[venue], body)
const entriesOf = (userId: string) =>
  createLedgerStore(state).trades(userId, { mode: 'live', epoch: 0 })

describe('names of the venues', () => {
  it.each([
    ['venue_a', 'fills', FILL, { key: 'a:fill:f1', cashDelta: -4_070_000, fee: 70_000 }],
    [
      'venue_a',
      'fills',
      {
        fill_id: 'f2',
        market_ticker: 'KXTEST-A',
        action: 'sell',
        outcome_side: 'no',
        count_fp: '2.50',
        yes_price_dollars: '0.4000',
        no_price_dollars: '0.6000',
        fee_cost: '0.0123',
        created_time: '2026-11-10T10:00:00.123456Z',
        is_taker: true,
        order_id: 'o1',
        client_order_id: 'c1',
      },
      {
        key: 'a:fill:f2',
        // The account gained NO by selling YES.
        price: 4_000,
        size: 2_500_000,
        cashDelta: 987_700,
        action: 'sell',
        direction: 'yes',
        liquidity: 'taker',
        clientOrderId: 'c1',
      },
    ],
    [
      'venue_a',
      'settlements',
      {
        ticker: 'KXTEST-A',
        market_result: 'scalar',
        settled_time: 1_762_700_000,
        yes_count: 10,
        no_count: 4,
        revenue: 610,
      },
      { key: 'a:settle:KXTEST-A:1762700000', price: 3_500, cashDelta: 6_100_000 },
    ],
    [
      'venue_b',
      'fills',
      TRADE,
      { key: `b:fill:${HASH}:11:BUY:0.41:12.5:0`, cashDelta: -5_125_000, direction: 'yes' },
    ],
    [
      'venue_b',
      'fills',
      {
        market: CONDITION.toUpperCase().replace('0X', '0x'),
        asset_id: '22',
        side: 'sell',
        size: 1,
        price: '0.5',
        timestamp: '1762000000',
        transaction_hash: HASH,
        trade_id: 't9',
        fee: 0.01,
      },
      { key: 'b:fill:t9', direction: 'no', action: 'sell', cashDelta: 490_000 },
    ],
    [
      'venue_b',
      'settlements',
      REDEEM,
      { key: `b:settle:${HASH}:${CONDITION}:0`, result: 'yes', price: 10_000 },
    ],
  ] as const)('[portfolio.import.rows] are read: %s %s %#', async (venue, kind, row, expected) => {
    const userId = await newUser()
    expect(await take(venue, { [kind]: [row] }, userId)).toMatchObject({
      errors: [],
      inserted: { [kind]: 1 },
    })
    expect(await entriesOf(userId)).toMatchObject([{ ...expected, mode: 'live' }])
  })

  it('[portfolio.import.rows] equal trades of one transaction are numbered', async () => {
    const userId = await newUser()
    const body = { fills: [TRADE, TRADE, { ...TRADE, tokenId: '11' }] }
    expect((await take('venue_b', body, userId)).inserted.fills).toBe(3)
    expect((await take('venue_b', body, userId)).duplicates.fills).toBe(3)
  })
})

describe('rows', () => {
  it.each([
    ['venue_a', 'fills', 5, 'row must be an object'],
    ['venue_a', 'fills', { ...FILL, fillId: null }, 'fillId is required'],
    ['venue_a', 'fills', { ...FILL, fillId: 'x'.repeat(129) }, 'fillId must be a string of'],
    ['venue_a', 'fills', { ...FILL, action: 'hold' }, 'action must be buy or sell'],
    ['venue_a', 'fills', { ...FILL, quantity: 0 }, 'quantity must be above 0'],
    ['venue_a', 'fills', { ...FILL, quantity: '1e3' }, 'quantity must be a number'],
    ['venue_a', 'fills', { ...FILL, priceCents: 100 }, 'priceCents must be above 0 and below 100'],
    ['venue_a', 'fills', { ...FILL, feeCents: -1 }, 'feeCents must not be below 0'],
    ['venue_a', 'fills', { ...FILL, createdAt: '2017-12-31' }, 'createdAt must not be before 2018'],
    [
      'venue_a',
      'fills',
      { ...FILL, createdAt: '2026-11-20T12:05:01Z' },
      'createdAt must not be in the future',
    ],
    ['venue_a', 'fills', { ...FILL, createdAt: 'now' }, 'createdAt must be an ISO 8601'],
    [
      'venue_a',
      'fills',
      { ...FILL, thesisId: 'foreign' },
      'thesisId must be the id of one of your own',
    ],
    ['venue_a', 'settlements', { ...SETTLEMENT, result: 'maybe' }, 'result must be yes or no'],
    ['venue_a', 'settlements', { ...SETTLEMENT, yesQuantity: 0 }, 'yesQuantity or noQuantity'],
    ['venue_a', 'settlements', { ...SETTLEMENT, revenueCents: null }, 'revenueCents is required'],
    ['venue_b', 'fills', { ...TRADE, conditionId: '0x12' }, 'conditionId must be 0x and 64'],
    ['venue_b', 'fills', { ...TRADE, tokenId: '33' }, 'tokenId does not belong to a known market'],
    ['venue_b', 'fills', { ...TRADE, tokenId: '22' }, 'outcomeIndex does not match tokenId'],
    ['venue_b', 'fills', { ...TRADE, outcomeIndex: 2 }, 'outcomeIndex must be 0 or 1'],
    ['venue_b', 'fills', { ...TRADE, price: 1 }, 'price must be above 0 and below 1'],
    ['venue_b', 'fills', { ...TRADE, transactionHash: 'x' }, 'transactionHash must be 0x'],
    ['venue_b', 'settlements', { ...REDEEM, payoutUsd: 13 }, 'payoutUsd must be at most'],
  ] as const)(
    '[portfolio.import.refused] are refused: %s %s %#',
    async (venue, kind, row, reason) => {
      const { errors, inserted } = await take(venue, { [kind]: [row] })
      expect(errors).toMatchObject([
        { kind: kind.slice(0, -1), index: 0, reason: expect.stringContaining(reason) },
      ])
      expect(inserted).toEqual({ fills: 0, settlements: 0 })
    },
  )

  it('[portfolio.import.refused] that are valid are stored although others fail', async () => {
    const userId = await newUser()
    const body = {
      settlements: [{ ...SETTLEMENT, result: 'x' }, SETTLEMENT],
      fills: [{ ...FILL, quantity: -1 }, FILL, FILL, { ...FILL, priceCents: 41 }],
    }
    const dry = await take('venue_a', { ...body, dryRun: true }, userId)
    expect(await entriesOf(userId)).toEqual([])
    const done = await take('venue_a', body, userId)
    expect(dry).toEqual({ ...done, dryRun: true })
    expect(done).toEqual({
      ok: true,
      dryRun: false,
      source: 'import_venue_a',
      received: { fills: 4, settlements: 2 },
      inserted: { fills: 1, settlements: 1 },
      duplicates: { fills: 1, settlements: 0 },
      errors: [
        { kind: 'fill', index: 0, reason: 'quantity must be above 0' },
        { kind: 'fill', index: 3, reason: 'key exists with other values' },
        { kind: 'settlement', index: 0, reason: expect.stringContaining('result must be') },
      ],
    })
    expect((await take('venue_a', { fills: [FILL] }, userId)).duplicates.fills).toBe(1)
  })

  it('[portfolio.import.refused] of more than 2000 are refused as a whole', async () => {
    await expect(
      take('venue_a', { fills: Array.from({ length: 2_001 }, () => FILL) }),
    ).rejects.toMatchObject({ code: 'IMPORT_TOO_MANY_ROWS' })
    await expect(take('venue_a', {})).rejects.toThrow('fills or settlements must be an array')
    await expect(take('venue_a', { fills: {} })).rejects.toThrow('fills must be an array')
    const most = Array.from({ length: 2_000 }, (_, n) => ({ ...FILL, fillId: `f${n}` }))
    expect((await take('venue_a', { fills: most })).inserted.fills).toBe(2_000)
  })
})

it('[portfolio.import.confidence] is exact with an id, low for the only thesis, else unknown', async () => {
  const side = {
    thesisId: 'th-1',
    strategyId: 'str-1',
    ticker: 'KXTEST-A',
    direction: 'yes' as const,
    from: Date.parse('2026-11-10T00:00:00Z') as Millis,
    until: null,
  }
  const confidenceOf = async (row: object, named: readonly NamedSide[]) => {
    const userId = await newUser()
    await importsWith(named).importEntries(userId, IMPORT_FORMATS.venue_a, {
      fills: [{ ...FILL, ...row }],
    })
    const [entry] = await entriesOf(userId)
    return [entry?.confidence, entry?.thesisId, entry?.strategyId]
  }
  expect(await confidenceOf({ thesisId: 'th-9' }, [side])).toEqual([
    'exact',
    'th-9-in-full',
    undefined,
  ])
  expect(await confidenceOf({}, [side])).toEqual(['low', 'th-1', 'str-1'])
  const unknown = ['unknown', undefined, undefined]
  expect(await confidenceOf({}, [])).toEqual(unknown)
  expect(await confidenceOf({ side: 'no' }, [side])).toEqual(unknown)
  expect(await confidenceOf({ createdAt: '2026-11-09T10:00:00Z' }, [side])).toEqual(unknown)
  expect(await confidenceOf({}, [{ ...side, until: side.from }])).toEqual(unknown)
  expect(await confidenceOf({}, [side, { ...side, thesisId: 'th-2' }])).toEqual(unknown)
  expect(await confidenceOf({}, [side, { ...side, strategyId: null }])).toEqual([
    'low',
    'th-1',
    'str-1',
  ])
})

/** The profit that each row of a history realised, computed contract by contract. */
function oracle(rows: readonly Row[]): Map<number, bigint> {
  const realized = new Map<number, bigint>()
  const queue: { isYes: boolean; paid: bigint; fee: bigint }[] = []
  for (const { n, isYes, sells, contracts, cents, unitFee } of rows) {
    const buysYes = isYes !== sells
    const paid = BigInt(sells ? 100 - cents : cents) * 10_000n
    for (let count = 0; count < contracts; count += 1) {
      const [oldest] = queue
      if (oldest === undefined || oldest.isYes === buysYes) {
        queue.push({ isYes: buysYes, paid, fee: BigInt(unitFee) * 10_000n })
        continue
      }
      queue.shift()
      const gain = 1_000_000n - paid - oldest.paid - BigInt(unitFee) * 10_000n - oldest.fee
      realized.set(n, (realized.get(n) ?? 0n) + gain)
    }
  }
  return realized
}

interface Row {
  readonly n: number
  readonly isYes: boolean
  readonly sells: boolean
  readonly contracts: number
  readonly cents: number
  readonly unitFee: number
}

const histories = fc
  .array(
    fc.record({
      isYes: fc.boolean(),
      sells: fc.boolean(),
      contracts: fc.integer({ min: 1, max: 9 }),
      cents: fc.integer({ min: 1, max: 99 }),
      unitFee: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .chain((drawn) => {
    const rows = drawn.map((row, n): Row => ({ ...row, n }))
    return fc.tuple(
      fc.constant(rows),
      fc.shuffledSubarray(rows, { minLength: rows.length }),
      fc.integer({ min: 1, max: 6 }),
    )
  })

const sentFill = ({ n, isYes, sells, contracts, cents, unitFee }: Row) => ({
  fillId: `f${n}`,
  ticker: 'KXTEST-A',
  action: sells ? 'sell' : 'buy',
  side: isYes ? 'yes' : 'no',
  quantity: contracts,
  priceCents: cents,
  feeCents: unitFee * contracts,
  createdAt: 1_762_000_000 + n,
})

it('[portfolio.import.folded] gives the same ledger in any order and any number of requests', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ([rows, shuffled, size]) => {
      const userId = await newUser()
      for (let from = 0; from < shuffled.length; from += size) {
        const fills = shuffled.slice(from, from + size).map(sentFill)
        const { errors, inserted } = await take('venue_a', { fills }, userId)
        expect([errors, inserted.fills]).toEqual([[], fills.length])
      }
      const entries = await entriesOf(userId)
      const expected = oracle(rows)
      for (const [n, entry] of entries.entries()) {
        expect(entry.venueTradeId).toBe(`f${n}`)
        const gain = expected.get(n)
        expect(entry.realized).toBe(gain === undefined ? null : Number(gain))
      }
      expect(entries.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(rows.map((_, n) => n + 1))
      const again = await take('venue_a', { fills: rows.map(sentFill) }, userId)
      expect(again.duplicates.fills).toBe(rows.length)
    }),
    { numRuns: scaled(60) },
  )
})

/** A history of fills, and the results that the venue reported one after the other. */
const settledHistories = histories.chain(([rows]) => {
  const fills = rows.map((row) => ({ kind: 'fills' as const, row }))
  const results = fc.array(
    fc.record({
      result: fc.constantFrom('yes' as const, 'no' as const, 'void' as const),
      revenueCents: fc.integer({ min: 0, max: 5_000 }),
      yesQuantity: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  return results.chain((reported) => {
    const all = [
      ...fills,
      ...reported.map((result, n) => ({ kind: 'settlements' as const, result, n })),
    ]
    return fc.tuple(
      fc.constant(rows),
      fc.constant(reported),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.integer({ min: 1, max: 6 }),
    )
  })
})

it('[portfolio.corrections.imported] the newest result counts, whatever the order of the rows', async () => {
  await fc.assert(
    fc.asyncProperty(settledHistories, async ([rows, reported, shuffled, size]) => {
      const userId = await newUser()
      const settledAt = 1_763_000_000
      const rowsOf = (part: typeof shuffled, kind: 'fills' | 'settlements'): object[] =>
        part.flatMap((one): object[] => {
          if (one.kind === 'fills') return kind === 'fills' ? [sentFill(one.row)] : []
          if (kind === 'fills') return []
          return [{ ticker: 'KXTEST-A', settledAt: settledAt + one.n, ...one.result }]
        })
      const send = async (part: typeof shuffled) =>
        take(
          'venue_a',
          { fills: rowsOf(part, 'fills'), settlements: rowsOf(part, 'settlements') },
          userId,
        )
      for (let from = 0; from < shuffled.length; from += size) {
        const part = shuffled.slice(from, from + size)
        const { errors, inserted } = await send(part)
        expect([errors, inserted.fills + inserted.settlements]).toEqual([[], part.length])
      }
      const entries = await entriesOf(userId)
      const newest = reported.at(-1)
      const expected = settledOracle(rows, newest?.result ?? 'void')
      const realized = entries.reduce((sum, one) => sum + BigInt(one.realized ?? 0), 0n)
      expect(realized).toBe(expected.realized)
      const cash = entries.reduce((sum, one) => sum + BigInt(one.cashDelta), 0n)
      expect(cash).toBe(expected.cash + BigInt(newest?.revenueCents ?? 0) * 10_000n)
      const counted = withoutReversed(entries).filter((one) => one.eventType === 'settlement')
      expect(counted.map(({ key }) => key)).toEqual([
        `a:settle:KXTEST-A:${settledAt + reported.length - 1}`,
      ])
      const position = foldMarkets(entries).get('KXTEST-A')
      expect(position?.size).toBe(0)
      expect(BigInt(position?.realized ?? 0)).toBe(expected.realized)
      const again = await send(shuffled)
      expect([again.duplicates.settlements, again.errors]).toEqual([reported.length, []])
      expect(await entriesOf(userId)).toHaveLength(entries.length)
    }),
    { numRuns: scaled(60) },
  )
})

/** Cash of the fills, and the profit of fills and payout, computed contract by contract. */
function settledOracle(rows: readonly Row[], result: 'yes' | 'no' | 'void') {
  const queue: { isYes: boolean; paid: bigint; fee: bigint }[] = []
  let [realized, cash] = [0n, 0n]
  for (const { isYes, sells, contracts, cents, unitFee } of rows) {
    const buysYes = isYes !== sells
    const paid = BigInt(sells ? 100 - cents : cents) * 10_000n
    const fee = BigInt(unitFee) * 10_000n
    for (let count = 0; count < contracts; count += 1) {
      cash += (sells ? BigInt(cents) * 10_000n : -paid) - fee
      const [oldest] = queue
      if (oldest === undefined || oldest.isYes === buysYes)
        queue.push({ isYes: buysYes, paid, fee })
      else {
        queue.shift()
        realized += 1_000_000n - paid - oldest.paid - fee - oldest.fee
      }
    }
  }
  for (const { isYes, paid, fee } of queue) {
    const payout = result === 'void' ? paid : isYes === (result === 'yes') ? 1_000_000n : 0n
    realized += payout - paid - fee
  }
  return { realized, cash }
}

it('[portfolio.corrections.reread] a result that the venue changes at the same time is corrected, once for each change', async () => {
  const userId = await newUser()
  const store = createImportStore(state)
  await take('venue_a', { fills: [FILL] }, userId)
  const report = async (result: string, revenue: number) => {
    const { result: _result, revenueCents: _revenue, ...row } = SETTLEMENT
    const sent = { ...row, market_result: result, revenue }
    const entry = await settlementEntry('venue_a', sent, () => Promise.resolve(null), NOW)
    const { inserted, duplicates } = await store.insertEntries(userId, [entry], NOW, false)
    return [inserted.length, duplicates.length]
  }
  const realizedOf = async () => (await entriesOf(userId)).map(({ realized }) => realized)
  expect(await report('yes', 1000)).toEqual([1, 0])
  expect(await realizedOf()).toEqual([null, 5_930_000])
  expect(await report('no', 0)).toEqual([1, 0])
  expect(await report('no', 0)).toEqual([0, 1])
  expect(await realizedOf()).toEqual([null, 5_930_000, -5_930_000, -4_070_000])
  const [bought, paid, reversal, changed] = await entriesOf(userId)
  expect([bought?.key, paid?.key]).toEqual(['a:fill:f1', 'a:settle:KXTEST-A:1794477600'])
  expect(reversal).toMatchObject({
    source: 'reconcile',
    eventType: 'settlement',
    cashDelta: -10_000_000,
    payload: { corrects: paid?.id, reversal: true },
  })
  expect(changed).toMatchObject({ source: 'reconcile', payload: { corrects: paid?.id } })
  // Back to the first result: the entry of the first one stays reversed.
  expect(await report('yes', 1000)).toEqual([1, 0])
  expect(await report('yes', 1000)).toEqual([0, 1])
  const entries = await entriesOf(userId)
  expect(entries.reduce((sum, { realized }) => sum + (realized ?? 0), 0)).toBe(5_930_000)
  expect(entries.reduce((sum, { cashDelta }) => sum + cashDelta, 0)).toBe(5_930_000)
  // A file does not change a result that the venue reported.
  const { errors } = await take(
    'venue_a',
    { settlements: [{ ...SETTLEMENT, revenueCents: 900 }] },
    userId,
  )
  expect(errors).toMatchObject([{ reason: 'key exists with other values' }])
  // A loss that was taken back is none.
  const account = { mode: 'live' as const, epoch: 0 }
  expect(await createLedgerStore(state).lastLossAt(userId, account)).toBeNull()
})
