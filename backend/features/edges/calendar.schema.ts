import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Catalyst, CATALYST_KINDS } from '../../http/read-schemas.ts'
import { Iso } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'

export const CalendarQuery = query(
  {
    from: param.instant('now unless told'),
    to: param.instant('in place of days'),
    days: param.clampedInteger({ default: 30, min: 1, max: 365 }),
    category: param.text(),
    kind: param.oneOf(CATALYST_KINDS, null),
    ticker: param.text('entries that decide this market'),
    topic: param.text(),
    limit: param.clampedInteger({ default: 100, min: 1, max: 500 }),
    asOf: param.asOf(),
  },
  ({ from, to }) => {
    if (from !== null && to !== null && from > to) {
      throw new InvalidInput('from must not be after to')
    }
  },
)
export type CalendarQuery = ReadQuery<typeof CalendarQuery>

export const Calendar = t.Object({
  from: Iso,
  to: Iso,
  events: t.Array(
    t.Object({
      ...Catalyst.properties,
      name: t.String({ description: 'the title' }),
      start: t.String({ format: 'date-time', description: 'the same as at' }),
    }),
    { description: 'soonest first, more important ones first at one time' },
  ),
  count: t.Integer(),
  generatedAt: Iso,
})
export type Calendar = Static<typeof Calendar>
