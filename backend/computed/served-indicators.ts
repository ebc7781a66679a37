import {
  adjustedYield,
  cliffRatio,
  crossVenueRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  tauDays,
} from '../domain/prices/indicators.ts'
import type { Ticker } from '../domain/market.ts'
import { alignedPrice, passesPreset } from '../domain/pairing/pairs.ts'
import { roundTo } from '../domain/units.ts'
import type { Cents } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { eventOverround } from './board/event-overround.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from './board/market-board.ts'

/** The indicators of one market as served in every response (methodology A3 to A9). */
export interface ServedIndicators {
  iy: number | null
  iyYes: number | null
  iyNo: number | null
  adjIy: number | null
  cri: number | null
  ee: number | null
  eeSource: 'thesis' | null
  las: number | null
  cvr: number | null
  tau: number | null
  tauDays: number | null
  daysToEvent: number | null
  overround: number | null
  rv: number | null
  vr: number | null
  iar: number | null
  expectedVr: number | null
  residualVr: number | null
  hasThesis: boolean
  hasOrderbook: boolean
  lastComputedAt: string | null
}

const NO_INDICATORS: ServedIndicators = {
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

/** Ratios from the price, the book and the days left at one instant. */
export function priceRatios({
  price,
  spread,
  tau,
  hasOrderbook,
}: Pick<MarketView, 'price' | 'spread' | 'tau' | 'hasOrderbook'>) {
  const iyYes = impliedYieldYes(price, tau)
  const las = liquidityAdjustedSpread(price, hasOrderbook ? spread : null)
  return {
    iyYes,
    iyNo: impliedYieldNo(price, tau),
    adjIy: adjustedYield(iyYes, las),
    cri: cliffRatio(price),
    las,
  }
}

/**
 * Price of the counterpart on another venue, aligned to this market's question; null without one.
 */
export function counterpartPrice(
  ticker: Ticker,
  snapshot: ContextSnapshot,
  viewOf: (ticker: Ticker) => MarketView | null,
): Cents | null {
  const pair = snapshot.pairOf.get(ticker)
  if (pair === undefined || !passesPreset(pair, 'detail')) return null
  const other = viewOf(pair.a === ticker ? pair.b : pair.a)
  return other === null ? null : alignedPrice(other.price, pair.inverted)
}

/** Indicators of markets of one board view; values shared by an event are computed once. */
export type IndicatorReader = (view: MarketView) => ServedIndicators

/**
 * Indicators of the markets of a board view: ratios of its prices, and further values of the
 * snapshot. A market that cannot trade has none; a paused one keeps those of its last price.
 * @param snapshot null before the first one
 */
export function indicatorsIn(
  boardView: BoardView,
  snapshot: ContextSnapshot | null,
): IndicatorReader {
  const overrounds = new Map<string, Cents | null>()
  const overroundOf = ({ facts }: MarketView): Cents | null => {
    if (!facts.exclusive) return null
    const event = `${facts.venue} ${facts.eventId}`
    const existing = overrounds.get(event)
    if (existing !== undefined) return existing
    const sum = eventOverround(boardView.marketsOfEvent(facts.venue, facts.eventId))
    overrounds.set(event, sum)
    return sum
  }
  return (view) => {
    if (view.status !== 'active' && view.status !== 'paused') return NO_INDICATORS
    const ratios = priceRatios(view)
    const { ticker } = view.facts
    const servedIndicators: ServedIndicators = {
      ...NO_INDICATORS,
      ...ratios,
      iy: ratios.iyYes,
      tau: view.tau,
      tauDays: tauDays(view.tau),
      overround: view.status === 'active' ? overroundOf(view) : null,
      hasOrderbook: view.hasOrderbook,
    }
    const existing = snapshot?.markets.get(ticker)
    if (snapshot === null || existing === undefined) return servedIndicators
    const { rates, surprise, daysToEvent } = existing
    return {
      ...servedIndicators,
      cvr: crossVenueRatio(
        view.price,
        counterpartPrice(ticker, snapshot, (other) => boardView.get(other)),
      ),
      daysToEvent: roundOrNull(daysToEvent, 4),
      rv: roundOrNull(rates.rv, 1),
      iar: roundOrNull(rates.iar, 2),
      vr: roundOrNull(surprise.vr, 3),
      expectedVr: roundOrNull(surprise.expectedVr, 3),
      residualVr: roundOrNull(surprise.residualVr, 3),
      lastComputedAt: isoOf(snapshot.at),
    }
  }
}

const roundOrNull = (value: number | null, places: number): number | null =>
  value === null ? null : roundTo(value, places)
