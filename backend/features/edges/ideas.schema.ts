import { t } from 'elysia'
import type { Static } from 'elysia'
import { Idea } from '../../http/idea.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso } from '../../http/schemas.ts'

export const CONVICTIONS = ['high', 'medium', 'low'] as const

export const IdeasQuery = query({
  direction: param.oneOf(['buy_yes', 'buy_no'] as const, null),
  conviction: param.oneOf(CONVICTIONS, null),
  category: param.text('category of the primary market'),
  q: param.text('every word occurs in headline or pitch'),
  limit: param.clampedInteger({ default: 20, min: 1, max: 100 }),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type IdeasQuery = ReadQuery<typeof IdeasQuery>

export const IdeaQuery = query({ asOf: param.asOf() })
export type IdeaQuery = ReadQuery<typeof IdeaQuery>

export const IdeaList = t.Object({
  ideas: t.Array(Idea, { description: 'by conviction, then size of the edge' }),
  count: t.Integer(),
  generatedAt: Iso,
  nextActions: t.Optional(t.Object({ inspect: t.Array(Action), related: t.Array(Action) })),
})
export type IdeaList = Static<typeof IdeaList>
