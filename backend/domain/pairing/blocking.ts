import { DAY } from '../units.ts'
import type { Millis } from '../units.ts'
import type { Fingerprint } from './fingerprint.ts'
import { PAIRING_PARAMS } from './params.ts'
import type { PairingParams } from './params.ts'
import { titleCosine, titleNorm } from './title-weights.ts'
import type { TitleWeights } from './title-weights.ts'

/** Two markets to compare, by their indices in the input lists. */
export interface Candidate {
  readonly a: number
  readonly b: number
  readonly cosine: number
}

const byTicker = (a: Fingerprint, b: Fingerprint): number => (a.ticker < b.ticker ? -1 : 1)

/**
 * Blocking keys: names and time of a question with its thresholds, by the day and by each named
 * year, because venues close the same question at different times. Empty without a name.
 */
function keysOf(market: Fingerprint): string[] {
  if (market.entities.length === 0) return []
  const day = market.time.day ?? market.endTime
  const times = [...market.time.years.map((year) => `year ${year}`)]
  if (day !== null) times.push(`day ${Math.floor(day / DAY)}`)
  const [names, strikes] = [market.entities.join(' '), market.strikes.join(' ')]
  return times.map((time) => [names, time, strikes].join('|'))
}

/** Inverted index from a feature to the markets that have it. */
class Postings {
  readonly #positions = new Map<string, number[]>()
  add(key: string, position: number): void {
    const positions = this.#positions.get(key)
    if (positions === undefined) this.#positions.set(key, [position])
    else positions.push(position)
  }
  get(key: string): readonly number[] {
    return this.#positions.get(key) ?? []
  }
}

/**
 * The pairs of two venues' markets that are worth comparing (methodology D7): same theme or
 * category and two rare terms in common, or the same names and day; ends or closes within 400 days;
 * the 20 nearest by title for each market of `left`. A bounded number of markets is visited for
 * each one, rarest terms first, so the cost grows with the number of markets and not with their
 * product.
 * @returns by ticker of `left`, then nearest first; independent of the lists' order
 */
export function candidatePairs(
  left: readonly Fingerprint[],
  right: readonly Fingerprint[],
  weights: TitleWeights,
  params: PairingParams = PAIRING_PARAMS,
): Candidate[] {
  const rare = Math.max(params.rareShare * weights.titles, params.rareLeast)
  const isRare = (term: string): boolean => (weights.frequencies.get(term) ?? 0) <= rare
  const sortedIndices = (markets: readonly Fingerprint[]): number[] =>
    markets
      .map((_, index) => index)
      .sort((x, y) => byTicker(marketAt(markets, x), marketAt(markets, y)))
  const [terms, keys] = [new Postings(), new Postings()]
  const norms = right.map((market) => titleNorm(market.terms, weights))
  for (const position of sortedIndices(right)) {
    const market = marketAt(right, position)
    for (const term of market.terms) if (isRare(term)) terms.add(term, position)
    for (const key of keysOf(market)) keys.add(key, position)
  }
  const candidates: Candidate[] = []
  for (const a of sortedIndices(left)) {
    const market = marketAt(left, a)
    const neighbours = [...neighboursOf(market, right, { terms, keys, isRare, params })]
    const norm = titleNorm(market.terms, weights)
    const scoredPairs = neighbours.map((b) => {
      const other = marketAt(right, b)
      const cosine = titleCosine(market.terms, other.terms, weights, [norm, norms[b] ?? 0])
      return { a, b, cosine }
    })
    scoredPairs.sort(
      (x, y) => y.cosine - x.cosine || byTicker(marketAt(right, x.b), marketAt(right, y.b)),
    )
    candidates.push(...scoredPairs.slice(0, params.candidates))
  }
  return candidates
}

const marketAt = (markets: readonly Fingerprint[], position: number): Fingerprint => {
  const market = markets[position]
  if (market === undefined) throw new RangeError(`No market at ${position}`)
  return market
}

interface BlockingIndex {
  readonly terms: Postings
  readonly keys: Postings
  readonly isRare: (term: string) => boolean
  readonly params: PairingParams
}

function neighboursOf(
  market: Fingerprint,
  others: readonly Fingerprint[],
  index: BlockingIndex,
): Set<number> {
  const { params } = index
  const isNear = (time: Millis | null, other: Millis | null): boolean =>
    time === null || other === null || Math.abs(time - other) <= params.closeDays * DAY
  const isComparable = (other: Fingerprint): boolean =>
    isNear(market.closeTime, other.closeTime) || isNear(market.endTime, other.endTime)
  const sharedCounts = new Map<number, number>()
  const neighbours = new Set<number>()
  let visits = 0
  for (const key of keysOf(market)) {
    for (const position of index.keys.get(key).slice(0, params.visits - visits)) {
      visits++
      if (isComparable(marketAt(others, position))) neighbours.add(position)
    }
  }
  const frequency = (term: string): number => index.terms.get(term).length
  const rarest = market.terms
    .filter(index.isRare)
    .sort((a, b) => frequency(a) - frequency(b) || (a < b ? -1 : 1))
  for (const term of rarest) {
    if (visits >= params.visits) break
    for (const position of index.terms.get(term)) {
      visits++
      const other = marketAt(others, position)
      if (other.theme !== market.theme && other.category !== market.category) continue
      if (!isComparable(other)) continue
      const count = (sharedCounts.get(position) ?? 0) + 1
      sharedCounts.set(position, count)
      if (count >= params.sharedRare) neighbours.add(position)
    }
  }
  return neighbours
}
