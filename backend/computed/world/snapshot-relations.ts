import type { PairedMarket, ThematicPeer } from '../../domain/world/salient/consensus.ts'
import type { Divergence } from '../../domain/world/salient/divergence.ts'
import type { Duplicate } from '../../domain/world/universe.ts'
import type { KnownEdges } from '../../domain/world/world-lists.ts'
import { moveOf, type LadderRung } from '../../domain/world/world-market.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'

/** Relations between the markets of a snapshot, as inputs of the world. */
export interface SnapshotRelations {
  readonly duplicates: readonly Duplicate[]
  readonly divergences: readonly Divergence[]
  readonly pairs: ReadonlyMap<string, PairedMarket>
  readonly thematic: ReadonlyMap<string, readonly ThematicPeer[]>
}

/** Default window of gaps (D4). */
const GAP_WINDOW = '6h'
/** Minimum rungs of a ladder. */
const MIN_RUNGS = 2

/** Pairs, gaps and thematic links of a snapshot. */
export function relationsOf(snapshot: ContextSnapshot): SnapshotRelations {
  const pairs = new Map<string, PairedMarket>()
  for (const [ticker, { a, b, confidence, inverted }] of snapshot.pairOf) {
    pairs.set(ticker, { ticker: ticker === a ? b : a, confidence, inverted })
  }
  const thematic = new Map<string, ThematicPeer[]>()
  const enter = (sourceTicker: string, ticker: string, prior: number | null): void => {
    const beta = snapshot.betaOf(ticker, sourceTicker) ?? prior
    if (beta === null) return
    const peers = thematic.get(sourceTicker)
    if (peers === undefined) thematic.set(sourceTicker, [{ ticker, beta }])
    else peers.push({ ticker, beta })
  }
  for (const { i, j, kind, priorBeta } of snapshot.links) {
    if (kind !== 'thematic') continue
    enter(i, j, priorBeta)
    enter(j, i, priorBeta)
  }
  return { duplicates: snapshot.pairs, divergences: divergencesOf(snapshot), pairs, thematic }
}

const divergencesOf = (snapshot: ContextSnapshot): Divergence[] =>
  snapshot.distinctGaps(GAP_WINDOW).flatMap((gap) => {
    const [trigger, laggingMarket] = [
      snapshot.markets.get(gap.trigger),
      snapshot.markets.get(gap.lagging),
    ]
    if (trigger === undefined || laggingMarket === undefined) return []
    const move = ({ view, marksAgo }: typeof trigger): number =>
      moveOf(view.mark, marksAgo[GAP_WINDOW]) ?? 0
    return [
      {
        trigger: gap.trigger,
        lagging: gap.lagging,
        triggerMove: move(trigger),
        laggingMove: move(laggingMarket),
        gap: gap.gap,
        z: gap.z,
        confidence: gap.link.confidence,
        relation: gap.relation,
        direction: gap.direction,
        theme: trigger.theme === laggingMarket.theme ? laggingMarket.theme : null,
      },
    ]
  })

/** Positions of markets on the ladders of a snapshot that have at least two rungs. */
export function ladderRungsOf(snapshot: Pick<ContextSnapshot, 'ladders'>): Map<string, LadderRung> {
  const places = new Map<string, LadderRung>()
  for (const [i, { rungs }] of snapshot.ladders.entries()) {
    if (rungs.length < MIN_RUNGS) continue
    for (const { ticker, at } of rungs) places.set(ticker, { ladder: `${i}`, at })
  }
  return places
}

/** Net of trading the pairs of a snapshot, by market. */
export function pairEdgesOf(snapshot: ContextSnapshot): KnownEdges['crossVenue'] {
  const edges = new Map<
    string,
    { readonly net: number; readonly yieldPct: number | null; readonly pair: string }
  >()
  for (const { pair, edge, yieldPct, isTradable } of snapshot.crossVenue.values()) {
    if (edge === null || !isTradable) continue
    for (const ticker of [pair.a, pair.b]) {
      const existing = edges.get(ticker)
      if (existing === undefined || edge.net > existing.net) {
        edges.set(ticker, { net: edge.net, yieldPct, pair: pair.id })
      }
    }
  }
  return edges
}
