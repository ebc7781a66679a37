import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import { sideOf } from '../../domain/theses/track-record.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { settlementOf, type ThesisBoard } from './thesis-markets.ts'

/** The return of an edge on its side at an instant (methodology H6). */
export interface EdgeReturn {
  readonly edge: BoundEdge
  readonly title: string
  readonly current: number | null
  readonly returnPct: number | null
}

export async function returnsOf(
  board: ThesisBoard,
  thesis: Thesis,
  asOf: Millis | null,
): Promise<EdgeReturn[]> {
  const views = await board.markets(
    thesis.edges.map(({ ticker }) => ticker),
    asOf,
  )
  return thesis.edges.flatMap((edge) => {
    const view = views.get(edge.ticker)
    if (view === undefined) return []
    const mark = edge.settlement?.price ?? settlementOf(view) ?? view.mark
    const current = mark === null ? null : sideOf(edge) === 'yes' ? mark : roundTo(100 - mark, 4)
    const { entryPrice } = edge
    const isKnown = entryPrice !== null && entryPrice > 0 && current !== null
    return {
      edge,
      title: view.facts.title,
      current,
      returnPct: isKnown ? roundTo((100 * (current - entryPrice)) / entryPrice, 2) : null,
    }
  })
}

/** The mean return of the edges of a thesis, percent; null where none is known. */
export async function impliedReturnOf(
  board: ThesisBoard,
  thesis: Thesis,
  asOf: Millis | null,
): Promise<number | null> {
  const knownReturns = (await returnsOf(board, thesis, asOf)).flatMap(
    ({ returnPct }) => returnPct ?? [],
  )
  return meanReturnOf(knownReturns)
}

/** The mean of returns, percent; null for none. */
export const meanReturnOf = (returns: readonly number[]): number | null => {
  const sum = returns.reduce((total, value) => total + value, 0)
  return returns.length === 0 ? null : roundTo(sum / returns.length, 2)
}
