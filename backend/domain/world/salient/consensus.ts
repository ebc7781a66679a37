import type { ParamsOf } from '../../params.ts'
import { clamp, medianOf } from '../../statistics/statistics.ts'
import { byTicker, markMoveSinceBaseline, type WorldMarket } from '../world-market.ts'
import { eventKey } from './market-candidates.ts'

export const CONSENSUS_PARAMS = {
  minPairConfidence: 0.75,
  familyConfidence: 0.9,
  minThematic: 3,
  thematicConfidence: 0.5,
  /** Minimum move since the baseline, of the market or a peer, for a break; cents. */
  minMove: 3,
} as const
type Params = ParamsOf<typeof CONSENSUS_PARAMS>

/** The counterpart of a market on the other venue. */
export interface PairedMarket {
  readonly ticker: string
  readonly confidence: number
  /** True when YES of one is NO of the other. */
  readonly inverted: boolean
}
/** A thematic link: cents that this market moves per cent of the other. */
export interface ThematicPeer {
  readonly ticker: string
  readonly beta: number
}

/** The price of a market that other markets imply. */
export interface Consensus {
  readonly price: number
  readonly basis: 'cross_venue' | 'event_family' | 'region'
  readonly confidence: number
  /** Whether one of the peers moved since the baseline. */
  readonly peersMoved: boolean
  /**
   * The markets it was computed from, in no particular order; computed on demand, for items only.
   */
  readonly peers: () => readonly WorldMarket[]
}

interface Family {
  readonly members: WorldMarket[]
  /** Of the marks; null when one is unknown. */
  sum: number | null
  moved: number
}
interface Neighbours {
  readonly lower: WorldMarket | undefined
  readonly upper: WorldMarket | undefined
}

/** Whether the mark moved by `minMove` cents or more since the baseline. */
export function hasMoved(market: WorldMarket, minMove: number): boolean {
  const move = markMoveSinceBaseline(market)
  return move !== null && Math.abs(move) >= minMove
}

/** Finds the consensus of any live market; built once for all of them. */
export class ConsensusFinder {
  readonly #byTicker: ReadonlyMap<string, WorldMarket>
  readonly #families = new Map<string, Family>()
  readonly #neighbours: ReadonlyMap<string, Neighbours>
  readonly #pairs: ReadonlyMap<string, PairedMarket>
  readonly #thematic: ReadonlyMap<string, readonly ThematicPeer[]>
  readonly #params: Params

  /**
   * @param markets all live markets
   * @param pairs the best counterpart of each paired market
   * @param thematic thematic links of each market
   */
  constructor(
    markets: readonly WorldMarket[],
    pairs: ReadonlyMap<string, PairedMarket>,
    thematic: ReadonlyMap<string, readonly ThematicPeer[]>,
    params: Params = CONSENSUS_PARAMS,
  ) {
    this.#byTicker = new Map(markets.map((market) => [market.ticker, market]))
    this.#pairs = pairs
    this.#thematic = thematic
    this.#params = params
    this.#neighbours = ladderNeighbours(markets)
    for (const market of markets) this.#enterFamily(market)
  }

  #enterFamily(market: WorldMarket): void {
    const key = eventKey(market)
    const family = this.#families.get(key) ?? { members: [], sum: 0, moved: 0 }
    family.members.push(market)
    family.sum = family.sum === null || market.mark === null ? null : family.sum + market.mark
    if (this.#hasMoved(market)) family.moved += 1
    this.#families.set(key, family)
  }

  #hasMoved(market: WorldMarket): boolean {
    return hasMoved(market, this.#params.minMove)
  }

  /**
   * The consensus from the first basis that exists: the other venue, the event's siblings or
   * ladder, the theme.
   */
  find(market: WorldMarket): Consensus | null {
    return (
      this.#pairConsensus(market) ?? this.#familyConsensus(market) ?? this.#themeConsensus(market)
    )
  }

  #pairConsensus(market: WorldMarket): Consensus | null {
    const pair = this.#pairs.get(market.ticker)
    if (pair === undefined || pair.confidence < this.#params.minPairConfidence) return null
    const peer = this.#byTicker.get(pair.ticker)
    if (peer === undefined || peer.mark === null) return null
    const price = pair.inverted ? 100 - peer.mark : peer.mark
    return this.#consensusFrom('cross_venue', price, pair.confidence, [peer])
  }

  #familyConsensus(market: WorldMarket): Consensus | null {
    const confidence = this.#params.familyConfidence
    const family = this.#families.get(eventKey(market))
    if (market.exclusive && market.exhaustive && family !== undefined && market.mark !== null) {
      const siblings = family.members.length - 1
      if (siblings > 0 && family.sum !== null) {
        return {
          price: clamp(100 - (family.sum - market.mark), 0, 100),
          basis: 'event_family',
          confidence,
          peersMoved: family.moved > (this.#hasMoved(market) ? 1 : 0),
          peers: () => family.members.filter((member) => member !== market),
        }
      }
    }
    const { lower: below, upper: above } = this.#neighbours.get(market.ticker) ?? {}
    if (below === undefined || above === undefined || market.mark === null) return null
    if (below.mark === null || above.mark === null) return null
    // Any price between the neighbours is a possible distribution; only another one is inconsistent.
    const [min, max] = [Math.min(below.mark, above.mark), Math.max(below.mark, above.mark)]
    const price = clamp(market.mark, min, max)
    return this.#consensusFrom('event_family', price, confidence, [below, above])
  }

  #themeConsensus(market: WorldMarket): Consensus | null {
    if (market.markAtBaseline === null) return null
    const peers: WorldMarket[] = []
    const moves: number[] = []
    for (const { ticker, beta } of this.#thematic.get(market.ticker) ?? []) {
      const peer = this.#byTicker.get(ticker)
      if (peer === undefined || !peer.twoSided || peer.theme !== market.theme) continue
      const move = markMoveSinceBaseline(peer)
      if (move === null) continue
      peers.push(peer)
      moves.push(beta * move)
    }
    const move = medianOf(moves)
    if (move === null || peers.length < this.#params.minThematic) return null
    const price = clamp(market.markAtBaseline + move, 0, 100)
    return this.#consensusFrom('region', price, this.#params.thematicConfidence, peers)
  }

  #consensusFrom(
    basis: Consensus['basis'],
    price: number,
    confidence: number,
    peers: readonly WorldMarket[],
  ): Consensus {
    const peersMoved = peers.some((peer) => this.#hasMoved(peer))
    return { basis, price, confidence, peersMoved, peers: () => peers }
  }
}

/** The adjacent rungs of each rung of its ladder; markets on the same rung are not neighbours. */
function ladderNeighbours(markets: readonly WorldMarket[]): Map<string, Neighbours> {
  const neighbours = new Map<string, Neighbours>()
  const onLadders = markets.flatMap((market) =>
    market.rung === null ? [] : [{ market, ...market.rung }],
  )
  const ladders = Map.groupBy(onLadders, ({ market, ladder }) => `${market.venue}|${ladder}`)
  for (const ladder of ladders.values()) {
    const sortedRungs = ladder.toSorted((a, b) => a.at - b.at || byTicker(a.market, b.market))
    const rungs = [...Map.groupBy(sortedRungs, ({ at }) => at).values()]
    for (const [i, rung] of rungs.entries()) {
      const [lowerMarket, upperMarket] = [rungs[i - 1]?.[0]?.market, rungs[i + 1]?.[0]?.market]
      for (const { market } of rung)
        neighbours.set(market.ticker, { lower: lowerMarket, upper: upperMarket })
    }
  }
  return neighbours
}
