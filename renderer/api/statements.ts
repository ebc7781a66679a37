import type { SqlAnswer } from '../../backend/contract/archive.ts'
import type { Answer } from './client.ts'
import type { Live } from './live.ts'

/** Two statements may wait for each other, and each has a limit of ten seconds. */
const TIMEOUT = 25_000

/** Runs one SELECT over the views of the stored history. */
export const runStatement = (live: Pick<Live, 'send'>, sql: string): Promise<Answer<SqlAnswer>> =>
  live.send('POST', '/api/sql', { sql }, TIMEOUT)

/** The columns' names, made unique when a statement repeats one. */
export const columnNames = ({ columns }: SqlAnswer): readonly string[] =>
  columns.map(({ name }, index) => {
    const earlierCount = columns.slice(0, index).filter((other) => other.name === name).length
    return earlierCount === 0 ? name : `${name}_${earlierCount + 1}`
  })

/** The rows with their values by column name. */
export function statementRows(answer: SqlAnswer): readonly Readonly<Record<string, unknown>>[] {
  const names = columnNames(answer)
  return answer.rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
  )
}
