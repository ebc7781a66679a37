import { calibrationScores, calibrationVerdict } from './scores.ts'
import type { CalibrationScores, ScoredForecast, Verdict } from './scores.ts'
import { forecastsOf } from './sample.ts'
import type { MarketForecasts, SettledMarket } from './sample.ts'
import { clusterInterval } from '../statistics/cluster-bootstrap.ts'
import type { MarkSeries } from '../prices/mark-series.ts'
import { binaryOutcome } from '../odds/outcomes.ts'
import type { Interval } from '../statistics/statistics.ts'
import type { Cents } from '../units.ts'

/** A settled market of the sample with its forecasts. */
export interface CalibrationCase<
  Market extends SettledMarket = SettledMarket,
> extends MarketForecasts {
  readonly market: Market
  readonly outcome: 0 | 1
}

/** The case of a sampled market; null when its result is not binary. */
export function calibrationCase<Market extends SettledMarket>(
  market: Market,
  marks: MarkSeries,
): CalibrationCase<Market> | null {
  const outcome = binaryOutcome(market.result)
  return outcome === null ? null : { market, outcome, ...forecastsOf(market, marks) }
}

/** Scores of one group of cases. */
export interface GroupScores {
  readonly key: string
  readonly n: number
  readonly brier: number
  readonly hitRate: number | null
}

export interface Scorecard {
  /** Markets of the sample, with or without a forecast. */
  readonly sample: number
  /** Share of the sample with a forecast, percent; null for an empty sample. */
  readonly coveragePct: number | null
  readonly scores: CalibrationScores | null
  /**
   * 95 % interval of the Brier score, clustered by event; null for fewer than 20 events or when
   * not requested.
   */
  readonly brierInterval: Interval | null
  /** Brier score of the last mark before the decision, for comparison. */
  readonly brierAtClose: number | null
  readonly verdict: Verdict | null
  /** Most forecasts first, ties by key. */
  readonly byVenue: readonly GroupScores[]
  readonly byCategory: readonly GroupScores[]
}

/** A case that has a forecast. */
interface CoveredCase<Market extends SettledMarket> extends ScoredForecast {
  readonly market: Market
}

function casesWithPrice<Market extends SettledMarket>(
  cases: readonly CalibrationCase<Market>[],
  priceOf: (forecasts: MarketForecasts) => Cents | null,
): CoveredCase<Market>[] {
  return cases.flatMap(({ market, outcome, ...forecasts }) => {
    const price = priceOf(forecasts)
    return price === null ? [] : [{ market, outcome, price }]
  })
}

/**
 * Scores of day-before forecasts by group, most forecasts first; cases without a forecast are left
 * out.
 */
export function scoresBy<Market extends SettledMarket>(
  cases: readonly CalibrationCase<Market>[],
  keyOf: (market: Market) => string,
): GroupScores[] {
  const groups = new Map<string, ScoredForecast[]>()
  for (const { market, price, outcome } of casesWithPrice(cases, ({ dayBefore }) => dayBefore)) {
    const key = keyOf(market)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [{ price, outcome }])
    else group.push({ price, outcome })
  }
  return [...groups]
    .flatMap(([key, group]) => {
      const scores = calibrationScores(group)
      return scores === null
        ? []
        : [{ key, n: scores.n, brier: scores.brier, hitRate: scores.hitRate }]
    })
    .sort((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1))
}

/** Brier score of the last mark before the decision; null when no case has one. */
export const brierAtClose = (cases: readonly CalibrationCase[]): number | null =>
  calibrationScores(casesWithPrice(cases, ({ atClose }) => atClose))?.brier ?? null

/**
 * The scorecard of a sample, methodology G2. All siblings of an event are kept; the interval
 * resamples whole events.
 * @param random a seeded generator for the interval; null leaves it out
 */
export function scorecard(
  cases: readonly CalibrationCase[],
  random: (() => number) | null,
): Scorecard {
  const forecasts = casesWithPrice(cases, ({ dayBefore }) => dayBefore)
  const scores = calibrationScores(forecasts)
  return {
    sample: cases.length,
    coveragePct: cases.length === 0 ? null : (100 * forecasts.length) / cases.length,
    scores,
    brierInterval:
      random === null
        ? null
        : clusterInterval(
            forecasts,
            ({ market }) => `${market.venue} ${market.eventId}`,
            ({ price, outcome }) => (price / 100 - outcome) ** 2,
            random,
          ),
    brierAtClose: brierAtClose(cases),
    verdict: calibrationVerdict(scores),
    byVenue: scoresBy(cases, ({ venue }) => venue),
    byCategory: scoresBy(cases, ({ category }) => category),
  }
}
