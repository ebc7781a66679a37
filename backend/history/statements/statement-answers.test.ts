import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { scaled } from '../../../scripts/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tradeColumns } from '../../testing/history-rows.ts'
import {
  openStatementHistory,
  STATEMENTS_T0,
  type StatementHistory,
} from '../../testing/statement-history.ts'

let folder = ''
let opened: StatementHistory
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-answers-'))
  opened = await openStatementHistory(folder)
})
afterAll(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

async function rowsOf(sql: string): Promise<string[]> {
  const outcome = await opened.history.query(sql, {
    maxRows: 100_000,
    maxLength: 32_000_000,
    signal: new AbortController().signal,
  })
  if (outcome.kind !== 'answered') throw new Error(`${sql}: ${JSON.stringify(outcome)}`)
  return [...outcome.answer.rows]
}

const LATER = STATEMENTS_T0 + 3_600_000
const WRITTEN = [
  `select * from trades where ticker = 'KX''S "0"'`,
  `select ticker, count(*), max(price), min(known_at) from trades group by ticker`,
  'select count(*) from quotes',
  `select * from trades order by ts desc, trade_id limit 7 offset 3`,
  `select ticker, price * 2 as p from trades where price = 4.7 order by ts desc, ticker limit 5`,
  `select * from quotes order by bid nulls first, ts, ticker limit 30`,
  `select * from quotes order by bid desc nulls last, ts, ticker limit 30`,
  `select * from trades where ts >= timestamp '2026-11-20 13:00:00' and not is_block and taker is not null`,
  `select * from trades where ts_ms between ${STATEMENTS_T0} and ${LATER} and ticker in ('KX-1', 'KX-3')`,
  `select t.trade_id, q.bid from trades t asof join quotes q on t.ticker = q.ticker and t.ts >= q.ts where q.ask < 41.5`,
  `select a.ts from trades a join trades b using (ts_ms) where a.ticker = 'KX-1' and b.ticker = 'KX-2'`,
  `select * from trades where ticker = 'KX-1' union all select * from trades where price > 90`,
  `(select trade_id from trades where ticker = 'KX-1' order by ts limit 3) union all (select trade_id from trades where ticker = 'KX-2' order by ts desc limit 3)`,
  `with a as (select * from trades), b as (select * from a where price > 50) select * from b union all select * from a where ticker = 'KX-4'`,
  `with a as materialized (select * from trades) select max(price) from a where price < 50`,
  `select ticker, price from trades qualify row_number() over (partition by ticker order by ts desc) = 1`,
  `select m.title, (select max(price) from trades t where t.ticker = m.ticker) from markets m`,
  `select ticker from markets where exists (select 1 from quotes q where q.ticker = markets.ticker and bid > 43)`,
  `pivot trades on taker in ('yes', 'no') using sum(size) group by ticker`,
  `select * from trades where false`,
  `select count(*) from trades where price < 'infinity'::double`,
  `select * from trades where price > 97 or ticker like 'KX-4%'`,
  `select time_bucket(interval 1 hour, ts) as h, arg_max(price, ts) from trades group by h`,
  `select list(price order by ts, ticker) from trades where ts_ms < ${LATER}`,
  `select ticker, ts_ms from trades where ts_ms > 9007199254740993`,
  `select sum(x.size) from (select * from trades where ticker = 'KX-2' limit 10) x`,
  'summarize quotes',
  'describe trades',
]

describe('answers of a statement', () => {
  // [sql.statement.select]
  it.each(WRITTEN)('equal those of the views: %s', async (sql) => {
    const [answered, expected] = [await rowsOf(sql), await opened.direct(sql)]
    expect(answered.toSorted()).toEqual(expected.toSorted())
    if (/order by .* limit \d+(?: offset \d+)?$/.test(sql)) expect(answered).toEqual(expected)
  })

  const comparison = fc.constantFrom('=', '<', '<=', '>', '>=', '<>')
  const condition = fc.oneof(
    fc.tuple(comparison, fc.integer({ min: 1, max: 98 })).map(([op, n]) => `price ${op} ${n / 2}`),
    fc
      .tuple(comparison, fc.integer({ max: 400 }))
      .map(([op, n]) => `ts_ms ${op} ${STATEMENTS_T0 + n * 17_000}`),
    fc.tuple(comparison, fc.integer({ max: 6 })).map(([op, n]) => `ticker ${op} 'KX-${n}'`),
    fc.integer({ max: 8 }).map((n) => `size in (${n}, 2, 3.5)`),
    fc.constantFrom('taker is null', `taker = 'yes'`, 'is_block', 'not is_block', `ts > known_at`),
    fc.integer({ min: 1, max: 99 }).map((n) => `price * size > ${n}`),
  )
  const where = fc
    .array(fc.tuple(condition, fc.constantFrom('and', 'or')), { maxLength: 4 })
    .map((all) => all.map(([one, by], index) => (index === 0 ? one : `${by} ${one}`)).join(' '))
    .map((text) => (text === '' ? 'true' : text))
  const statement = fc
    .tuple(
      where,
      where,
      fc.constantFrom('ts', 'price', 'ticker', 'taker'),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ max: 5, min: 0 }),
    )
    .chain(([one, two, column, direction, limit, offset]) =>
      fc.constantFrom(
        `select * from trades where ${one} order by ${column} ${direction}, trade_id limit ${limit} offset ${offset}`,
        `select ticker, sum(size), count(taker) from trades where ${one} group by ticker`,
        `select trade_id, price from trades where ${one} union all select trade_id, size from trades where ${two}`,
        `with a as (select * from trades where ${one}) select count(*), max(price) from a where ${two}`,
        `select a.trade_id from trades a left join (select * from trades where ${one}) b on a.ts_ms = b.ts_ms + 1 where a.price > 90`,
        `select count(*) from (select * from trades where ${one} order by ${column} ${direction}, trade_id limit ${limit}) x where ${two}`,
      ),
    )

  // [sql.statement.select]
  it('equal those of the views for any comparison, order and join', async () => {
    await fc.assert(
      fc.asyncProperty(statement, async (sql) => {
        const [answered, expected] = [await rowsOf(sql), await opened.direct(sql)]
        expect(answered.toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: scaled(50), endOnFailure: true },
    )
  })

  // [sql.statement.select]
  it('contain a row that was stored just before', async () => {
    const market = opened.history.marketIdOf('KX-1')?.market ?? -1
    for (let n = 0; n < 20; n++) {
      const tradeId = `fresh-${n}`
      const ts = STATEMENTS_T0 + 50_000_000 + n
      await opened.history.append({
        trades: tradeColumns([{ market, ts, tradeId, price: 4_000 }]),
      })
      expect(await rowsOf(`select 1 from trades where trade_id = '${tradeId}'`)).toEqual(['[1]'])
    }
  })
})
