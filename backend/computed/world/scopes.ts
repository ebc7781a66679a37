import { TOPIC_GROUPS, TOPICS } from '../../domain/topics/topic-rules.ts'
import {
  measureBreadth,
  measureDisagreement,
  GAUGE_PARAMS,
} from '../../domain/world/gauges/gauges.ts'
import { indexValue, type IndexReading } from '../../domain/world/gauges/index-reading.ts'
import type { Region } from '../../domain/world/regions/region.ts'
import type { World } from '../../domain/world/world.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { METRIC_VERSION } from '../../domain/metric-version.ts'

/** Scopes whose gauges and snapshots are stored: the world (`''`), the topics, the groups. */
export const SCOPES: readonly string[] = ['', ...TOPICS, ...Object.keys(TOPIC_GROUPS)]

/**
 * The scope that equals a region: the root, a topic or group alone, or a topic under its group.
 * Null for any other region.
 */
export function scopeOf({ path, steps }: Region): string | null {
  const last = steps.at(-1)
  if (last === undefined) return ''
  if (last.kind !== 'topic' && last.kind !== 'group') return null
  const [group, ...subSteps] = steps.slice(0, -1)
  if (group === undefined) return path.at(-1) ?? null
  const isWay =
    subSteps.length === 0 &&
    group.kind === 'group' &&
    last.kind === 'topic' &&
    group.topics.includes(last.key)
  return isWay ? last.key : null
}

const NOTHING_MEASURED: IndexReading['components'] = {
  geoVol: null,
  geoDelta: null,
  geoLevel: null,
  geoBasketSize: 0,
  geoTheatersActive: 0,
  breadthUp: 0,
  breadthDown: 0,
  breadthTotal: 0,
  disagreementSigma: null,
  qualifyingTickers: 0,
  activityChanges_24h: null,
  activityBelowCount: 0,
  activityBaselineDays: 0,
  metricVersion: METRIC_VERSION,
}

/**
 * Gauges of a region without stored ones, from its markets (B8). Two gauges are unknown, because
 * their inputs are not available: its basket and the daily changes of its markets.
 */
export function readingOfRegion(world: World, region: Region): IndexReading {
  const markets = marketsIn(world.universe, region)
  const min = GAUGE_PARAMS.minQualifyingOfTheme
  const disagreement = measureDisagreement(markets, world.at, min, null)
  const breadth = measureBreadth(markets)
  const gauges = {
    disagreement: disagreement.value,
    geoRisk: null,
    breadth: breadth.total === 0 ? null : breadth.value,
    activity: null,
  }
  return {
    ...gauges,
    value: indexValue(gauges),
    components: {
      ...NOTHING_MEASURED,
      breadthUp: breadth.up,
      breadthDown: breadth.down,
      breadthTotal: breadth.total,
      disagreementSigma: disagreement.sigma,
      qualifyingTickers: disagreement.qualifying,
    },
    dataNote: 'geoRisk and activity are kept of topics and groups alone',
    measuredDisagreement: null,
  }
}

/** Gauges of a scope of which nothing is known yet. */
export const UNKNOWN_READING: IndexReading = {
  disagreement: null,
  geoRisk: null,
  breadth: null,
  activity: null,
  value: null,
  components: NOTHING_MEASURED,
  dataNote: 'no reading of the gauges is stored yet',
  measuredDisagreement: null,
}
