import { expect, it } from 'vitest'
import type { MarketView } from '../../../computed/board/market-board.ts'
import { centsThatAddUp, type AttributionKey } from '../../../domain/portfolio/attribution.ts'
import { reversalOf } from '../../../domain/portfolio/correction.ts'
import type { LedgerEntry } from '../../../domain/portfolio/ledger.ts'
import { DAY, HOUR, type Cents, type Millis } from '../../../domain/units.ts'
import fc, { scaled } from '../../../../scripts/properties.ts'
import { marketView } from '../../../testing/builders.ts'
import { createAttributionService } from './attribution.service.ts'

const FROM = Date.parse('2026-11-01T00:00:00Z')
/** Sixth day, in the afternoon. */
const NOW = (FROM + 5 * DAY + 15 * HOUR) as Millis
const TICKERS = ['KXA', 'KXB']

/** One drawn entry: whole contracts, whole cents, and a fee that divides by the contracts. */
interface Drawn {
  readonly at: number
  readonly ticker: string
  readonly mode: 'live' | 'paper'
  readonly isYes: boolean
  readonly sells: boolean
  readonly contracts: number
  readonly cents: number
  readonly unitFee: number
  readonly thesis: string | null
  /** Payout of YES in cents for a settlement; null for a fill, "void" for a void. */
  readonly settles: number | 'void' | null
  /** Position, from 0 to 1, of the earlier row of its market that it reverses; null for an entry. */
  readonly reverses: number | null
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  at: fc.integer({ min: FROM - 3 * DAY, max: NOW }),
  ticker: fc.constantFrom(...TICKERS),
  mode: fc.constantFrom('live', 'paper'),
  isYes: fc.boolean(),
  sells: fc.boolean(),
  contracts: fc.integer({ min: 1, max: 12 }),
  cents: fc.integer({ min: 1, max: 99 }),
  unitFee: fc.integer({ min: 0, max: 9_999 }),
  thesis: fc.constantFrom('th-1', 'th-2', null),
  settles: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(0, 37, 100, 'void' as const) },
  ),
  reverses: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 0.999, noNaN: true }) },
  ),
})
const histories = fc
  .array(drawn, { minLength: 1, maxLength: 30 })
  .map((rows) => rows.toSorted((a, b) => a.at - b.at))

/** The number of the row that each reversal takes back; rows that find none are entries. */
function reversedRows(rows: readonly Drawn[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const [n, { reverses, mode, ticker }] of rows.entries()) {
    if (reverses === null) continue
    const gone = new Set(found.values())
    const current = rows
      .keys()
      .filter((k) => k < n && !found.has(k) && !gone.has(k))
      .filter((k) => rows[k]?.mode === mode && rows[k].ticker === ticker)
      .toArray()
    const target = current[Math.floor(reverses * current.length)]
    if (target !== undefined) found.set(n, target)
  }
  return found
}
const entriesOf = (rows: readonly Drawn[]): LedgerEntry[] => {
  const reversed = reversedRows(rows)
  const entries: LedgerEntry[] = []
  for (const [n, drawnRow] of rows.entries()) {
    const corrected = entries[reversed.get(n) ?? -1]
    const entry = entryOf(drawnRow, n)
    if (corrected === undefined) entries.push(entry)
    else {
      const reversalFields = { id: entry.id, occurredAt: entry.occurredAt, note: 'changed' }
      const { userId, seq, recordedAt } = entry
      entries.push({ ...reversalOf(corrected, reversalFields), userId, seq, recordedAt })
    }
  }
  return entries
}

const dollars = (cents: number): number => cents * 10_000
const confidenceOf = ({ thesis }: Drawn) => (thesis === null ? 'unknown' : 'exact')

const entryOf = (row: Drawn, n: number): LedgerEntry => {
  const side = row.isYes ? 'yes' : 'no'
  const settles = row.settles
  const fee = row.unitFee * row.contracts
  const paid = dollars(row.cents) * row.contracts
  return {
    id: `ple_${n}`,
    userId: 'usr_1',
    seq: n + 1,
    eventType: settles === null ? 'fill' : 'settlement',
    mode: row.mode,
    epoch: 0,
    source: row.mode === 'live' ? 'import_venue_a' : 'intent',
    occurredAt: row.at,
    recordedAt: row.at,
    venue: 'venue_a',
    ticker: row.ticker,
    marketTitle: `Market ${row.ticker}`,
    category: 'other',
    action: settles !== null ? null : row.sells ? 'sell' : 'buy',
    direction: settles === null ? side : 'yes',
    size: row.contracts * 1e6,
    price: settles === 'void' ? null : (settles ?? row.cents) * 100,
    cashDelta: settles === null ? (row.sells ? paid - fee : -paid - fee) : 70_007,
    fee: settles === null ? fee : 0,
    slippage: row.contracts * 3,
    realized: null,
    result: settles === 'void' ? 'void' : null,
    orderId: null,
    liquidity: null,
    tickId: null,
    intentId: null,
    ...(row.thesis !== null && { thesisId: row.thesis }),
    confidence: confidenceOf(row),
    key: `k${n}`,
    note: null,
    payload: {},
  } as LedgerEntry
}

