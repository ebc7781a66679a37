import type { MarketView } from '../../computed/board/market-board.ts'
import { canonicalTicker, VENUES, type PriceRange } from '../../domain/market.ts'
import {
  EXECUTION_STYLES,
  firstStatus,
  INTENT_SOURCES,
  isOpen,
  transition,
  TRIGGER_TYPES,
  type Intent,
} from '../../domain/portfolio/intent.ts'
import { isOnGrid } from '../../domain/backtest/broker/order-checks.ts'
import { centsOf, DAY, priceOfCents, sizeOfContracts } from '../../domain/units.ts'
import type { Cents, Millis, MoneyE6, PriceE4, SizeE6 } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'

const MAX_CONTRACTS = 1_000_000
const MAX_LIFETIME = 90 * DAY
const PRICES = { min: 0.1, max: 99.9 }

/** The market named in a body. @throws InvalidInput */
export function namedMarket(body: unknown): string {
  const fields = new BodyFields(body)
  const id = fields.text('marketId', { min: 1, max: 200 }, 'ticker')
  if (id === undefined || id === null) throw new InvalidInput('marketId is required')
  return canonicalTicker(id)
}

/** A new intent from a body. Its thesis and strategy are as named there. @throws InvalidInput */
export function newIntent(body: unknown, view: MarketView, userId: string, now: Millis): Intent {
  const fields = new BodyFields(body)
  const action = fields.word('action', ['buy', 'sell'] as const)
  if (action === undefined) throw new InvalidInput('action is required')
  const direction = fields.word('direction', ['yes', 'no'] as const, 'side')
  if (direction === undefined) throw new InvalidInput('direction is required')
  const targetSize = sizeIn(fields)
  if (targetSize === undefined) throw new InvalidInput('targetQuantity is required')
  const { facts } = view
  const venue = fields.word('venue', VENUES)
  if (venue !== undefined && venue !== facts.venue) {
    throw new InvalidInput(`venue must be ${facts.venue} for ${facts.ticker}`)
  }
  if (view.status !== 'active') {
    throw new InvalidInput(`marketId must be an active market; ${facts.ticker} is ${view.status}`)
  }
  const maxPrice = limitIn(fields, direction, facts.priceRanges) ?? null
  const triggerType = fields.word('triggerType', TRIGGER_TYPES) ?? 'immediate'
  const expireAt = expiryIn(fields, now) ?? ((now + DAY) as Millis)
  const trigger = {
    triggerType,
    triggerPrice: priceIn(fields, 'triggerPrice') ?? null,
    triggerAt: fields.instant('triggerAt') ?? null,
  }
  checkTrigger({ ...trigger, expireAt }, now)
  const softCondition = textIn(fields, 'softCondition', 1000)
  const marketTitle = fields.text('marketTitle', { max: 300 }) ?? ''
  const status = firstStatus({ triggerType, softCondition })
  return {
    id: newId('in', now),
    userId,
    action,
    venue: facts.venue,
    ticker: facts.ticker,
    marketTitle: marketTitle === '' ? facts.title : marketTitle,
    direction,
    targetSize,
    filledSize: 0 as SizeE6,
    maxPrice,
    ...trigger,
    softCondition,
    expireAt,
    status,
    executionStyle: fields.word('executionStyle', EXECUTION_STYLES) ?? 'ioc',
    softState: softCondition === null ? 'none' : 'waiting',
    softJudgedAt: null,
    statusReason: null,
    autoExecute: fields.flag('autoExecute') ?? false,
    source: fields.word('source', INTENT_SOURCES) ?? 'agent',
    sourceId: textIn(fields, 'sourceId', 64),
    thesisId: fields.text('thesisId', { min: 1, max: 64 }) ?? null,
    strategyId: fields.text('strategyId', { min: 1, max: 64 }) ?? null,
    rationale: textIn(fields, 'rationale', 2000),
    mode: null,
    exchange: null,
    gates: [],
    tickId: null,
    fills: [],
    createdAt: now,
    updatedAt: now,
    triggeredAt: status === 'triggered' ? now : null,
    finishedAt: null,
  }
}

/** Fields of an intent that may be changed while it is pending or armed. */
export const CHANGEABLE = [
  'maxPrice',
  'priceCents',
  'triggerPrice',
  'triggerAt',
  'targetQuantity',
  'qty',
  'expireAt',
  'softCondition',
  'autoExecute',
  'rationale',
] as const

/** The intent with the changes of a body. @throws InvalidInput */
export function changedIntent(
  body: unknown,
  intent: Intent,
  priceRanges: readonly PriceRange[],
  now: Millis,
): Intent {
  const fields = new BodyFields(body)
  const valueOr = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)
  const softCondition = valueOr(optionalText(fields, 'softCondition', 1000), intent.softCondition)
  const next: Intent = {
    ...intent,
    targetSize: valueOr(sizeIn(fields), intent.targetSize),
    maxPrice: valueOr(limitIn(fields, intent.direction, priceRanges), intent.maxPrice),
    triggerPrice: valueOr(priceIn(fields, 'triggerPrice'), intent.triggerPrice),
    triggerAt: valueOr(fields.instant('triggerAt'), intent.triggerAt),
    expireAt: expiryIn(fields, now) ?? intent.expireAt,
    ...(softCondition !== intent.softCondition && {
      softCondition,
      softState: softCondition === null ? 'none' : 'waiting',
      softJudgedAt: null,
      statusReason: null,
    }),
    autoExecute: fields.flag('autoExecute') ?? intent.autoExecute,
    rationale: valueOr(optionalText(fields, 'rationale', 2000), intent.rationale),
    updatedAt: now,
  }
  // A stored time may have passed while the condition is still judged; a sent one may not.
  checkTrigger(next, fields.has('triggerAt') ? now : null)
  const to = firstStatus(next)
  return to === next.status || !isOpen(next) || to !== 'triggered'
    ? next
    : transition(next, to, now)
}

