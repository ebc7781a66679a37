import { t } from 'elysia'
import type { Static } from 'elysia'
import { Mover, VenueEnum } from './market.ts'
import * as param from './params.ts'
import type { Param } from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { Gauges } from './indices.ts'
import { FORMATS } from './world.ts'
import type { RequestedSince } from './world.ts'
import { CHANGE_KINDS } from '../domain/world/delta/delta.ts'
import { InvalidInput } from '../lib/errors.ts'

const REFUSAL = 'since required (Nm, Nh, Nd or ISO timestamp)'

const requiredSinceParam = (): Param<RequestedSince> => ({
  schema: { type: 'string', description: 'Duration back from now (Nm, Nh, Nd) or ISO 8601 time' },
  required: true,
  read(sent, name) {
    if (sent === undefined) throw new InvalidInput(REFUSAL)
    try {
      return { since: param.since('1h').read(sent, name), text: sent.trim() }
    } catch (error) {
      if (error instanceof InvalidInput) throw new InvalidInput(REFUSAL)
      throw error
    }
  },
})

export const DeltaQuery = query({
  since: requiredSinceParam(),
  format: param.format(FORMATS, 'markdown'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type DeltaQuery = ReadQuery<typeof DeltaQuery>

const value = nullable(t.Union([t.Number(), t.String()]))

export const DeltaBody = t.Object({
  from: Iso,
  to: Iso,
  changes: t.Array(
    t.Object({
      kind: stringEnum(CHANGE_KINDS),
      ticker: nullable(t.String()),
      label: t.String(),
      before: value,
      after: value,
      at: Iso,
      url: nullable(t.String()),
    }),
  ),
  indexDelta: t.Object({ ...Gauges.properties, value: Num }),
  movers: t.Object({
    added: t.Array(Mover),
    dropped: t.Array(t.Object({ ticker: t.String(), title: t.String() })),
  }),
  resolved: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueEnum,
      title: t.String(),
      result: stringEnum(['yes', 'no', 'scalar']),
      at: Iso,
    }),
  ),
  markdown: t.String(),
  latencyMs: t.Number(),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
})
export type DeltaBody = Static<typeof DeltaBody>
export type WorldChange = DeltaBody['changes'][number]

export const TopicFeedQuery = query({
  since: param.since('24h'),
  limit: param.limit(50, 200),
  format: param.format(FORMATS, 'markdown'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type TopicFeedQuery = ReadQuery<typeof TopicFeedQuery>

export const FeedItem = t.Object({
  id: t.String(),
  kind: stringEnum(['market', 'thesis', 'idea', 'opinion', 'legislation']),
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
