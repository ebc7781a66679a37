import { LIQUIDITY_WEIGHTS } from '../../liquidity/liquidity.ts'
import { isSuspectGap } from '../../pairing/pairs.ts'
import type { ParamsOf } from '../../params.ts'
import { roundTo } from '../../units.ts'
import { salientId } from './salient-id.ts'
import type { Candidate, LinkRelation } from './salient.ts'
import { cutTitle, numberText } from '../markdown/text.ts'
import { PROBABLE_ERROR } from './market-candidates.ts'
import type { WorldMarket } from '../world-market.ts'

export const DIVERGENCE_PARAMS = { gap: 5, z: 2 } as const

/** Length of a title in a label that names two markets. */
const SIDE_LENGTH = 44

/** A gap between two linked markets (D5), cents; tickers of live markets. */
export interface Divergence {
  readonly trigger: string
  readonly lagging: string
  readonly triggerMove: number
  readonly laggingMove: number
  /** The expected move that the lagging market has not made yet, signed. */
  readonly gap: number
  readonly z: number
  /** Confidence of the link. */
  readonly confidence: number
  readonly relation: LinkRelation
  readonly direction: 'lagging' | 'overshooting'
  readonly theme: string | null
}

/** Whether a gap is wide and unusual enough. */
export const isSalientGap = (
  { gap, z }: Pick<Divergence, 'gap' | 'z'>,
  params: ParamsOf<typeof DIVERGENCE_PARAMS> = DIVERGENCE_PARAMS,
): boolean => Math.abs(gap) >= params.gap && Math.abs(z) >= params.z

/**
 * The item of a gap; null when it is narrow or usual, or one of its markets is not live. A gap
 * between the venues that is too wide to be believed is marked and has the least strength.
 */
export function divergenceItem(
  divergence: Divergence,
  marketOf: (ticker: string) => WorldMarket | undefined,
  params: ParamsOf<typeof DIVERGENCE_PARAMS> = DIVERGENCE_PARAMS,
): Candidate | null {
  const trigger = marketOf(divergence.trigger)
  const laggingMarket = marketOf(divergence.lagging)
  if (trigger === undefined || laggingMarket === undefined) return null
  if (!isSalientGap(divergence, params)) return null
  const { gap, relation, direction } = divergence
  const theme = divergence.theme ?? laggingMarket.theme
  const cents = numberText(Math.abs(gap), 0)
  const isSuspect = relation === 'cross_venue' && isSuspectGap(gap)
  return {
    id: salientId('divergence', trigger.ticker, laggingMarket.ticker),
    type: 'divergence',
    label: `${cutTitle(laggingMarket.title, SIDE_LENGTH)} ${direction} ${cutTitle(trigger.title, SIDE_LENGTH)} — ${cents}¢ gap${isSuspect ? PROBABLE_ERROR : ''} [${theme}]`,
    body: {
      lhs: sideOf(trigger, divergence.triggerMove),
      rhs: sideOf(laggingMarket, divergence.laggingMove),
      gap: roundTo(gap, 2),
      theme,
      triggerTicker: trigger.ticker,
      laggingTicker: laggingMarket.ticker,
      relation,
      ...(isSuspect && { suspect: true }),
    },
    x: isSuspect ? 1 : Math.abs(gap) / params.gap,
    confidence: divergence.confidence,
    weight: Math.min(
      LIQUIDITY_WEIGHTS[trigger.liquidity],
      LIQUIDITY_WEIGHTS[laggingMarket.liquidity],
    ),
    legs: [laggingMarket, trigger],
  }
}

const sideOf = (market: WorldMarket, move: number) => ({
  name: market.title,
  Δ: `${numberText(move, 0)}c`,
  ticker: market.ticker,
  delta: roundTo(move, 2),
})
