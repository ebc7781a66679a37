import type { AnswerMarket, QueryAnswer } from '../../api/context-types.ts'
import type { Venue } from '../../api/types.ts'

export type CitedMarket = AnswerMarket & { readonly venue: Venue }

/**
 * Markets of an answer: those that it names, in its order, then the rest by turns of the venues, each
 * list in its own order of relevance.
 */
export function citedFirst(answer: QueryAnswer): readonly CitedMarket[] {
  const a = (answer.venue_a ?? []).map((row): CitedMarket => ({ ...row, venue: 'venue_a' }))
  const b = (answer.venue_b ?? []).map((row): CitedMarket => ({ ...row, venue: 'venue_b' }))
  const byTurns = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => [
    ...a.slice(index, index + 1),
    ...b.slice(index, index + 1),
  ]).flat()
  const words = (answer.answer ?? '').toLowerCase()
  const placeOf = ({ ticker }: CitedMarket): number => {
    const at = words.indexOf(ticker.toLowerCase())
    return at < 0 ? Infinity : at
  }
  // Sorting keeps the order of equals.
  return byTurns.toSorted((left, right) => {
    const [x, y] = [placeOf(left), placeOf(right)]
    return x === y ? 0 : x - y
  })
}
