import { DAY, MINUTE, roundTo } from '../units.ts'
import type { Millis } from '../units.ts'
import { cutText, isoOf, leadIn, numberText, signedText } from '../world/markdown/text.ts'
import type { AnswerFacts, AnswerMarket } from './answer-facts.ts'
import { ANSWER_PARAMS } from './answer-params.ts'
import type { ParamsOf } from '../params.ts'
import { isConditionId } from '../market.ts'
import { venueName } from '../venue.ts'

type Params = ParamsOf<typeof ANSWER_PARAMS>
const TITLE_LENGTH = 110

/** Abbreviated dollars: "$840", "$52k", "$1.2M". */
export function moneyText(usd: number): string {
  if (usd >= 999_500) return `$${roundTo(usd / 1_000_000, 1)}M`
  return usd >= 999.5 ? `$${Math.round(usd / 1_000)}k` : `$${Math.round(usd)}`
}

/** The day of an instant, UTC. */
export const dayOf = (at: Millis): string => isoOf(at).slice(0, 10)

/** Name of a market in a sentence: the outcome when several markets share a title. */
export const nameOf = (market: Pick<AnswerMarket, 'title' | 'outcome'>): string =>
  cutText(market.outcome ?? market.title, TITLE_LENGTH)

/** Id of a market in a sentence: its ticker, or the venue where ids are 66 characters long. */
const idOf = ({ ticker, venue }: Pick<AnswerMarket, 'ticker' | 'venue'>): string =>
  isConditionId(ticker) ? venueName(venue) : ticker

const titleOf = (market: AnswerMarket): string =>
  market.outcome === null || market.title.includes(market.outcome)
    ? cutText(market.title, TITLE_LENGTH)
    : cutText(`${cutText(market.title, TITLE_LENGTH)} ${market.outcome}`, TITLE_LENGTH + 30)

function headlineSentence(market: AnswerMarket): string {
  const parts = [
    market.price === null
      ? `no price (${venueName(market.venue)})`
      : `${numberText(market.price, 1)}% (${venueName(market.venue)})`,
    ...(market.change24h === null ? [] : [`${signedText(market.change24h, 1)}¢ in 24h`]),
    ...(market.volume24hUsd === null ? [] : [`${moneyText(market.volume24hUsd)} traded`]),
  ]
  return `${leadIn(titleOf(market))} ${parts.join(', ')}.`
}

/** "Fed decision in December: 91% = 86% 25 bps + 5% more (name of the venue)." */
function combinedSentence({ combined, eventTitle, headline }: AnswerFacts): string | null {
  if (combined.length === 0) return null
  const total = combined.reduce((sum, { price }) => sum + (price ?? 0), 0)
  const parts = combined.map(
    (outcome) => `${numberText(outcome.price, 1)}% ${cutText(nameOf(outcome), 40)}`,
  )
  const title = cutText(eventTitle ?? headline.title, TITLE_LENGTH)
  return `${leadIn(title)} ${numberText(total, 1)}% = ${parts.join(' + ')} (${venueName(headline.venue)}).`
}

function counterpartSentence({ counterpart }: AnswerFacts): string | null {
  if (counterpart === null || counterpart.price === null) return null
  const gap = counterpart.gap === null ? '' : ` (gap ${numberText(Math.abs(counterpart.gap), 1)}¢)`
  return `${venueName(counterpart.venue)} shows ${numberText(counterpart.price, 1)}${gap}.`
}

function outcomesSentence({ outcomes }: AnswerFacts, params: Params): string | null {
  const pricedMarkets = outcomes.filter(({ price }) => price !== null)
  if (pricedMarkets.length < 2) return null
  const outcomeTexts = pricedMarkets
    .slice(0, params.maxOutcomes)
    .map((outcome) => `${cutText(nameOf(outcome), 40)} ${numberText(outcome.price, 1)}%`)
  return `Of ${outcomes.length} outcomes: ${outcomeTexts.join(', ')}.`
}

const closeSentence = ({ headline, at }: AnswerFacts): string | null =>
  headline.closeTime === null
    ? null
    : `${headline.closeTime > at ? 'Closes' : 'Closed'} ${dayOf(headline.closeTime)}.`

const ageMinutes = ({ headline, at }: AnswerFacts): number => (at - headline.updatedAt) / MINUTE

