import type { Ticker } from '../market.ts'
import {
  benjaminiHochberg,
  correlationOf,
  normalTail,
  rankCorrelationOf,
  ranksOf,
} from '../statistics/statistics.ts'
import { LINK_PARAMS } from './link-params.ts'
import type { LinkParams } from './link-params.ts'

/** Hourly mark changes of one market, aligned to the hours of the others; unknown hours are NaN. */
export interface HourlyChanges {
  readonly ticker: Ticker
  readonly theme: string
  readonly changes: Float64Array
}

/** One market that moved before another, statistically; no causal claim. */
export interface LeadLag {
  readonly leader: Ticker
  readonly follower: Ticker
  readonly lagHours: number
  /** Spearman correlation at the lag. */
  readonly rho: number
  /** Slope of the follower's change against the leader's, cents per cent. */
  readonly beta: number
  readonly confidence: number
}

/** A series, the range of its known values if they are consecutive, and cached ranks. */
class RankedSeries {
  readonly values: Float64Array
  /** Known from here up to `end`, exclusive; null when a value in between is unknown. */
  readonly run: { readonly start: number; readonly end: number } | null
  readonly #ranks = new Map<number, Float64Array>()

  constructor(values: Float64Array) {
    this.values = values
    this.run = knownRun(values)
  }

  /** Ranks of the values from `start` up to `end`, exclusive, within that range. */
  ranks(start: number, end: number): Float64Array {
    const key = start * (this.values.length + 1) + end
    const existing = this.#ranks.get(key)
    if (existing !== undefined) return existing
    const ranks = ranksOf(this.values.subarray(start, end))
    this.#ranks.set(key, ranks)
    return ranks
  }
}

function knownRun(values: Float64Array): RankedSeries['run'] {
  let [start, end] = [0, values.length]
  while (start < end && Number.isNaN(values[start])) start += 1
  while (end > start && Number.isNaN(values[end - 1])) end -= 1
  return values.subarray(start, end).some(Number.isNaN) ? null : { start, end }
}

/**
 * Rank correlation of x with y `lag` hours later, over hours in which both are known. Each part of a
 * series is ranked once for all pairs.
 */
function lagCorrelation(
  x: RankedSeries,
  y: RankedSeries,
  lag: number,
): { rho: number | null; n: number } {
  if (x.run === null || y.run === null) return lagCorrelationWithGaps(x.values, y.values, lag)
  const start = Math.max(x.run.start, y.run.start - lag)
  const end = Math.min(x.run.end, y.run.end - lag)
  if (end <= start) return { rho: null, n: 0 }
  const rho = correlationOf(x.ranks(start, end), y.ranks(start + lag, end + lag))
  return { rho, n: end - start }
}

function lagCorrelationWithGaps(
  x: Float64Array,
  y: Float64Array,
  lag: number,
): { rho: number | null; n: number } {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (let hour = Math.max(0, -lag); hour < x.length && hour + lag < y.length; hour++) {
    const [a, b] = [x[hour] ?? Number.NaN, y[hour + lag] ?? Number.NaN]
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    xs.push(a)
    ys.push(b)
  }
  return { rho: rankCorrelationOf(xs, ys), n: xs.length }
}

function slopeAt(x: Float64Array, y: Float64Array, lag: number): number {
  let [products, squares] = [0, 0]
  for (let hour = Math.max(0, -lag); hour < x.length && hour + lag < y.length; hour++) {
    const [a, b] = [x[hour] ?? Number.NaN, y[hour + lag] ?? Number.NaN]
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    products += a * b
    squares += a * a
  }
  return squares === 0 ? 0 : products / squares
}

function hasSameSignInHalves(x: Float64Array, y: Float64Array, lag: number, rho: number): boolean {
  const middle = Math.floor(x.length / 2)
  return [
    [x.subarray(0, middle), y.subarray(0, middle)],
    [x.subarray(middle), y.subarray(middle)],
  ].every(([left, right]) => {
    if (left === undefined || right === undefined) return false
    const half = lagCorrelation(new RankedSeries(left), new RankedSeries(right), lag).rho
    return half !== null && Math.sign(half) === Math.sign(rho)
  })
}

