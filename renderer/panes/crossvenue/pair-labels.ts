import type { Pair, PairLeg } from '../../../backend/contract/crossvenue.ts'
import { chartPrice } from '../../../backend/domain/prices/price.ts'
import type { Cents } from '../../../backend/domain/units.ts'

export const METHODS: Readonly<Record<Pair['method'], string>> = {
  exact: 'Every name, number and date agrees',
  text: 'Matched by titles and rules',
  reviewed: 'Reviewed by a person',
}

/** The mark of a market of a pair, cents. Gaps are differences of marks (methodology D7). */
export const markOf = ({ price, bestBid, bestAsk }: PairLeg): number | null =>
  chartPrice({
    bid: bestBid as Cents | null,
    ask: bestAsk as Cents | null,
    last: price as Cents | null,
  }).price
