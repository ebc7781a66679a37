import type { Side } from '../market.ts'
import { roundTo } from '../units.ts'
import { centsText } from '../world/markdown/text.ts'
import { ANSWER_PARAMS } from './answer-params.ts'

export type Stance = 'yes' | 'no' | 'neutral'

/** Inputs of an opinion. */
export interface OpinionFacts {
  /** Label of the salient item. */
  readonly label: string
  /** Supporting facts, with their numbers; those of a gauge with their own sources. */
  readonly facts: readonly string[]
  /** Opposing facts. */
  readonly counter: readonly string[]
  /** The market that it is about; null for a gauge. */
  readonly market: { readonly title: string; readonly price: number | null } | null
  /** The value from which a gauge moved, as text; null for a market. */
  readonly gaugeFrom: string | null
  /** Address of the market's dossier, or of the gauges. */
  readonly url: string
  /** Side of the strongest edge; null without one. */
  readonly edge: Side | null
}

export const stanceOf = ({ edge }: Pick<OpinionFacts, 'edge'>): Stance => edge ?? 'neutral'

/**
 * The price that would change the opinion: 5 cents against the stance, in both directions for
 * none.
 */
function changePrices({ market, edge, gaugeFrom }: OpinionFacts): string {
  if (market === null) return `The gauge back at ${gaugeFrom ?? 'its baseline'}.`
  if (market.price === null) return `A price of “${market.title}”.`
  const reversalPoints = ANSWER_PARAMS.opinionTakenBack
  const [low, high] = [market.price - reversalPoints, market.price + reversalPoints].map((price) =>
    centsText(roundTo(Math.min(100, Math.max(0, price)), 2)),
  )
  if (edge === 'yes') return `“${market.title}” at ${low} or lower.`
  if (edge === 'no') return `“${market.title}” at ${high} or higher.`
  return `“${market.title}” at ${low} or lower, or at ${high} or higher.`
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** Lines whose last one has their common source. */
const withSource = (lines: readonly string[], source: string): string[] =>
  lines.map((line, index) => (index === lines.length - 1 ? `${line} ${source}` : line))

const RULE_WRITTEN =
  'Written by rules from stored prices. It is no forecast, no advice and not the view of a person.'

/**
 * A rule-based opinion: facts, counter-evidence if there is any, and what would change it; each
 * part with its source. Methodology I3.
 */
export function opinionBody(facts: OpinionFacts): string {
  const source = `[Source](${facts.url})`
  const { counter } = facts
  return [
    '## Facts',
    bullets(
      facts.market === null
        ? [`${facts.label} ${source}`, ...facts.facts]
        : withSource(facts.facts, source),
    ),
    '',
    ...(counter.length === 0
      ? []
      : ['## Counter-evidence', bullets(withSource(counter, source)), '']),
    '## What would change it',
    `${changePrices(facts)} ${source}`,
    '',
    RULE_WRITTEN,
  ].join('\n')
}