/** A fill that the caller executed elsewhere. @throws InvalidInput */
export function parseFill(fillValue: unknown): {
  readonly orderId: string
  readonly size: SizeE6
  readonly price: PriceE4
  /** Null means quantity times price. */
  readonly cost: MoneyE6 | null
} {
  if (typeof fillValue !== 'object' || fillValue === null)
    throw new InvalidInput('fill must be an object')
  const fields = new BodyFields(fillValue)
  const orderId = fields.text('orderId', { min: 1, max: 128 })
  if (typeof orderId !== 'string') throw new InvalidInput('fill.orderId is required')
  const quantity = fields.number('fillQuantity', { min: 0, max: MAX_CONTRACTS, above: true })
  if (typeof quantity !== 'number') throw new InvalidInput('fill.fillQuantity is required')
  const price = fields.number('fillPrice', { min: 0, max: 100 })
  if (typeof price !== 'number') throw new InvalidInput('fill.fillPrice is required')
  const cents = fields.number('fillCostCents', { min: 0, max: 1e10 }) ?? null
  return {
    orderId,
    size: wholeSize(quantity, 'fillQuantity'),
    price: priceOfCents(price as Cents),
    cost: cents === null ? null : (Math.round(cents * 10_000) as MoneyE6),
  }
}

const wholeSize = (contracts: number, name: string): SizeE6 => {
  const size = sizeOfContracts(contracts)
  if (size > 0) return size
  throw new InvalidInput(`${name} must be at least 0.000001`)
}

function sizeIn(fields: BodyFields): SizeE6 | undefined {
  const bounds = { min: 0, max: MAX_CONTRACTS, above: true } as const
  const quantity = fields.number('targetQuantity', bounds, 'qty')
  if (quantity === null) throw new InvalidInput('targetQuantity must be a number')
  return quantity === undefined ? undefined : wholeSize(quantity, 'targetQuantity')
}

/** @throws InvalidInput for a price off the venue's tick grid */
function limitIn(
  fields: BodyFields,
  direction: Intent['direction'],
  ranges: readonly PriceRange[],
): PriceE4 | null | undefined {
  const price = priceIn(fields, 'maxPrice', 'priceCents')
  if (price === undefined || price === null) return price
  const yes = (direction === 'yes' ? price : 10_000 - price) as PriceE4
  if (!isOnGrid(yes, ranges)) {
    const steps = [...new Set(ranges.map(({ step }) => `${centsOf(step)}¢`))].join(' or ')
    throw new InvalidInput(`maxPrice must be on the venue’s tick of ${steps}`)
  }
  return price
}

function priceIn(fields: BodyFields, ...names: [string, ...string[]]): PriceE4 | null | undefined {
  const [name, ...aliases] = names
  const cents = fields.number(name, PRICES, ...aliases)
  return cents === undefined || cents === null ? cents : priceOfCents(cents as Cents)
}

function expiryIn(fields: BodyFields, now: Millis): Millis | undefined {
  const at = fields.instant('expireAt', now)
  if (at === null) throw new InvalidInput('expireAt must be an ISO 8601 time or a duration')
  if (at === undefined) return undefined
  if (at <= now) throw new InvalidInput('expireAt must be in the future')
  if (at > now + MAX_LIFETIME) throw new InvalidInput('expireAt must be at most 90 days away')
  return at
}

/** @param after the earliest time, exclusive; null accepts any */
function checkTrigger(
  trigger: Pick<Intent, 'triggerType' | 'triggerPrice' | 'triggerAt' | 'expireAt'>,
  after: Millis | null,
): void {
  const { triggerType, triggerPrice, triggerAt, expireAt } = trigger
  const byPrice = triggerType === 'price_below' || triggerType === 'price_above'
  if (byPrice && triggerPrice === null) {
    throw new InvalidInput(`triggerPrice is required for ${triggerType}`)
  }
  if (triggerType !== 'time') return
  if (triggerAt === null) throw new InvalidInput('triggerAt is required for time')
  if (after !== null && triggerAt <= after) {
    throw new InvalidInput('triggerAt must be in the future')
  }
  if (triggerAt >= expireAt) throw new InvalidInput('triggerAt must be before expireAt')
}

/** An empty text is treated as absent. */
const textIn = (fields: BodyFields, name: string, max: number): string | null =>
  optionalText(fields, name, max) ?? null

function optionalText(fields: BodyFields, name: string, max: number): string | null | undefined {
  const text = fields.text(name, { max })
  return text === '' ? null : text
}
