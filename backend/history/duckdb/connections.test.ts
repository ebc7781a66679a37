import { expect, it } from 'vitest'
import { readDoubles } from './columns.ts'
import { Session } from './connections.ts'
import { openEngine } from './engine.ts'

const ROWS = 10_000

it('hands a stream out chunk by chunk, each gone after its turn', async () => {
  const engine = await openEngine({ path: ':memory:' })
  const views: Float64Array[] = []
  let [rows, sum] = [0, 0]
  await new Session(engine.runs).readStream(
    'select range::double from range($rows)',
    { rows: ROWS },
    (chunk) => {
      const values = readDoubles(chunk, 0)
      rows += chunk.rowCount
      for (const value of values.subarray(0, chunk.rowCount)) sum += value
      expect(values.length).toBeGreaterThanOrEqual(chunk.rowCount)
      views.push(values)
      return undefined
    },
  )
  expect([rows, sum]).toEqual([ROWS, (ROWS * (ROWS - 1)) / 2])
  expect(views.length).toBeGreaterThan(1)
  expect(views.map(({ length }) => length)).toEqual(views.map(() => 0))
  engine.close()
})
