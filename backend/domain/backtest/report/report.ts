import { calibrationScores, type CalibrationScores } from '../../calibration/scores.ts'
import { wilsonInterval, type Interval } from '../../statistics/statistics.ts'
import { DAY } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { attributionOf, type Attribution } from './attribution.ts'
import { ENGINE_VERSION } from '../engine-version.ts'
import { entriesOf } from './entries.ts'
import { moneyOf, type FillModel } from '../broker/fill-model.ts'
import type { PrefixCheck } from '../lookahead.ts'
import {
  dailyEquity,
  dailyReturns,
  drawdownOf,
  returnMetrics,
  type ReturnMetrics,
} from './metrics.ts'
import type { OpenPosition, RunResult } from './run-result.ts'
import type { Params } from '../strategy.ts'
import type { Capacity } from '../studies/capacity.ts'
import { intervalsOf, type ReportIntervals } from '../studies/report-intervals.ts'
import type { Study } from '../studies/study.ts'

/** A period in which a feed of a traded market was missing. */
export interface CrossedGap {
  readonly ticker: string | null
  readonly venue: string
  readonly feed: string
  readonly from: Millis
  readonly to: Millis | null
  readonly state: string
}

/** How a report was made. */
export interface ReportOrigin {
  readonly strategy: string
  readonly about: string
  readonly params: Params
  readonly scope: string
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  readonly checks: readonly PrefixCheck[]
  readonly isDeterministic: boolean | null
  /** Null when it was not requested. */
  readonly capacity: Capacity | null
}

/** One row of the list of trades; money in dollars, prices in cents of the traded side. */
export interface ReportTrade {
  readonly at: Millis
  readonly ticker: string
  readonly action: 'buy' | 'sell'
  readonly side: 'yes' | 'no'
  readonly role: 'taker' | 'maker'
  readonly price: number
  readonly contracts: number
  readonly fee: number
  readonly isEstimated: boolean
  readonly tag: string
}

/** Everything by which a run is judged (methodology L2). Money in dollars, shares from 0 to 1. */
export interface RunReport {
  readonly strategy: string
  readonly about: string
  readonly params: Params
  readonly scope: string
  readonly from: Millis
  readonly to: Millis
  readonly seed: number
  /** Version of the engine; reports that were stored before versions existed have none. */
  readonly engine?: number
  readonly model: FillModel
  readonly startCash: number
  readonly endEquity: number
  readonly profit: number
  readonly fees: number
  readonly realised: number
  readonly unrealised: number
  /** Ratios cover whole days; `totalReturn` covers the whole range. */
  readonly returns: ReturnMetrics
  /** Confidence intervals of the figures. */
  readonly intervals: ReportIntervals
  /** From hourly samples. */
  readonly maxDrawdown: number
  readonly longestDrawdownMs: Millis
  /** Measured at every event. */
  readonly deepestDrawdown: number
  /** Time-weighted mean of cost over equity. */
  readonly exposure: number
  /** Traded notional over mean equity, per day. */
  readonly turnover: number
  readonly slippage: number
  readonly trades: number
  readonly contracts: number
  readonly makerShare: number | null
  readonly estimatedShare: number | null
  readonly closedLots: number
  readonly hitRate: number | null
  readonly hitRateInterval: Interval | null
  readonly meanHoldingDays: number | null
  /** Entry prices of settled lots against outcomes; null without settled lots. */
  readonly entries: CalibrationScores | null
  readonly byMarket: readonly Attribution[]
  readonly byTheme: readonly Attribution[]
  readonly byTag: readonly Attribution[]
  readonly open: readonly (Pick<OpenPosition, 'market' | 'side' | 'status'> & {
    readonly ticker: string
    readonly contracts: number
    readonly cost: number
    readonly value: number
  })[]
  readonly events: number
  readonly markets: number
  readonly tradedMarkets: number
  readonly unlistedEvents: number
  readonly orders: number
  readonly orderEnds: Readonly<Record<string, number>>
  readonly notes: RunResult['notes']
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  readonly checks: readonly PrefixCheck[]
  readonly isDeterministic: boolean | null
  /** How the profit declines with size; null when it was not requested. */
  readonly capacity: Capacity | null
  /** The trials that the parameters were selected from; null for a run with given parameters. */
  readonly study: Study | null
  /** Reasons why the figures may be invalid, in sentences. */
  readonly invalidatedBy: readonly string[]
  /** At most hourly; dollars. */
  readonly equityCurve: {
    readonly at: readonly number[]
    readonly equity: readonly number[]
    readonly cost: readonly number[]
  }
  /** The first trades only; all are in the files. */
  readonly tradeList: readonly ReportTrade[]
}

