import type { ParamsOf } from '../../params.ts'
import { SALIENT_TYPES, type ScoredCandidate } from './salient.ts'

export const SELECTION_PARAMS = {
  /** Penalties of an event, theme and type that is already selected. */
  event: 0.2,
  theme: 0.6,
  type: 0.8,
  perEvent: 2,
} as const

export interface SelectedItem {
  readonly candidate: ScoredCandidate
  /** Salience times the penalties at its selection. */
  readonly score: number
}

const typeOrder = new Map(SALIENT_TYPES.map((type, rank) => [type, rank]))

/**
 * The items to show, in order. Each step takes the item with the highest remaining salience: an
 * event, a theme or a type that is already selected is penalised (maximal marginal relevance,
 * Carbonell and Goldstein 1998). Dropped are a market that is already selected, a second item of
 * one type on one question, and a third item on one event. Ties by type, then ticker. Methodology
 * C3. The cost grows as candidates times `limit`.
 */
export function selectSalient(
  candidates: readonly ScoredCandidate[],
  limit: number,
  params: ParamsOf<typeof SELECTION_PARAMS> = SELECTION_PARAMS,
): SelectedItem[] {
  const rest = new Set(candidates)
  const tickers = new Set<string>()
  const events = new Map<string, number>()
  const questions = new Set<string>()
  const themes = new Set<string>()
  const types = new Set<string>()
  const scoreLeft = (candidate: ScoredCandidate): number => {
    const subject = candidate.legs[0]
    let score = candidate.score
    if (types.has(candidate.type)) score *= params.type
    if (subject === undefined) return score
    if (themes.has(subject.theme)) score *= params.theme
    return candidate.event !== null && events.has(candidate.event) ? score * params.event : score
  }
  const isRepeated = ({ type, legs, event, question }: ScoredCandidate): boolean =>
    tickers.has(legs[0]?.ticker ?? '') ||
    questions.has(`${type}|${question ?? ''}`) ||
    (event !== null && (events.get(event) ?? 0) >= params.perEvent)
  const selectedItems: SelectedItem[] = []
  while (selectedItems.length < limit) {
    let best: SelectedItem | null = null
    for (const candidate of rest) {
      // Penalties only lower a score, so most candidates can be skipped.
      if (best !== null && candidate.score < best.score) continue
      if (isRepeated(candidate)) {
        rest.delete(candidate)
        continue
      }
      const score = scoreLeft(candidate)
      if (best === null || score > best.score) best = { candidate, score }
      else if (score === best.score && comesFirst(candidate, best.candidate)) {
        best = { candidate, score }
      }
    }
    if (best === null) break
    selectedItems.push(best)
    rest.delete(best.candidate)
    types.add(best.candidate.type)
    const { type, event, question } = best.candidate
    const subject = best.candidate.legs[0]
    if (subject === undefined) continue
    tickers.add(subject.ticker)
    themes.add(subject.theme)
    if (question !== null) questions.add(`${type}|${question}`)
    if (event !== null) events.set(event, (events.get(event) ?? 0) + 1)
  }
  return selectedItems
}

function comesFirst(a: ScoredCandidate, b: ScoredCandidate): boolean {
  const byType = (typeOrder.get(a.type) ?? 0) - (typeOrder.get(b.type) ?? 0)
  if (byType !== 0) return byType < 0
  const [left, right] = [a.legs[0]?.ticker ?? a.id, b.legs[0]?.ticker ?? b.id]
  return left === right ? a.id < b.id : left < right
}
