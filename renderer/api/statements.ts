import type { Answer } from './client.ts'
import type { Live } from './live.ts'

/** What the service answers to a statement over its history. */
export interface StatementAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[]
  /** There were more rows than the answer holds. */
  readonly truncated: boolean
}

/** Two statements may wait for each other, and each has ten seconds. */
const PATIENCE = 25_000

/** Has the service answer one SELECT over the views of its history. */
export const askStatement = (
  live: Pick<Live, 'send'>,
  sql: string,
): Promise<Answer<StatementAnswer>> => live.send('POST', '/api/sql', { sql }, PATIENCE)

/** The columns' names, told apart where a statement names two alike. */
export const columnNames = ({ columns }: StatementAnswer): readonly string[] =>
  columns.map(({ name }, index) => {
    const before = columns.slice(0, index).filter((other) => other.name === name).length
    return before === 0 ? name : `${name}_${before + 1}`
  })

/** The rows with their values by name. */
export function statementRows(
  answer: StatementAnswer,
): readonly Readonly<Record<string, unknown>>[] {
  const names = columnNames(answer)
  return answer.rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])),
  )
}
