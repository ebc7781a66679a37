import type { Thesis } from '../../domain/theses/thesis.ts'
import type { ThesisStatus } from '../../domain/theses/status.ts'
import type { Millis } from '../../domain/units.ts'
import { leadIn } from '../../domain/world/markdown/text.ts'
import type { ThesesStore } from './theses.store.ts'
import { edgePrices } from './thesis-edges-served.ts'

const VISIBLE_STATUSES: readonly ThesisStatus[] = ['active', 'paused']

/** Edges of the active theses that a caller may see: published ones and their own. */
export function createVisibleEdges(
  store: Pick<ThesesStore, 'thesesInStates' | 'publishedTheses' | 'visibleAt'>,
) {
  const edgesOf = (thesis: Thesis, userId: string | null) =>
    thesis.edges.map((edge) => ({
      ...edgePrices(thesis, edge),
      ticker: edge.ticker,
      firstDetectedAt: edge.firstDetectedAt,
      reasoning: `${leadIn(thesis.title)} ${edge.rationale}`,
      thesisTitle: thesis.title,
      thesisSlug: thesis.slug,
      ownThesisId: thesis.userId === userId ? thesis.id : null,
      isPrivate: thesis.slug === null,
    }))
  return {
    /**
     * @param asOf the instant of the theses; null for now. Theses of other users must have been
     * public then and must be public now
     */
    async edges(userId: string | null, asOf: Millis | null) {
      const visibleTheses =
        asOf === null
          ? [
              ...(userId === null ? [] : await store.thesesInStates(userId, VISIBLE_STATUSES)),
              ...(await store.publishedTheses()).filter((thesis) => thesis.userId !== userId),
            ]
          : await store.visibleAt(userId, asOf)
      const theses = visibleTheses.filter(
        ({ status, slug, userId: owner }) =>
          VISIBLE_STATUSES.includes(status) && (owner === userId || slug !== null),
      )
      return {
        scanned: theses.length,
        edges: theses.flatMap((thesis) => edgesOf(thesis, userId)),
      }
    },
  }
}
