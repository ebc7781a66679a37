import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { TOPICS, TOPIC_LABELS } from '../../domain/topics/topic-rules.ts'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import {
  comparableValue,
  servedIndex,
  type IndexReading,
} from '../../domain/world/gauges/index-reading.ts'
import type { IndexRow } from '../../history/context-store.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type {
  IndexAnswer,
  IndexHistory,
  IndexHistoryQuery,
  IndexQuery,
} from '../../contract/indices.ts'
import type { IndicesDeps } from './indices.deps.ts'

/** Scope of the rows of the whole world. */
const WORLD = ''
/** How far before t − 24 h a value may lie to count as the value of a day ago. */
const DAY_AGO_TOLERANCE = HOUR
const MAX_DRILL_LINKS = 3

/** Width of a step by the number of days: quarter hours, hours or days. */
const stepOf = (days: number): Millis =>
  (days <= 2 ? 15 * MINUTE : days <= 30 ? HOUR : DAY) as Millis

interface Reading {
  readonly at: Millis
  readonly reading: IndexReading
}

const actionsOf = ({ baseUrl }: Urls) => ({
  drill: TOPICS.slice(0, MAX_DRILL_LINKS).map((theme) =>
    get(
      `Index history of ${TOPIC_LABELS[theme]}`,
      absoluteUrl(baseUrl, '/api/public/index/history', { theme }),
    ),
  ),
  related: [
    get('Index history of the world', absoluteUrl(baseUrl, '/api/public/index/history')),
    get('Markets by adverse selection', absoluteUrl(baseUrl, '/api/public/regime/scan')),
    get('Current meaning of the prices', absoluteUrl(baseUrl, '/api/agent/world')),
  ],
})

const pointOf = ({ at, value, disagreement, geoRisk, breadth, activity }: IndexRow) => ({
  at: isoOf(at),
  value,
  disagreement,
  geoRisk,
  breadth,
  activity,
  uncertainty: disagreement,
  geopolitical: geoRisk,
  momentum: breadth,
})

/** The world index, its history, and the history of themes. Methodology B5, B8. */
export function createIndexService({ context, stored, clock, urls }: IndicesDeps) {
  /** The stored reading of exactly this instant, a point of the history; null when there is none. */
  const pointAt = async (asOf: Millis | null): Promise<Reading | null> => {
    if (asOf === null) return null
    const now = clock.now()
    const { contextAt } = await context.publishedContext(now)
    const row = await stored.indexAt(WORLD, asOf, now)
    if (row?.at !== asOf || row.at > contextAt) return null
    return { at: row.at, reading: JSON.parse(row.body) as IndexReading }
  }

  const readingAsOf = async (asOf: Millis | null): Promise<Reading> => {
    const snapshot = await contextSnapshotAsOf(context, asOf)
    const reading = snapshot?.indices.get(WORLD)
    if (snapshot === null || reading === undefined) throw new NotFound('Index not found')
    return { at: snapshot.at, reading }
  }

  return {
    /** @throws NotFound before the first reading */
    async index(query: IndexQuery): Promise<IndexAnswer> {
      const startedAt = clock.monotonic()
      const now = clock.now()
      const asOf = notInFuture(query.asOf, now)
      const knownBy = asOf ?? now
      const { at, reading } = (await pointAt(asOf)) ?? (await readingAsOf(asOf))
      const dayAgo = (at - DAY) as Millis
      const previous = await stored.indexAt(WORLD, dayAgo, knownBy)
      const first = await stored.firstIndexAt(knownBy)
      const isDayAgoKnown = previous !== null && dayAgo - previous.at <= DAY_AGO_TOLERANCE
      return {
        ...servedIndex(reading, isDayAgoKnown ? comparableValue(reading, previous) : null),
        timestamp: isoOf(at),
        dataStartDate: isoOf(first === null || first > at ? at : first).slice(0, 10),
        dataNote: reading.dataNote,
        latencyMs: Math.round(clock.monotonic() - startedAt),
        ...(query.nextActions ? { nextActions: actionsOf(urls) } : {}),
      }
    },

    /** @throws NotReady for now, before the first snapshot */
    async history({ days, theme, asOf: requestedAsOf }: IndexHistoryQuery): Promise<IndexHistory> {
      const now = clock.now()
      const asOf = notInFuture(requestedAsOf, now)
      const at = asOf ?? now
      if (asOf === null) await context.snapshot(null)
      const step = stepOf(days)
      const from = (at - days * DAY) as Millis
      const { contextAt: to } = await context.publishedContext(at)
      const scope = theme ?? WORLD
      const rows = await stored.indexBetween({ scope, from, to, step, knownBy: at })
      const points = rows.map(pointOf)
      return { days, theme, stepSeconds: step / 1_000, points, count: points.length }
    },
  }
}
export type IndexService = ReturnType<typeof createIndexService>
