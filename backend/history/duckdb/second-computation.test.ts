import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isSame, type SecondComputation } from '../../testing/second-computation/computed-twice.ts'
import { drawsFrom } from '../../testing/second-computation/draws.ts'
import { SECOND_COMPUTATIONS } from '../../testing/second-computation/quantities.ts'

const SEED = 20_261_120

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

/** Answers of the SQL to all cases, in their order. */
async function secondAnswers({ shape, sql }: SecondComputation, given: readonly object[]) {
  const cases = JSON.stringify(given.map((one, id) => ({ ...one, id })))
  const shapes = JSON.stringify([{ ...shape, id: 'INTEGER' }])
  await connection.run(
    `create or replace temp table cases as
     select unnest(one) from (select unnest(from_json($cases, '${shapes}')) as one)`,
    { cases },
  )
  const read = await connection.runAndReadAll(`select * from (${sql}) order by id`)
  return read.getRowObjectsJson()
}

/** One line a difference, so that a failure can be read. */
const said = (difference: object): string => JSON.stringify(difference)

describe('a second computation, in SQL and from the words of the methodology', () => {
  it.each(SECOND_COMPUTATIONS.map((one) => [one.name, one] as const))(
    'agrees on %s',
    async (_, one) => {
      const draws = drawsFrom(SEED)
      const drawn = Array.from({ length: one.cases }, () => one.draw(draws))
      const second = await secondAnswers(
        one,
        drawn.map(({ given }) => given),
      )
      expect(second.map(({ id }) => Number(id))).toEqual(drawn.map((_, id) => id))
      const differing = drawn.flatMap(({ given, first }, i) =>
        Object.keys(first)
          .filter((column) => !isSame(first[column], second[i]?.[column], one.decimals[column]))
          .map((column) =>
            said({ column, first: first[column], second: second[i]?.[column], given }),
          ),
      )
      expect(differing.slice(0, 3)).toEqual([])
    },
  )
})
