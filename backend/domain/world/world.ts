import { runToCompletion, type Steps } from '../cooperative-steps.ts'
import type { Millis } from '../units.ts'
import { QuestionGroups, type QuestionTwins } from '../links/question-groups.ts'
import { consensusBreak } from './salient/consensus-break.ts'
import { ConsensusFinder, type PairedMarket, type ThematicPeer } from './salient/consensus.ts'
import { divergenceItem, type Divergence } from './salient/divergence.ts'
import type { Gauges } from './gauges/index-reading.ts'
import { eventKey, marketCandidates } from './salient/market-candidates.ts'
import { isInRegion, regionOf, seriesSlug, type Region } from './regions/region.ts'
import { regimeShift } from './salient/regime-shift.ts'
import {
  emissionAfter,
  noveltyOf,
  salienceOf,
  type Candidate,
  type Emission,
  type EmissionMemory,
  type ScoredCandidate,
} from './salient/salient.ts'
import { isEligible, universeOf, type Duplicate } from './universe.ts'
import type { WorldMarket } from './world-market.ts'

export interface Baseline {
  readonly at: Millis
  /** "last 12h", "since midnight UTC", "since …". */
  readonly reason: string
}

const HALF_DAY = 12 * 3_600_000
const DAY = 86_400_000

/** Default start of the compared period: 12 hours ago, but no earlier than midnight UTC. */
export function defaultBaseline(at: Millis): Baseline {
  const midnight = Math.floor(at / DAY) * DAY
  return midnight > at - HALF_DAY
    ? { at: midnight as Millis, reason: 'since midnight UTC' }
    : { at: (at - HALF_DAY) as Millis, reason: 'last 12h' }
}

/** Interval of world snapshots, ms. */
export const WORLD_INTERVAL = 300_000 as Millis
/** The newest snapshot instant at or before `at`. */
export const worldContextAt = (at: Millis): Millis =>
  (Math.floor(at / WORLD_INTERVAL) * WORLD_INTERVAL) as Millis

/** Gauges of a region now and at the baseline. */
export interface RegionGauges {
  readonly path: readonly string[]
  readonly now: Gauges
  readonly then: Gauges
}

/** Everything known at the snapshot's instant. */
export interface WorldInput {
  /** Start of the five-minute interval. */
  readonly at: Millis
  readonly baseline: Baseline
  /** Live markets of both venues. */
  readonly markets: readonly WorldMarket[]
  readonly duplicates: readonly Duplicate[]
  readonly divergences: readonly Divergence[]
  /** Best counterpart of each paired market. */
  readonly pairs: ReadonlyMap<string, PairedMarket>
  readonly thematic: ReadonlyMap<string, readonly ThematicPeer[]>
  /** Of the world (empty path), the topics and the groups. */
  readonly gauges: readonly RegionGauges[]
  /** State stored with the previous snapshot. */
  readonly memory: EmissionMemory
}

/** The world at one instant: the source of every region's snapshot. */
export interface World {
  readonly at: Millis
  readonly baseline: Baseline
  readonly markets: readonly WorldMarket[]
  readonly universe: readonly WorldMarket[]
  readonly divergences: readonly Divergence[]
  /** Best counterpart of each paired market. */
  readonly pairs: ReadonlyMap<string, PairedMarket>
  /** Items on markets, from the whole world. */
  readonly candidates: readonly ScoredCandidate[]
  /** Regime shifts by path joined with `/`. */
  readonly shifts: ReadonlyMap<string, ScoredCandidate>
  /** Titles of live series by their slug. */
  readonly series: ReadonlyMap<string, string>
  readonly marketOf: (ticker: string) => WorldMarket | undefined
  /** Stored for the next snapshot. */
  readonly memory: EmissionMemory
}

/**
 * Builds the world once for all regions: candidates with their salience, and the state for the next
 * snapshot. One pass over the markets for each kind of item. Methodology C1, C2.
 */
export const buildWorld = (input: WorldInput): World => runToCompletion(worldSteps(input))

/** Markets and candidates per cooperative step. */
const MARKETS_PER_STEP = 250

