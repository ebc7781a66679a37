import { dateFamilies } from '../../computed/date-families.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { edgeTypeOf, executableEdge, thesisEdge } from '../../domain/edges/thesis-edge.ts'
import { HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { linksOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import type { EdgesDeps, MarketThesisPrice } from './edges.deps.ts'
import type { EdgeList, EdgeRow, EdgesQuery } from '../../contract/edges.ts'

const bySize = (a: EdgeRow, b: EdgeRow): number => {
  const [left, right] = [a.executableEdge, b.executableEdge]
  if (left !== null && right !== null && left !== right) return Math.abs(right) - Math.abs(left)
  if ((left === null) !== (right === null)) return left === null ? 1 : -1
  return a.ticker < b.ticker ? -1 : 1
}

/** Edges of the theses visible to the caller at current market prices. Methodology E1, E2. */
export function createEdgeService({ context, theses, board, clock, urls }: EdgesDeps) {
  const rowOf = async (
    thesis: MarketThesisPrice,
    view: MarketView,
    snapshot: ContextSnapshot | null,
    { asOf, at }: { readonly asOf: Millis | null; readonly at: Millis },
  ): Promise<EdgeRow | null> => {
    const { facts, price, spread } = view
    const thesisEdgeRow = thesisEdge(thesis, price)
    if (thesisEdgeRow === null) return null
    const book = view.hasOrderbook ? ((await board.book(view, asOf))?.book ?? null) : null
    const market = { book, price, spread, fees: generalTerms(facts.venue) }
    const residualVr = snapshot?.markets.get(facts.ticker)?.surprise.residualVr ?? null
    const onDateLadder =
      snapshot !== null &&
      dateFamilies(snapshot).some(({ members }) =>
        members.some((member) => member.facts.ticker === facts.ticker),
      )
    return {
      ...linksOf(view, urls),
      ticker: facts.ticker,
      venue: facts.venue,
      title: facts.title,
      status: view.status,
      marketPrice: roundOrNull(price),
      thesisPrice: thesis.thesisPrice,
      edge: thesisEdgeRow.edge,
      executableEdge: roundOrNull(
        executableEdge(thesis.thesisPrice, thesisEdgeRow.direction, market, at).edge,
      ),
      direction: thesisEdgeRow.direction,
      confidence: roundOrNull(thesisEdgeRow.confidence, 4) ?? 0,
      liquidityScore: view.liquidityScore,
      spread: roundOrNull(spread),
      reasoning: thesis.reasoning,
      edgeAgeHours: roundOrNull((at - thesis.firstDetectedAt) / HOUR, 1),
      marketAbsorption: roundOrNull(thesisEdgeRow.absorption, 4),
      edgeType: edgeTypeOf({ onDateLadder, residualVr, price }),
      thesisSlug: thesis.thesisSlug,
      ...(thesis.ownThesisId === null ? {} : { thesisId: thesis.ownThesisId }),
      private: thesis.isPrivate,
    }
  }

  return {
    /** @param userId user whose private theses are included; null for public ones only */
    async edges(query: EdgesQuery, userId: string | null): Promise<EdgeList> {
      const { limit, minStrength, theme, venue } = query
      const instant = instantOf(query.asOf, clock.now(), board.ready)
      const { scanned, edges: thesisPrices } = await theses.edges(userId, instant.asOf)
      const snapshot =
        thesisPrices.length === 0 ? null : await contextSnapshotAsOf(context, instant.asOf)
      const views = await board.markets(
        [...new Set(thesisPrices.map(({ ticker }) => ticker))],
        instant.asOf,
      )
      const matchesFilter = passes({ venue, topic: theme, category: null, words: null })
      const rows = await Promise.all(
        thesisPrices.map((thesis) => {
          const view = views.get(thesis.ticker)
          // A settled market has no edge any more.
          const isRequested = view !== undefined && view.status !== 'settled' && matchesFilter(view)
          return isRequested ? rowOf(thesis, view, snapshot, instant) : Promise.resolve(null)
        }),
      )
      const edgeRows = rows
        .filter((row) => row !== null)
        .filter(({ edge }) => minStrength === null || Math.abs(edge) >= minStrength)
        .sort(bySize)
      return {
        priceUnit: 'cents',
        edges: edgeRows.slice(0, limit),
        totalEdges: edgeRows.length,
        thesesScanned: scanned,
        generatedAt: isoOf(instant.at),
      }
    },
  }
}
