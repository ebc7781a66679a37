import { t, type Static } from 'elysia'
import { wholeNumber } from '../../http/schemas.ts'

/** Far above what people write by hand. */
const LONGEST_STATEMENT = 100_000
export const MOST_ROWS = 100_000
export const USUAL_ROWS = 10_000

export const AskSql = t.Object({
  sql: t.String({
    minLength: 1,
    maxLength: LONGEST_STATEMENT,
    description: 'one SELECT over the documented views',
  }),
  maxRows: t.Optional(
    wholeNumber({ minimum: 1, maximum: MOST_ROWS, description: `${USUAL_ROWS} when absent` }),
  ),
})
export type AskSql = Static<typeof AskSql>

export const SqlAnswer = t.Object({
  columns: t.Array(t.Object({ name: t.String(), type: t.String() })),
  rows: t.Array(t.Array(t.Unknown()), {
    description:
      'values in the order of the columns: instants in ISO 8601, whole numbers beyond 2^53 as text, NaN and infinity as null',
  }),
  truncated: t.Boolean({ description: 'there were more rows than the answer holds' }),
})
