import { calibrationScores, calibrationVerdict } from './calibration-scores.ts'
import type { CalibrationScores, ScoredForecast, Verdict } from './calibration-scores.ts'
import { forecastsOf } from './calibration-sample.ts'
import type { MarketForecasts, SettledMarket } from './calibration-sample.ts'
import { clusterInterval } from './cluster-bootstrap.ts'
import type { MarkSeries } from './mark-series.ts'
import { binaryOutcome } from './outcomes.ts'
import type { Interval } from './statistics.ts'
import type { Cents } from './units.ts'

/** A settled market of the sample with what it said before. */
export interface CalibrationCase<
  Market extends SettledMarket = SettledMarket,
> extends MarketForecasts {
  readonly market: Market
  readonly outcome: 0 | 1
}

/** The case of a market of the sample; null when its result is not binary. */
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
  /** Share of them with a forecast, percent; null for an empty sample. */
  readonly coveragePct: number | null
  readonly scores: CalibrationScores | null
  /** 95 % interval of the Brier score, by event; null for fewer than 20 events or when not asked for. */
  readonly brierInterval: Interval | null
  /** Brier score of the last mark before the decision, for comparison. */
  readonly brierAtClose: number | null
  readonly verdict: Verdict | null
  /** Most forecasts first, equal ones by key. */
  readonly byVenue: readonly GroupScores[]
  readonly byCategory: readonly GroupScores[]
}

/** A case that has a forecast. */
interface CoveredCase<Market extends SettledMarket> extends ScoredForecast {
  readonly market: Market
}

function covered<Market extends SettledMarket>(
  cases: readonly CalibrationCase<Market>[],
  priceOf: (one: MarketForecasts) => Cents | null,
): CoveredCase<Market>[] {
  return cases.flatMap(({ market, outcome, ...forecasts }) => {
    const price = priceOf(forecasts)
    return price === null ? [] : [{ market, outcome, price }]
  })
}

/** Scores of the forecasts a day before in groups, most forecasts first; cases without are left out. */
export function scoresBy<Market extends SettledMarket>(
  cases: readonly CalibrationCase<Market>[],
  keyOf: (market: Market) => string,
): GroupScores[] {
  const groups = new Map<string, ScoredForecast[]>()
  for (const { market, price, outcome } of covered(cases, ({ dayBefore }) => dayBefore)) {
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

/** Brier score of the last mark before the decision; null where no case has one. */
export const brierAtClose = (cases: readonly CalibrationCase[]): number | null =>
  calibrationScores(covered(cases, ({ atClose }) => atClose))?.brier ?? null

/**
 * The scorecard of a sample, methodology G2. Siblings of one event are all kept; the interval draws
 * whole events.
 * @param random a seeded generator for the interval; null leaves it out
 */
export function scorecard(
  cases: readonly CalibrationCase[],
  random: (() => number) | null,
): Scorecard {
  const forecasts = covered(cases, ({ dayBefore }) => dayBefore)
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

/** Bands of the time that a market had left when it was listed, for scores by horizon. */
export function horizonBand(days: number | null): string {
  if (days === null) return 'unknown'
  const band = HORIZON_BANDS.find(({ below }) => days < below)
  return band?.name ?? 'a year and more'
}
const HORIZON_BANDS = [
  { below: 7, name: 'under a week' },
  { below: 30, name: 'under a month' },
  { below: 90, name: 'under a quarter' },
  { below: 365, name: 'under a year' },
] as const
