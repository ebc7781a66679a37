import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import type { MarketEdge } from '../../computed/market-edges.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { edgeStrength } from '../../domain/edges/thesis-edge.ts'
import { edgeMagnitude, HIGHLIGHT_PARAMS, moverMagnitude } from '../../domain/changes/highlights.ts'
import type { HighlightCandidate, HighlightKind } from '../../domain/changes/highlights.ts'
import { LIQUIDITY_WEIGHTS } from '../../domain/liquidity/liquidity.ts'
import { saturate } from '../../domain/statistics/statistics.ts'
import { eventKey } from '../../domain/world/salient/market-candidates.ts'
import type { SalientType } from '../../domain/world/salient/salient.ts'
import { centsText, signedText } from '../../domain/world/markdown/text.ts'
import { isAboveMoverFloor } from '../../domain/world/mover-floor.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import type { World } from '../../domain/world/world.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'

/** A candidate with the texts it is shown with. */
export interface HighlightedItem extends HighlightCandidate {
  readonly market: WorldMarket
  readonly summary: string
}

/** Highlight kinds of salient items; other salient types are not highlights. */
const KINDS: Readonly<Partial<Record<SalientType, HighlightKind>>> = {
  divergence: 'contagion',
  residual: 'volume',
  resolving_soon: 'resolving',
  novel: 'new',
}

const SOURCES: Readonly<Record<MarketEdge['kind'], string>> = {
  cross_venue: 'against the other venue',
  basket: 'over all outcomes of the event',
  ladder: 'against another rung of the ladder',
}

const highlightOf = (kind: HighlightKind, market: WorldMarket, score: number, summary: string) => ({
  kind,
  market,
  score,
  summary,
  ticker: market.ticker,
  event: eventKey(market),
})

const itemCandidates = (world: World): HighlightedItem[] =>
  world.candidates.flatMap((candidate) => {
    const kind = KINDS[candidate.type]
    const [market] = candidate.legs
    if (kind === undefined || market === undefined) return []
    return [highlightOf(kind, market, candidate.score, candidate.label)]
  })

const moverCandidates = ({ markets }: World): HighlightedItem[] =>
  markets.flatMap((market) => {
    const delta = priceMove24h(market)
    const isMover = delta !== null && Math.abs(delta) >= WORLD_LIST_PARAMS.moverDelta
    if (!isMover || market.liquidity === 'low' || !isAboveMoverFloor(market)) return []
    const score = saturate(moverMagnitude(delta)) * LIQUIDITY_WEIGHTS[market.liquidity]
    const summary = `${signedText(delta, 2)}¢ in 24 h to ${centsText(market.price)}`
    return [highlightOf('mover', market, score, summary)]
  })

const edgeCandidates = ({ world, snapshot }: WorldSnapshot): HighlightedItem[] =>
  [...marketEdges(snapshot)].flatMap(([ticker, [best]]) => {
    const market = world.marketOf(ticker)
    if (market === undefined || best === undefined) return []
    const { kind, executable, confidence } = best
    // A pair is one candidate, represented by its first leg.
    if (kind === 'cross_venue' && snapshot.pairOf.get(ticker)?.b === ticker) return []
    const strength = edgeStrength(executable, confidence, null, market.liquidity)
    if (strength === null || executable === null || executable < HIGHLIGHT_PARAMS.minEdge) return []
    const summary = `${centsText(executable)} after fees ${SOURCES[kind]}`
    return [highlightOf('edge', market, saturate(edgeMagnitude(strength)), summary)]
  })

/** All highlight candidates of a world with their scores (methodology F4). */
export const highlightCandidates: (worldSnapshot: WorldSnapshot) => readonly HighlightedItem[] =
  memoizeByKey((worldSnapshot) => [
    ...itemCandidates(worldSnapshot.world),
    ...moverCandidates(worldSnapshot.world),
    ...edgeCandidates(worldSnapshot),
  ])
