import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { quoteColumns, tradeColumns } from '../../../testing/history-rows.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { QueryOutcome } from '../../history-queries.ts'
import { QUERY_VIEWS } from '../../query-views.ts'
import { openHistory, type OpenHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z') as Millis
const TS = '2026-11-20T12:00:00.000Z'

let history: OpenHistory
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-statements-'))
  const path = join(folder, 'history.duckdb')
  history = await openHistory({ path, memoryLimitMb: 128, logger: silentLogger })
  const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KXFED-1' }])
  const facts = (knownAt: number, title: string) => ({
    market,
    knownAt: knownAt as Millis,
    facts: marketFacts({ ticker: 'KXFED-1', title }),
  })
  await history.append({
    facts: [facts(T0 - 2_000, 'Once'), facts(T0 - 1_000, 'Now')],
    trades: tradeColumns([
      { market, ts: T0, tradeId: 'stands', price: 4_050, size: 2_500_000, taker: 1 },
      { market, ts: T0, tradeId: 'busted', price: 9_900, taker: 2 },
      { market, ts: T0, tradeId: 'mended', price: 9_900, taker: 0 },
    ]),
    quotes: quoteColumns([{ market, ts: T0, bid: 4_000, ask: 4_100 }]),
    corrections: [
      { market, tradeId: 'busted', knownAt: (T0 + 1) as Millis, corrected: null },
      {
        market,
        tradeId: 'mended',
        knownAt: (T0 + 1) as Millis,
        corrected: {
          ts: T0,
          price: 4_060 as PriceE4,
          size: 1_000_000 as SizeE6,
          takerSide: 'no',
          isBlock: false,
        },
      },
    ],
  })
})
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (sql: string, more: { maxRows?: number; maxLength?: number } = {}) =>
  history.query(sql, {
    maxRows: 1_000,
    maxLength: 1_000_000,
    signal: new AbortController().signal,
    ...more,
  })
const rowsOf = (outcome: QueryOutcome): unknown[] => {
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
  return outcome.answer.rows.map((row) => JSON.parse(row) as unknown)
}

describe('the views', () => {
  // [sql.views.documented]
  it.each(QUERY_VIEWS.map(({ name, columns }) => [name, columns] as const))(
    '%s has the documented columns',
    async (name, columns) => {
      const rows = rowsOf(await ask(`describe ${name}`)) as string[][]
      expect(rows.map(([column, type]) => [column, type])).toEqual(
        columns.map((column) => [column.name, column.type]),
      )
    },
  )

  // [sql.views.documented]
  it('are in the documentation, each with every column', () => {
    const page = readFileSync(new URL('../../../../docs/sql.md', import.meta.url), 'utf8')
    const missing = QUERY_VIEWS.flatMap(({ name, columns }) => {
      const section = page.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? ''
      return columns
        .filter(
          (column) => !section.includes(`\`${column.name}\``) || !section.includes(column.note),
        )
        .map((column) => `${name}.${column.name}`)
    })
    expect(missing).toEqual([])
  })

  // [sql.views.units]
  it('return cents, contracts and instants, and trades as the venue last stated them', async () => {
    const trades = await ask(
      'select ticker, venue, ts, ts_ms, trade_id, price, size, taker from trades order by trade_id desc',
    )
    expect(rowsOf(trades)).toEqual([
      ['KXFED-1', 'venue_a', TS, T0, 'stands', 40.5, 2.5, 'yes'],
      ['KXFED-1', 'venue_a', TS, T0, 'mended', 40.6, 1, 'no'],
    ])
    expect(rowsOf(await ask('select bid, ask, ts from quotes'))).toEqual([[40, 41, TS]])
    expect(rowsOf(await ask('select title from markets'))).toEqual([['Now']])
    expect(rowsOf(await ask('select title from market_versions order by known_at'))).toEqual([
      ['Once'],
      ['Now'],
    ])
  })
})

