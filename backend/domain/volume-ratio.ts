import { newestIndex } from './mark-series.ts'
import { medianOf, sampleSd } from './statistics.ts'
import { DAY } from './units.ts'
import type { Millis } from './units.ts'

export interface VolumeRatioParams {
  /** Days before the last one that make the baseline. */
  readonly baselineDays: number
  /** What a day's log volume is thought to deviate by before the market is known, and how firmly. */
  readonly priorSd: number
  readonly priorWeight: number
  /** Days over which the expectation of a busy day falls to 1/e. */
  readonly expectationDays: number
}
export const VOLUME_RATIO_PARAMS: VolumeRatioParams = {
  baselineDays: 14,
  priorSd: 0.8,
  priorWeight: 5,
  expectationDays: 20,
}

/** Dollar volumes of a market: of the last 24 hours, and of the days before, newest first. */
export interface DailyVolumes {
  readonly current: number | null
  /** 24-hour volumes that end at t − 24 h × k; null where the market was not fully observed. */
  readonly baseline: readonly (number | null)[]
}

/**
 * Volumes of the 24-hour windows up to `at`, each half open: (end − 24 h, end].
 * @param ts instants of trades, ascending
 * @param usd dollars of each
 * @param observedSince from when on all trades are known; windows that begin earlier are unknown
 */
export function dailyVolumes(
  ts: Float64Array,
  usd: Float64Array,
  at: Millis,
  observedSince: Millis,
  params: VolumeRatioParams = VOLUME_RATIO_PARAMS,
): DailyVolumes {
  const windows: (number | null)[] = []
  for (let k = 0; k <= params.baselineDays; k++) {
    const end = at - k * DAY
    if (end - DAY < observedSince) {
      windows.push(null)
      continue
    }
    let sum = 0
    const last = newestIndex(ts, end)
    for (let i = newestIndex(ts, end - DAY) + 1; i <= last; i++) sum += usd[i] ?? 0
    windows.push(sum)
  }
  const [current = null, ...baseline] = windows
  return { current, baseline }
}

/**
 * Volume surprise `vr`: how many standard deviations the last 24 hours' log volume lies above the
 * median of the days before, not rounded; may be negative. The deviation is shrunk to a prior, so
 * that two quiet days do not make ten sigma. Null without a known day before. Methodology A9.
 */
export function volumeRatio(
  { current, baseline }: DailyVolumes,
  params: VolumeRatioParams = VOLUME_RATIO_PARAMS,
): number | null {
  const logs = baseline.filter((volume) => volume !== null).map((volume) => Math.log1p(volume))
  const median = medianOf(logs)
  if (current === null || median === null) return null
  const { priorSd, priorWeight } = params
  const sd = sampleSd(logs) ?? 0
  const variance =
    (logs.length * sd ** 2 + priorWeight * priorSd ** 2) / (logs.length + priorWeight)
  return (Math.log1p(current) - median) / Math.sqrt(variance)
}

/** A dated thing that may decide or move a market, and when it became known. */
export interface CatalystDate {
  readonly at: Millis
  readonly knownAt: Millis
}

/**
 * Days from `at` to the nearest catalyst known then, else to the expected resolution; fractions of a
 * day count, what has passed does not. Null when neither lies ahead. Methodology A9.
 */
export function daysToEvent(
  catalysts: Iterable<CatalystDate>,
  expectedResolution: Millis | null,
  at: Millis,
): number | null {
  let nearest: number | null = null
  for (const catalyst of catalysts) {
    if (catalyst.knownAt > at || catalyst.at <= at) continue
    nearest = Math.min(nearest ?? Infinity, catalyst.at)
  }
  nearest ??= expectedResolution
  return nearest === null || nearest <= at ? null : (nearest - at) / DAY
}

export interface VolumeSurprise {
  readonly vr: number | null
  readonly expectedVr: number | null
  /** `vr` less what the nearness of the event explains; null without an event. */
  readonly residualVr: number | null
}

/** The surprise and how much of it a scheduled event explains, not rounded. Methodology A9. */
export function volumeSurprise(
  vr: number | null,
  days: number | null,
  params: VolumeRatioParams = VOLUME_RATIO_PARAMS,
): VolumeSurprise {
  const expectedVr = days === null || days < 0 ? null : Math.exp(-days / params.expectationDays)
  const residualVr = vr === null || expectedVr === null ? null : vr - expectedVr
  return { vr, expectedVr, residualVr }
}

/** What rankings by residual volume read: the residual, or the surprise where no event is known. */
export const rankedSurprise = ({ vr, residualVr }: VolumeSurprise): number | null =>
  residualVr ?? vr
