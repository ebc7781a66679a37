import type { Thesis } from '../../domain/theses/thesis.ts'
import type { ThesisStatus } from '../../domain/theses/status.ts'
import type { Millis } from '../../domain/units.ts'
import type { ThesesStore } from './theses.store.ts'
import { pricedBy } from './thesis-served.ts'

const HELD: readonly ThesisStatus[] = ['active', 'paused']

/** Edges of the active theses that a caller may see: published ones and their own. */
export function createVisibleEdges(store: Pick<ThesesStore, 'inStates' | 'published'>) {
  const edgesOf = (thesis: Thesis, userId: string | null) =>
    thesis.edges.map((edge) => ({
      ...pricedBy(thesis, edge),
      ticker: edge.ticker,
      firstDetectedAt: edge.firstDetectedAt,
      reasoning: `${thesis.title}: ${edge.rationale}`,
      thesisTitle: thesis.title,
      thesisSlug: thesis.slug,
      ownThesisId: thesis.userId === userId ? thesis.id : null,
      isPrivate: thesis.slug === null,
    }))
  return {
    /**
     * @param asOf leaves out what was evaluated or published later: the theses of that time are not
     * stored; null for now
     */
    async edges(userId: string | null, asOf: Millis | null) {
      const own = userId === null ? [] : await store.inStates(userId, HELD)
      const published = (await store.published()).filter(
        (thesis) => thesis.userId !== userId && HELD.includes(thesis.status),
      )
      const isKnown = ({ edgesAt, publishedAt, userId: owner }: Thesis): boolean =>
        asOf === null ||
        (edgesAt !== null &&
          edgesAt <= asOf &&
          (owner === userId || (publishedAt !== null && publishedAt <= asOf)))
      const theses = [...own, ...published].filter(isKnown)
      return {
        scanned: theses.length,
        edges: theses.flatMap((thesis) => edgesOf(thesis, userId)),
      }
    },
  }
}
