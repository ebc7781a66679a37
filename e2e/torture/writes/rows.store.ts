import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A row as the store has it. */
export interface StoredRow {
  readonly id: string
  /** Name from the request; null for rows without a name. */
  readonly name: string | null
  /** Revoked, cancelled or signed out. */
  readonly isRemoved: boolean
  /** The route at which the owner removes it; null for rows that stay or are removed already. */
  readonly path: string | null
}

const ROWS = {
  account: `select id, email as name, 0 as is_removed, null as path from account`,
  session: `select id, null as name, ended_at is not null as is_removed, null as path from session`,
  access_key: `
    select key.id, key.name, key.revoked_at is not null as is_removed,
           iif(key.revoked_at is null and account.is_owner,
               iif(key.space = 'data', '/api/data-keys/', '/api/keys/') || key.id, null) as path
      from access_key as key join account on account.id = key.user_id`,
  intent: `
    select id, record ->> 'rationale' as name, status = 'cancelled' as is_removed,
           iif(status in ('pending', 'armed', 'triggered'), '/api/intents/' || id, null) as path
      from intent`,
  ledger_entry: `
    select entry ->> 'orderId' as id, null as name, 0 as is_removed, null as path
      from ledger_entry where event_type = 'fill'`,
  panel: `
    select id, title as name, 0 as is_removed,
           '/api/dashboard2/market-watch/panels/' || id as path
      from panel`,
  // The epochs of one user, who resets the account, up to the current one.
  paper_epoch: `
    with recursive epoch(n) as (
      select max(paper_epoch) from portfolio union all select n - 1 from epoch where n > 1)
    select cast(n as text) as id, null as name, 0 as is_removed, null as path
      from epoch where n > 0`,
} as const

export type Table = keyof typeof ROWS
export const TABLES = Object.keys(ROWS) as readonly Table[]

/** Every row of the tables, read while the service runs. */
export function storedRows(dataDir: string): ReadonlyMap<Table, readonly StoredRow[]> {
  const database = new DatabaseSync(join(dataDir, 'state.sqlite'), { readOnly: true })
  try {
    return new Map(
      TABLES.map((table) => [
        table,
        database
          .prepare(ROWS[table])
          .all()
          .map(({ id, name, is_removed: isRemoved, path }) => ({
            id: String(id),
            name: name === null ? null : String(name),
            isRemoved: isRemoved === 1,
            path: path === null ? null : String(path),
          })),
      ]),
    )
  } finally {
    database.close()
  }
}
