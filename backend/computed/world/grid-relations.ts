import type { PairedMarket, ThematicPeer } from '../../domain/world/consensus.ts'
import type { Divergence } from '../../domain/world/divergence.ts'
import type { Duplicate } from '../../domain/world/universe.ts'
import type { KnownEdges } from '../../domain/world/world-lists.ts'
import { moveOf, type LadderRung } from '../../domain/world/world-market.ts'
import type { Grid } from '../grid/grid.ts'

/** How the markets of a grid hang together, as the world reads it. */
export interface GridRelations {
  readonly duplicates: readonly Duplicate[]
  readonly divergences: readonly Divergence[]
  readonly pairs: ReadonlyMap<string, PairedMarket>
  readonly thematic: ReadonlyMap<string, readonly ThematicPeer[]>
}

/** The window over which gaps are told where nobody names one (D4). */
const GAP_WINDOW = '6h'
/** Rungs between two others exist in ladders of three and more. */
const LEAST_RUNGS = 3

/** Pairs, gaps and thematic links of a grid. */
export function relationsOf(grid: Grid): GridRelations {
  const pairs = new Map<string, PairedMarket>()
  for (const [ticker, { a, b, confidence, inverted }] of grid.pairOf) {
    pairs.set(ticker, { ticker: ticker === a ? b : a, confidence, inverted })
  }
  const thematic = new Map<string, ThematicPeer[]>()
  const enter = (of: string, ticker: string, prior: number | null): void => {
    const beta = grid.betaOf(ticker, of) ?? prior
    if (beta === null) return
    const peers = thematic.get(of)
    if (peers === undefined) thematic.set(of, [{ ticker, beta }])
    else peers.push({ ticker, beta })
  }
  for (const { i, j, kind, priorBeta } of grid.links) {
    if (kind !== 'thematic') continue
    enter(i, j, priorBeta)
    enter(j, i, priorBeta)
  }
  return { duplicates: grid.pairs, divergences: divergencesOf(grid), pairs, thematic }
}

const divergencesOf = (grid: Grid): Divergence[] =>
  grid.gaps(GAP_WINDOW).flatMap((gap) => {
    const [trigger, lagging] = [grid.markets.get(gap.trigger), grid.markets.get(gap.lagging)]
    if (trigger === undefined || lagging === undefined) return []
    const move = ({ view, marksAgo }: typeof trigger): number =>
      moveOf(view.mark, marksAgo[GAP_WINDOW]) ?? 0
    return [
      {
        trigger: gap.trigger,
        lagging: gap.lagging,
        triggerMove: move(trigger),
        laggingMove: move(lagging),
        gap: gap.gap,
        z: gap.z,
        confidence: gap.link.confidence,
        relation: gap.relation,
        direction: gap.direction,
        theme: trigger.theme === lagging.theme ? lagging.theme : null,
      },
    ]
  })

/** Where markets stand on the ladders of a grid that have a rung between others. */
export function ladderRungsOf(grid: Pick<Grid, 'ladders'>): Map<string, LadderRung> {
  const places = new Map<string, LadderRung>()
  for (const [i, { rungs }] of grid.ladders.entries()) {
    if (rungs.length < LEAST_RUNGS) continue
    for (const { ticker, at } of rungs) places.set(ticker, { ladder: `${i}`, at })
  }
  return places
}

/** What trading the pairs of a grid would bring, by market; theses add theirs where they are known. */
export function pairEdgesOf(grid: Grid): KnownEdges['crossVenue'] {
  const edges = new Map<string, { readonly net: number; readonly yieldPct: number | null }>()
  for (const { pair, edge, yieldPct, isTradable } of grid.crossVenue.values()) {
    if (edge === null || !isTradable) continue
    for (const ticker of [pair.a, pair.b]) {
      const known = edges.get(ticker)
      if (known === undefined || edge.net > known.net) {
        edges.set(ticker, { net: edge.net, yieldPct })
      }
    }
  }
  return edges
}
