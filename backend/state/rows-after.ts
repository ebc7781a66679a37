import { sql, type SelectQueryBuilder, type StringReference } from 'kysely'

/**
 * Orders rows by two columns, and starts after a position in that order; null starts at the first
 * row. Such a page does not shift when rows are added before it.
 * @param columns of the position's time and of its id
 */
export function rowsAfter<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  columns: readonly [StringReference<DB, TB>, StringReference<DB, TB>],
  position: { readonly at: number; readonly id: string | number } | null,
  order: 'asc' | 'desc' = 'desc',
): SelectQueryBuilder<DB, TB, O> {
  const [time, id] = [sql.ref(columns[0]), sql.ref(columns[1])]
  const rows = query.orderBy(time, order).orderBy(id, order)
  if (position === null) return rows
  const isAfter = sql.raw(order === 'desc' ? '<' : '>')
  return rows.where(sql<boolean>`(${time}, ${id}) ${isAfter} (${position.at}, ${position.id})`)
}
