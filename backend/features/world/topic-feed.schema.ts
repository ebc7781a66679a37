import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { FORMATS } from './world.schema.ts'

export const TopicFeedQuery = query({
  since: param.since('24h'),
  limit: param.clampedInteger({ default: 50, min: 1, max: 200 }),
  format: param.oneOf(FORMATS, 'markdown'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type TopicFeedQuery = ReadQuery<typeof TopicFeedQuery>

export const FeedItem = t.Object({
  id: t.String(),
  kind: words(['market', 'thesis', 'idea', 'opinion', 'legislation']),
  at: Iso,
  title: t.String(),
  summary: t.String(),
  ticker: nullable(t.String()),
  price: Cents,
  delta: Num,
  url: t.String(),
})
export type FeedItem = Static<typeof FeedItem>

export const TopicFeed = t.Object({
  topic: t.String(),
  label: t.String(),
  since: Iso,
  count: t.Integer(),
  items: t.Array(FeedItem),
  markdown: t.String(),
  latencyMs: t.Number(),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
})
export type TopicFeed = Static<typeof TopicFeed>
