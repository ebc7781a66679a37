import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUERY_VIEWS } from '../query-views.ts'
import { statementProblem } from './statement-check.ts'

const VIEWS = QUERY_VIEWS.map(({ name }) => name)

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

async function faultOf(sql: string): Promise<string | null> {
  const found = await connection.runAndReadAll('select json_serialize_sql($sql::varchar)', { sql })
  const parsed: unknown = JSON.parse(String(found.getRows()[0]?.[0]))
  return statementProblem(parsed, VIEWS)?.message ?? null
}

/** Tables of the catalogue and of the history itself. */
const HIDDEN = [
  'sqlite_master',
  'sqlite_schema',
  'duckdb_tables',
  'duckdb_columns',
  'duckdb_settings',
  'duckdb_logs',
  'pragma_database_list',
  'pg_class',
  'tables',
  'market',
  'trade_recent',
  'market_version',
]
const SCHEMAS = ['main', 'temp', 'stored', 'information_schema', 'pg_catalog', 'system.main']
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `"${name}"`,
]

/** Statements that read `table` where a common table expression of that name is not in scope. */
const outOfScope = (table: string): string[] => [
  `select * from (with ${table} as (select 1) select * from ${table}) a, ${table}`,
  `with ${table} as (select * from ${table}) select * from ${table}`,
  `with a as (select * from ${table}), ${table} as (select 1 b) select * from a`,
  `select (with ${table} as (select 1) select count(*) from ${table}), (select count(*) from ${table})`,
  `(with ${table} as (select 1) select * from ${table}) union all select * from ${table}`,
  `select 1 where exists (with ${table} as (select 1) from ${table}) and exists (from ${table})`,
  `with a as (with ${table} as (select 1) select * from ${table}) select * from a, ${table}`,
  `select * from ${table} where 1 in (with ${table} as (select 1) select * from ${table})`,
  `with a as (select 1) select * from a, lateral (select * from ${table}) b`,
  `select * from trades join (with ${table} as (select 1) from ${table}) a on true join ${table} b on true`,
  `with recursive a as (select 1 union all select count(*) from ${table}) select * from a`,
  `select * from (summarize ${table})`,
  `describe ${table}`,
]
/** Statements that read a table of a schema, with an expression of the same name in scope. */
const qualified = (schema: string, table: string): string[] => [
  `with ${table} as (select 1) select * from ${schema}.${table}`,
  `with recursive ${table} as (select 1 union all select 1 from ${schema}.${table}) select * from ${table}`,
  `with ${table} as (select 1) select (select count(*) from ${schema}.${table})`,
]

describe('names of common table expressions', () => {
  const attempts = HIDDEN.flatMap((name) => [
    ...SPELLINGS.flatMap((spelled) => outOfScope(spelled(name))),
    ...SCHEMAS.flatMap((schema) => qualified(schema, name)),
  ])

  // [sql.statement.refused]
  it(`hide no table where they are out of scope (${attempts.length} attempts)`, async () => {
    const accepted: string[] = []
    for (const sql of attempts) if ((await faultOf(sql)) === null) accepted.push(sql)
    expect(accepted).toEqual([])
    expect(attempts.length).toBeGreaterThan(600)
  })

  // [sql.statement.select]
  it.each([
    'with market as (select 1 a), b as (select * from market) select * from b, market',
    'with recursive pg_class as (select 1 a union all select a + 1 from pg_class where a < 3) from pg_class',
    'with a as (select 1) select * from (select * from a) b where exists (from a)',
    'with a as (select 1) (select * from a) union all (select * from a)',
    'with trades as (select * from trades where price > 50) select count(*) from trades',
    'select (with a as (select 1 b) select b from a)',
    'with a as (with b as (select 1) select * from b) from a',
    'with recursive a as (select 1 b union all (with c as (select b + 1 d from a where b < 3) select d from c)) from a',
  ])('are resolved in scope: %s', async (sql) => {
    expect(await faultOf(sql)).toBeNull()
  })
})
