import type { ParamsOf } from '../../params.ts'
import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import {
  EXPLAIN_PARAMS,
  causeOf,
  type Evidence,
  type ExplainFact,
  type HypothesisKind,
  type Move,
  type CandidateCause,
} from './explain-facts.ts'
import { clockOf, cutText, isoOf, minuteOf } from '../markdown/text.ts'

export interface Hypothesis {
  readonly rank: number
  readonly kind: HypothesisKind
  readonly summary: string
  readonly confidence: number
  readonly evidence: readonly (Omit<Evidence, 'at'> & { readonly at: string })[]
}
export interface Explanation {
  readonly hypotheses: readonly Hypothesis[]
  readonly unexplained: boolean
}

const MAX_HYPOTHESES = 5
const MAX_EVIDENCE = 3
const KIND_LABELS: Readonly<Record<HypothesisKind, string>> = {
  catalyst: 'a scheduled or stated event',
  news: 'news on the same names',
  econ_release: 'an economic release',
  legislation: 'a step of legislation',
  cross_venue_lead: 'the other venue moved',
  contagion: 'a linked market moved',
  flow: 'order flow',
  social: 'posts on the same names',
}

/**
 * Possible explanations of a move, likeliest first, at most five: facts only, no claim of cause.
 * Each kind counts by its best fact; confidences are normalised together with a hidden
 * "unexplained" of .15. A fact known after `at` is ignored. Methodology C8: catalyst 1 (.35),
 * contagion .6 (.15) give .538 and .231.
 */
export function explainMove(
  facts: readonly ExplainFact[],
  move: Move,
  at: Millis,
  params: ParamsOf<typeof EXPLAIN_PARAMS> = EXPLAIN_PARAMS,
): Explanation {
  const causes = facts.flatMap((fact) =>
    fact.knownAt > at ? [] : (causeOf(fact, move, params) ?? []),
  )
  const byKind = [...Map.groupBy(causes, ({ kind }) => kind)].map(([kind, groupedCauses]) => ({
    kind,
    weight: Math.max(...groupedCauses.map(({ prior, strength }) => prior * strength)),
    found: groupedCauses,
  }))
  const total = byKind.reduce((sum, { weight }) => sum + weight, params.priors.unexplained)
  const hypotheses = byKind
    .toSorted((a, b) => b.weight - a.weight || (a.kind < b.kind ? -1 : 1))
    .slice(0, MAX_HYPOTHESES)
    .map(({ kind, weight, found }, rank) => ({
      rank,
      kind,
      summary: summaryOf(kind, found, at),
      confidence: roundTo(weight / total, 4),
      evidence: found
        .map(({ evidence }) => evidence)
        .toSorted((a, b) => b.at - a.at || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
        .slice(0, MAX_EVIDENCE)
        .map(({ at: seenAt, ...evidence }) => ({ ...evidence, at: isoOf(seenAt) })),
    }))
  return { hypotheses, unexplained: hypotheses.length === 0 }
}

function summaryOf(kind: HypothesisKind, causes: readonly CandidateCause[], at: Millis): string {
  const best = causes.reduce((a, b) => (b.prior * b.strength > a.prior * a.strength ? b : a))
  return `${KIND_LABELS[kind]}: ${cutText(best.evidence.title, 120)} (${timeText(best.evidence.at, at)} UTC)`
}

/** The time of an event, with its date when that is another day than `now`. */
const timeText = (at: Millis, now: Millis): string =>
  isoOf(at).slice(0, 10) === isoOf(now).slice(0, 10) ? clockOf(at) : minuteOf(at)
