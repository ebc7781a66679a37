import { t } from 'elysia'
import type { Static } from 'elysia'
import type { ContagionGap } from '../domain/links/contagion.ts'
import type { GapWindow } from '../domain/links/gaps.ts'
import type { MarketFacts, Ticker } from '../domain/market.ts'
import type { Cents, Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { MarketRef, refOf, rounded } from './market-ref.ts'
import type { Urls } from './next-actions.ts'
import { Iso, nullable, words } from './schemas.ts'

const MovedRef = t.Object({
  ...MarketRef.properties,
  delta: t.Number({ description: 'mark change over the window, cents' }),
})

/** A move that one market made and another still owes (methodology D4, D5). */
export const ContagionLink = t.Object({
  trigger: MovedRef,
  lagging: MovedRef,
  gap: t.Number({ description: 'cents, signed: the move that is owed' }),
  relation: words(['cross_venue', 'series_sibling', 'theme', 'correlated']),
  direction: words(['lagging', 'overshooting']),
  theme: nullable(t.String()),
  strength: t.Number(),
  window: t.String(),
  detectedAt: Iso,
})
export type ContagionLink = Static<typeof ContagionLink>

/** One end of a gap: as the grid measured it. */
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
 * A gap as it is served; null when one of its markets is not known. The theme is that of the market
 * that moved.
 */
export function contagionLinkOf(
  gap: ContagionGap,
  window: GapWindow,
  marketOf: (ticker: Ticker) => GapMarket | undefined,
  detectedAt: Millis,
  urls: Urls,
): ContagionLink | null {
  const [trigger, lagging] = [marketOf(gap.trigger), marketOf(gap.lagging)]
  if (trigger === undefined || lagging === undefined) return null
  const moved = ({ view, marksAgo }: GapMarket) => {
    const before = marksAgo[window]
    const delta = view.mark === null || before === null ? null : rounded(view.mark - before)
    return delta === null ? null : { ...refOf(view, urls), delta }
  }
  const [from, to] = [moved(trigger), moved(lagging)]
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
