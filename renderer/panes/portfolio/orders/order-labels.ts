import type { Market } from '../../../../backend/contract/market.ts'
import type { ServedIntent } from '../../../../backend/contract/orders/intents.ts'
import type { GateName, GateResult } from '../../../../backend/domain/portfolio/risk-gates.ts'
import { formatCents, formatMoment, formatNumber, isoOf, MISSING } from '../../../lib/format.ts'
import { typedNumber } from '../../../lib/typed-number.ts'
import { gateName, gateValue, money, profit } from '../portfolio-labels.ts'
import { typedTime, type OrderDraft } from './order-draft.ts'
import type { OrderPreview } from './order-preview.ts'

type Ordered = Pick<OrderDraft, 'action' | 'direction' | 'trigger'>

const SIDES = { yes: 'YES', no: 'NO' } as const

/** The condition of a trigger on a price, of the side that an order trades. */
const priceCondition = ({ action, direction, trigger }: Ordered, price: number | null): string =>
  `${SIDES[direction]} ${action === 'buy' ? 'costs' : 'sells for'} ${formatCents(price)} or ${
    trigger === 'price_below' ? 'less' : 'more'
  }`

const startText = (draft: OrderDraft, now: number): string => {
  if (draft.trigger === 'immediate') return ''
  if (draft.trigger === 'time') {
    const at = typedTime(draft.triggerAt, now)
    return ` from ${formatMoment(at === null ? null : isoOf(at), now)}`
  }
  return ` once ${priceCondition(draft, typedNumber(draft.triggerPrice))}`
}

function moneyText(draft: OrderDraft, preview: OrderPreview): string {
  const { amount, fee, gain, loss, realized, closedContracts, shortfall } = preview
  const isLimit = draft.style === 'limit'
  if (draft.action === 'sell') {
    const qualifier = isLimit ? 'at least' : 'about'
    const against = realized === null ? '' : `, a realised result of ${profit(realized)}`
    const missingPart =
      shortfall > 0
        ? ` You hold ${formatNumber(shortfall)} fewer, so the sale will be rejected.`
        : ''
    return `Returns ${qualifier} ${money(amount - fee)} after about ${money(fee)} of fees${against}.${missingPart}`
  }
  const qualifier = isLimit ? 'at most' : 'about'
  const cost = `Costs ${qualifier} ${money(amount)} and about ${money(fee)} of fees.`
  if (closedContracts > 0) {
    const other = draft.direction === 'yes' ? 'NO' : 'YES'
    return `${cost} It first closes your ${formatNumber(closedContracts)} ${other}.`
  }
  return `${cost} If the market resolves ${SIDES[draft.direction]} you gain ${money(gain)}, else you lose ${money(loss)}.`
}

/** One failed limit: `Total exposure: $3,100.00, limit $3,000.00`. */
export const failedText = ({ gate, value, limit }: GateResult): string =>
  `${gateName(gate)}: ${gateValue(gate, value)}, limit ${gateValue(gate, limit)}`

/** Where an order is traded. */
export type OrderMode = 'paper' | 'live' | 'sample'
const MODE_TEXTS: Readonly<Record<OrderMode, string>> = {
  paper: 'Paper order: nothing leaves this machine.',
  live: 'LIVE order with real money: it is sent to the exchange.',
  sample: 'LIVE order: it is sent to the SAMPLE exchange, no real money.',
}

/** Effect of an order, as sentences. */
export function orderSentence(
  draft: OrderDraft,
  preview: OrderPreview,
  { title }: Pick<Market, 'title'>,
  now: number,
  mode: OrderMode = 'paper',
): string {
  const isBuy = draft.action === 'buy'
  const price =
    draft.style === 'market'
      ? `at the market, now ${formatCents(preview.price)}`
      : `at ${formatCents(preview.price)} or ${isBuy ? 'less' : 'more'}`
  const expiry = typedTime(draft.expires, now)
  const until = expiry === null ? '' : formatMoment(isoOf(expiry), now)
  const trade = `${isBuy ? 'Buys' : 'Sells'} ${formatNumber(preview.contracts)} ${SIDES[draft.direction]} of “${title}” ${price}${startText(draft, now)}.`
  // A live limit order rests in the book of the exchange; a paper order is retried at each quote.
  const state = mode === 'paper' || draft.style === 'market' ? 'is retried' : 'rests there'
  return `${MODE_TEXTS[mode]} ${trade} ${moneyText(draft, preview)} The unfilled part ${state} until ${until}.`
}

