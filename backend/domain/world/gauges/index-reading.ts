import type { ParamsOf } from '../../params.ts'
import { METRIC_VERSION } from '../../metric-version.ts'
import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import {
  GAUGE_PARAMS,
  measureActivity,
  measureBreadth,
  measureDisagreement,
  type Activity,
  type Breadth,
  type Disagreement,
  type MeasuredDisagreement,
} from './gauges.ts'
import { geoRiskOf, type GeoRisk, type TheatreReading } from './geo-risk.ts'
import { moveOf, type WorldMarket } from '../world-market.ts'

export const INDEX_PARAMS = {
  weights: { disagreement: 0.35, geoRisk: 0.25, breadth: 0.15, activity: 0.25 },
  /** Minimum of known gauges for the single value. */
  minGauges: 2,
} as const

/** The four gauges as served; null is unknown. */
export interface Gauges {
  /** 0 to 100. */
  readonly disagreement: number | null
  /** 0 to 100. */
  readonly geoRisk: number | null
  /** −1 to 1. */
  readonly breadth: number | null
  /** 0 to 100. */
  readonly activity: number | null
}
export type Gauge = keyof Gauges
export const GAUGES: readonly Gauge[] = ['disagreement', 'geoRisk', 'breadth', 'activity']

/** Components of the gauges, under their served names. */
export interface IndexComponents {
  readonly geoVol: number | null
  readonly geoDelta: number | null
  readonly geoLevel: number | null
  readonly geoBasketSize: number
  readonly geoTheatersActive: number
  readonly breadthUp: number
  readonly breadthDown: number
  readonly breadthTotal: number
  readonly disagreementSigma: number | null
  readonly qualifyingTickers: number
  readonly activityChanges_24h: number | null
  readonly activityBelowCount: number
  readonly activityBaselineDays: number
  readonly metricVersion: number
}

/** Gauges of the world, a theme or a region at one quarter hour; stored, never recomputed. */
export interface IndexReading extends Gauges {
  /** Single number, 0 to 100. */
  readonly value: number | null
  readonly components: IndexComponents
  /** Why a gauge is unknown; null when all are known. */
  readonly dataNote: string | null
  /** Carried forward by the next instant. */
  readonly measuredDisagreement: MeasuredDisagreement | null
}

/**
 * Weighted sum of the known gauges with weights scaled to 1: 42, 0, 0.13, 0 give 17. Null with
 * fewer than two. Methodology B5.
 */
export function indexValue(
  gauges: Gauges,
  params: ParamsOf<typeof INDEX_PARAMS> = INDEX_PARAMS,
): number | null {
  let [sum, weight, count] = [0, 0, 0]
  for (const gauge of GAUGES) {
    const reading = gauges[gauge]
    if (reading === null) continue
    sum += params.weights[gauge] * (gauge === 'breadth' ? 100 * Math.abs(reading) : reading)
    weight += params.weights[gauge]
    count += 1
  }
  return count < params.minGauges ? null : roundTo(sum / weight, 0)
}

export interface IndexInput {
  readonly at: Millis
  /** The members of U(t) in the theme or region. */
  readonly markets: readonly WorldMarket[]
  /** Theatres with their counted basket members; empty lists mean that there are no members. */
  readonly theatres: readonly TheatreReading[]
  readonly basketSize: number
  /** Changes of traded prices in 24 hours; null when the trades are not known completely. */
  readonly changes24h: number | null
  /** The same at t − 24 h × 1…30, null without data. */
  readonly activityBaseline: readonly (number | null)[]
  /** Newest measured disagreement of the world; unused for themes. */
  readonly lastDisagreement: MeasuredDisagreement | null
  /** The world, or a part of it in which gauges of small samples are unknown (B8). */
  readonly scope: 'world' | 'theme'
}

