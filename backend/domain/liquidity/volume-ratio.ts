import { newestIndex } from '../prices/mark-series.ts'
import { medianOf, sampleSd } from '../statistics/statistics.ts'
import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'

export interface VolumeRatioParams {
  /** Days of the baseline, before the last one. */
  readonly baselineDays: number
  /** Prior standard deviation of a day's log volume, and its weight. */
  readonly priorSd: number
  readonly priorWeight: number
  /** Days over which the expectation of a busy day decays to 1/e. */
  readonly expectationDays: number
}
export const VOLUME_RATIO_PARAMS: VolumeRatioParams = {
  baselineDays: 14,
  priorSd: 0.8,
  priorWeight: 5,
  expectationDays: 20,
}

/** Dollar volumes of a market: the last 24 hours, and the days before, newest first. */
export interface DailyVolumes {
  readonly current: number | null
  /** 24-hour volumes that end at t − 24 h × k; null when the market was not fully observed. */
  readonly baseline: readonly (number | null)[]
}

/**
 * Volumes of the 24-hour windows up to `at`, each half open: (end − 24 h, end].
 * @param ts instants of trades, ascending
 * @param usd dollars of each
 * @param observedSince start of complete trade data; windows that begin earlier are unknown
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
 * Volume surprise `vr`: standard deviations of the last 24 hours' log volume above the median of
 * the days before, not rounded; may be negative. The deviation is shrunk towards a prior, so that
 * two quiet days do not produce ten sigma. Null without a known baseline day. Methodology A9.
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

/** A dated event that may decide or move a market, and when it became known. */
export interface CatalystDate {
  readonly at: Millis
  readonly knownAt: Millis
}

/**
 * Days from `at` to the nearest catalyst known then, otherwise to the expected resolution, with
 * fractions; past events are ignored. Null when neither is ahead. Methodology A9.
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
  /** `vr` minus the part explained by the proximity of the event; null without an event. */
  readonly residualVr: number | null
}

/** The surprise and the part that a scheduled event explains, not rounded. Methodology A9. */
export function volumeSurprise(
  vr: number | null,
  days: number | null,
  params: VolumeRatioParams = VOLUME_RATIO_PARAMS,
): VolumeSurprise {
  const expectedVr = days === null || days < 0 ? null : Math.exp(-days / params.expectationDays)
  const residualVr = vr === null || expectedVr === null ? null : vr - expectedVr
  return { vr, expectedVr, residualVr }
}
