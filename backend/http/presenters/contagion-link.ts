import type { ContagionLink } from '../../contract/indices.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { MarketFacts, Ticker } from '../../domain/market.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { Urls } from '../next-actions.ts'
import { refOf, roundOrNull } from './market-ref.ts'
import { isoOf } from '../../lib/clock.ts'

/** One side of a gap, as measured in the context snapshot. */
interface GapMarket {
  readonly view: {
    readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
    readonly price: Cents | null
    readonly mark: Cents | null
  }
  readonly marksAgo: Readonly<Record<GapWindow, Cents | null>>
  readonly theme: string
}

/**
 * Presents a gap; null if one of its markets is unknown. The theme is that of the market that
 * moved.
 */
export function contagionLinkOf(
  gap: ContagionGap,
  window: GapWindow,
  marketOf: (ticker: Ticker) => GapMarket | undefined,
  detectedAt: Millis,
  urls: Urls,
): ContagionLink | null {
  const [trigger, laggingMarket] = [marketOf(gap.trigger), marketOf(gap.lagging)]
  if (trigger === undefined || laggingMarket === undefined) return null
  const moveOf = ({ view, marksAgo }: GapMarket) => {
    const previous = marksAgo[window]
    const delta = view.mark === null || previous === null ? null : roundOrNull(view.mark - previous)
    return delta === null ? null : { ...refOf(view, urls), delta }
  }
  const [from, to] = [moveOf(trigger), moveOf(laggingMarket)]
  if (from === null || to === null) return null
  const { relation, direction, strength } = gap
  return {
    trigger: from,
    lagging: to,
    gap: gap.gap,
    relation,
    direction,
    theme: trigger.theme,
    strength,
    window,
    detectedAt: isoOf(detectedAt),
  }
}
