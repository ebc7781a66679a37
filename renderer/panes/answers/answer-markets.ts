import { VENUES } from '../../../backend/domain/venue.ts'
import type { QueryAnswer, QueryMarket } from '../../../backend/contract/query.ts'
import type { Venue } from '../../../backend/domain/market.ts'

export type CitedMarket = QueryMarket & { readonly venue: Venue }

/**
 * Markets of an answer: first those that it cites, in its order, then the rest alternating between
 * venues, each list by its own relevance.
 */
export function citedFirst(answer: QueryAnswer): readonly CitedMarket[] {
  const lists = VENUES.map((venue) =>
    (answer[venue] ?? []).map((row): CitedMarket => ({ ...row, venue })),
  )
  const maxLength = Math.max(...lists.map(({ length }) => length))
  const interleavedMarkets = Array.from({ length: maxLength }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
  const description = (answer.answer ?? '').toLowerCase()
  const positionOf = ({ ticker }: CitedMarket): number => {
    const at = description.indexOf(ticker.toLowerCase())
    return at < 0 ? Infinity : at
  }
  // The sort is stable.
  return interleavedMarkets.toSorted((left, right) => {
    const [x, y] = [positionOf(left), positionOf(right)]
    return x === y ? 0 : x - y
  })
}