const MAX_TRADES = 500
const MAX_POINTS = 1_500
const dollars = (money: number): number => money / 1e6

/** Creates the report of a run. */
export function reportOf(result: RunResult, origin: ReportOrigin): RunReport {
  const { samples, fills, lots } = result
  const returns = dailyReturns(dailyEquity(samples.at, samples.equity))
  const dailyMetrics = returnMetrics(returns)
  const totalReturn =
    result.startCash > 0 ? (result.equity - result.startCash) / result.startCash : 0
  const drawdown = drawdownOf(samples.at, samples.equity)
  const winCount = lots.realised.filter((lotGain) => lotGain > 0).length
  const lotCount = lots.realised.length
  const notional = fills.price.reduce(
    (sum, price, i) => sum + moneyOf(price, fills.size[i] as never),
    0,
  )
  const meanEquity = meanOver(samples.equity)
  const spanDays = Math.max((result.to - result.from) / DAY, 1 / 24)
  const report = {
    strategy: origin.strategy,
    about: origin.about,
    params: origin.params,
    scope: origin.scope,
    from: result.from,
    to: result.to,
    seed: result.seed,
    engine: ENGINE_VERSION,
    model: result.model,
    startCash: dollars(result.startCash),
    endEquity: dollars(result.equity),
    profit: dollars(result.equity - result.startCash),
    fees: dollars(result.fees),
    realised: dollars(result.realised),
    unrealised: dollars(result.open.reduce((sum, { value, cost }) => sum + value - cost, 0)),
    returns: {
      ...dailyMetrics,
      totalReturn,
      caveats: [
        ...dailyMetrics.caveats,
        ...partialDayWarnings(totalReturn, dailyMetrics.totalReturn),
      ],
    },
    intervals: intervalsOf(result, returns),
    maxDrawdown: drawdown.deepest,
    longestDrawdownMs: drawdown.longestMs,
    deepestDrawdown: result.deepestDrawdown,
    exposure: meanOver(samples.cost.map((cost, i) => cost / (samples.equity[i] || 1))),
    turnover: meanEquity > 0 ? notional / meanEquity / spanDays : 0,
    slippage: dollars(slippageOf(result)),
    trades: fills.at.length,
    contracts: fills.size.reduce((sum, size) => sum + size, 0) / 1e6,
    makerShare: shareOf(fills.isMaker),
    estimatedShare: shareOf(fills.isEstimated),
    closedLots: lotCount,
    hitRate: lotCount === 0 ? null : winCount / lotCount,
    hitRateInterval: wilsonInterval(winCount, lotCount),
    meanHoldingDays:
      lotCount === 0
        ? null
        : meanOver(lots.closedAt.map((at, i) => (at - (lots.openedAt[i] ?? at)) / DAY)),
    entries: calibrationScores(entriesOf(result)),
    ...attributionOf(result),
    open: result.open.map(({ market, side, size, cost, value, status }) => ({
      market,
      side,
      status,
      contracts: size / 1e6,
      cost: dollars(cost),
      value: dollars(value),
      ticker:
        result.traded.find((tradedMarket) => tradedMarket.market === market)?.ticker ??
        String(market),
    })),
    events: result.events,
    markets: result.markets,
    tradedMarkets: result.traded.length,
    unlistedEvents: result.unlistedEvents,
    orders: result.orders,
    notes: result.notes,
    orderEnds: result.orderEnds,
    gaps: origin.gaps,
    gapsLeftOut: origin.gapsLeftOut,
    checks: origin.checks,
    isDeterministic: origin.isDeterministic,
    capacity: origin.capacity,
    study: null,
    equityCurve: curveOf(result),
    tradeList: tradesOf(result, MAX_TRADES),
  }
  return { ...report, invalidatedBy: invalidatedBy(report, result) }
}

/** Lists the return of partial first and last days, because daily ratios exclude them. */
function partialDayWarnings(total: number, wholeDays: number): string[] {
  const points = (total - wholeDays) * 100
  if (Math.abs(points) < 0.05) return []
  return [
    `${points.toFixed(2)} points of the return are from partial days at the ends, which daily ratios exclude`,
  ]
}

