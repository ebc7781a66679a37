import { overround } from '../../domain/prices/indicators.ts'
import type { Cents } from '../../domain/units.ts'
import type { MarketView } from './market-board.ts'
import { OPEN_STATUSES } from './open-statuses.ts'

/** Overround (methodology A7) of an exclusive event; outcomes that have ended do not count. */
export const eventOverround = (outcomes: readonly MarketView[]): Cents | null =>
  overround(
    true,
    outcomes
      .filter(({ status }) => OPEN_STATUSES.includes(status))
      .map(({ status, bestBid, bestAsk }) => ({
        bid: bestBid,
        ask: bestAsk,
        tradable: status === 'active',
      })),
  )
