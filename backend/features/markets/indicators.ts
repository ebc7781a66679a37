import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import {
  adjustedYield,
  cliffRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  overround,
  tauDays,
} from '../../domain/indicators.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Indicators } from '../../http/market-schemas.ts'

const NONE: Indicators = {
  iy: null,
  iyYes: null,
  iyNo: null,
  adjIy: null,
  cri: null,
  ee: null,
  eeSource: null,
  las: null,
  cvr: null,
  tau: null,
  tauDays: null,
  daysToEvent: null,
  overround: null,
  rv: null,
  vr: null,
  iar: null,
  expectedVr: null,
  residualVr: null,
  hasThesis: false,
  hasOrderbook: false,
  lastComputedAt: null,
}

/** Indicators of markets of one snapshot; what a whole event shares is worked out once. */
export type IndicatorReader = (view: MarketView) => Indicators

/**
 * The indicators that follow from prices and times; the others are null until their quantities
 * exist. A market that is not live has none. Methodology A3 to A7.
 */
export function indicatorsIn(snapshot: BoardSnapshot, at: Millis): IndicatorReader {
  const overrounds = new Map<string, Cents | null>()
  const overroundOf = ({ facts }: MarketView): Cents | null => {
    if (!facts.exclusive) return null
    const event = `${facts.venue} ${facts.eventId}`
    const known = overrounds.get(event)
    if (known !== undefined) return known
    const live = snapshot
      .ofEvent(facts.venue, facts.eventId)
      .filter(({ status }) => status === 'active' || status === 'paused' || status === 'upcoming')
    const sum = overround(
      facts.exclusive,
      live.map(({ status, bestBid, bestAsk }) => ({
        bid: bestBid,
        ask: bestAsk,
        tradable: status === 'active',
      })),
    )
    overrounds.set(event, sum)
    return sum
  }
  return (view) => {
    const { price, spread, tau } = view
    if (view.status !== 'active') return { ...NONE, lastComputedAt: isoOf(at) }
    const iyYes = impliedYieldYes(price, tau)
    const las = liquidityAdjustedSpread(price, view.hasOrderbook ? spread : null)
    return {
      ...NONE,
      iy: iyYes,
      iyYes,
      iyNo: impliedYieldNo(price, tau),
      adjIy: adjustedYield(iyYes, las),
      cri: cliffRatio(price),
      las,
      tau,
      tauDays: tauDays(tau),
      overround: overroundOf(view),
      hasOrderbook: view.hasOrderbook,
      lastComputedAt: isoOf(at),
    }
  }
}
