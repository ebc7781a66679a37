import {
  discoverLeadLags,
  type HourlyChanges,
  type LeadLag,
} from '../../../domain/links/lead-lag.ts'
import { linkGraph, type MarketLink } from '../../../domain/links/link-graph.ts'
import type { LiquidityScore } from '../../../domain/liquidity/liquidity.ts'
import type { MarketFacts, Venue } from '../../../domain/market.ts'
import { PAIR_CALIBRATION } from '../../../domain/pairing/calibration-curve.ts'
import {
  fingerprintOf,
  type Fingerprint,
  type PairingFacts,
} from '../../../domain/pairing/fingerprint.ts'
import { pairMarkets, type MarketPair } from '../../../domain/pairing/pairs.ts'
import type { Cents } from '../../../domain/units.ts'

/** Inputs of relations between markets; plain data that can be transferred to a thread. */
export interface StructureInput {
  readonly markets: readonly StructureMarket[]
  /**
   * Hourly mark changes of the 14 days before midnight, to discover lead times; null keeps the
   * relations found before.
   */
  readonly hourly: readonly HourlyChanges[] | null
  readonly leadLags: readonly LeadLag[]
  /** True when links and ladders are not needed. */
  readonly pairsOnly: boolean
}

export interface StructureMarket {
  readonly facts: StructureFacts
  readonly theme: string
  readonly mark: Cents | null
  readonly liquidity: LiquidityScore
}

export type StructureFacts = Omit<PairingFacts, 'mark'> &
  Pick<MarketFacts, 'seriesId' | 'exclusive'>

/** Relations between markets (D1, D3, D7). */
export interface Structure {
  readonly pairs: readonly MarketPair[]
  readonly links: readonly MarketLink[]
  readonly leadLags: readonly LeadLag[]
  readonly ladders: readonly Ladder[]
}

/** Markets of one event that ask the same question for different strikes or days, ascending. */
export interface Ladder {
  readonly venue: Venue
  readonly eventId: string
  /** `above`: a higher rung is harder; `by`: a higher or later one is easier. */
  readonly kind: 'above' | 'by'
  readonly rungs: readonly { readonly ticker: string; readonly at: number }[]
}

/** Cached fingerprints by ticker; a changed text is parsed again. */
export class Fingerprints {
  readonly #fingerprintsByTicker = new Map<
    string,
    { readonly texts: string; readonly fingerprint: Fingerprint }
  >()

  fingerprint({ facts, mark }: StructureMarket): Fingerprint {
    const texts = [
      facts.title,
      facts.subtitle,
      facts.description,
      facts.eventId,
      facts.eventTitle,
      facts.seriesTitle,
      facts.category,
      facts.closeTime,
      facts.expirationTime,
      facts.tags.join('\t'),
      facts.aliases?.join('\t'),
    ].join('\n')
    const existing = this.#fingerprintsByTicker.get(facts.ticker)
    if (existing?.texts === texts) return { ...existing.fingerprint, mark }
    const fingerprint = fingerprintOf({ ...facts, mark })
    this.#fingerprintsByTicker.set(facts.ticker, { texts, fingerprint })
    return fingerprint
  }

  /** Drops all markets except these. */
  keep(tickers: ReadonlySet<string>): void {
    for (const ticker of this.#fingerprintsByTicker.keys())
      if (!tickers.has(ticker)) this.#fingerprintsByTicker.delete(ticker)
  }
}

/** Pairs, links and lead times of live markets; pure apart from the fingerprint cache. */
export function structureOf(
  { markets, hourly, leadLags: knownLeadLags, pairsOnly }: StructureInput,
  fingerprints = new Fingerprints(),
): Structure {
  const read = markets.map((market) => ({ market, fingerprint: fingerprints.fingerprint(market) }))
  fingerprints.keep(new Set(markets.map(({ facts }) => facts.ticker)))
  const pairs = pairMarkets(
    read.map(({ fingerprint }) => fingerprint),
    { calibration: PAIR_CALIBRATION },
  )
  if (pairsOnly) return { pairs, links: [], leadLags: knownLeadLags, ladders: [] }
  // Those of the whole day, because a market that is paused now may trade again today.
  const leadLags = hourly === null ? knownLeadLags : discoverLeadLags(hourly)
  const activeTickers = new Set(markets.map(({ facts }) => facts.ticker))
  const liveLeadLags = leadLags.filter(
    ({ leader, follower }) => activeTickers.has(leader) && activeTickers.has(follower),
  )
  const links = linkGraph(
    read.map(({ market, fingerprint }) => ({
      fingerprint,
      title: market.facts.title,
      seriesId: market.facts.seriesId,
      exclusive: market.facts.exclusive,
      liquidity: market.liquidity,
    })),
    { pairs, leadLags: liveLeadLags },
  )
  const ladders = laddersOf(read.map(({ fingerprint }) => fingerprint))
  return { pairs, links, leadLags, ladders }
}

/** Ladders of at least two rungs; a market has one strike or one deadline, never both. */
export function laddersOf(fingerprints: readonly Fingerprint[]): Ladder[] {
  const groups = new Map<
    string,
    { readonly ladder: Ladder; rungs: { ticker: string; at: number }[] }
  >()
  for (const fingerprint of fingerprints) {
    const rung = rungOf(fingerprint)
    if (rung === null) continue
    const { venue, eventId, ticker, subject, quantities, spans } = fingerprint
    const key = [
      venue,
      eventId,
      rung.kind,
      rung.ladderKey,
      subject?.join(' '),
      quantities.join(' '),
      spans.join(' '),
    ].join('|')
    const group = groups.get(key)
    if (group !== undefined) group.rungs.push({ ticker, at: rung.at })
    else {
      const rungs = [{ ticker, at: rung.at }]
      groups.set(key, { ladder: { venue, eventId, kind: rung.kind, rungs }, rungs })
    }
  }
  const ladders: Ladder[] = []
  for (const { ladder, rungs } of groups.values()) {
    if (new Set(rungs.map(({ at }) => at)).size < 2) continue
    rungs.sort((a, b) => a.at - b.at || (a.ticker < b.ticker ? -1 : 1))
    ladders.push(ladder)
  }
  return ladders
}

/**
 * Position of a market on a ladder; null for ranges, several strikes and questions without either.
 */
function rungOf(
  fingerprint: Fingerprint,
): { readonly kind: Ladder['kind']; readonly at: number; readonly ladderKey: string } | null {
  const { comparator, strikes, direction, time } = fingerprint
  if (comparator === 'range' || strikes.length > 1) return null
  const [strike] = strikes
  if (strike !== undefined) {
    if (direction === null) return null
    // The same strike on another day belongs to another ladder.
    const ladderKey = `strike ${comparator ?? ''} ${time.day ?? ''}`
    return { kind: direction === 1 ? 'above' : 'by', at: strike, ladderKey }
  }
  return time.bound === 'by' && time.day !== null
    ? { kind: 'by', at: time.day, ladderKey: 'day' }
    : null
}
