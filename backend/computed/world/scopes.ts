import { TOPIC_GROUPS, TOPICS } from '../../domain/topic-rules.ts'
import { measureBreadth, measureDisagreement, GAUGE_PARAMS } from '../../domain/world/gauges.ts'
import { indexValue, type IndexReading } from '../../domain/world/index-reading.ts'
import type { Region } from '../../domain/world/region.ts'
import type { World } from '../../domain/world/world.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { METRIC_VERSION } from '../../domain/metric-version.ts'

/** What gauges and snapshots are kept of: the world (`''`), the topics, the groups. */
export const SCOPES: readonly string[] = ['', ...TOPICS, ...Object.keys(TOPIC_GROUPS)]

/**
 * The scope that a region is another path to: the root, a topic or group alone, or a topic under
 * its group. Null for any other region.
 */
export function scopeOf({ path, steps }: Region): string | null {
  const last = steps.at(-1)
  if (last === undefined) return ''
  if (last.kind !== 'topic' && last.kind !== 'group') return null
  const [group, ...more] = steps.slice(0, -1)
  if (group === undefined) return path.at(-1) ?? null
  const isWay =
    more.length === 0 &&
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
  activityChanges_24h: 0,
  activityBelowCount: 0,
  activityBaselineDays: 0,
  metricVersion: METRIC_VERSION,
}

/**
 * Gauges of a region that none are kept of, from its markets (B8). Its basket and the changes of its
 * markets day by day are not at hand: those two gauges are not known.
 */
export function readingOfRegion(world: World, region: Region): IndexReading {
  const markets = marketsIn(world.universe, region)
  const least = GAUGE_PARAMS.leastQualifyingOfTheme
  const disagreement = measureDisagreement(markets, world.at, least, null)
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

/** Stands for the gauges of a scope that nothing is known of yet. */
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
