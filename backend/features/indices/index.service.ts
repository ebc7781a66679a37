import { gridThen } from '../../computed/past-grid.ts'
import { TOPICS, TOPIC_LABELS } from '../../domain/topic-rules.ts'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { servedIndex } from '../../domain/world/index-reading.ts'
import type { IndexRow } from '../../history/context-store.ts'
import { notInFuture } from '../../http/as-of.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { IndexAnswer, IndexHistory, IndexHistoryQuery, IndexQuery } from './index.schema.ts'
import type { IndicesDeps } from './indices.deps.ts'

/** Scope of the rows of the whole world. */
const WORLD = ''
/** How far before t − 24 h a value may lie that still counts as that of a day ago. */
const DAY_AGO_WITHIN = HOUR
const DRILLED = 3

/** Width of a step by the days asked for: quarter hours, hours or days. */
const stepOf = (days: number): Millis =>
  (days <= 2 ? 15 * MINUTE : days <= 30 ? HOUR : DAY) as Millis

const actionsOf = ({ baseUrl }: Urls) => ({
  drill: TOPICS.slice(0, DRILLED).map((theme) =>
    get(
      `Index history of ${TOPIC_LABELS[theme]}`,
      addressOf(baseUrl, '/api/public/index/history', { theme }),
    ),
  ),
  related: [
    get('Index history of the world', addressOf(baseUrl, '/api/public/index/history')),
    get('Markets by adverse selection', addressOf(baseUrl, '/api/public/regime/scan')),
    get('What the prices mean now', addressOf(baseUrl, '/api/agent/world')),
  ],
})

const pointOf = ({ at, value, disagreement, geoRisk, breadth, activity }: IndexRow) => ({
  at: isoOf(at),
  value,
  ...{ disagreement, geoRisk, breadth, activity },
  ...{ uncertainty: disagreement, geopolitical: geoRisk, momentum: breadth },
})

/** The index of the world and how it and those of themes have been. Methodology B5, B8. */
export function createIndexReads({ context, stored, clock, urls }: IndicesDeps) {
  return {
    /** @throws NotFound before the first reading */
    async index(asked: IndexQuery): Promise<IndexAnswer> {
      const started = clock.monotonic()
      const now = clock.now()
      const asOf = notInFuture(asked.asOf, now)
      const knownBy = asOf ?? now
      const grid = await gridThen(context, asOf)
      const reading = grid?.indices.get(WORLD)
      if (grid === null || reading === undefined) throw new NotFound('Index not found')
      const dayAgo = (grid.at - DAY) as Millis
      const before = await stored.indexAt(WORLD, dayAgo, knownBy)
      const first = await stored.firstIndexAt(knownBy)
      const isThen = before !== null && dayAgo - before.at <= DAY_AGO_WITHIN
      return {
        ...servedIndex(reading, isThen ? before.value : null),
        timestamp: isoOf(grid.at),
        dataStartDate: isoOf(first === null || first > grid.at ? grid.at : first).slice(0, 10),
        dataNote: reading.dataNote,
        latencyMs: Math.round(clock.monotonic() - started),
        ...(asked.nextActions ? { nextActions: actionsOf(urls) } : {}),
      }
    },

    async history({ days, theme, asOf: sent }: IndexHistoryQuery): Promise<IndexHistory> {
      const now = clock.now()
      const at = notInFuture(sent, now) ?? now
      const step = stepOf(days)
      const from = (at - days * DAY) as Millis
      const { gridAt: to } = await context.published(at)
      const scope = theme ?? WORLD
      const rows = await stored.indexBetween({ scope, from, to, step, knownBy: at })
      const points = rows.map(pointOf)
      return { days, theme, stepSeconds: step / 1_000, points, count: points.length }
    },
  }
}
export type IndexReads = ReturnType<typeof createIndexReads>
