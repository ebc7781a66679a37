import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LedgerEntry } from '../backend/domain/portfolio/ledger.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../backend/domain/units.ts'
import { createImportStore } from '../backend/features/portfolio/bookkeeping/import.store.ts'
import {
  createLedgerImports,
  IMPORT_FORMATS,
} from '../backend/features/portfolio/bookkeeping/import.service.ts'
import { createLedgerStore, ledgerRowOf } from '../backend/features/portfolio/ledger.store.ts'
import { openState, type State } from '../backend/state/open.ts'
import { enable, openAutopilot } from '../backend/testing/autopilot.ts'
import { NOON } from '../backend/testing/builders.ts'
import { addUser } from '../backend/testing/users.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns, median } from './rounds.ts'

const MARKETS = 2_000
const ENTRIES = 1_000_000
const PAGE = 50
const DEEP_PAGE = 1_000
const IMPORTED = 2_000
const ROUNDS = 9
const USER = 'usr_bench'

/** The autopilot, the ledger and its imports at size. */
export async function benchPortfolio(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-'))
  try {
    return [await tickRow(folder), await pageRow(folder), await importRow(folder)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A tick with a strategy in each of 2,000 markets, decided, gated and traded on paper. */
async function tickRow(folder: string): Promise<BenchRow> {
  const tickers = Array.from({ length: MARKETS }, (_, n) => `KXBENCH-${n}`)
  const autopilot = await openAutopilot(join(folder, 'ticks.sqlite'), NOON, { tickers })
  try {
    await enable(autopilot)
    const spans: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await autopilot.clock.advance(11_000)
      await autopilot.quote()
      const began = performance.now()
      const [status] = await autopilot.send('POST', '/api/portfolio/trigger', {})
      if (status !== 202) throw new Error(`the tick was answered with ${status}`)
      await autopilot.settled()
      spans.push(performance.now() - began)
    }
    return {
      name: `tick over ${MARKETS} markets`,
      ours: Math.round(median(spans)),
      baseline: null,
      unit: 'ms',
      ratio: null,
      goal: '≤ 2,000 ms',
      note: `median of ${ROUNDS}, the slowest ${Math.round(Math.max(...spans))} ms`,
    }
  } finally {
    await autopilot.close()
  }
}

/** Page 1,000 of a ledger with a million entries beside page 1. */
async function pageRow(folder: string): Promise<BenchRow> {
  const path = join(folder, 'ledger.sqlite')
  await (await userState(path)).destroy()
  fillLedger(path)
  const state = await openState(path)
  try {
    const ledger = createLedgerStore(state)
    const skipped = PAGE * (DEEP_PAGE - 1)
    const place = entryAt(ENTRIES - skipped)
    const filter = {
      since: null,
      until: null,
      events: null,
      venue: null,
      ticker: null,
      source: null,
      confidence: null,
      mode: null,
    }
    const timed = (after: { at: number; id: number } | null) => async () => {
      const began = performance.now()
      for (let n = 0; n < 20; n += 1) {
        const rows = await ledger.page(USER, filter, 'desc', after, PAGE + 1)
        if (rows.length !== PAGE + 1) throw new Error('the page is short')
      }
      return (performance.now() - began) / 20
    }
    const { occurredAt: at, seq: id } = place
    const measured = await inTurns(timed({ at, id }), timed(null), ROUNDS)
    return row(
      `ledger page ${DEEP_PAGE} of ${ENTRIES} entries, against page 1`,
      measured,
      '≤ 1.2 ×',
    )
  } finally {
    await state.destroy()
  }
}

/** Writes a million entries in one transaction. */
function fillLedger(path: string): void {
  const database = new DatabaseSync(path)
  const columns = Object.keys(ledgerRowOf(entryAt(0)))
  const places = columns.map(() => '?').join(', ')
  const insert = database.prepare(
    `INSERT INTO ledger_entry (${columns.join(', ')}) VALUES (${places})`,
  )
  database.exec('BEGIN')
  for (let n = 0; n < ENTRIES; n += 1) insert.run(...Object.values(ledgerRowOf(entryAt(n))))
  database.exec('COMMIT')
  database.close()
}

/** G11: an import of 2,000 fills, validated and each once, beside 2,000 bare inserts. */
async function importRow(folder: string): Promise<BenchRow> {
  const state = await userState(join(folder, 'imports.sqlite'))
  const bare = new DatabaseSync(join(folder, 'bare.sqlite'))
  try {
    bare.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    bare.exec(
      'CREATE TABLE entry (user_id TEXT, seq INTEGER, key TEXT, entry TEXT, PRIMARY KEY (user_id, seq))',
    )
    const imports = createLedgerImports({
      store: createImportStore(state),
      board: { markets: () => Promise.resolve(new Map()) },
      theses: {
        basis: (_userId, named) => Promise.resolve(named),
        namedSides: () => Promise.resolve([]),
      },
      ordersAt: () => Promise.resolve([]),
      clock: { now: () => NOON },
    })
    let users = 0
    const ours = async (): Promise<number> => {
      const userId = `usr_import_${(users += 1)}`
      await addUser(state, userId)
      const fills = Array.from({ length: IMPORTED }, (_, n) => fillAt(n))
      const began = performance.now()
      const { inserted } = await imports.importEntries(userId, IMPORT_FORMATS.venue_a, { fills })
      const span = performance.now() - began
      if (inserted.fills !== IMPORTED) throw new Error('rows are missing')
      const again = await imports.importEntries(userId, IMPORT_FORMATS.venue_a, { fills })
      if (again.duplicates.fills !== IMPORTED) throw new Error('rows were booked twice')
      return span
    }
    const insert = bare.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)')
    const baseline = (): Promise<number> => {
      const userId = randomUUID()
      const rows = Array.from({ length: IMPORTED }, (_, n) => {
        return [userId, n, `a:fill:${n}`, JSON.stringify(entryAt(n))] as const
      })
      const began = performance.now()
      bare.exec('BEGIN')
      for (const values of rows) insert.run(...values)
      bare.exec('COMMIT')
      return Promise.resolve(performance.now() - began)
    }
    const measured = await inTurns(ours, baseline, ROUNDS)
    return row(
      `G11: import of ${IMPORTED} fills, against bare inserts in one transaction`,
      measured,
      '≤ 4 × (stretch 2.5 ×)',
    )
  } finally {
    bare.close()
    await state.destroy()
  }
}

async function userState(path: string): Promise<State> {
  const state = await openState(path)
  await addUser(state, USER)
  return state
}

const row = (
  name: string,
  { ours, baseline, ratio, spread }: Awaited<ReturnType<typeof inTurns>>,
  goal: string,
): BenchRow => ({
  name,
  ours: Math.round(ours * 100) / 100,
  baseline: Math.round(baseline * 100) / 100,
  unit: 'ms',
  ratio,
  goal,
  note: `${ROUNDS} rounds, ratio spread ${(spread * 100).toFixed(0)} %`,
})

const fillAt = (n: number) => ({
  fill_id: `fill-${n}`,
  ticker: `KXBENCH-${n % 100}`,
  action: n % 3 === 2 ? 'sell' : 'buy',
  side: 'yes',
  count_fp: '10.00',
  yes_price_dollars: '0.4000',
  fee_cost: '0.1700',
  is_taker: true,
  created_time: new Date(NOON - (IMPORTED - n) * 60_000).toISOString(),
})

const entryAt = (n: number): LedgerEntry => ({
  id: `ple_${n}`,
  userId: USER,
  seq: n,
  eventType: 'fill',
  mode: 'live',
  epoch: 0,
  source: 'import_venue_a',
  occurredAt: (NOON - (ENTRIES - n) * 1_000) as Millis,
  recordedAt: NOON,
  venue: 'venue_a',
  ticker: `KXBENCH-${n % 100}`,
  marketTitle: 'Will the bench be done by noon?',
  category: 'technology',
  action: 'buy',
  direction: 'yes',
  size: 10_000_000 as SizeE6,
  price: 4_000 as PriceE4,
  cashDelta: -4_170_000 as MoneyE6,
  fee: 170_000 as MoneyE6,
  slippage: null,
  realized: null,
  result: null,
  orderId: `order-${n}`,
  liquidity: 'taker',
  tickId: null,
  intentId: null,
  confidence: 'unknown',
  key: `a:fill:${n}`,
  note: null,
  payload: {},
})
