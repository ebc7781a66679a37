import type { CrossMatch } from '../../contract/market.ts'
import type { MarketFacts, Ticker } from '../../domain/market.ts'
import { isSuspectGap, pairGap, presetDays } from '../../domain/pairing/pairs.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import type { Cents as CentsValue } from '../../domain/units.ts'
import type { Urls } from '../next-actions.ts'
import { isoOrNull, linksOf, roundOrNull } from './market-ref.ts'

/** A market of either venue with the prices that a match compares. */
interface ComparedMarket {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title' | 'closeTime'>
  readonly slug: string
  readonly price: CentsValue | null
  readonly mark: CentsValue | null
  readonly bestBid: CentsValue | null
  readonly bestAsk: CentsValue | null
}

/** Filter of matches: minimum confidence, and maximum days between the closes (null: any). */
export interface MatchBounds {
  readonly confidence: number
  readonly closeDays: number | null
}

function isWithinBounds(pair: MarketPair, { confidence, closeDays }: MatchBounds): boolean {
  const days = presetDays(pair)
  const isNear = closeDays === null || (days !== null && days <= closeDays)
  return pair.confidence >= confidence && isNear
}

/**
 * The matches of a market in the order of its pairs. A pair with an unknown close passes only
 * without a limit of days; a counterpart that no longer exists is left out.
 */
export function crossMatchesOf(
  market: ComparedMarket,
  pairs: readonly MarketPair[],
  bounds: MatchBounds,
  otherOf: (ticker: Ticker) => ComparedMarket | null,
  urls: Urls,
): CrossMatch[] {
  return pairs.flatMap((pair) => {
    if (!isWithinBounds(pair, bounds)) return []
    const other = otherOf(pair.a === market.facts.ticker ? pair.b : pair.a)
    if (other === null) return []
    const { ticker, venue, title, closeTime } = other.facts
    const gap = pairGap(market.mark, other.mark, pair.inverted)
    return {
      ...linksOf(other, urls),
      ticker,
      venue,
      title,
      price: roundOrNull(other.price),
      bestBid: roundOrNull(other.bestBid),
      bestAsk: roundOrNull(other.bestAsk),
      gap: roundOrNull(gap),
      confidence: pair.confidence,
      closeTime: isoOrNull(closeTime),
      closeDeltaDays: pair.closeDeltaDays,
      method: pair.method,
      inverted: pair.inverted,
      ...(isSuspectGap(gap) && { suspect: true as const }),
    }
  })
}
