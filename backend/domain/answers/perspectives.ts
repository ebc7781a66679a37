import { DAY } from '../units.ts'
import { numberText, signedText } from '../world/markdown/text.ts'
import type { AnswerFacts, AnswerMarket } from './answer-facts.ts'
import { ANSWER_PARAMS } from './answer-params.ts'
import { dayOf, moneyText, nameOf } from './answer-text.ts'
import { venueName } from '../venue.ts'

/** Perspectives on a question, in order (methodology I4). */
export const PERSPECTIVE_ROLES = [
  'For YES',
  'For NO',
  'Unknowns',
  'Liquidity and timing',
  'Other venue',
] as const
export type PerspectiveRole = (typeof PERSPECTIVE_ROLES)[number]

export interface Perspective {
  readonly role: PerspectiveRole
  readonly stance: 'yes' | 'no' | 'uncertain'
  readonly argument: string
  /** Each with its source field. */
  readonly evidence: readonly string[]
}

interface Point {
  readonly text: string
  readonly field: string
}

const withCitation = ({ text, field }: Point): string => `${text} (${field})`
const cents = (value: number): string => `${numberText(Math.abs(value), 1)}¢`

/**
 * Facts that support one outcome of the headline market.
 * @param counterpart null when another perspective is about it
 */
function pointsFor(
  { headline, markets }: AnswerFacts,
  counterpart: AnswerFacts['counterpart'],
  sign: 1 | -1,
): Point[] {
  const { price, change24h } = headline
  const points: Point[] = []
  if (price !== null && (price - 50) * sign > 0) {
    const side = sign > 0 ? numberText(price, 1) : numberText(100 - price, 1)
    points.push({ text: `The market gives it ${side}%`, field: 'price' })
  }
  if (change24h !== null && change24h * sign > 0) {
    points.push({ text: `The price moved ${signedText(change24h, 1)}¢ in 24h`, field: 'change24h' })
  }
  const gap = counterpart?.gap ?? null
  if (counterpart !== null && gap !== null && gap * sign > 0) {
    const comparative = sign > 0 ? 'higher' : 'lower'
    points.push({
      text: `${venueName(counterpart.venue)} prices ${cents(gap)} ${comparative}`,
      field: 'crossVenue.gap',
    })
  }
  const others = markets.filter(
    (market) =>
      market.ticker !== headline.ticker &&
      (market.change24h ?? 0) * sign >= ANSWER_PARAMS.otherMove,
  )
  for (const other of others.slice(0, 1)) {
    const text = `“${nameOf(other)}” moved ${signedText(other.change24h, 1)}¢`
    points.push({ text, field: 'change24h' })
  }
  return points
}

const unknowns = ({ headline, counterpart }: AnswerFacts, hasVenue: boolean): Point[] => {
  const isMissing: readonly (readonly [keyof AnswerMarket, string])[] = [
    ['price', 'No price is known'],
    ['change24h', 'The change of the day is not known'],
    ['volume24hUsd', 'The volume of the day is not known'],
    ['closeTime', 'No closing time is stated'],
    ['vr', 'Usual volume is not known yet'],
  ]
  return [
    ...isMissing.flatMap(([field, text]) => (headline[field] === null ? [{ text, field }] : [])),
    ...(counterpart === null && !hasVenue
      ? [{ text: 'No confident counterpart on the other venue', field: 'crossVenue' }]
      : []),
    { text: 'Prices show what is traded, not why', field: 'price' },
  ]
}

function liquidityPoints({ headline, at }: AnswerFacts): Point[] {
  const { spread, liquidity, volume24hUsd, closeTime } = headline
  const days = closeTime === null ? null : (closeTime - at) / DAY
  return [
    { text: `Liquidity is ${liquidity}`, field: 'liquidityScore' },
    ...(spread === null ? [] : [{ text: `The spread is ${cents(spread)}`, field: 'spread' }]),
    ...(volume24hUsd === null
      ? []
      : [{ text: `${moneyText(volume24hUsd)} traded in 24h`, field: 'volume24h' }]),
    ...(closeTime === null || days === null || days <= 0
      ? []
      : [
          {
            text: `It closes ${dayOf(closeTime)}, in ${numberText(days, 1)} days`,
            field: 'closeTime',
          },
        ]),
  ]
}

const perspective = (
  role: PerspectiveRole,
  stance: Perspective['stance'],
  points: readonly Point[],
  none: string,
): Perspective => ({
  role,
  stance,
  argument: points.length === 0 ? none : `${role}: ${points.map(withCitation).join('; ')}.`,
  evidence: points.map(withCitation),
})

function otherVenue({ counterpart, headline }: AnswerFacts): Perspective {
  const gap = counterpart?.gap ?? null
  if (counterpart === null || counterpart.price === null || gap === null) {
    return perspective(
      'Other venue',
      'uncertain',
      [],
      'No confident counterpart on the other venue.',
    )
  }
  const text = `${venueName(counterpart.venue)} shows ${numberText(counterpart.price, 1)} against ${numberText(headline.price, 1)}, gap ${signedText(gap, 1)}¢`
  const stance = gap > 0 ? 'yes' : gap < 0 ? 'no' : 'uncertain'
  return perspective('Other venue', stance, [{ text, field: 'crossVenue.gap' }], '')
}

const PERSPECTIVES = 5

/**
 * The first `count` perspectives on a question, in fixed order; each point names its source field
 * and occurs once. Methodology I4: "For NO: the other venue prices 4¢ lower (crossVenue.gap)".
 */
export function perspectivesOf(facts: AnswerFacts, count: number): Perspective[] {
  // The last perspective is about the counterpart.
  const hasVenue = count >= PERSPECTIVES
  const counterpart = hasVenue ? null : facts.counterpart
  const [pro, contra] = [pointsFor(facts, counterpart, 1), pointsFor(facts, counterpart, -1)]
  return [
    perspective('For YES', 'yes', pro, 'No available fact supports YES.'),
    perspective('For NO', 'no', contra, 'No available fact supports NO.'),
    perspective('Unknowns', 'uncertain', unknowns(facts, hasVenue), ''),
    perspective('Liquidity and timing', 'uncertain', liquidityPoints(facts), ''),
    otherVenue(facts),
  ].slice(0, count)
}

/** Price inconsistencies of the question. */
export const disagreementsOf = ({ headline, counterpart, tensions }: AnswerFacts): string[] => [
  ...(counterpart !== null && counterpart.gap !== null && Math.abs(counterpart.gap) >= 1
    ? [
        `${venueName(headline.venue)} and ${venueName(counterpart.venue)} are ${cents(counterpart.gap)} apart`,
      ]
    : []),
  ...tensions.map(({ text }) => text),
]
