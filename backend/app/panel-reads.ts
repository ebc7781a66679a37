import { createPairService } from '../features/crossvenue/pairs.service.ts'
import { createCalendarService } from '../features/edges/calendar.service.ts'
import { createContagionService } from '../features/indices/contagion.service.ts'
import { createIndexService } from '../features/indices/index.service.ts'
import { createLiquidityService } from '../features/indices/liquidity.service.ts'
import type { FeatureReads } from '../features/market-watch/panel-sources.ts'
import { NotFound } from '../lib/errors.ts'

/**
 * Reads of features in the vocabulary of panels: whole lists at the current time, without page
 * links.
 */
export function panelReads(
  deps: Parameters<typeof createIndexService>[0] &
    Parameters<typeof createPairService>[0] &
    Parameters<typeof createCalendarService>[0],
): FeatureReads {
  const [index, liquidity] = [createIndexService(deps), createLiquidityService(deps)]
  const [contagion, pairs] = [createContagionService(deps), createPairService(deps)]
  const calendar = createCalendarService(deps)
  const AS_OF_NOW = { asOf: null } as const
  const ALL = { category: null, topic: null, venue: null } as const
  return {
    async index() {
      try {
        const now = await index.index({ ...AS_OF_NOW, nextActions: false })
        const { disagreement, geoRisk, breadth, activity, value, delta24h, timestamp: at } = now
        return { disagreement, geoRisk, breadth, activity, value, delta24h, at }
      } catch (error) {
        if (error instanceof NotFound) return null
        throw error
      }
    },
    async indexOfDay() {
      const { points } = await index.history({ ...AS_OF_NOW, days: 1, theme: null })
      return points.map(({ at, value, disagreement, geoRisk, breadth, activity }) => ({
        at,
        value,
        disagreement,
        geoRisk,
        breadth,
        activity,
      }))
    },
    async themes() {
      const { category, venue } = ALL
      const pairFilter = { ...AS_OF_NOW, category, venue, q: null, limit: Infinity }
      return (await liquidity.byTheme(pairFilter)).themes
    },
    contagion: (window, limit) => contagion.foremost(window, limit),
    async pairs(minConfidence, limit) {
      const { topic, venue } = ALL
      const edgeFilter = {
        ...AS_OF_NOW,
        topic,
        venue,
        minConfidence,
        limit,
        minGap: null,
        status: null,
      }
      return (await pairs.pairs({ ...edgeFilter, cursor: null, sort: 'gap' })).pairs
    },
    async catalysts(days, limit) {
      const { category, topic } = ALL
      const calendarFilter = {
        ...AS_OF_NOW,
        category,
        topic,
        days,
        limit,
        kind: null,
        ticker: null,
      }
      const { from, to, events } = await calendar.calendar({
        ...calendarFilter,
        from: null,
        to: null,
      })
      return {
        from,
        to,
        events: events.map(({ name: _name, start: _start, ...catalyst }) => catalyst),
      }
    },
  }
}
