import { adverseSelection, adverseSelectionPrior } from '../domain/regime/adverse-selection.ts'
import { eventTypeOf, observabilityOf } from '../domain/topics/event-type.ts'
import { depthUsd } from '../domain/liquidity/liquidity.ts'
import type { OrderBook } from '../domain/market.ts'
import { regimeOf } from '../domain/regime/regime.ts'
import type { MarketRegime } from '../domain/regime/regime.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketQuantities } from './snapshot/context-snapshot.ts'
import type { MarketView } from './board/market-board.ts'

/**
 * Regime of a market from its book at `at`: trades are those that the snapshot measured, or none
 * for a market that it does not contain yet. Null for a market that is not live.
 */
export function regimeFromBook(
  view: MarketView,
  book: OrderBook | null,
  quantities: MarketQuantities | undefined,
  at: Millis,
): MarketRegime | null {
  const { facts, tau, volume24h } = view
  const eventType = quantities?.eventType ?? eventTypeOf(facts)
  const observability =
    quantities?.observability ??
    observabilityOf(facts, eventType, { tau, daysToEvent: null, inPlay: false })
  const depth = view.hasOrderbook ? book : null
  return regimeOf(
    {
      isLive: view.status === 'active' && tau !== null,
      adverse:
        quantities?.adverse ??
        adverseSelection([], adverseSelectionPrior(eventType, observability)),
      spread: view.hasOrderbook ? view.spread : null,
      bidDepthUsd: depthUsd(depth?.bids ?? null),
      askDepthUsd: depthUsd(depth?.asks ?? null),
      volume24h,
      observability,
      eventType,
      edge: { ee: null, direction: null },
    },
    quantities?.regime?.label ?? null,
    at,
  )
}
