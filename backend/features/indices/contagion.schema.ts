import { t } from 'elysia'
import type { Static } from 'elysia'
import { GAP_WINDOWS } from '../../domain/links/gaps.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import { ContagionLink } from '../../http/contagion-link.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso } from '../../http/schemas.ts'

export const ContagionQuery = query({
  window: param.oneOf(Object.keys(GAP_WINDOWS) as GapWindow[], '6h'),
  limit: param.clampedInteger({ default: 20, min: 1, max: 100 }),
  min_gap: param.number({ min: 0, max: 100, description: 'least size of the gap, cents' }),
  topic: param.text('theme of either market'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type ContagionQuery = ReadQuery<typeof ContagionQuery>

export const ContagionAnswer = t.Object({
  window: t.String(),
  highlights: t.Array(ContagionLink, { description: 'widest gap first' }),
  count: t.Integer(),
  generatedAt: Iso,
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type ContagionAnswer = Static<typeof ContagionAnswer>
