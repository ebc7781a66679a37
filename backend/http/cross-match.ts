import { t } from 'elysia'
import type { Static } from 'elysia'
import type { MarketFacts, Ticker } from '../domain/market.ts'
import { pairGap } from '../domain/pairing/pairs.ts'
import type { MarketPair } from '../domain/pairing/pairs.ts'
import type { Cents as CentsValue } from '../domain/units.ts'
import { isoOrNull, linkFields, linksOf, quotedFields, rounded } from './market-ref.ts'
import type { Urls } from './next-actions.ts'
import { Iso, nullable, Num, words } from './schemas.ts'

/** The same question on the other venue; prices are its own, `gap` and `inverted` align them. */
export const CrossMatch = t.Object({
  ...linkFields,
  ...quotedFields,
  gap: nullable(
    t.Number({ description: 'mark of this market less the aligned mark of the other' }),
  ),
  confidence: t.Number(),
  closeTime: nullable(Iso),
  closeDeltaDays: Num,
  method: words(['exact', 'text', 'reviewed']),
  inverted: t.Boolean(),
})
export type CrossMatch = Static<typeof CrossMatch>

/** A market of either venue with the prices that a match compares. */
interface Compared {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title' | 'closeTime'>
  readonly slug: string
  readonly price: CentsValue | null
  readonly mark: CentsValue | null
  readonly bestBid: CentsValue | null
  readonly bestAsk: CentsValue | null
}

/** Which matches are taken: least confidence, and most days between the closes (null: any). */
export interface MatchBounds {
  readonly confidence: number
  readonly closeDays: number | null
}

const within = (pair: MarketPair, { confidence, closeDays }: MatchBounds): boolean =>
  pair.confidence >= confidence &&
  (closeDays === null || (pair.closeDeltaDays !== null && pair.closeDeltaDays <= closeDays))

/**
 * What a market is matched with, in the order of its pairs. An unknown close passes only without a
 * cap on days; a counterpart that is not there any more is left out.
 */
export function crossMatchesOf(
  market: Compared,
  pairs: readonly MarketPair[],
  bounds: MatchBounds,
  otherOf: (ticker: Ticker) => Compared | null,
  urls: Urls,
): CrossMatch[] {
  return pairs.flatMap((pair) => {
    if (!within(pair, bounds)) return []
    const other = otherOf(pair.a === market.facts.ticker ? pair.b : pair.a)
    if (other === null) return []
    const { ticker, venue, title, closeTime } = other.facts
    return {
      ...linksOf(other, urls),
      ticker,
      venue,
      title,
      price: rounded(other.price),
      bestBid: rounded(other.bestBid),
      bestAsk: rounded(other.bestAsk),
      gap: rounded(pairGap(market.mark, other.mark, pair.inverted)),
      confidence: pair.confidence,
      closeTime: isoOrNull(closeTime),
      closeDeltaDays: pair.closeDeltaDays,
      method: pair.method,
      inverted: pair.inverted,
    }
  })
}
