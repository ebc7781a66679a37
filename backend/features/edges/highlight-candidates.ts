import type { WorldBucket } from '../../computed/context-engine.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import type { MarketEdge } from '../../computed/market-edges.ts'
import { oncePer } from '../../computed/once-per.ts'
import { edgeStrength } from '../../domain/edges/thesis-edge.ts'
import { edgeMagnitude, moverMagnitude } from '../../domain/highlights.ts'
import type { HighlightCandidate, HighlightKind } from '../../domain/highlights.ts'
import { LIQUIDITY_WEIGHTS } from '../../domain/liquidity.ts'
import { saturated } from '../../domain/statistics.ts'
import { eventKey } from '../../domain/world/market-candidates.ts'
import type { SalientType } from '../../domain/world/salient.ts'
import { centsText, signedText } from '../../domain/world/text.ts'
import { WORLD_LIST_PARAMS } from '../../domain/world/world-lists.ts'
import type { World } from '../../domain/world/world.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'

/** Something worth a look, with the words it is shown with. */
export interface Highlighted extends HighlightCandidate {
  readonly market: WorldMarket
  readonly summary: string
}

/** Lists that are made of salient items; the other items are no highlights. */
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

const about = (kind: HighlightKind, market: WorldMarket, score: number, summary: string) => ({
  ...{ kind, market, score, summary },
  ticker: market.ticker,
  event: eventKey(market),
})

const ofItems = (world: World): Highlighted[] =>
  world.candidates.flatMap((candidate) => {
    const kind = KINDS[candidate.type]
    const [market] = candidate.legs
    if (kind === undefined || market === undefined) return []
    return [about(kind, market, candidate.score, candidate.label)]
  })

const ofMovers = ({ markets }: World): Highlighted[] =>
  markets.flatMap((market) => {
    const delta = priceMove24h(market)
    const isMover = delta !== null && Math.abs(delta) >= WORLD_LIST_PARAMS.moverDelta
    if (!isMover || market.liquidity === 'low') return []
    const score = saturated(moverMagnitude(delta)) * LIQUIDITY_WEIGHTS[market.liquidity]
    const summary = `${signedText(delta, 2)}¢ in 24 h to ${centsText(market.price)}`
    return [about('mover', market, score, summary)]
  })

const ofEdges = ({ world, grid }: WorldBucket): Highlighted[] =>
  [...marketEdges(grid)].flatMap(([ticker, [best]]) => {
    const market = world.marketOf(ticker)
    if (market === undefined || best === undefined) return []
    const { kind, executable, confidence } = best
    // A pair is one thing: the leg that comes first speaks for it.
    if (kind === 'cross_venue' && grid.pairOf.get(ticker)?.b === ticker) return []
    const strength = edgeStrength(executable, confidence, null, market.liquidity)
    if (strength === null || executable === null || executable <= 0) return []
    const summary = `${centsText(executable)} after fees ${SOURCES[kind]}`
    return [about('edge', market, saturated(edgeMagnitude(strength)), summary)]
  })

/** Everything of a world that may be a highlight, with its score (methodology F4). */
export const highlightCandidates: (bucket: WorldBucket) => readonly Highlighted[] = oncePer(
  (bucket) => [...ofItems(bucket.world), ...ofMovers(bucket.world), ...ofEdges(bucket)],
)