/** Best prices of a market at an instant, in cents. */
const quoteAt = (ticker: string, at: number): { bid: number; ask: number } => {
  const bid = 1 + ((Math.floor(at / 1000) * 31 + ticker.charCodeAt(2) * 17) % 97)
  return { bid, ask: bid + 1 }
}
const viewAt = (ticker: string, at: number): MarketView => {
  const { bid, ask } = quoteAt(ticker, at)
  return marketView({ bestBid: bid as Cents, bestAsk: ask as Cents, quotedAt: at as Millis })
}

const readsOf = (entries: readonly LedgerEntry[]) =>
  createAttributionService({
    portfolios: { read: () => Promise.resolve({ paperEpoch: 0 } as never) },
    ledger: {
      trades: (_userId, { mode }) => Promise.resolve(entries.filter((one) => one.mode === mode)),
      page: () => Promise.resolve([]),
    },
    board: {
      live: () => ({ get: (ticker: string) => viewAt(ticker, NOW) }) as never,
      market: (ticker) => Promise.resolve(viewAt(ticker, NOW)),
      markets: (tickers, at) =>
        Promise.resolve(new Map(tickers.map((one) => [one, viewAt(one, at ?? NOW)]))),
    },
    titles: () => Promise.resolve(new Map([['th-1', 'First thesis']])),
    clock: { now: () => NOW },
  })

const ALL = {
  from: FROM as Millis,
  to: null,
  groupBy: null,
  eventType: null,
  venue: null,
  marketId: null,
  source: null,
  thesisId: null,
  confidence: null,
  mode: null,
}

interface OracleSum {
  readonly realized: bigint
  readonly unrealized: bigint
  readonly openFees: bigint
}
const NO_SUM: OracleSum = { realized: 0n, unrealized: 0n, openFees: 0n }

/**
 * An independent computation with one record for each contract and integers of any size: the n-th
 * contract of a side always meets the oldest of the other side. Returns realised profit, change
 * of unrealised profit and change of the fees of open contracts in 1e-6 dollars by day and thesis.
 */
function oracle(rows: readonly Drawn[]): Map<string, OracleSum> {
  const sums = new Map<string, OracleSum>()
  const add = (at: number, thesis: string | null, field: keyof OracleSum, by: bigint) => {
    if (at < FROM) return
    const key = `${Math.floor(at / DAY)} ${thesis ?? 'unknown'}`
    const sum = sums.get(key) ?? NO_SUM
    sums.set(key, { ...sum, [field]: sum[field] + by })
  }
  interface Contract {
    readonly isYes: boolean
    readonly paid: bigint
    readonly fee: bigint
    readonly thesis: string | null
  }
  const instants = Array.from({ length: 6 }, (_, day) => FROM + day * DAY)
  const queues = new Map<string, Contract[]>()
  const valueAt = (at: number, sign: bigint, day: number): void => {
    for (const [name, contracts] of queues) {
      const { bid, ask } = quoteAt(name.split(' ')[1] ?? '', at)
      for (const { isYes, paid, thesis } of contracts) {
        const worth = BigInt(dollars(isYes ? bid : 100 - ask))
        add(day, thesis, 'unrealized', sign * (worth - paid))
      }
    }
  }
  const reversed = reversedRows(rows)
  let passed = 0
  const passUntil = (at: number): void => {
    for (; (instants[passed] ?? Infinity) <= at; passed += 1) {
      const instant = instants[passed] ?? 0
      valueAt(instant, 1n, instant - DAY)
      valueAt(instant, -1n, instant)
    }
  }
  interface Change {
    readonly at: number
    readonly thesis: string | null
    readonly field: keyof OracleSum
    readonly by: bigint
  }
  const apply = (row: Drawn, queue: Contract[]): Change[] => {
    const changes: Change[] = []
    const change = (thesis: string | null, field: keyof OracleSum, by: bigint): void => {
      changes.push({ at: row.at, thesis, field, by })
    }
    if (row.settles !== null) {
      for (const { isYes, paid, fee, thesis } of queue.splice(0)) {
        const payout =
          row.settles === 'void' ? paid : BigInt(dollars(isYes ? row.settles : 100 - row.settles))
        change(thesis, 'realized', payout - paid - fee)
        change(thesis, 'openFees', -fee)
      }
      return changes
    }
    const isYes = row.isYes !== row.sells
    const paid = BigInt(dollars(row.sells ? 100 - row.cents : row.cents))
    const fee = BigInt(row.unitFee)
    for (let n = 0; n < row.contracts; n += 1) {
      const [oldest] = queue
      if (oldest === undefined || oldest.isYes === isYes) {
        queue.push({ isYes, paid, fee, thesis: row.thesis })
        change(row.thesis, 'openFees', fee)
        continue
      }
      queue.shift()
      change(oldest.thesis, 'realized', 1_000_000n - paid - oldest.paid - fee - oldest.fee)
      change(oldest.thesis, 'openFees', -oldest.fee)
    }
    return changes
  }
  /** The rows of each account and market that count. */
  const current = new Map<string, number[]>()
  for (const [n, row] of rows.entries()) {
    passUntil(row.at)
    const name = `${row.mode} ${row.ticker}`
    const own = current.get(name) ?? []
    const target = reversed.get(n)
    if (target === undefined) {
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      for (const { thesis, field, by } of apply(row, queue)) add(row.at, thesis, field, by)
      current.set(name, [...own, n])
      continue
    }
    // What the market gained so far is taken back, and what it gained without the row added.
    const without = own.filter((one) => one !== target)
    for (const [kept, sign] of [
      [own, -1n],
      [without, 1n],
    ] as const) {
      const queue: Contract[] = []
      for (const k of kept) {
        const again = rows[k]
        if (again === undefined) continue
        for (const { thesis, field, by } of apply(again, queue))
          add(row.at, thesis, field, sign * by)
      }
      queues.set(name, queue)
    }
    current.set(name, without)
  }
  passUntil(NOW)
  valueAt(NOW, 1n, NOW)
  return sums
}