/** Rows of the trade list, oldest first, at most `max`. */
export function tradesOf({ fills, traded, tags }: RunResult, max: number): ReportTrade[] {
  const tickers = new Map(traded.map(({ market, ticker }) => [market, ticker]))
  const count = Math.min(max, fills.at.length)
  return Array.from({ length: count }, (_, i) => ({
    at: fills.at[i] as Millis,
    ticker: tickers.get(fills.market[i] ?? -1) ?? '',
    action: fills.isBuy[i] === 1 ? ('buy' as const) : ('sell' as const),
    side: fills.isYes[i] === 1 ? ('yes' as const) : ('no' as const),
    role: fills.isMaker[i] === 1 ? ('maker' as const) : ('taker' as const),
    price: (fills.price[i] ?? 0) / 100,
    contracts: (fills.size[i] ?? 0) / 1e6,
    fee: dollars(fills.fee[i] ?? 0),
    isEstimated: fills.isEstimated[i] === 1,
    tag: tags[fills.tag[i] ?? 0] ?? '',
  }))
}

const meanOver = (values: Float64Array): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const shareOf = (flags: Float64Array): number | null =>
  flags.length === 0 ? null : flags.reduce((sum, flag) => sum + flag, 0) / flags.length

/** Money lost between the touch at the decision and the fill price; + is worse. */
function slippageOf({ fills }: RunResult): number {
  let sum = 0
  for (let i = 0; i < fills.at.length; i++) {
    const [price, priceAtDecision] = [fills.price[i] ?? 0, fills.decidedPrice[i] ?? -1]
    if (priceAtDecision < 0) continue
    const sign = fills.isBuy[i] === 1 ? 1 : -1
    const size = fills.size[i] as never
    sum += sign * (moneyOf(price, size) - moneyOf(priceAtDecision, size))
  }
  return sum
}

function curveOf({ samples }: RunResult): RunReport['equityCurve'] {
  const step = Math.max(1, Math.ceil(samples.at.length / MAX_POINTS))
  const rows = Array.from(samples.at.keys()).filter(
    (i) => i % step === 0 || i === samples.at.length - 1,
  )
  return {
    at: rows.map((i) => samples.at[i] ?? 0),
    equity: rows.map((i) => dollars(samples.equity[i] ?? 0)),
    cost: rows.map((i) => dollars(samples.cost[i] ?? 0)),
  }
}

/** Warnings that a reader should know before trusting the figures. */
function invalidatedBy(
  report: Omit<RunReport, 'invalidatedBy'>,
  result: RunResult,
): readonly string[] {
  const { estimatedShare, gaps, gapsLeftOut, checks, open, trades } = report
  const awaitingResult = open.filter(({ status }) => status !== 'active')
  return [
    ...(trades === 0 ? ['There were no trades: the figures say nothing about the strategy.'] : []),
    ...(estimatedShare !== null && estimatedShare > 0
      ? [
          `${percent(estimatedShare)} of fills had no recorded size or book: they assume ${result.model.assumedLevelContracts} contracts at the price.`,
        ]
      : []),
    ...(gaps.length > 0
      ? [`${gaps.length + gapsLeftOut} gaps of feeds are in the range: events in them are missing.`]
      : []),
    ...checks
      .filter(({ isEqual }) => !isEqual)
      .map(
        ({ cutAt, firstDifferenceAt }) =>
          `Look-ahead: without data after ${isoOf(cutAt)} it decided differently from ${isoOf(firstDifferenceAt ?? cutAt)} on.`,
      ),
    ...(report.isDeterministic === false
      ? ['Two runs with the same inputs gave different results.']
      : []),
    ...(awaitingResult.length > 0
      ? [
          `${awaitingResult.length} positions were closed for trading and not settled by the end; they are marked, not settled.`,
        ]
      : []),
    ...(result.unpaidSettlements > 0
      ? [
          `${result.unpaidSettlements} settlements have no recorded value; their positions stay open.`,
        ]
      : []),
    ...report.returns.caveats.map((caveat) => `Ratios are based on little data: ${caveat}.`),
    'Fees use the venues’ general terms; terms of single markets are not recorded.',
    'Orders have no market impact: the recorded market did not react to them.',
  ]
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
const isoOf = (at: number): string => new Date(at).toISOString()
