import { LIQUIDITY_WEIGHTS } from '../../liquidity/liquidity.ts'
import type { ParamsOf } from '../../params.ts'
import type { Steps } from '../../cooperative-steps.ts'
import { DAY, HOUR, roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { salientId } from './salient-id.ts'
import type { Candidate } from './salient.ts'
import { centsText, isoOf, numberText } from '../markdown/text.ts'
import { byTicker, priceMove24h, type WorldMarket } from '../world-market.ts'

export const MARKET_CANDIDATE_PARAMS = {
  /** Minimum of uncertainty over days to go for an item. */
  resolving: 0.25,
  resolvingDays: 7,
  resolvingVolumeUsd: 1_000,
  /** Minimum volume surprise beyond what the calendar explains, standard deviations. */
  residual: 2,
  residualPrices: { min: 5, max: 95 },
  /** A few dollars are no unusual volume, however rare trades are. */
  residualVolumeUsd: 10,
  /** Decades of dollars traded from which a new market is an item. */
  novelDecades: 3,
  novelConfidence: 0.8,
} as const
type Params = ParamsOf<typeof MARKET_CANDIDATE_PARAMS>

/** Common fields of every item body on one market. */
export const bodyOf = ({ ticker, venue, title, price }: WorldMarket) => ({
  ticker,
  venue,
  title,
  price,
})

/** Part of a label whose difference of prices is too wide to be believed. */
export const PROBABLE_ERROR = ' (probable data error)'

/** Common fields of every candidate on one market. */
export const singleMarketGroup = (market: WorldMarket) => ({
  weight: LIQUIDITY_WEIGHTS[market.liquidity],
  legs: [market],
})

/**
 * Item of a market that resolves within a week and whose price is uncertain: mark 50 with a day to
 * go has twice the required strength. Without a known event or expected resolution the close time
 * is used.
 */
export function resolvingSoon(
  market: WorldMarket,
  at: Millis,
  params: Params = MARKET_CANDIDATE_PARAMS,
): Candidate | null {
  const { mark, closeTime, catalyst } = market
  const days = market.daysToEvent ?? market.tau
  if (mark === null || closeTime === null || closeTime <= at || days === null) return null
  if (days < 0 || days > params.resolvingDays) return null
  if (market.volume24hUsd === null || market.volume24hUsd < params.resolvingVolumeUsd) return null
  const chance = mark / 100
  const x = (4 * chance * (1 - chance)) / (1 + days) / params.resolving
  if (x < 1) return null
  const hours = (closeTime - at) / HOUR
  // A game may stay open for weeks after its result.
  const isResultEarlier = days * DAY < closeTime - at - HOUR
  const left = isResultEarlier
    ? `${numberText((days * DAY) / HOUR, 0)}h to result`
    : `${numberText(hours, 0)}h to close`
  return {
    id: salientId('resolving_soon', market.ticker),
    type: 'resolving_soon',
    label: `${left} @ ${centsText(market.price)} — ${market.title}`,
    body: {
      ...bodyOf(market),
      closeTime: isoOf(closeTime),
      hoursToClose: roundTo(hours, 1),
      volume24h: market.volume24h,
      cri: market.cri,
      catalyst: catalyst === null ? null : { title: catalyst.title, at: isoOf(catalyst.at) },
      change24h: priceMove24h(market),
    },
    x,
    confidence: 1,
    ...singleMarketGroup(market),
  }
}

/** Item of a market with more volume than its past and its calendar explain. */
export function residualVolume(
  market: WorldMarket,
  params: Params = MARKET_CANDIDATE_PARAMS,
): Candidate | null {
  const { price, vr } = market
  if (price === null || vr === null) return null
  if ((market.volume24hUsd ?? 0) < params.residualVolumeUsd) return null
  if (price < params.residualPrices.min || price > params.residualPrices.max) return null
  const surprise = market.residualVr ?? vr
  const x = surprise / params.residual
  if (x < 1) return null
  return {
    id: salientId('residual', market.ticker),
    type: 'residual',
    label: `${numberText(surprise, 1)}σ volume @ ${centsText(price)} — ${market.title}`,
    body: {
      ...bodyOf(market),
      residualVr: market.residualVr === null ? null : roundTo(market.residualVr, 3),
      vr: roundTo(vr, 3),
      volume24h: market.volume24h,
      scheduledCatalyst: market.catalyst?.title ?? null,
    },
    x,
    confidence: 1,
    ...singleMarketGroup(market),
  }
}

/** Item of a market first seen after the baseline that already trades. */
export function novelMarket(
  market: WorldMarket,
  at: Millis,
  baseline: Millis,
  siblings: number,
  params: Params = MARKET_CANDIDATE_PARAMS,
): Candidate | null {
  const { firstSeenAt, closeTime, volume24hUsd } = market
  if (firstSeenAt <= baseline || firstSeenAt > at || volume24hUsd === null) return null
  const x = Math.log10(1 + volume24hUsd) / params.novelDecades
  if (x < 1) return null
  return {
    id: salientId('novel', market.ticker),
    type: 'novel',
    label: `New: ${market.title} @ ${centsText(market.price)}`,
    body: {
      ...bodyOf(market),
      firstSeenAt: isoOf(firstSeenAt),
      ageHours: roundTo((at - firstSeenAt) / HOUR, 1),
      volume24h: market.volume24h,
      eventTitle: market.eventTitle,
      closeTime: closeTime === null ? null : isoOf(closeTime),
      siblings,
    },
    x,
    confidence: params.novelConfidence,
    ...singleMarketGroup(market),
  }
}

/** Key of a market's event; includes the venue because ids may collide. */
export const eventKey = (market: Pick<WorldMarket, 'venue' | 'eventId'>): string =>
  `${market.venue}|${market.eventId}`

/** Markets per cooperative step. */
const MARKETS_PER_STEP = 250

/**
 * Candidates of each market by itself, in steps of some markets. Of the new markets of one event
 * only the most traded is kept.
 * @param eventSizes live markets of each event by `eventKey`
 */
export function* marketCandidates(
  markets: readonly WorldMarket[],
  at: Millis,
  baseline: Millis,
  eventSizes: ReadonlyMap<string, number>,
  params: Params = MARKET_CANDIDATE_PARAMS,
): Steps<Candidate[]> {
  const candidates: Candidate[] = []
  const newest = new Map<string, { readonly candidate: Candidate; readonly market: WorldMarket }>()
  for (const [i, market] of markets.entries()) {
    if (i % MARKETS_PER_STEP === 0) yield
    const resolvingCandidate = resolvingSoon(market, at, params)
    const residual = residualVolume(market, params)
    if (resolvingCandidate !== null) candidates.push(resolvingCandidate)
    if (residual !== null) candidates.push(residual)
    const event = eventKey(market)
    const siblings = (eventSizes.get(event) ?? 1) - 1
    const novel = novelMarket(market, at, baseline, siblings, params)
    if (novel === null) continue
    const existing = newest.get(event)
    const isBest =
      existing === undefined ||
      novel.x > existing.candidate.x ||
      (novel.x === existing.candidate.x && byTicker(market, existing.market) < 0)
    if (isBest) newest.set(event, { candidate: novel, market })
  }
  for (const { candidate } of newest.values()) candidates.push(candidate)
  return candidates
}
