import { LIQUIDITY_WEIGHTS } from '../liquidity/liquidity.ts'
import type { LiquidityScore } from '../liquidity/liquidity.ts'
import type { Ticker } from '../market.ts'
import type { MarketPair } from '../pairing/pairs.ts'
import type { ParamsOf } from '../params.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'

/** Constants of the odds headline (methodology F2). */
export const ODDS_PARAMS = {
  /** Minimum confidence at which a pair is one question. */
  pairConfidence: 0.75,
  mid: { from: 20, to: 80 },
  moving: 5,
  /** Sums of the marks of an exclusive event, in cents, that count as consistent. */
  sum: { min: 90, max: 110 },
} as const
export type OddsParams = ParamsOf<typeof ODDS_PARAMS>

/** One market of a question, aligned to the question's YES. */
export interface OddsMember {
  readonly ticker: Ticker
  /** Marks now and 24 hours ago, inverted if the market is. */
  readonly mark: Cents | null
  readonly markBefore: Cents | null
  readonly volume24hUsd: number | null
  readonly liquidity: LiquidityScore
}

export interface OddsReading {
  /** Cents, 2 decimals; null without a mark. */
  readonly price: Cents | null
  readonly delta24h: number | null
  readonly volume24hUsd: number | null
}

/** Weight of a market in its question: square root of its volume, so that no venue dominates. */
export const oddsWeight = (member: Pick<OddsMember, 'volume24hUsd' | 'liquidity'>): number =>
  Math.sqrt(1 + (member.volume24hUsd ?? 0)) * LIQUIDITY_WEIGHTS[member.liquidity]

function weightedMark(
  members: readonly OddsMember[],
  markOf: (member: OddsMember) => Cents | null,
): number | null {
  let [sum, weights] = [0, 0]
  for (const member of members) {
    const mark = markOf(member)
    if (mark === null) continue
    const weight = oddsWeight(member)
    sum += mark * weight
    weights += weight
  }
  return weights === 0 ? null : sum / weights
}

/**
 * Liquidity-weighted price of one binary question across its markets. The daily change uses today's
 * weights and only markets with a mark at both times. Methodology F2.
 */
export function binaryOdds(members: readonly OddsMember[]): OddsReading {
  const price = weightedMark(members, ({ mark }) => mark)
  const both = members.filter(({ mark, markBefore }) => mark !== null && markBefore !== null)
  const [now, previousProbability] = [
    weightedMark(both, ({ mark }) => mark),
    weightedMark(both, ({ markBefore }) => markBefore),
  ]
  const volumes = members.flatMap(({ volume24hUsd }) =>
    volume24hUsd === null ? [] : [volume24hUsd],
  )
  return {
    price: price === null ? null : (roundTo(price, 2) as Cents),
    delta24h:
      now === null || previousProbability === null ? null : roundTo(now - previousProbability, 2),
    volume24hUsd: volumes.length === 0 ? null : volumes.reduce((sum, volume) => sum + volume, 0),
  }
}

/**
 * The outcome with the highest mark, ties by ticker; null when none has a mark. Never an average.
 */
export function leaderOf<Outcome extends Pick<OddsMember, 'ticker' | 'mark'>>(
  outcomes: readonly Outcome[],
): Outcome | null {
  let leader: Outcome | null = null
  for (const outcome of outcomes) {
    if (outcome.mark === null) continue
    const best = leader?.mark ?? -1
    const isFirst = outcome.mark === best && leader !== null && outcome.ticker < leader.ticker
    if (outcome.mark > best || isFirst) leader = outcome
  }
  return leader
}

/** Sum check over the marks of an exclusive event. */
export interface FieldSum {
  /** False when an outcome without a mark could still be ahead of the leader. */
  readonly isDecided: boolean
  /** States unpriced outcomes, or a sum that does not add up; null when there is nothing to note. */
  readonly note: string | null
}

/** Checks whether outcomes without a price could still overtake the leader. */
export function exclusiveEventSum(
  marks: readonly (Cents | null)[],
  params: OddsParams = ODDS_PARAMS,
): FieldSum {
  const present = marks.filter((mark) => mark !== null)
  const sum = present.reduce((total, mark) => total + mark, 0)
  const missing = marks.length - present.length
  const left = 100 - sum
  const isDecided = missing === 0 || left <= Math.max(0, ...present)
  if (missing > 0) {
    const rest = left > 0 ? `, ${roundTo(left, 1)}¢ are left for them` : ''
    return { isDecided, note: `${missing} of ${marks.length} outcomes have no price${rest}` }
  }
  const addsUp = sum >= params.sum.min && sum <= params.sum.max
  return { isDecided, note: addsUp ? null : `outcome prices sum to ${roundTo(sum, 1)}¢` }
}

export type OddsBand = 'mid' | 'moving'

/** Whether a question is in a band: priced 20 to 80 cents, or moved by 5 in a day. */
export function isInBand(
  reading: Pick<OddsReading, 'price' | 'delta24h'>,
  band: OddsBand,
  params: OddsParams = ODDS_PARAMS,
): boolean {
  const { price, delta24h } = reading
  if (band === 'moving') return delta24h !== null && Math.abs(delta24h) >= params.moving
  return price !== null && price >= params.mid.from && price <= params.mid.to
}

/** Markets of one question; `inverted` ones ask the opposite. */
export interface Question {
  readonly members: readonly { readonly ticker: Ticker; readonly inverted: boolean }[]
}

/**
 * Questions of a catalogue: markets connected by pairs of .75 and more, transitively, each market
 * once. The first member by ticker defines the orientation.
 * @returns by first ticker
 */
export function questionsOf(
  tickers: readonly Ticker[],
  pairs: readonly Pick<MarketPair, 'a' | 'b' | 'confidence' | 'inverted'>[],
  params: OddsParams = ODDS_PARAMS,
): Question[] {
  const neighbours = new Map<Ticker, { ticker: Ticker; inverted: boolean }[]>()
  const add = (from: Ticker, ticker: Ticker, inverted: boolean): void => {
    neighbours.set(from, [...(neighbours.get(from) ?? []), { ticker, inverted }])
  }
  const tradedTickers = new Set(tickers)
  for (const { a, b, confidence, inverted } of pairs) {
    if (confidence < params.pairConfidence || !tradedTickers.has(a) || !tradedTickers.has(b))
      continue
    add(a, b, inverted)
    add(b, a, inverted)
  }
  const inversions = new Map<Ticker, boolean>()
  const questions: Question[] = []
  for (const start of [...tradedTickers].sort()) {
    if (inversions.has(start)) continue
    inversions.set(start, false)
    const members = [{ ticker: start, inverted: false }]
    for (const member of members) {
      for (const next of neighbours.get(member.ticker) ?? []) {
        if (inversions.has(next.ticker)) continue
        const isInverted = member.inverted !== next.inverted
        inversions.set(next.ticker, isInverted)
        members.push({ ticker: next.ticker, inverted: isInverted })
      }
    }
    questions.push({ members: members.sort((x, y) => (x.ticker < y.ticker ? -1 : 1)) })
  }
  return questions
}