/** Whether a lag's correlation is strong enough for further tests: 3/√n and .05 above lag 0. */
export function isLagCandidate(
  rho: number,
  lagZero: number | null,
  n: number,
  params: LinkParams = LINK_PARAMS,
): boolean {
  const { sigmas, aboveLagZero } = params.leadLag
  return (
    Math.abs(rho) >= sigmas / Math.sqrt(n) && Math.abs(rho) >= Math.abs(lagZero ?? 0) + aboveLagZero
  )
}

const changeHours = ({ changes }: HourlyChanges): number =>
  changes.reduce((count, change) => count + (Number.isNaN(change) || change === 0 ? 0 : 1), 0)

/**
 * Lead–lag relations inside each theme (methodology D3): the best lag of ±6 hours other than 0 that
 * is strong, exceeds lag 0, passes Benjamini–Hochberg at 5 % over all pairs and lags tested, and
 * has the same sign in both halves of the sample. Per theme the forty markets with the most changes
 * are compared, so that the cost grows with the number of themes.
 * @returns by leader, then follower
 */
export function discoverLeadLags(
  markets: readonly HourlyChanges[],
  params: LinkParams = LINK_PARAMS,
): LeadLag[] {
  const { maxLag, perTheme, falseDiscovery, confidenceBase, confidenceShare } = params.leadLag
  const themes = new Map<string, HourlyChanges[]>()
  const active = markets
    .map((market) => ({ market, hours: changeHours(market) }))
    .filter(({ hours }) => hours >= params.leadLag.changeHours)
    .sort((a, b) => b.hours - a.hours || (a.market.ticker < b.market.ticker ? -1 : 1))
  for (const { market } of active) {
    const theme = themes.get(market.theme) ?? []
    if (theme.length < perTheme) themes.set(market.theme, [...theme, market])
  }
  const pValues: number[] = []
  const best: {
    first: HourlyChanges
    second: HourlyChanges
    lag: number
    rho: number
    test: number
  }[] = []
  for (const theme of themes.values()) {
    theme.sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
    const rankedSeries = theme.map((market) => ({
      market,
      series: new RankedSeries(market.changes),
    }))
    for (const [index, { market: first, series: x }] of rankedSeries.entries()) {
      for (const { market: second, series: y } of rankedSeries.slice(index + 1)) {
        const zero = lagCorrelation(x, y, 0)
        let bestLag: { lag: number; rho: number; n: number; test: number } | null = null
        for (let lag = -maxLag; lag <= maxLag; lag++) {
          const { rho, n } = lag === 0 ? zero : lagCorrelation(x, y, lag)
          if (rho === null) continue
          const test = pValues.push(2 * normalTail(Math.abs(rho) * Math.sqrt(n - 1))) - 1
          if (lag !== 0 && (bestLag === null || Math.abs(rho) > Math.abs(bestLag.rho))) {
            bestLag = { lag, rho, n, test }
          }
        }
        if (bestLag === null || !isLagCandidate(bestLag.rho, zero.rho, bestLag.n, params)) continue
        best.push({ first, second, lag: bestLag.lag, rho: bestLag.rho, test: bestLag.test })
      }
    }
  }
  const survives = benjaminiHochberg(pValues, falseDiscovery)
  return best
    .filter(({ test }) => survives[test] === true)
    .filter(({ first, second, lag, rho }) =>
      hasSameSignInHalves(first.changes, second.changes, lag, rho),
    )
    .map(({ first, second, lag, rho }): LeadLag => {
      const [leader, follower] = lag > 0 ? [first, second] : [second, first]
      const lagHours = Math.abs(lag)
      return {
        leader: leader.ticker,
        follower: follower.ticker,
        lagHours,
        rho,
        beta: slopeAt(leader.changes, follower.changes, lagHours),
        confidence: confidenceBase + confidenceShare * rho ** 2,
      }
    })
    .sort((a, b) => (a.leader + a.follower < b.leader + b.follower ? -1 : 1))
}
