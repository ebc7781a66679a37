import { categoryOf } from '../../domain/topics/topics.ts'
import {
  readCalibration,
  type CalibrationHistory,
  type CalibrationReading,
} from '../../computed/calibration.ts'
import type { MarketBoard } from '../../computed/board/market-board.ts'
import type { CalibrationFilter } from '../../domain/calibration/sample.ts'
import { calibrationBuckets, type CalibrationBucket } from '../../domain/calibration/scores.ts'
import type { GroupScores } from '../../domain/calibration/scorecard.ts'
import { QUARTER_HOUR, quarterHourOf } from '../../domain/changes/change-rows.ts'
import { VENUES } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { createAnswerCache } from '../../http/cache/answer-cache.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { Calibration, CalibrationQuery } from '../../contract/edges.ts'

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const
const ALL_TIME = -1 as Millis
const MAX_CACHED = 100

export interface CalibrationDeps {
  readonly history: CalibrationHistory
  readonly board: Pick<MarketBoard, 'ready'>
  /** Whether generated demo markets are hidden. */
  readonly hidesSamples: () => boolean
  readonly clock: Clock
}

/**
 * Scorecards of the markets' own prices (methodology G), computed at most once per fifteen minutes
 * and query, as of the newest snapshot, so that later requests get the same answer.
 */
export function createCalibrationService({ history, board, hidesSamples, clock }: CalibrationDeps) {
  const cache = createAnswerCache<Calibration>(clock, QUARTER_HOUR, MAX_CACHED)

  const read = async (query: CalibrationQuery, to: Millis): Promise<Calibration> => {
    const { source, period, min_volume: minVolume } = query
    const category = query.category === null ? null : categoryOf(query.category)
    const topic = query.topic?.toLowerCase() ?? null
    const from = period === 'all' ? ALL_TIME : ((to - DAYS[period] * DAY) as Millis)
    const minVolumeUsd = minVolume ?? 0
    const filter: CalibrationFilter = {
      from,
      to,
      venue: source,
      category,
      topic,
      minVolumeUsd,
    }
    const reading = await readCalibration(history, filter, hidesSamples(), () => clock.monotonic())
    return {
      source: source ?? 'all',
      period,
      category: query.category,
      topic: query.topic,
      minVolumeUsd,
      ...servedScores(reading),
      from: isoOf(period === 'all' ? (reading.firstAt ?? to) : from),
      to: isoOf(to),
      generatedAt: isoOf(to),
    }
  }

  return {
    calibration(query: CalibrationQuery): Promise<Calibration> {
      const { at } = instantOf(query.asOf, clock.now(), board.ready)
      const to = quarterHourOf(at)
      const { source, period, category, topic, min_volume: volume } = query
      const key = JSON.stringify([source, period, category, topic, volume, to])
      return cache.once(key, () => read(query, to))
    },
    /** Called when older history was added or corrected. */
    invalidate: () => cache.clear(),
  }
}
export type CalibrationService = ReturnType<typeof createCalibrationService>

const servedScores = ({ scores, byVenue, byCategory, ...reading }: CalibrationReading) => ({
  sample: reading.sample,
  coveragePct: roundOrNull(reading.coveragePct),
  covered: scores?.n ?? 0,
  brier: roundOrNull(scores?.brier ?? null, 4),
  brierAtClose: roundOrNull(reading.brierAtClose, 4),
  hitRate: roundOrNull(scores?.hitRate ?? null, 4),
  calibrationError: roundOrNull(scores?.calibrationError ?? null),
  verdict: reading.verdict,
  horizonHours: 24 as const,
  buckets: (scores?.buckets ?? calibrationBuckets([])).map(servedBucket),
  byVenue: byVenue.flatMap((group) => {
    const venue = VENUES.find((candidate) => candidate === group.key)
    return venue === undefined ? [] : [{ venue, ...servedGroup(group) }]
  }),
  byCategory: byCategory.map((group) => ({ category: group.key, ...servedGroup(group) })),
})

const servedGroup = ({ n, brier, hitRate }: GroupScores) => ({
  n,
  brier: roundOrNull(brier, 4),
  hitRate: roundOrNull(hitRate, 4),
})

const servedBucket = (bucket: CalibrationBucket) => ({
  from: bucket.from,
  to: bucket.to,
  n: bucket.n,
  predictedMean: roundOrNull(bucket.predictedMean),
  realizedRate: roundOrNull(bucket.realizedRate),
  deviation: roundOrNull(bucket.deviation),
  brier: roundOrNull(bucket.brier, 4),
})
