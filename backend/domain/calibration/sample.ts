import type { MarketResult, Ticker, Venue } from '../market.ts'
import { markAt } from '../prices/mark-series.ts'
import type { MarkSeries } from '../prices/mark-series.ts'
import { DAY, HOUR } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

export interface CalibrationSampleParams {
  /** Minimum time from listing to the close as known at listing. */
  readonly minHorizon: Millis
  /** Time before the settlement trigger at which the forecast is read. */
  readonly lead: Millis
  readonly maxMarkAge: Millis
}
export const CALIBRATION_SAMPLE_PARAMS: CalibrationSampleParams = {
  minHorizon: (48 * HOUR) as Millis,
  lead: DAY,
  maxMarkAge: DAY,
}

/** Facts of a settled market; final result and times as known at the requested instant. */
export interface SettledMarket {
  readonly ticker: Ticker
  readonly venue: Venue
  readonly eventId: string
  /** Category and topics as of listing. */
  readonly category: string
  readonly topics: readonly string[]
  readonly result: MarketResult | null
  /** When the final result became known; null while it is not final. */
  readonly settledKnownAt: Millis | null
  /** A parlay of several legs. */
  readonly isParlay: boolean
  /** Over its lifetime, dollars. */
  readonly volumeUsd: number | null
  readonly listedAt: Millis | null
  /** Close time as known when it was listed. */
  readonly closeTimeAtListing: Millis | null
  readonly closeTime: Millis | null
  /** When the result was determined. */
  readonly determinedAt: Millis | null
}

/** Filter of markets; absent or null fields match any. */
export interface CalibrationFilter {
  /** Settlements known after this instant … */
  readonly from: Millis
  /** … up to this one. */
  readonly to: Millis
  readonly venue?: Venue | null
  readonly category?: string | null
  readonly topic?: string | null
  readonly minVolumeUsd?: number
}

/**
 * Whether a settled market belongs to a calibration sample: binary result known in the period, not
 * a parlay, listed at least 48 hours before its close, and within the filters. Methodology G1.
 */
export function isInSample(
  market: SettledMarket,
  filter: CalibrationFilter,
  params: CalibrationSampleParams = CALIBRATION_SAMPLE_PARAMS,
): boolean {
  const { settledKnownAt, listedAt, closeTimeAtListing, result } = market
  const { from, to, venue, category, topic, minVolumeUsd = 0 } = filter
  if (settledKnownAt === null || settledKnownAt <= from || settledKnownAt > to) return false
  if ((result !== 'yes' && result !== 'no') || market.isParlay) return false
  if (listedAt === null || closeTimeAtListing === null) return false
  if (closeTimeAtListing - listedAt < params.minHorizon) return false
  if (minVolumeUsd > 0 && (market.volumeUsd ?? -1) < minVolumeUsd) return false
  return (
    (venue ?? market.venue) === market.venue &&
    (category ?? market.category) === market.category &&
    (topic === undefined || topic === null || market.topics.includes(topic))
  )
}

/** The instant that decided a market: its close, or the determination if that was earlier. */
export function settleTrigger(
  market: Pick<SettledMarket, 'closeTime' | 'determinedAt'>,
): Millis | null {
  const { closeTime, determinedAt } = market
  if (closeTime === null || determinedAt === null) return closeTime ?? determinedAt
  return Math.min(closeTime, determinedAt) as Millis
}

/** Forecasts of a market before it was decided; null when no recent mark was known. */
export interface MarketForecasts {
  /** 24 hours before. */
  readonly dayBefore: Cents | null
  /** At the last moment; for comparison only. */
  readonly atClose: Cents | null
}

/**
 * Forecasts of a settled market: its marks 24 hours before the settlement trigger and at the
 * trigger. Only the choice of the instant uses hindsight; no price looks ahead. Methodology G1.
 */
export function forecastsOf(
  market: Pick<SettledMarket, 'closeTime' | 'determinedAt'>,
  marks: MarkSeries,
  params: CalibrationSampleParams = CALIBRATION_SAMPLE_PARAMS,
): MarketForecasts {
  const trigger = settleTrigger(market)
  if (trigger === null) return { dayBefore: null, atClose: null }
  return {
    dayBefore: markAt(marks, (trigger - params.lead) as Millis, params.maxMarkAge),
    atClose: markAt(marks, trigger, params.maxMarkAge),
  }
}
