import { sql, type RawBuilder } from 'kysely'
import type { State } from './open.ts'
import type { StateSchema } from './schema.ts'

/** Values for `in`, as one parameter: a list of parameters is compiled for each length. */
export const listOf = (values: readonly string[]): RawBuilder<string> =>
  sql`(select value from json_each(${JSON.stringify(values)}))`

/**
 * Inserts rows of the same columns with one statement and one parameter, their JSON. Compiling a
 * parameter a value takes longer than the insertion.
 */
export async function insertRows(
  state: State,
  table: keyof StateSchema,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const names = sql.join(columns.map((name) => sql.ref(name)))
  const values = sql.join(columns.map((name) => sql`value ->> ${sql.lit(`$.${name}`)}`))
  const source = sql`json_each(${JSON.stringify(rows)})`
  const insert = sql`insert into ${sql.table(table)} (${names}) select ${values} from ${source}`
  await insert.execute(state)
}
