import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHODOLOGY } from '../../testing/second-computation/methodology.ts'
import { isSame, type SecondComputation } from '../../testing/second-computation/computed-twice.ts'
import { drawsFrom } from '../../testing/second-computation/draws.ts'
import { SECOND_COMPUTATIONS } from '../../testing/second-computation/quantities.ts'

const SEED = 20_261_120
const RUNS = join('backend', 'domain', 'backtest')

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  connection = await instance.connect()
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

/** Results of the SQL for all cases, in order. */
async function secondAnswers({ shape, sql }: SecondComputation, inputs: readonly object[]) {
  const cases = JSON.stringify(inputs.map((one, id) => ({ ...one, id })))
  const shapes = JSON.stringify([{ ...shape, id: 'INTEGER' }])
  await connection.run(
    `create or replace temp table cases as
     select unnest(one) from (select unnest(from_json($cases, '${shapes}')) as one)`,
    { cases },
  )
  const read = await connection.runAndReadAll(`select * from (${sql}) order by id`)
  return read.getRowObjectsJson()
}

/** One line per difference, so that a failure is readable. */
const jsonOf = (difference: object): string => JSON.stringify(difference)

describe('a second computation, in SQL and from the text of the methodology', () => {
  it.each(SECOND_COMPUTATIONS.map((one) => [one.name, one] as const))(
    'agrees on %s',
    async (_, one) => {
      const draws = drawsFrom(SEED)
      const drawn = Array.from({ length: one.cases }, () => one.draw(draws))
      const second = await secondAnswers(
        one,
        drawn.map(({ input: given }) => given),
      )
      expect(second.map(({ id }) => Number(id))).toEqual(drawn.map((_, id) => id))
      const differing = drawn.flatMap(({ input: given, first }, i) =>
        Object.keys(first)
          .filter((column) => !isSame(first[column], second[i]?.[column], one.decimals[column]))
          .map((column) =>
            jsonOf({ column, first: first[column], second: second[i]?.[column], given }),
          ),
      )
      expect(differing.slice(0, 3)).toEqual([])
      const columns = Object.keys(drawn[0]?.first ?? {})
      const isConstant = (column: string): boolean =>
        new Set(drawn.map(({ first }) => JSON.stringify(first[column]))).size < 2
      expect(columns.filter(isConstant)).toEqual([])
    },
  )
})

describe('the list of quantities without a second computation', () => {
  it('contains no tables of constants', () => {
    const covered = new Set(SECOND_COMPUTATIONS.flatMap(({ params }) => params))
    const tables = Object.keys(METHODOLOGY) as (keyof typeof METHODOLOGY)[]
    expect(tables.filter((table) => !covered.has(table))).toEqual([])
  })

  it('contains no sections that the domain computes', () => {
    // Backtests are procedural: the oracle in `testing/backtest` is their second computation.
    const files = globSync('backend/domain/**/*.ts').filter(
      (file) => !file.endsWith('.test.ts') && !file.startsWith(RUNS),
    )
    const cited = new Set(
      files.flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/methodology (?:part )?([A-M]\d{0,2})\b/gi)].map(
          ([, section = '']) => section.toUpperCase(),
        ),
      ),
    )
    expect(cited.size).toBeGreaterThan(40)
    const twice = SECOND_COMPUTATIONS.flatMap(({ sections }) => sections)
    const has = (section: string): boolean => twice.some((other) => other.startsWith(section))
    expect([...cited].filter((section) => !has(section)).sort()).toEqual([])
  })
})