/** All gauges at one quarter hour with their components. Methodology B1 to B5 and B8. */
export function readIndex(
  input: IndexInput,
  params: ParamsOf<typeof GAUGE_PARAMS> = GAUGE_PARAMS,
): IndexReading {
  const isTheme = input.scope === 'theme'
  const disagreement = measureDisagreement(
    input.markets,
    input.at,
    isTheme ? params.minQualifyingOfTheme : params.minQualifying,
    isTheme ? null : input.lastDisagreement,
    params,
  )
  const geo = isTheme && input.basketSize === 0 ? null : geoRiskOf(input.theatres)
  const breadth = measureBreadth(input.markets, params)
  const activity = measureActivity(input.changes24h, input.activityBaseline, params)
  const gauges: Gauges = {
    disagreement: disagreement.value,
    geoRisk: geo?.value ?? null,
    breadth: isTheme && breadth.total === 0 ? null : breadth.value,
    activity: activity.value,
  }
  return {
    ...gauges,
    value: indexValue(gauges),
    components: componentsOf(disagreement, geo, input.basketSize, breadth, activity),
    dataNote: noteOf(gauges, disagreement, activity, input.at),
    measuredDisagreement: disagreement.measured,
  }
}

const componentsOf = (
  disagreement: Disagreement,
  geo: GeoRisk | null,
  basketSize: number,
  breadth: Breadth,
  activity: Activity,
): IndexComponents => ({
  geoVol: geo?.vol ?? null,
  geoDelta: geo?.delta ?? null,
  geoLevel: geo?.level ?? null,
  geoBasketSize: basketSize,
  geoTheatersActive: geo?.active ?? 0,
  breadthUp: breadth.up,
  breadthDown: breadth.down,
  breadthTotal: breadth.total,
  disagreementSigma: disagreement.sigma,
  qualifyingTickers: disagreement.qualifying,
  activityChanges_24h: activity.changes24h,
  activityBelowCount: activity.below,
  activityBaselineDays: activity.days,
  metricVersion: METRIC_VERSION,
})

function noteOf(
  gauges: Gauges,
  disagreement: Disagreement,
  activity: Activity,
  at: Millis,
): string | null {
  const notes: string[] = []
  const repricedText = `${disagreement.qualifying} markets repriced in 24 hours`
  if (gauges.disagreement === null) notes.push(`disagreement: only ${repricedText}`)
  else if (disagreement.measured !== null && disagreement.measured.at < at) {
    notes.push(`disagreement: carried, only ${repricedText}`)
  }
  if (gauges.geoRisk === null) notes.push('geoRisk: no market of the basket')
  if (gauges.breadth === null) notes.push('breadth: no market moved by 10 cents in 24 hours')
  if (activity.changes24h === null) notes.push('activity: trades of 24 hours are not on record')
  else if (gauges.activity === null) {
    notes.push(`activity: only ${activity.days} days of baseline`)
  }
  return notes.length === 0 ? null : notes.join('; ')
}

/**
 * The index value of an earlier reading; null when other gauges were known then, because the values
 * would not compare.
 */
export function comparableValue(
  now: Gauges,
  then: Gauges & { readonly value: number | null },
): number | null {
  const isAlike = GAUGES.every((gauge) => (now[gauge] === null) === (then[gauge] === null))
  return isAlike ? then.value : null
}

/** The index as world and index routes serve it. */
export interface ServedIndex extends Gauges {
  readonly value: number | null
  readonly delta24h: number | null
  readonly components: IndexComponents
  readonly uncertainty: number | null
  readonly geopolitical: number | null
  readonly momentum: number | null
}

/** Gauges with their older names and the change of the value in 24 hours. */
export function servedIndex(reading: IndexReading, valueDayAgo: number | null): ServedIndex {
  const { value, disagreement, geoRisk, breadth, activity, components } = reading
  const delta24h = moveOf(value, valueDayAgo)
  const older = { uncertainty: disagreement, geopolitical: geoRisk, momentum: breadth }
  return { value, delta24h, components, disagreement, geoRisk, breadth, activity, ...older }
}
