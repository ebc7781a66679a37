import type { Side } from '../market.ts'
import { roundTo } from '../units.ts'
import { centsText } from '../world/markdown/text.ts'
import { ANSWER_PARAMS } from './answer-params.ts'

export type Stance = 'yes' | 'no' | 'neutral'

/** Inputs of an opinion. */
export interface OpinionFacts {
  /** Label of the salient item. */
  readonly label: string
  /** Supporting facts, with their numbers. */
  readonly facts: readonly string[]
  /** Opposing facts. */
  readonly counter: readonly string[]
  /** The market that it is about; null for a gauge. */
  readonly market: { readonly title: string; readonly price: number | null } | null
  /** Side of the strongest edge; null without one. */
  readonly edge: Side | null
}

export const stanceOf = ({ edge }: Pick<OpinionFacts, 'edge'>): Stance => edge ?? 'neutral'

/**
 * The price that would change the opinion: 5 cents against the stance, in both directions for
 * none.
 */
function changedBy({ market, edge }: OpinionFacts): string {
  if (market === null || market.price === null) return 'The gauge back at its baseline.'
  const against = ANSWER_PARAMS.opinionTakenBack
  const [low, high] = [market.price - against, market.price + against].map((price) =>
    centsText(roundTo(Math.min(100, Math.max(0, price)), 2)),
  )
  if (edge === 'yes') return `“${market.title}” at ${low} or lower.`
  if (edge === 'no') return `“${market.title}” at ${high} or higher.`
  return `“${market.title}” at ${low} or lower, or at ${high} or higher.`
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

/** A rule-based opinion: facts, counter-evidence and what would change it. Methodology I3. */
export const opinionBody = (facts: OpinionFacts): string =>
  [
    '## Facts',
    bullets([facts.label, ...facts.facts]),
    '',
    '## Counter-evidence',
    bullets(facts.counter.length === 0 ? ['None among the available facts.'] : facts.counter),
    '',
    '## What would change it',
    changedBy(facts),
  ].join('\n')
