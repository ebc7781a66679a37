import { runToCompletion, type Steps } from '../cooperative-steps.ts'
import { roundTo } from '../units.ts'
import {
  servedIndex,
  type Gauges,
  type IndexReading,
  type ServedIndex,
} from './gauges/index-reading.ts'
import { worldUrl, type Addresses } from './links.ts'
import { pullsOf, type SuggestedCall } from './salient/pulls.ts'
import { childRegions, type RegionNode } from './regions/region-tree.ts'
import type { Region } from './regions/region.ts'
import { regimeSentence, regimeSummary, type VolatilityState } from './salient/regime-sentence.ts'
import { regimeShift } from './salient/regime-shift.ts'
import { salienceOf, type SalientContent, type ScoredCandidate } from './salient/salient.ts'
import { selectSalient, type SelectedItem } from './salient/selection.ts'
import { isoOf } from './markdown/text.ts'
import {
  contagionHighlights,
  divergenceNotes,
  moversOf,
  NO_EDGES,
  opportunitiesOf,
  stableAnchors,
  type DivergenceNote,
  type KnownEdges,
  type Mover,
  type Opportunity,
  type StableAnchor,
} from './world-lists.ts'
import { candidatesIn, marketsIn, type World } from './world.ts'

/** An item as served; ranks count from 0. */
export type SalientItem = SalientContent & {
  readonly id: string
  readonly rank: number
  readonly label: string
  readonly score: number
  readonly pull: readonly SuggestedCall[]
}

export interface ServedRegion {
  readonly path: readonly string[]
  readonly label: string
  readonly displayName: string
  readonly parentUrl: string | null
  readonly selfUrl: string
  readonly keywords: readonly string[]
}

/** Common start of every operation's response. */
export interface WorldHead {
  readonly asOf: string
  readonly sinceBaseline: string
  readonly baselineReason: string
  readonly region: ServedRegion
  readonly regime: { readonly label: string; readonly signals: Gauges }
}

/**
 * A region's snapshot; fields that depend on the caller or on other sources are added by the
 * route.
 */
export interface Snapshot extends WorldHead {
  readonly salient: readonly SalientItem[]
  readonly childRegions?: readonly RegionNode[]
  readonly index: ServedIndex
  readonly regimeSummary: Readonly<Record<VolatilityState, number>>
  readonly movers: readonly Mover[]
  readonly opportunities: readonly Opportunity[]
  readonly divergences: readonly DivergenceNote[]
  readonly stableAnchors: readonly StableAnchor[]
  readonly contagionHighlights: ReturnType<typeof contagionHighlights>
  readonly deltaWindow: '24h'
  readonly marketCount: number
  readonly salientCount: number
}

/** Gauges of the region at the newest quarter hour, their earlier values and display options. */
export interface SnapshotInput {
  readonly index: IndexReading
  /** At the baseline; null when none is stored. */
  readonly gaugesThen: Gauges | null
  /**
   * The region's shift if it was computed with the world; absent: looked up by path, otherwise
   * computed from the gauges.
   */
  readonly shift?: ScoredCandidate | null
  readonly valueDayAgo: number | null
  readonly limit: number
  readonly depth: number
  readonly addresses: Addresses
  /** Thesis edges that the caller may see, and gaps between venues. */
  readonly edges?: KnownEdges
}

export const servedRegion = (region: Region, addresses: Addresses): ServedRegion => ({
  path: region.path,
  label: region.label,
  displayName: region.label,
  parentUrl: region.path.length === 0 ? null : worldUrl(addresses, region.path.slice(0, -1)),
  selfUrl: worldUrl(addresses, region.path),
  keywords: region.keywords,
})

export const worldHead = (
  world: World,
  region: Region,
  gauges: Gauges,
  addresses: Addresses,
): WorldHead => {
  const { disagreement, geoRisk, breadth, activity } = gauges
  return {
    asOf: isoOf(world.at),
    sinceBaseline: isoOf(world.baseline.at),
    baselineReason: world.baseline.reason,
    region: servedRegion(region, addresses),
    regime: {
      label: regimeSentence(gauges),
      signals: { disagreement, geoRisk, breadth, activity },
    },
  }
}

/** An item with its rank and suggested calls. */
export function servedItem(
  { candidate, score }: SelectedItem,
  rank: number,
  path: readonly string[],
  addresses: Addresses,
): SalientItem {
  const { id, label } = candidate
  const pull = pullsOf(candidate, path, addresses)
  // Type and body are copied together; the compiler cannot infer that they match.
  const content = { type: candidate.type, body: candidate.body } as SalientContent
  return { id, rank, label, score: roundTo(score, 4), pull, ...content }
}

/** The snapshot of one region of the world. Methodology part C. */
export const snapshotOf = (world: World, region: Region, input: SnapshotInput): Snapshot =>
  runToCompletion(snapshotSteps(world, region, input))

/** The items of a region in their order, at most `limit`. */
export const salientItems = (
  world: World,
  region: Region,
  shift: ScoredCandidate | null,
  limit: number,
  addresses: Addresses,
): SalientItem[] =>
  selectSalient(candidatesIn(world, region, shift), limit).map((item, rank) =>
    servedItem(item, rank, region.path, addresses),
  )

/** The same in cooperative steps. */
export function* snapshotSteps(
  world: World,
  region: Region,
  input: SnapshotInput,
): Steps<Snapshot> {
  const { index, addresses, limit, depth, edges = NO_EDGES } = input
  const markets = marketsIn(world.markets, region)
  const shift =
    input.shift === undefined
      ? (world.shifts.get(region.path.join('/')) ?? computedShift(world, region, input))
      : input.shift
  yield
  const salient = salientItems(world, region, shift, limit, addresses)
  yield
  const regionTickers = new Set(markets.map(({ ticker }) => ticker))
  const divergences = world.divergences.filter(
    ({ trigger, lagging }) => regionTickers.has(trigger) || regionTickers.has(lagging),
  )
  const children = yield* childRegions(world, region, markets, depth, addresses)
  const titleOf = (ticker: string): string => world.marketOf(ticker)?.title ?? ticker
  const summary = regimeSummary(marketsIn(world.universe, region))
  yield
  const movers = moversOf(markets, addresses)
  const opportunities = opportunitiesOf(markets, edges, addresses)
  yield
  const anchors = stableAnchors(markets, addresses)
  return {
    ...worldHead(world, region, index, addresses),
    salient,
    ...(children === undefined ? {} : { childRegions: children }),
    index: servedIndex(index, input.valueDayAgo),
    regimeSummary: summary,
    movers,
    opportunities,
    divergences: divergenceNotes(divergences, titleOf),
    stableAnchors: anchors,
    contagionHighlights: contagionHighlights(divergences),
    deltaWindow: '24h',
    marketCount: markets.length,
    salientCount: salient.length,
  }
}

/**
 * The shift of a region whose gauges were not computed with the world's; it has no stored state.
 */
function computedShift(world: World, region: Region, input: SnapshotInput): ScoredCandidate | null {
  if (input.gaugesThen === null) return null
  const shift = regimeShift({
    from: input.gaugesThen,
    to: input.index,
    since: world.baseline.at,
    path: region.path,
    markets: marketsIn(world.markets, region),
  })
  if (shift === null) return null
  return { ...shift, score: salienceOf(shift, 1), event: null, question: null }
}