describe('a statement', () => {
  // [sql.statement.select]
  it.each([
    ['with dear as (select * from trades where price > 40.5) select count(*) from dear', [[1]]],
    ['select t.trade_id from trades t asof join quotes q on t.ts >= q.ts where q.ask < 41.5', 2],
    ['from trades select max(price)', [[40.6]]],
    ['select x from range(3) r(x)', [[0], [1], [2]]],
    ['select unnest([1, 2])', [[1], [2]]],
    [
      'with recursive n as (select 1 i union all select i + 1 from n where i < 3) select i from n',
      3,
    ],
    ['select sum(size) over (order by trade_id) from main.trades', 2],
    ['summarize quotes', QUERY_VIEWS.find(({ name }) => name === 'quotes')?.columns.length],
    ['(select 1) union all (select 2);', 2],
    ['with market as (select 1) select * from market', [[1]]],
    ["select len(repeat('x', 20)), len(range(7))", [[20, 7]]],
  ])('%s', async (sql, expected) => {
    const rows = rowsOf(await ask(sql))
    if (Array.isArray(expected)) expect(rows).toEqual(expected)
    else expect(rows).toHaveLength(expected ?? -1)
  })

  // [sql.statement.refused]
  it.each([
    ['', /There is no statement/],
    ['-- nothing', /There is no statement/],
    ['selec 1', /syntax error/],
    ['select 1; select 2', /2 statements/],
    ['insert into market values (9, $$venue_a$$, $$X$$)', /Only SELECT/],
    ['create table x as select 1', /Only SELECT/],
    ["copy trades to '/tmp/x.csv'", /Only SELECT/],
    ["attach '/tmp/x.duckdb'", /Only SELECT/],
    ['set memory_limit = 0', /Only SELECT/],
    ['pragma database_list', /Only SELECT|no view|cannot be read/],
    ['checkpoint', /Only SELECT/],
    ['explain analyze select 1', /Only SELECT/],
    ['select * from trade_recent', /no view "trade_recent"/],
    ['select * from market', /no view "market"/],
    ['select * from temp.main.trades', /no view/],
    ['select * from information_schema.tables', /no view/],
    ['select * from sqlite_master', /no view/],
    ["select * from '/etc/passwd'", /no view/],
    ["select * from 'history.duckdb'", /no view/],
    ["select * from read_text('/etc/passwd')", /read_text\(\) cannot be read from/],
    ["select * from read_csv('x.csv')", /cannot be read from/],
    ["select * from glob('*')", /cannot be read from/],
    ['select * from duckdb_tables()', /cannot be read from/],
    ["select * from query('drop table market')", /cannot be read from/],
    ["select * from query_table('market')", /cannot be read from/],
    ['select (select max(id) from market)', /no view "market"/],
    ['select 1 where exists (from market)', /no view "market"/],
    ['with "x.csv" as (select 1) select * from "x.csv"', /cannot be named/],
    ['with trades as (select * from trade_all) select * from trades', /no view "trade_all"/],
    ["select getenv('HOME')", /getenv\(\) is not answered/],
    ["select current_setting('temp_directory')", /current_setting\(\) is not answered/],
    ['select * from trades where price > $1', /Parameters have no values/],
    ['show tables', /There are: markets/],
    ['select nosuch from trades', /nosuch/],
    ['select 1 from nosuch', /no view "nosuch"/],
    ["select cast('x' as integer)", /x/],
    ['select nosuch(1)', /nosuch/],
  ])('%s is refused with its reason', async (sql, reason) => {
    const outcome = await ask(sql)
    expect(outcome).toMatchObject({ kind: 'faulty' })
    expect(outcome.kind === 'faulty' && outcome.message).toMatch(reason)
  })

  // [sql.statement.refused]
  it('cannot call a function that reads, writes or describes the machine', async () => {
    for (const name of ['getenv', 'current_setting', 'read_blob', 'write_log', 'pg_typeof']) {
      expect(await ask(`select ${name}('x')`)).toMatchObject({ kind: 'faulty' })
    }
  })

  // [sql.answer.values]
  it('returns values exactly as JSON, or as text', async () => {
    const sql = `select 9007199254740993::bigint, 12::bigint, 1.25::decimal(9, 2), 'nan'::double,
      [1, null], {'a': true}, map {'k': 2}, null, date '2026-11-20', '2026-11-20 01:02:03.004'::timestamp,
      'infinity'::timestamp, 170141183460469231731687303715884105727::hugeint, interval 90 minutes`
    expect(rowsOf(await ask(sql))).toEqual([
      [
        '9007199254740993',
        12,
        1.25,
        null,
        [1, null],
        { a: true },
        [{ key: 'k', value: 2 }],
        null,
        '2026-11-20',
        '2026-11-20T01:02:03.004Z',
        'infinity',
        '170141183460469231731687303715884105727',
        '01:30:00',
      ],
    ])
  })

  // [sql.answer.bounds]
  it('is truncated at the limits of rows and text, and reports that', async () => {
    const cut = async (sql: string, more: object) => {
      const outcome = await ask(sql, more)
      return outcome.kind === 'answered' && [outcome.answer.rows.length, outcome.answer.isTruncated]
    }
    expect(await cut('from range(5)', { maxRows: 5 })).toEqual([5, false])
    expect(await cut('from range(6)', { maxRows: 5 })).toEqual([5, true])
    expect(await cut('from range(100000)', { maxRows: 4_000 })).toEqual([4_000, true])
    expect(await cut("select 'x' || range from range(9)", { maxLength: 20 })).toEqual([3, true])
  })

  // [sql.answer.bounds]
  it('stops on abort, and the next one is answered', async () => {
    const stop = new AbortController()
    const long = history.query('select count(*) from range(1000000) a, range(1000000) b', {
      maxRows: 1,
      maxLength: 100,
      signal: stop.signal,
    })
    const waiting = ask('select 1')
    stop.abort()
    expect(await long).toEqual({ kind: 'stopped' })
    expect(rowsOf(await waiting)).toEqual([[1]])
  })

  // [sql.answer.bounds]
  it('that exceeds the memory of the engine reports that, and the next one is answered', async () => {
    const outcome = await ask('select list(range) from range(40000000)')
    expect(outcome).toEqual({ kind: 'too-large', limit: 'memory', limitMb: 512 })
    expect(rowsOf(await ask('select 1'))).toEqual([[1]])
  })
})
