import type { IntentBasis } from '../../domain/portfolio/intent.ts'
import type { NamedSide } from '../../domain/portfolio/named-basis.ts'
import type { TradingEdge, TradingThesis } from '../../domain/portfolio/trading-thesis.ts'
import { isFinalStrategy } from '../../domain/theses/holdings.ts'
import { THESIS_STATUSES, type ThesisStatus } from '../../domain/theses/status.ts'
import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import { confidenceOf } from '../../domain/theses/tree.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { instantOf } from '../../http/request/as-of.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { orderedStrategies } from './holdings/holdings-served.ts'
import type { ThesesStore } from './theses.store.ts'
import { executableSides, type ThesisBoard } from './thesis-markets.ts'
import type { ThesisRows } from './thesis-rows.ts'

/** States of a thesis that a tick acts on: only active ones enter, stops of paused ones still fire. */
const TRADED_STATUSES: readonly ThesisStatus[] = ['active', 'paused', 'killed']

/** Theses and strategies of a user, as other features name and trade them. */
export const createOwnTheses = (
  { store, board, clock }: { store: ThesesStore; board: ThesisBoard; clock: Clock },
  { thesisOfUser }: Pick<ThesisRows, 'thesisOfUser'>,
) => ({
  /**
   * The theses that a tick trades; with an id only that one, in any state, or nothing if the user
   * has no such thesis.
   */
  async trading(userId: string, id: string | null): Promise<TradingThesis[]> {
    const theses =
      id === null
        ? await store.thesesInStates(userId, TRADED_STATUSES)
        : await store.byIdPrefix(userId, id)
    return Promise.all(theses.map((thesis) => tradingThesis(board, thesis, clock)))
  },
  /**
   * The full ids of a thesis and a strategy, with the thesis of the strategy.
   * @throws NotFound unless both belong to the user
   */
  async basis(userId: string, { thesisId, strategyId }: IntentBasis): Promise<IntentBasis> {
    const thesis = thesisId === null ? null : await thesisOfUser(userId, thesisId)
    if (strategyId === null) return { thesisId: thesis?.id ?? null, strategyId }
    const candidates =
      thesis === null ? await store.thesesInStates(userId, THESIS_STATUSES) : [thesis]
    const holder = candidates.find(({ strategies }) =>
      strategies.some(({ id }) => id === strategyId),
    )
    if (holder === undefined) throw new NotFound('Strategy not found')
    return { thesisId: holder.id, strategyId }
  },
  /** The thesis whose id begins with a text; null without. @throws Conflict for an ambiguous one */
  async ownedThesis(userId: string, id: string): Promise<Pick<Thesis, 'id' | 'title'> | null> {
    try {
      return await thesisOfUser(userId, id)
    } catch (error) {
      if (error instanceof NotFound) return null
      throw error
    }
  },
  /** The sides of markets that the user's theses and their strategies name, past ones included. */
  async namedSides(userId: string): Promise<NamedSide[]> {
    const theses = await store.thesesInStates(userId, THESIS_STATUSES)
    return theses.flatMap(namedSides)
  },
  async titles(userId: string): Promise<ReadonlyMap<string, string>> {
    const theses = await store.thesesInStates(userId, THESIS_STATUSES)
    return new Map(theses.map(({ id, title }) => [id, title]))
  },
})

/** States in which a thesis is not followed any more. */
const ENDED_STATUSES: readonly ThesisStatus[] = ['killed', 'dormant', 'resolved']

/** A thesis that ended names its sides until it was last changed. */
function namedSides({ id, status, updatedAt, edges, strategies }: Thesis): NamedSide[] {
  const until = ENDED_STATUSES.includes(status) ? updatedAt : null
  const edgeSides = edges.map(
    ({ ticker, firstThesisPrice, firstMarketPrice, firstDetectedAt, settlement }): NamedSide => ({
      thesisId: id,
      strategyId: null,
      ticker,
      direction: firstThesisPrice >= firstMarketPrice ? 'yes' : 'no',
      from: firstDetectedAt,
      until: until ?? settlement?.at ?? null,
    }),
  )
  const strategySides = strategies.map((strategy): NamedSide => ({
    thesisId: id,
    strategyId: strategy.id,
    ticker: strategy.ticker,
    direction: strategy.direction,
    from: strategy.createdAt,
    until: until ?? (isFinalStrategy(strategy.status) ? strategy.updatedAt : null),
  }))
  return [...edgeSides, ...strategySides]
}

async function tradingThesis(
  board: ThesisBoard,
  thesis: Thesis,
  clock: Clock,
): Promise<TradingThesis> {
  const { id, title, status, tree, strategies } = thesis
  const open = thesis.edges.filter(({ settlement }) => settlement === null)
  const instant = instantOf(null, clock.now(), true)
  const views = await board.markets(
    open.map(({ ticker }) => ticker),
    null,
  )
  const withPrice = async (edge: BoundEdge): Promise<TradingEdge | null> => {
    const view = views.get(edge.ticker)
    if (view === undefined) return null
    const { ticker, rationale } = edge
    const sides = await executableSides(board, view, edge.thesisPrice, instant)
    return { ticker, rationale, yes: roundOrNull(sides.yes), no: roundOrNull(sides.no) }
  }
  const edges = await Promise.all(open.map(withPrice))
  return {
    id,
    title,
    status,
    confidence: tree === null ? null : confidenceOf(tree.nodes),
    strategies: orderedStrategies(strategies),
    edges: edges.filter((edge) => edge !== null),
  }
}