const roundedCents = (micros: bigint): number => {
  const half = micros < 0n ? -5_000n : 5_000n
  return Number((micros + half) / 10_000n)
}

it('[portfolio.attribution.exact] equals a computation contract by contract, and adds up', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (rows) => {
      const entries = entriesOf(rows)
      const reversed = reversedRows(rows)
      const reads = readsOf(entries)
      const daily = await reads.daily('usr_1', { ...ALL, groupBy: ['thesis'] })
      const expected = oracle(rows)
      const seen = new Set<string>()
      for (const row of daily.rows) {
        const day = Date.parse(row.date ?? '') / DAY
        const key = `${day} ${row.keys.thesisId ?? 'unknown'}`
        expect(seen.has(key)).toBe(false)
        seen.add(key)
        const { realized, unrealized, openFees } = expected.get(key) ?? NO_SUM
        // A row is its exact figure rounded up or down, so that the rows add up to the total.
        expect(Math.abs(row.realizedPnlCents - Number(realized) / 1e4)).toBeLessThan(1)
        expect(Math.abs(row.unrealizedPnlDeltaCents - Number(unrealized) / 1e4)).toBeLessThan(1)
        expect(Math.abs(row.openFeeDeltaCents - Number(openFees) / 1e4)).toBeLessThan(1)
        expect(row.pnlCents).toBe(row.realizedPnlCents + row.unrealizedPnlDeltaCents)
      }
      for (const [key, { realized, unrealized }] of expected) {
        if (realized !== 0n || unrealized !== 0n) expect(seen).toContain(key)
      }
      let [realized, unrealized, openFees] = [0n, 0n, 0n]
      for (const each of expected.values()) {
        realized += each.realized
        unrealized += each.unrealized
        openFees += each.openFees
      }
      const inPeriod = entries.filter(({ occurredAt }) => occurredAt >= FROM)
      const sumOf = (of: (entry: LedgerEntry) => number): bigint =>
        inPeriod.reduce((sum, entry) => sum + BigInt(of(entry)), 0n)
      const totals = {
        realizedPnlCents: roundedCents(realized),
        unrealizedPnlDeltaCents: roundedCents(unrealized),
        openFeeDeltaCents: roundedCents(openFees),
        cashDeltaCents: roundedCents(sumOf(({ cashDelta }) => cashDelta)),
        feeCents: roundedCents(sumOf(({ fee }) => fee)),
        slippageCents: roundedCents(sumOf(({ slippage }) => slippage ?? 0)),
        entries: inPeriod.length,
        fills: rows.filter((one, n) => one.at >= FROM && one.settles === null && !reversed.has(n))
          .length,
      }
      for (const groupBy of GROUPINGS) {
        const grouped = await reads.groupEntries('usr_1', { ...ALL, groupBy })
        for (const answer of [grouped, daily]) {
          expect(answer.totals).toMatchObject(totals)
          for (const [name, total] of Object.entries(answer.totals)) {
            const sum = answer.rows.reduce(
              (before, row) => before + Number(Reflect.get(row, name)),
              0,
            )
            expect(sum, name).toBeCloseTo(total, 6)
          }
          const unknown = answer.rows.filter(({ keys }) => keys.confidence === 'unknown')
          const pnl = unknown.reduce((sum, { pnlCents }) => sum + pnlCents, 0)
          expect(answer.unknown.pnlCents).toBe(pnl)
        }
        expect(grouped.unknown.positionDelta).toBe(daily.unknown.positionDelta)
      }
    }),
    { numRuns: scaled(150) },
  )
})

