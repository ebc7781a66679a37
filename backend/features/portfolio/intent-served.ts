import type { Intent } from '../../domain/portfolio/intent.ts'
import {
  centsOf,
  contractsOf,
  roundTo,
  type Millis,
  type MoneyE6,
  type PriceE4,
} from '../../domain/units.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf } from '../../lib/clock.ts'
import type { ServedIntent } from '../../contract/orders/intents.ts'

/** Money in whole cents, rounded half away from zero. */
export const centsOfMoney = (money: MoneyE6): number => roundTo(money / 10_000, 0)
/** Profit of the day in cents, which equals the difference of equities as they are shown. */
export const dailyPnlCents = ({
  equity,
  dailyPnl,
}: {
  readonly equity: MoneyE6
  readonly dailyPnl: MoneyE6
}): number => centsOfMoney(equity) - centsOfMoney((equity - dailyPnl) as MoneyE6)
/** Dollars as unrounded decimal text. */
export const exactDollars = (money: MoneyE6): string => {
  const magnitude = Math.abs(money)
  const text = `${Math.floor(magnitude / 1e6)}.${String(magnitude % 1e6).padStart(6, '0')}`
  return money < 0 ? `-${text}` : text
}
/** A price in cents, null when unknown. */
export const priceCents = (price: PriceE4 | null): number | null =>
  price === null ? null : centsOf(price)

/** Presents an intent. @param price current price of its side */
export function servedIntent(intent: Intent, price: PriceE4 | null): ServedIntent {
  const { fills, filledSize } = intent
  const cost = fills.reduce((sum, fill) => sum + fill.cost, 0) as MoneyE6
  const filledTotal = fills.reduce((sum, fill) => sum + fill.size, 0)
  const iso = (at: Millis): string => isoOf(at)
  return {
    id: intent.id,
    action: intent.action,
    venue: intent.venue,
    marketId: intent.ticker,
    marketTitle: intent.marketTitle,
    direction: intent.direction,
    targetQuantity: contractsOf(intent.targetSize),
    filledQuantity: contractsOf(filledSize),
    avgFillPrice: filledTotal === 0 ? null : roundTo((cost / filledTotal) * 100, 4),
    filledCostCents: centsOfMoney(cost),
    maxPrice: priceCents(intent.maxPrice),
    executionStyle: intent.executionStyle,
    triggerType: intent.triggerType,
    triggerPrice: priceCents(intent.triggerPrice),
    triggerAt: isoOrNull(intent.triggerAt),
    softCondition: intent.softCondition,
    softState: intent.softState,
    expireAt: iso(intent.expireAt),
    status: intent.status,
    statusReason: intent.statusReason,
    autoExecute: intent.autoExecute,
    mode: intent.mode,
    source: intent.source,
    sourceId: intent.sourceId,
    thesisId: intent.thesisId,
    strategyId: intent.strategyId,
    rationale: intent.rationale,
    gates: [...intent.gates],
    tickId: intent.tickId,
    fills: fills.map((fill) => ({
      orderId: fill.orderId,
      fillQuantity: contractsOf(fill.size),
      fillPrice: centsOf(fill.price),
      fillCostCents: centsOfMoney(fill.cost),
      at: iso(fill.at),
    })),
    price: priceCents(price),
    createdAt: iso(intent.createdAt),
    updatedAt: iso(intent.updatedAt),
    triggeredAt: isoOrNull(intent.triggeredAt),
    finishedAt: isoOrNull(intent.finishedAt),
  }
}
