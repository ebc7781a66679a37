import { passes } from '../../computed/market-filter.ts'
import { worldThen } from '../../computed/past-grid.ts'
import { selectHighlights } from '../../domain/highlights.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import { notInFuture } from '../../http/as-of.ts'
import { rounded } from '../../http/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { EdgesDeps } from './edges.deps.ts'
import { highlightCandidates } from './highlight-candidates.ts'
import type { Highlights, HighlightsQuery } from './highlights.schema.ts'

/** The best of each list of the world. Methodology F4. */
export function createHighlightReads({ context, clock, urls }: EdgesDeps) {
  return {
    async highlights(asked: HighlightsQuery): Promise<Highlights> {
      const { topic, category, limit } = asked
      const now = clock.now()
      const asOf = notInFuture(asked.asOf, now)
      const bucket = await worldThen(context, asOf)
      const at = isoOf(bucket?.world.at ?? asOf ?? now)
      const keep = passes({ topic, category, venue: null, words: null })
      const isAsked = (ticker: string): boolean => {
        if (topic === null && category === null) return true
        const market = bucket?.grid.markets.get(ticker)
        return market !== undefined && keep(market.view)
      }
      const found = bucket === null ? [] : highlightCandidates(bucket)
      const highlights = selectHighlights(found.filter(({ ticker }) => isAsked(ticker)))
        .slice(0, limit)
        .map(({ kind, market, summary }, rank) => ({
          ...{ rank, kind, summary, at },
          title: market.title,
          ticker: market.ticker,
          price: rounded(market.price),
          delta24h: rounded(priceMove24h(market)),
          url: inspectUrl(urls, market.ticker),
        }))
      return { highlights, count: highlights.length, generatedAt: at }
    },
  }
}
export type HighlightReads = ReturnType<typeof createHighlightReads>
