import { sql } from 'kysely'
import type { State } from './open.ts'

/** Whether the operational rows can be read now. */
export const isStateReadable = (state: State): Promise<boolean> =>
  sql`select 1`.execute(state).then(
    () => true,
    () => false,
  )
