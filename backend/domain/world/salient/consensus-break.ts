import type { ParamsOf } from '../../params.ts'
import { isSuspectGap } from '../../pairing/pairs.ts'
import { roundTo } from '../../units.ts'
import { CONSENSUS_PARAMS, hasMoved, type Consensus } from './consensus.ts'
import { largest } from '../top-rows.ts'
import { singleMarketGroup, bodyOf, PROBABLE_ERROR } from './market-candidates.ts'
import { salientId } from './salient-id.ts'
import type { Candidate } from './salient.ts'
import { centsText } from '../markdown/text.ts'
import type { WorldMarket } from '../world-market.ts'

export const CONSENSUS_BREAK_PARAMS = { deviation: 10, widestSpread: 10, peers: 5 } as const

/**
 * Item of a market whose price deviates from that implied by its peers, after one of them moved:
 * mark 52 with siblings at 30 and 33 is 15 above their 37. Methodology C1. A gap between the venues
 * that is too wide to be believed is marked and has the least strength.
 */
export function consensusBreak(
  market: WorldMarket,
  consensus: Consensus,
  params: ParamsOf<typeof CONSENSUS_BREAK_PARAMS> = CONSENSUS_BREAK_PARAMS,
): Candidate | null {
  const { mark, price, spread } = market
  if (mark === null || price === null || !market.twoSided) return null
  if (spread === null || spread > params.widestSpread) return null
  const x = roundTo(Math.abs(mark - consensus.price), 6) / params.deviation
  const isSuspect = consensus.basis === 'cross_venue' && isSuspectGap(mark - consensus.price)
  if (x < 1 || !(consensus.peersMoved || hasMoved(market, CONSENSUS_PARAMS.minMove))) return null
  const peers = largest(
    consensus.peers(),
    params.peers,
    (peer) => (peer.price === null ? -Infinity : -Math.abs(peer.price - price)),
    (peer) => peer.ticker,
  )
  const consensusPrice = roundTo(consensus.price, 2)
  return {
    id: salientId('consensus_break', market.ticker),
    type: 'consensus_break',
    label: `${centsText(price)} vs ${centsText(consensusPrice)} consensus${isSuspect ? PROBABLE_ERROR : ''} — ${market.title}`,
    body: {
      ...bodyOf(market),
      consensusPrice,
      deviation: roundTo(price - consensus.price, 2),
      basis: consensus.basis,
      peers: peers.map(bodyOf),
      ...(isSuspect && { suspect: true }),
    },
    x: isSuspect ? 1 : x,
    confidence: consensus.confidence,
    ...singleMarketGroup(market),
  }
}
