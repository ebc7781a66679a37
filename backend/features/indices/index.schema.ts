import { t } from 'elysia'
import type { Static } from 'elysia'
import { TOPIC_GROUPS, TOPICS } from '../../domain/topic-rules.ts'
import type { Topic, TopicGroup } from '../../domain/topic-rules.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso, nullable, Num } from '../../http/schemas.ts'

export const IndexQuery = query({ asOf: param.asOf(), nextActions: param.nextActions() })
export type IndexQuery = ReadQuery<typeof IndexQuery>

const THEMES: readonly (Topic | TopicGroup)[] = [
  ...TOPICS,
  ...(Object.keys(TOPIC_GROUPS) as TopicGroup[]),
]

export const IndexHistoryQuery = query({
  days: param.clampedInteger({ default: 30, min: 1, max: 365 }),
  theme: param.oneOf(THEMES, null, { description: 'topic or group; without it the whole world' }),
  asOf: param.asOf(),
})
export type IndexHistoryQuery = ReadQuery<typeof IndexHistoryQuery>

/** The four gauges and their older names. */
const gauges = {
  disagreement: Num,
  geoRisk: Num,
  breadth: Num,
  activity: Num,
  uncertainty: Num,
  geopolitical: Num,
  momentum: Num,
}

export const IndexAnswer = t.Object({
  ...gauges,
  value: Num,
  delta24h: Num,
  components: t.Object({
    geoVol: Num,
    geoDelta: Num,
    geoLevel: Num,
    geoBasketSize: t.Integer(),
    geoTheatersActive: t.Integer(),
    breadthUp: t.Integer(),
    breadthDown: t.Integer(),
    breadthTotal: t.Integer(),
    disagreementSigma: Num,
    qualifyingTickers: t.Integer(),
    activityChanges_24h: t.Integer(),
    activityBelowCount: t.Integer(),
    activityBaselineDays: t.Integer(),
    metricVersion: t.Number(),
  }),
  timestamp: Iso,
  dataStartDate: t.String({ format: 'date' }),
  dataNote: nullable(t.String({ description: 'why a gauge is null' })),
  latencyMs: t.Number(),
  nextActions: t.Optional(t.Object({ drill: t.Array(Action), related: t.Array(Action) })),
})
export type IndexAnswer = Static<typeof IndexAnswer>

export const IndexHistory = t.Object({
  days: t.Integer(),
  theme: nullable(t.String()),
  stepSeconds: t.Integer(),
  points: t.Array(t.Object({ at: Iso, value: Num, ...gauges }), { description: 'ascending' }),
  count: t.Integer(),
})
export type IndexHistory = Static<typeof IndexHistory>
