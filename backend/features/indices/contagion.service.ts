import type { Grid } from '../../computed/grid/grid.ts'
import { passes } from '../../computed/market-filter.ts'
import { gridThen } from '../../computed/past-grid.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { Ticker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/as-of.ts'
import { contagionLinkOf } from '../../http/contagion-link.ts'
import type { ContagionLink } from '../../http/contagion-link.ts'
import { rounded } from '../../http/market-ref.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { ContagionAnswer, ContagionQuery } from './contagion.schema.ts'
import type { IndicesDeps } from './indices.deps.ts'

const INSPECTED = 3
/** The closest relation first. */
const RELATIONS: readonly ContagionLink['relation'][] = [
  'cross_venue',
  'series_sibling',
  'theme',
  'correlated',
]

const actionsOf = (links: readonly ContagionLink[], { baseUrl }: Urls) => ({
  inspect: links
    .slice(0, INSPECTED)
    .map(({ lagging }) => get(`Inspect ${lagging.title}`, lagging.url)),
  related: [
    get('Pairs of both venues', addressOf(baseUrl, '/api/public/cross-venue/pairs')),
    get('What the prices mean now', addressOf(baseUrl, '/api/agent/world')),
  ],
})

/** Markets that owe a move after another moved. Methodology D4, D5. */
export function createContagionReads(
  deps: Pick<IndicesDeps, 'context' | 'judgements' | 'clock' | 'urls'>,
) {
  const { context, judgements, clock, urls } = deps

  const linksIn = async (grid: Grid, asked: ContagionQuery): Promise<ContagionLink[]> => {
    const { window, limit, min_gap: least, topic } = asked
    const inTopic = passes({ topic, category: null, venue: null, words: null })
    const isIn = (ticker: Ticker): boolean => {
      const market = grid.markets.get(ticker)
      return market !== undefined && inTopic(market.view)
    }
    const since = await judgements.gapsSince(grid, window)
    const links: ContagionLink[] = []
    for (const gap of grid.gaps(window)) {
      // Widest first: what follows is narrower still.
      if (links.length >= limit || Math.abs(gap.gap) < (least ?? 0)) break
      if (!isIn(gap.trigger) && !isIn(gap.lagging)) continue
      const link = linkOf(grid, gap, window, since(gap))
      if (link !== null) links.push(link)
    }
    return links
  }

  const linkOf = (grid: Grid, gap: ContagionGap, window: GapWindow, since: Millis) =>
    contagionLinkOf(gap, window, (name) => grid.markets.get(name), since, urls)

  const recordsAt = async (at: Millis): Promise<NonNullable<ContagionAnswer['records']>> =>
    (await judgements.gapRecords(at)).map(({ kind, n, closed, hitRate, unproven }) => ({
      ...{ kind, n, hitRate: rounded(hitRate, 4), unproven },
      closed: closed.map((span) => ({ ...span, share: roundTo(span.share, 4) })),
    }))

  return {
    /**
     * Gaps that stand now, by relation: those between venues first, and the widest of each first.
     * @throws NotReady before the first grid
     */
    async foremost(window: GapWindow, limit: number): Promise<ContagionLink[]> {
      const grid = await context.grid(null)
      const since = await judgements.gapsSince(grid, window)
      const gaps = grid.gaps(window)
      return RELATIONS.values()
        .flatMap((relation) => gaps.filter((gap) => gap.relation === relation))
        .map((gap) => linkOf(grid, gap, window, since(gap)))
        .filter((link) => link !== null)
        .take(limit)
        .toArray()
    },

    async contagion(asked: ContagionQuery): Promise<ContagionAnswer> {
      const now = clock.now()
      const asOf = notInFuture(asked.asOf, now)
      const grid = await gridThen(context, asOf)
      const highlights = grid === null ? [] : await linksIn(grid, asked)
      return {
        window: asked.window,
        highlights,
        count: highlights.length,
        ...(asked.records ? { records: await recordsAt(grid?.at ?? asOf ?? now) } : {}),
        generatedAt: isoOf(grid?.at ?? asOf ?? now),
        ...(asked.nextActions ? { nextActions: actionsOf(highlights, urls) } : {}),
      }
    },
  }
}
export type ContagionReads = ReturnType<typeof createContagionReads>
