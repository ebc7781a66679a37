import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUERY_VIEWS } from '../query-views.ts'
import { scansOfPlan } from './scan-plan.ts'
import { scanSql } from './scan-sql.ts'
import { openStatementEngine, type StatementEngine } from './statement-engine.ts'
import { STATEMENT_LIMITS } from './statement-host.ts'
import type { ViewScan } from './view-scan.ts'

let folder = ''
let engine: StatementEngine
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-plans-'))
  engine = await openStatementEngine(folder, STATEMENT_LIMITS)
})
afterAll(() => {
  engine.close()
  rmSync(folder, { recursive: true, force: true })
})

async function scansOf(sql: string): Promise<ViewScan[] | null> {
  const found = await engine.connection.runAndReadAll(
    'select json_serialize_plan($sql::varchar, optimize := true, skip_null := true, skip_empty := true)',
    { sql },
  )
  return scansOfPlan(JSON.parse(String(found.getRows()[0]?.[0])), 10)
}

async function readsOf(sql: string): Promise<string[]> {
  const scans = (await scansOf(sql)) ?? []
  return scans.map((scan) => {
    const view = QUERY_VIEWS.find(({ name }) => name === scan.view)
    if (view === undefined) throw new Error(scan.view)
    return scanSql(scan, view)
  })
}

describe('scans of a statement', () => {
  // [sql.statement.select]
  it.each([
    ['select 1', []],
    ['describe trades', []],
    ['select count(*) from quotes', ['select true as any_row from main.quotes']],
    [
      `select max(price) from trades where ticker = 'it''s' and ts_ms >= 5`,
      [
        `select "ticker", "ts_ms", "price" from main.trades where ("ticker" = 'it''s' and "ts_ms" >= 5::bigint)`,
      ],
    ],
    [
      `select ticker from trades where ts > timestamp '2026-11-20'`,
      [
        'select "ticker", "ts" from main.trades where ("ts" > make_timestamp(1795132800000000::bigint)) limit 11',
      ],
    ],
    ['select ticker from trades limit 3 offset 2', ['select "ticker" from main.trades limit 5']],
    [
      'select price, ticker from trades order by size desc, ts limit 4',
      [
        'select "ticker", "ts", "price", "size" from main.trades order by "size" desc nulls last, "ts" asc nulls last limit 4',
      ],
    ],
    // The order is not one of columns.
    [
      'select price from trades order by price * size limit 4',
      ['select "price", "size" from main.trades'],
    ],
    // A condition that is not pushed down may drop the first rows.
    [
      'select price from trades where price * size > 3',
      ['select "price", "size" from main.trades'],
    ],
    [
      `select price from trades where ticker = 'a' union all select size from trades where ticker = 'b'`,
      [
        `select "ticker", "price", "size" from main.trades where ("ticker" = 'a') or ("ticker" = 'b')`,
      ],
    ],
    [
      'select a.price from trades a, (select price from trades limit 3) b',
      ['select "price" from main.trades'],
    ],
  ])('%s', async (sql, reads) => {
    const found = await readsOf(sql)
    expect(found.map((one) => one.replace(/^select (.+?) from/, columnsSorted))).toEqual(
      reads.map((one) => one.replace(/^select (.+?) from/, columnsSorted)),
    )
  })

  it('are unknown for a plan that the engine cannot print', () => {
    expect(scansOfPlan({ error: true, error_type: 'internal' }, 10)).toBeNull()
    expect(scansOfPlan(null, 10)).toBeNull()
  })
})

const columnsSorted = (_: string, columns: string): string =>
  `select ${columns.split(', ').toSorted().join(', ')} from`

describe('a read that another process requests', () => {
  const trades = QUERY_VIEWS.find(({ name }) => name === 'trades')
  // [sql.statement.refused]
  it.each<Partial<ViewScan>>([
    { columns: ['price" from secret --'] },
    { anyOf: [[{ column: 'price', operator: '= 1 or true --' as '=', value: 1 }]] },
    { anyOf: [[{ column: 'price', operator: '=', value: '1 or true' }]] },
    { anyOf: [[{ column: 'ts_ms', operator: '=', value: 1.5 }]] },
    { anyOf: [[{ column: 'ts_ms', operator: 'in', values: ['1)'] }]] },
    { anyOf: [[{ column: 'nosuch', operator: '=', value: 1 }]] },
    { first: { count: 0.5, order: [] } },
    { first: { count: 5, order: [{ column: 'x', isDescending: true, areNullsFirst: true }] } },
  ])('is refused unless it fits the view: %j', (bad) => {
    const scan: ViewScan = { view: 'trades', columns: ['price'], anyOf: [], first: null, ...bad }
    expect(() => trades && scanSql(scan, trades)).toThrow(TypeError)
  })
})
