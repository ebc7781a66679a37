import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import type { State } from './open.ts'
import type { StateSchema } from './schema.ts'

/** Values for `in`, as one parameter: a list of parameters is compiled for each length. */
export const listOf = (values: readonly string[]): RawBuilder<string> =>
  sql`(select value from json_each(${JSON.stringify(values)}))`

/** Rows of one statement; with more, binding them takes longer than the statements saved. */
const BATCH = 50

/**
 * Inserts rows of the same columns. Their statements have one of two texts, which are prepared once:
 * building and compiling a statement for each call takes longer than the insertion.
 */
export async function insertRows(
  state: State,
  table: keyof StateSchema,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const names = columns.map((name) => `"${name}"`).join(', ')
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const insert = async (part: typeof rows): Promise<void> => {
    const values = part.map(() => placeholders).join(', ')
    const text = `insert into "${table}" (${names}) values ${values}`
    const parameters = part.flatMap((row) => columns.map((name) => row[name]))
    await state.executeQuery(CompiledQuery.raw(text, parameters))
  }
  let at = 0
  for (; at + BATCH <= rows.length; at += BATCH) await insert(rows.slice(at, at + BATCH))
  for (const row of rows.slice(at)) await insert([row])
}