const GROUPINGS: readonly (readonly (AttributionKey | 'day')[] | null)[] = [
  null,
  ['source'],
  ['market', 'thesis', 'confidence'],
  ['day', 'venue'],
]

const row = (changes: Partial<Drawn>): Drawn => ({
  at: FROM + HOUR,
  ticker: 'KXA',
  mode: 'paper',
  isYes: true,
  sells: false,
  contracts: 10,
  cents: 40,
  unitFee: 0,
  thesis: 'th-1',
  settles: null,
  reverses: null,
  ...changes,
})

it('[portfolio.attribution.exact] gives a closing fill the attribution of the lots it closes', async () => {
  const sale = row({ at: FROM + 3 * HOUR, sells: true, contracts: 25, cents: 50, thesis: 'th-2' })
  const rows = [row({}), row({ at: FROM + 2 * HOUR, cents: 45, thesis: null }), sale]
  const reads = readsOf(rows.map(entryOf))
  const { rows: served } = await reads.groupEntries('usr_1', { ...ALL, groupBy: ['thesis'] })
  expect(served.map(({ keys, realizedPnlCents }) => [keys, realizedPnlCents])).toEqual([
    [{ thesisId: 'th-1' }, 100],
    [{ thesisId: null, confidence: 'unknown' }, 50],
    [{ thesisId: 'th-2' }, 0],
  ])
  // The sale counts once, with the first lot that it closes; its rest opens five NO contracts.
  expect(served.map(({ fills, positionDelta }) => [fills, positionDelta])).toEqual([
    [2, 0],
    [1, 0],
    [0, -5],
  ])
  expect(served.map(({ label }) => label)).toEqual(['First thesis', null, null])
})

it('limits rows to the filter', async () => {
  const reads = readsOf([row({}), row({ ticker: 'KXB', mode: 'live', thesis: null })].map(entryOf))
  const cash = async (filter: object): Promise<number> =>
    (await reads.groupEntries('usr_1', { ...ALL, ...filter })).totals.cashDeltaCents
  expect(await cash({})).toBe(-800)
  expect(await cash({ marketId: 'kxa' })).toBe(-400)
  expect(await cash({ mode: 'live' })).toBe(-400)
  expect(await cash({ venue: 'venue_b' })).toBe(0)
  expect(await cash({ thesisId: 'none' })).toBe(-400)
  expect(await cash({ confidence: 'exact', thesisId: 'none' })).toBe(0)
  expect(await cash({ source: 'intent' })).toBe(-400)
  const fills = await reads.groupEntries('usr_1', { ...ALL, eventType: ['settlement'] })
  expect(fills).toMatchObject({ rows: [], totals: { pnlCents: 0 } })
})

it('refuses a period that is reversed or too long', async () => {
  const reads = readsOf([])
  const day = (text: string) => Date.parse(text) as Millis
  const ask = (from: string, to: string) =>
    reads.daily('usr_1', { ...ALL, from: day(from), to: day(to) })
  await expect(ask('2026-11-02', '2026-11-01')).rejects.toThrow('from must not be after to')
  await expect(ask('2024-10-30', '2026-10-31')).rejects.toThrow('at most 731 days')
  expect(await ask('2024-10-31', '2026-10-31')).toMatchObject({ rows: [], from: '2024-10-31' })
  expect(await reads.daily('usr_1', { ...ALL, from: null })).toMatchObject({
    from: '2026-10-08',
    to: '2026-11-06',
  })
})

it('rounds amounts so that they add up to the rounded total', () => {
  expect(centsThatAddUp([5_000, 5_000, -2_500])).toEqual([1, 0, 0])
  expect(centsThatAddUp([-5_000, -5_000])).toEqual([0, -1])
  expect(centsThatAddUp([20_000, 14_999])).toEqual([2, 1])
  expect(centsThatAddUp([])).toEqual([])
})
