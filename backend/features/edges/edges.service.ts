import { dateFamilies } from '../../computed/date-families.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { passes } from '../../computed/market-filter.ts'
import { gridThen } from '../../computed/past-grid.ts'
import { edgeTypeOf, executableEdge, thesisEdge } from '../../domain/edges/thesis-edge.ts'
import { HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { instantOf } from '../../http/as-of.ts'
import { linksOf, rounded } from '../../http/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import type { EdgesDeps, HeldEdge } from './edges.deps.ts'
import type { EdgeList, EdgeRow, EdgesQuery } from './edges.schema.ts'

const bySize = (a: EdgeRow, b: EdgeRow): number => {
  const [left, right] = [a.executableEdge, b.executableEdge]
  if (left !== null && right !== null && left !== right) return Math.abs(right) - Math.abs(left)
  if ((left === null) !== (right === null)) return left === null ? 1 : -1
  return a.ticker < b.ticker ? -1 : 1
}

/** Edges of theses that the caller may see against the market of the reading. Methodology E1, E2. */
export function createEdgeReads({ context, theses, board, clock, urls }: EdgesDeps) {
  const rowOf = async (
    held: HeldEdge,
    view: MarketView,
    grid: Grid | null,
    { asOf, at }: { readonly asOf: Millis | null; readonly at: Millis },
  ): Promise<EdgeRow | null> => {
    const { facts, price, spread } = view
    const found = thesisEdge(held, price)
    if (found === null) return null
    const book = view.hasOrderbook ? ((await board.book(view, asOf))?.book ?? null) : null
    const market = { book, price, spread, fees: generalTerms(facts.venue) }
    const residualVr = grid?.markets.get(facts.ticker)?.surprise.residualVr ?? null
    const onDateLadder =
      grid !== null &&
      dateFamilies(grid).some(({ members }) =>
        members.some((member) => member.facts.ticker === facts.ticker),
      )
    return {
      ...linksOf(view, urls),
      ticker: facts.ticker,
      venue: facts.venue,
      title: facts.title,
      status: view.status,
      marketPrice: rounded(price),
      thesisPrice: held.thesisPrice,
      edge: found.edge,
      executableEdge: rounded(executableEdge(held.thesisPrice, found.direction, market, at).edge),
      direction: found.direction,
      confidence: rounded(found.confidence, 4) ?? 0,
      liquidityScore: view.liquidityScore,
      spread: rounded(spread),
      reasoning: held.reasoning,
      edgeAgeHours: rounded((at - held.firstDetectedAt) / HOUR, 1),
      marketAbsorption: rounded(found.absorption, 4),
      edgeType: edgeTypeOf({ onDateLadder, residualVr, price }),
      thesisSlug: held.thesisSlug,
      ...(held.ownThesisId === null ? {} : { thesisId: held.ownThesisId }),
      private: held.isPrivate,
    }
  }

  return {
    /** @param userId whose private theses count too; null for public ones alone */
    async edges(asked: EdgesQuery, userId: string | null): Promise<EdgeList> {
      const { limit, minStrength, theme, venue } = asked
      const instant = instantOf(asked.asOf, clock.now(), board.ready)
      const { scanned, edges: held } = await theses.edges(userId, instant.asOf)
      const grid = held.length === 0 ? null : await gridThen(context, instant.asOf)
      const views = await board.markets(
        [...new Set(held.map(({ ticker }) => ticker))],
        instant.asOf,
      )
      const keep = passes({ venue, topic: theme, category: null, words: null })
      const rows = await Promise.all(
        held.map((edge) => {
          const view = views.get(edge.ticker)
          const isAsked = view !== undefined && keep(view)
          return isAsked ? rowOf(edge, view, grid, instant) : Promise.resolve(null)
        }),
      )
      const found = rows
        .filter((row) => row !== null)
        .filter(({ edge }) => minStrength === null || Math.abs(edge) >= minStrength)
        .sort(bySize)
      return {
        priceUnit: 'cents',
        edges: found.slice(0, limit),
        totalEdges: found.length,
        thesesScanned: scanned,
        generatedAt: isoOf(instant.at),
      }
    },
  }
}
export type EdgeReads = ReturnType<typeof createEdgeReads>
