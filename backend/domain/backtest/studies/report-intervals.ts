import type { Interval } from '../../statistics/statistics.ts'
import { entriesOf } from '../report/entries.ts'
import type { RunResult } from '../report/run-result.ts'
import { BOOTSTRAP, bootstrapIntervals } from './bootstrap.ts'

const DAYS_A_YEAR = 365
/** Second seed, so that the two bootstraps of a run do not share a random sequence. */
const SECOND_SEED = 0x9e37_79b9

/** Confidence intervals of 95 % of a run's figures (methodology L3). */
export interface ReportIntervals {
  readonly draws: number
  readonly meanBlockDays: number
  readonly seed: number
  readonly days: number
  /** Events with markets that had closed lots. */
  readonly events: number
  /** From daily returns, resampled in blocks of days; null for fewer than 20 days. */
  readonly daily: {
    readonly dailyMean: Interval | null
    readonly sharpe: Interval | null
    readonly sortino: Interval | null
    readonly totalReturn: Interval | null
    readonly maxDrawdown: Interval | null
  } | null
  /**
   * From closed lots, resampled by event because markets of one event are correlated; null for
   * fewer than 20.
   */
  readonly perEvent: {
    readonly hitRate: Interval | null
    /** Dollars. */
    readonly realised: Interval | null
    readonly realisedPerLot: Interval | null
    readonly entryBrier: Interval | null
  } | null
}

/** @param returns of whole days, as shares of the previous day's equity */
export function intervalsOf(result: RunResult, returns: readonly number[]): ReportIntervals {
  const { seed } = result
  const events = lotsByEvent(result)
  const { draws, meanBlockDays, minDays, minEvents } = BOOTSTRAP
  return {
    draws,
    meanBlockDays,
    seed,
    days: returns.length,
    events: events.length,
    daily: returns.length < minDays ? null : dailyIntervals(returns, seed),
    perEvent: events.length < minEvents ? null : eventIntervals(events, seed ^ SECOND_SEED),
  }
}

/** Intervals of ratios of daily returns; the drawdown uses day ends. */
export function dailyIntervals(returns: readonly number[], seed: number) {
  const annual = Math.sqrt(DAYS_A_YEAR)
  return bootstrapIntervals(returns.length, BOOTSTRAP.meanBlockDays, seed, (indices) => {
    let [sum, lossSum, equity, peak, worstDrawdown] = [0, 0, 1, 1, 0]
    for (const index of indices) {
      const r = returns[index] ?? 0
      sum += r
      if (r < 0) lossSum += r * r
      equity *= 1 + r
      peak = Math.max(peak, equity)
      worstDrawdown = Math.max(worstDrawdown, 1 - equity / peak)
    }
    const mean = sum / indices.length
    let squares = 0
    for (const index of indices) squares += ((returns[index] ?? 0) - mean) ** 2
    const sd = Math.sqrt(squares / (indices.length - 1))
    return {
      dailyMean: mean,
      sharpe: sd === 0 ? null : (mean / sd) * annual,
      sortino: lossSum === 0 ? null : (mean / Math.sqrt(lossSum / indices.length)) * annual,
      totalReturn: equity - 1,
      maxDrawdown: worstDrawdown,
    }
  })
}

/** Totals of the closed lots of one event. */
export interface EventLots {
  readonly lots: number
  readonly wins: number
  /** Dollars. */
  readonly realised: number
  /** Lots that settled YES or NO, and the sum of their squared errors. */
  readonly entries: number
  readonly errors: number
}

export function eventIntervals(events: readonly EventLots[], seed: number) {
  return bootstrapIntervals(events.length, 1, seed, (indices) => {
    let [lots, winCount, realised, entries, errors] = [0, 0, 0, 0, 0]
    for (const index of indices) {
      const event = events[index]
      if (event === undefined) continue
      lots += event.lots
      winCount += event.wins
      realised += event.realised
      entries += event.entries
      errors += event.errors
    }
    return {
      hitRate: lots === 0 ? null : winCount / lots,
      realised,
      realisedPerLot: lots === 0 ? null : realised / lots,
      entryBrier: entries === 0 ? null : errors / entries,
    }
  })
}

/** Closed lots of a run by event, in the order in which the events' first lots closed. */
function lotsByEvent(result: RunResult): EventLots[] {
  const { lots, traded } = result
  const eventOf = new Map(
    traded.map(({ market, venue, eventId }) => [market, `${venue} ${eventId}`]),
  )
  const events = new Map<string, { -readonly [Key in keyof EventLots]: EventLots[Key] }>()
  const sumsFor = (market: number) => {
    const name = eventOf.get(market) ?? `market ${market}`
    const eventTotals = events.get(name) ?? { lots: 0, wins: 0, realised: 0, entries: 0, errors: 0 }
    events.set(name, eventTotals)
    return eventTotals
  }
  for (let i = 0; i < lots.market.length; i++) {
    const event = sumsFor(lots.market[i] ?? -1)
    const realised = lots.realised[i] ?? 0
    event.lots++
    event.wins += realised > 0 ? 1 : 0
    event.realised += realised / 1e6
  }
  for (const { market, price, outcome } of entriesOf(result)) {
    const event = sumsFor(market)
    event.entries++
    event.errors += (price / 100 - outcome) ** 2
  }
  return [...events.values()]
}
