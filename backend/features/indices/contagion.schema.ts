import { t } from 'elysia'
import type { Static } from 'elysia'
import { GAP_WINDOWS } from '../../domain/links/gaps.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import { ContagionLink } from '../../http/contagion-link.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso, Num } from '../../http/schemas.ts'

export const ContagionQuery = query({
  window: param.oneOf(Object.keys(GAP_WINDOWS) as GapWindow[], '6h'),
  limit: param.clampedInteger({ default: 20, min: 1, max: 100 }),
  min_gap: param.number({ min: 0, max: 100, description: 'least size of the gap, cents' }),
  topic: param.text('theme of either market'),
  records: param.flag('adds how gaps of each kind of link did before'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type ContagionQuery = ReadQuery<typeof ContagionQuery>

/** How gaps of one kind of link did, of those first served in the last 90 days (methodology D6). */
const ServedGapRecord = t.Object({
  kind: t.String(),
  n: t.Integer({ description: 'gaps that were served' }),
  closed: t.Array(
    t.Object({
      hours: t.Integer(),
      share: t.Number({ description: 'mean share that had closed, 0 to 1' }),
      n: t.Integer({ description: 'gaps known by then' }),
    }),
    { description: 'after 1, 6 and 24 hours, as far as known' },
  ),
  hitRate: Num,
  unproven: t.Boolean({ description: 'enough gaps, and no sign that they close' }),
})

export const ContagionAnswer = t.Object({
  window: t.String(),
  highlights: t.Array(ContagionLink, { description: 'widest gap first' }),
  count: t.Integer(),
  records: t.Optional(t.Array(ServedGapRecord, { description: 'with records=true, by kind' })),
  generatedAt: Iso,
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type ContagionAnswer = Static<typeof ContagionAnswer>
