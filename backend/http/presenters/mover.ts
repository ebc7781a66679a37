import type { Mover } from '../../contract/market.ts'
import type { MarketFacts } from '../../domain/market.ts'
import type { Cents } from '../../domain/units.ts'
import type { Urls } from '../next-actions.ts'
import { refOf, roundOrNull } from './market-ref.ts'

/** A price move with its market. */
interface MovedMarket {
  readonly view: {
    readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
    readonly price: Cents | null
    readonly volume24h: number | null
  }
  readonly from: Cents
  readonly delta: number
}

/**
 * Presents a price move as a list row.
 * @param volumeZ volume surprise in standard deviations (A9)
 */
export const servedMover = (
  { view, from, delta }: MovedMarket,
  volumeZ: number | null,
  urls: Urls,
): Mover => ({
  ...refOf(view, urls),
  delta,
  from: roundOrNull(from),
  volume24h: roundOrNull(view.volume24h, 6),
  volumeZ: roundOrNull(volumeZ, 3),
})
