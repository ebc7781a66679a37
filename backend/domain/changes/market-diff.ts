import type { MarketResult, MarketStatus, Ticker } from '../market.ts'
import type { RegimeSide } from '../regime/label.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** A number at two instants; the difference is null when one is unknown. */
export interface Change {
  readonly from: number | null
  readonly to: number | null
  /** `to` − `from`. */
  readonly delta: number | null
}

export interface MarketDiffParams {
  /** Minimum headline price change, cents, that is listed as a move. */
  readonly minMove: number
}
export const MARKET_DIFF_PARAMS: MarketDiffParams = { minMove: 1 }

/** Decimals of the differences: those of the served quantities. */
const DECIMALS = {
  iyYes: 4,
  iyNo: 4,
  cri: 3,
  ee: 2,
  las: 4,
  rv: 1,
  vr: 3,
  overround: 2,
} as const
export type DiffIndicator = keyof typeof DECIMALS

/** The compared quantities of a market at one instant. */
export type DiffReading = Readonly<Record<DiffIndicator, number | null>> & {
  readonly price: Cents | null
}

export interface MarketDiff {
  readonly price: Change
  /** Implied yield of YES. */
  readonly yield: Change
  readonly indicators: Readonly<Record<DiffIndicator, Change>>
}

export function changeOf(from: number | null, to: number | null, decimals: number): Change {
  const isKnown = from !== null && to !== null
  return { from, to, delta: isKnown ? roundTo(to - from, decimals) : null }
}

/**
 * Changes of one market between two instants; a missing reading is null throughout.
 * Methodology F5.
 */
export function marketDiff(from: DiffReading | null, to: DiffReading | null): MarketDiff {
  const names = Object.keys(DECIMALS) as DiffIndicator[]
  const indicators = Object.fromEntries(
    names.map((name) => [name, changeOf(from?.[name] ?? null, to?.[name] ?? null, DECIMALS[name])]),
  ) as Record<DiffIndicator, Change>
  return {
    price: changeOf(from?.price ?? null, to?.price ?? null, 4),
    yield: indicators.iyYes,
    indicators,
  }
}

/** A market at both ends of a window. */
export interface MarketSpan {
  readonly ticker: Ticker
  readonly firstSeenAt: Millis
  readonly priceThen: Cents | null
  readonly priceNow: Cents | null
  /** Null when the market was not known then. */
  readonly statusThen: MarketStatus | null
  readonly statusNow: MarketStatus
  /** Start of its current status. */
  readonly statusSince: Millis
  readonly result: MarketResult | null
  readonly labelThen: RegimeSide | null
  readonly labelNow: RegimeSide | null
  /** Start of its current label; null without one. */
  readonly labelSince: Millis | null
}

/** Changes among markets, in separate lists. */
export interface GlobalDiff<Market> {
  /** By size of the price change, largest first. */
  readonly moved: readonly { readonly market: Market; readonly delta: number }[]
  /** Newest first, like the other lists. */
  readonly added: readonly Market[]
  readonly resolved: readonly Market[]
  readonly closed: readonly Market[]
  readonly regimeChanges: readonly Market[]
}

const ENDED_STATUSES: ReadonlySet<MarketStatus> = new Set(['closed', 'resolving'])

/**
 * Differences of all markets over (from, to]: moves of a cent or more and, separately, markets that
 * were first seen, settled, closed or relabelled in the window. Settled and closed markets are not
 * moves, because their jump is the resolution. Ties by ticker. Methodology F5.
 */
export function globalDiff<Market extends MarketSpan>(
  markets: Iterable<Market>,
  from: Millis,
  params: MarketDiffParams = MARKET_DIFF_PARAMS,
): GlobalDiff<Market> {
  const movers: { market: Market; delta: number }[] = []
  const addedMarkets: Market[] = []
  const resolvedMarkets: Market[] = []
  const closedMarkets: Market[] = []
  const regimeChanges: Market[] = []
  for (const market of markets) {
    const { statusThen, statusNow, labelThen, labelNow } = market
    const isOver = statusNow === 'settled' || ENDED_STATUSES.has(statusNow)
    if (market.firstSeenAt > from) addedMarkets.push(market)
    if (statusNow === 'settled' && statusThen !== 'settled') resolvedMarkets.push(market)
    else if (
      ENDED_STATUSES.has(statusNow) &&
      !(statusThen !== null && ENDED_STATUSES.has(statusThen))
    ) {
      closedMarkets.push(market)
    }
    if (labelThen !== null && labelNow !== null && labelThen !== labelNow) {
      regimeChanges.push(market)
    }
    const { delta } = changeOf(market.priceThen, market.priceNow, 4)
    if (delta !== null && !isOver && Math.abs(delta) >= params.minMove) {
      movers.push({ market, delta })
    }
  }
  movers.sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta) || byTicker(a.market, b.market))
  const newest = (list: Market[], timeOf: (market: Market) => number): Market[] =>
    list.sort((a, b) => timeOf(b) - timeOf(a) || byTicker(a, b))
  return {
    moved: movers,
    added: newest(addedMarkets, ({ firstSeenAt }) => firstSeenAt),
    resolved: newest(resolvedMarkets, ({ statusSince }) => statusSince),
    closed: newest(closedMarkets, ({ statusSince }) => statusSince),
    regimeChanges: newest(regimeChanges, ({ labelSince }) => labelSince ?? 0),
  }
}

const byTicker = (a: MarketSpan, b: MarketSpan): number =>
  a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0