/** Reason why an order would be rejected now; null without one. */
export function blockerText({ waitReasons, failedGates }: OrderPreview): string | null {
  const limits = failedGates.map(failedText).join('; ')
  const parts = [
    ...waitReasons,
    ...(limits === '' ? [] : [`Your limits would reject it now. ${limits}.`]),
  ]
  return parts.length === 0 ? null : parts.join(' ')
}

/** The order of an intent: `buy 10 YES at 45.0¢ or less`. */
export function intentText({
  action,
  targetQuantity,
  direction,
  maxPrice,
}: Pick<ServedIntent, 'action' | 'targetQuantity' | 'direction' | 'maxPrice'>): string {
  const size = `${action} ${formatNumber(targetQuantity)} ${SIDES[direction]}`
  if (maxPrice === null) return `${size} at the market`
  return `${size} at ${formatCents(maxPrice)} or ${action === 'buy' ? 'less' : 'more'}`
}

/** When an intent starts to trade. */
export function triggerText(intent: ServedIntent, now: number): string {
  const { triggerType, triggerPrice, triggerAt, softCondition } = intent
  const condition = softCondition === null ? '' : `, if ${softCondition}`
  if (triggerType === 'immediate') return `immediately${condition}`
  if (triggerType === 'time') return `from ${formatMoment(triggerAt, now)}${condition}`
  const order = { ...intent, trigger: triggerType }
  return `${priceCondition(order, triggerPrice)}${condition}`
}

const REASONS: Readonly<Record<string, string>> = {
  CATEGORY_BLOCKED: 'Your limits exclude the category of the market',
  INSUFFICIENT_BALANCE: 'The balance does not cover the cost and the fees',
  STALE_PRICE: 'The newest quote was too old',
  'portfolio is not enabled': 'Waiting: the autopilot is off. Turn it on in RISK',
  'execution is halted': 'Waiting: trading is halted. Resume it in RISK',
  market_settled: 'The market was settled',
  thesis_deleted: 'Its thesis was deleted',
  strategy_deleted: 'Its strategy was deleted',
}
const GATE_FAILED = 'RISK_GATE_FAIL:'
const EXCHANGE_REJECT = 'EXCHANGE_REJECT: '

/** Why an intent waits or ended, as a sentence; empty when there is nothing to explain. */
export function reasonText({ statusReason, gates }: Pick<ServedIntent, 'statusReason' | 'gates'>) {
  if (statusReason === null) return ''
  if (statusReason.startsWith(GATE_FAILED)) {
    const name = statusReason.slice(GATE_FAILED.length) as GateName
    const failedGate = gates.find(({ gate }) => gate === name)
    return `Rejected by your limit. ${failedGate === undefined ? gateName(name) : failedText(failedGate)}`
  }
  if (statusReason.startsWith(EXCHANGE_REJECT)) {
    return `Rejected by the broker: ${statusReason.slice(EXCHANGE_REJECT.length)}`
  }
  const text = REASONS[statusReason]
  if (text !== undefined) return text
  return `${statusReason.charAt(0).toUpperCase()}${statusReason.slice(1)}`
}

const STATES: Readonly<Record<ServedIntent['status'], string>> = {
  pending: 'needs confirmation',
  armed: 'waiting for trigger',
  triggered: 'ready',
  executing: 'working',
  partial: 'partly filled',
  filled: 'filled',
  expired: 'expired',
  cancelled: 'cancelled',
  rejected: 'rejected',
}
export const stateText = ({ status }: Pick<ServedIntent, 'status'>): string => STATES[status]

/** The filled part: `4 of 10 at 44.0¢`. */
export function filledText({
  filledQuantity,
  targetQuantity,
  avgFillPrice,
}: Pick<ServedIntent, 'filledQuantity' | 'targetQuantity' | 'avgFillPrice'>): string {
  if (filledQuantity === 0) return MISSING
  const price = avgFillPrice === null ? '' : ` at ${formatCents(avgFillPrice)}`
  return `${formatNumber(filledQuantity)} of ${formatNumber(targetQuantity)}${price}`
}