/** The same in cooperative steps. */
export function* worldSteps(input: WorldInput): Steps<World> {
  const { at, baseline, markets, divergences } = input
  const byTicker = new Map(markets.map((market) => [market.ticker, market]))
  const marketOf = (ticker: string) => byTicker.get(ticker)
  yield
  const universe = universeOf(markets, input.duplicates)
  yield
  const eligible = markets.filter((market) => isEligible(market))
  yield
  const eventSizes = new Map<string, number>()
  const series = new Map<string, string>()
  const seenTickers = new Set<string | null>([null])
  for (const [i, market] of markets.entries()) {
    if (i % (4 * MARKETS_PER_STEP) === 0) yield
    const event = eventKey(market)
    eventSizes.set(event, (eventSizes.get(event) ?? 0) + 1)
    if (seenTickers.has(market.seriesId)) continue
    seenTickers.add(market.seriesId)
    const slug = seriesSlug(market)
    if (slug !== null && !series.has(slug)) series.set(slug, market.seriesTitle ?? slug)
  }
  yield
  const finder = new ConsensusFinder(markets, input.pairs, input.thematic)
  yield
  const divergenceCandidates: Candidate[] = divergences.flatMap(
    (divergence) => divergenceItem(divergence, marketOf) ?? [],
  )
  for (const candidate of yield* marketCandidates(eligible, at, baseline.at, eventSizes)) {
    divergenceCandidates.push(candidate)
  }
  for (const [i, market] of eligible.entries()) {
    if (i % MARKETS_PER_STEP === 0) yield
    const consensus = finder.find(market)
    const consensusBreakOfMarket = consensus === null ? null : consensusBreak(market, consensus)
    if (consensusBreakOfMarket !== null) divergenceCandidates.push(consensusBreakOfMarket)
  }
  const groups = new QuestionGroups((ticker) => {
    const market = marketOf(ticker)
    return market === undefined ? null : { event: eventKey(market), exclusive: market.exclusive }
  }, twinsOf(input.pairs))
  const memory = new Map<string, Emission>()
  const score = (candidate: Candidate): ScoredCandidate => {
    const emission = emissionAfter(input.memory.get(candidate.id), candidate.x, at)
    memory.set(candidate.id, emission)
    const subject = candidate.legs[0]?.ticker ?? null
    return {
      ...candidate,
      score: salienceOf(candidate, noveltyOf(emission, at)),
      event: subject === null ? null : groups.eventOf(subject),
      question: subject === null ? null : groups.questionOf(subject),
    }
  }
  const shifts = new Map<string, ScoredCandidate>()
  for (const { path, now, then } of input.gauges) {
    yield
    const region = regionOf(path, series)
    const regionMarkets = region === null ? [] : marketsIn(markets, region)
    const shift = regimeShift({
      from: then,
      to: now,
      since: baseline.at,
      path,
      markets: regionMarkets,
    })
    if (shift !== null) shifts.set(path.join('/'), score(shift))
  }
  const candidates: ScoredCandidate[] = []
  for (const [i, candidate] of divergenceCandidates.entries()) {
    if (i % MARKETS_PER_STEP === 0) yield
    candidates.push(score(candidate))
  }
  for (const [id, emission] of input.memory) if (!memory.has(id)) memory.set(id, emission)
  return {
    at,
    baseline,
    markets,
    universe,
    divergences,
    pairs: input.pairs,
    candidates,
    shifts,
    series,
    marketOf,
    memory: stillRemembered(memory, at),
  }
}

const twinsOf = (pairs: WorldInput['pairs']): QuestionTwins[] =>
  [...pairs].map(([a, { ticker, confidence }]) => ({ a, b: ticker, confidence }))

const stillRemembered = (memory: EmissionMemory, at: Millis): EmissionMemory =>
  new Map([...memory].filter(([, emission]) => at - emission.lastAt <= DAY))

/** The markets of a region, in input order. */
export const marketsIn = (
  markets: readonly WorldMarket[],
  region: Region,
): readonly WorldMarket[] =>
  region.steps.length === 0 ? markets : markets.filter((market) => isInRegion(market, region))

/** Items of a region: those with a market in it, and its own regime shift. */
export function candidatesIn(
  world: World,
  region: Region,
  shift: ScoredCandidate | null = world.shifts.get(region.path.join('/')) ?? null,
): ScoredCandidate[] {
  const regionCandidates =
    region.steps.length === 0
      ? world.candidates
      : world.candidates.filter(({ legs }) => legs.some((market) => isInRegion(market, region)))
  return shift === null ? [...regionCandidates] : [shift, ...regionCandidates]
}
