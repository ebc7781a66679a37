import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { Ticker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { contagionLinkOf } from '../../http/presenters/contagion-link.ts'
import type { ContagionLink, ContagionAnswer, ContagionQuery } from '../../contract/indices.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { IndicesDeps } from './indices.deps.ts'

const MAX_INSPECTED = 3
/** Relations from closest to loosest. */
const RELATIONS: readonly ContagionLink['relation'][] = [
  'cross_venue',
  'series_sibling',
  'theme',
  'correlated',
]

const actionsOf = (links: readonly ContagionLink[], { baseUrl }: Urls) => ({
  inspect: links
    .slice(0, MAX_INSPECTED)
    .map(({ lagging }) => get(`Inspect ${lagging.title}`, lagging.url)),
  related: [
    get('Cross-venue pairs', absoluteUrl(baseUrl, '/api/public/cross-venue/pairs')),
    get('Current meaning of the prices', absoluteUrl(baseUrl, '/api/agent/world')),
  ],
})

/** Contagion links: markets expected to follow another market's move. Methodology D4, D5. */
export function createContagionService(
  deps: Pick<IndicesDeps, 'context' | 'judgements' | 'clock' | 'urls'>,
) {
  const { context, judgements, clock, urls } = deps

  const linksIn = async (
    snapshot: ContextSnapshot,
    query: ContagionQuery,
  ): Promise<ContagionLink[]> => {
    const { window, limit, min_gap: min, topic } = query
    const passesTopic = passes({ topic, category: null, venue: null, words: null })
    const isIn = (ticker: Ticker): boolean => {
      const market = snapshot.markets.get(ticker)
      return market !== undefined && passesTopic(market.view)
    }
    const since = await judgements.gapsSince(snapshot, window)
    const links: ContagionLink[] = []
    for (const gap of snapshot.distinctGaps(window)) {
      // Sorted widest first, so all that follow are narrower.
      if (links.length >= limit || Math.abs(gap.gap) < (min ?? 0)) break
      if (!isIn(gap.trigger) && !isIn(gap.lagging)) continue
      const link = linkOf(snapshot, gap, window, since(gap))
      if (link !== null) links.push(link)
    }
    return links
  }

  const linkOf = (snapshot: ContextSnapshot, gap: ContagionGap, window: GapWindow, since: Millis) =>
    contagionLinkOf(gap, window, (name) => snapshot.markets.get(name), since, urls)

  const recordsAt = async (at: Millis): Promise<NonNullable<ContagionAnswer['records']>> =>
    (await judgements.gapRecords(at)).map(({ kind, n, closed, hitRate, unproven }) => ({
      kind,
      n,
      hitRate: roundOrNull(hitRate, 4),
      unproven,
      closed: closed.map((span) => ({ ...span, share: roundTo(span.share, 4) })),
    }))

  return {
    /**
     * Current gaps by relation: cross-venue first, widest first within each.
     * @throws NotReady before the first snapshot
     */
    async foremost(window: GapWindow, limit: number): Promise<ContagionLink[]> {
      const snapshot = await context.snapshot(null)
      const since = await judgements.gapsSince(snapshot, window)
      const gaps = snapshot.distinctGaps(window)
      return RELATIONS.values()
        .flatMap((relation) => gaps.filter((gap) => gap.relation === relation))
        .map((gap) => linkOf(snapshot, gap, window, since(gap)))
        .filter((link) => link !== null)
        .take(limit)
        .toArray()
    },

    async contagion(query: ContagionQuery): Promise<ContagionAnswer> {
      const now = clock.now()
      const asOf = notInFuture(query.asOf, now)
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const highlights = snapshot === null ? [] : await linksIn(snapshot, query)
      return {
        window: query.window,
        highlights,
        count: highlights.length,
        ...(query.records ? { records: await recordsAt(snapshot?.at ?? asOf ?? now) } : {}),
        generatedAt: isoOf(snapshot?.at ?? asOf ?? now),
        ...(query.nextActions ? { nextActions: actionsOf(highlights, urls) } : {}),
      }
    },
  }
}
export type ContagionService = ReturnType<typeof createContagionService>