function caveatSentence(facts: AnswerFacts, params: Params): string | null {
  const { spread, liquidity } = facts.headline
  const caveats = [
    ...(spread !== null && spread > params.spread ? [`spread ${numberText(spread, 1)}¢`] : []),
    ...(liquidity === 'low' ? ['low liquidity'] : []),
    ...(ageMinutes(facts) > params.maxAgeMinutes
      ? [`quote is ${Math.round(ageMinutes(facts))} minutes old`]
      : []),
  ]
  return caveats.length === 0 ? null : `Caveat: ${caveats.join(', ')}.`
}

const countTokens = (text: string): number => text.split(/\s+/).length

/**
 * An answer from facts alone: sentences in fixed order, those without facts left out, within 90
 * words; the caveat takes precedence over the edge. It claims no causes. Methodology I2.
 */
export function extractiveAnswer(facts: AnswerFacts, params: Params = ANSWER_PARAMS): string {
  const tension = facts.tensions[0]
  const caveat = caveatSentence(facts, params)
  const sentences = [
    combinedSentence(facts) ?? headlineSentence(facts.headline),
    // The counterpart is that of one outcome, and the outcomes are named already.
    facts.combined.length > 0 ? null : counterpartSentence(facts),
    facts.combined.length > 0 ? null : outcomesSentence(facts, params),
    closeSentence(facts),
    tension === undefined ? null : `${tension.text}.`,
  ]
  let left = params.maxWords - (caveat === null ? 0 : countTokens(caveat))
  const lines: string[] = []
  for (const sentence of sentences) {
    if (sentence === null || countTokens(sentence) > left) continue
    left -= countTokens(sentence)
    lines.push(sentence)
  }
  return [...lines, ...(caveat === null ? [] : [caveat])].join(' ')
}

/** The market with the largest value of a quantity, if it reaches the minimum; ties by ticker. */
function topBy(
  markets: readonly AnswerMarket[],
  quantity: (market: AnswerMarket) => number | null,
  min: number,
): AnswerMarket | null {
  let [best, max] = [null as AnswerMarket | null, min]
  for (const market of markets) {
    const value = quantity(market)
    if (value === null || value < max) continue
    if (best === null || value > max || market.ticker < best.ticker) [best, max] = [market, value]
  }
  return best
}

/**
 * At most six facts that support an answer, each with its market, number and source field: large
 * mover, volume surprise, close ahead, gap between venues, inconsistency. Methodology I2.
 */
export function keyFactorsOf(facts: AnswerFacts, params: Params = ANSWER_PARAMS): string[] {
  const { markets, at, counterpart, headline } = facts
  const factors: string[] = []
  const mover = topBy(markets, ({ change24h }) => absolute(change24h), params.move)
  if (mover !== null) {
    const move = signedText(mover.change24h, 1)
    factors.push(`${nameOf(mover)} moved ${move}¢ in 24h (${idOf(mover)}, change24h)`)
  }
  const busy = topBy(markets, ({ vr }) => vr, params.surprise)
  if (busy !== null) {
    const volume = `volume ${numberText(busy.vr, 1)}σ above usual`
    factors.push(`${leadIn(nameOf(busy))} ${volume} (${idOf(busy)}, vr)`)
  }
  const days = (market: AnswerMarket): number | null =>
    market.closeTime === null || market.closeTime <= at ? null : (market.closeTime - at) / DAY
  const next = topBy(markets, (market) => negate(days(market)), -params.catalystDays)
  if (next !== null && next.closeTime !== null) {
    const left = numberText(days(next), 1)
    const close = `closes ${dayOf(next.closeTime)}, in ${left} days`
    factors.push(`${leadIn(nameOf(next))} ${close} (${idOf(next)}, closeTime)`)
  }
  const gap = counterpart?.gap ?? null
  if (counterpart !== null && gap !== null && Math.abs(gap) >= params.venueGap) {
    const text = `${signedText(gap, 1)}¢ on ${venueName(counterpart.venue)}`
    factors.push(
      `${leadIn(nameOf(headline))} ${text} against ${venueName(headline.venue)} (crossVenue.gap)`,
    )
  }
  for (const tension of facts.tensions.slice(0, 2))
    factors.push(`${tension.text} (${tension.kind})`)
  return factors.slice(0, params.maxFactors)
}

const absolute = (value: number | null): number | null => (value === null ? null : Math.abs(value))
const negate = (value: number | null): number | null => (value === null ? null : -value)
