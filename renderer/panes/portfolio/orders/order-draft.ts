import type { Market } from '../../../../backend/contract/market.ts'
import { feePerContract, generalTerms } from '../../../../backend/domain/fees.ts'
import type { Side } from '../../../../backend/domain/market.ts'
import { priceFor, type TriggerType } from '../../../../backend/domain/portfolio/intent.ts'
import { centsOf, priceOfCents, type Cents } from '../../../../backend/domain/units.ts'
import type { ApiFailure } from '../../../api/client.ts'
import { isCalendarDay } from '../../../lib/calendar-day.ts'
import { isoOf } from '../../../lib/format.ts'
import { typedNumber } from '../../../lib/typed-number.ts'
import type { Command } from '../../../shell/commands/command.ts'
import { refusalLabel } from '../../account/refusal-labels.ts'

export type Action = 'buy' | 'sell'

/** The values of an order's form, as typed. */
export interface OrderDraft {
  action: Action
  direction: Side
  size: string
  unit: 'contracts' | 'dollars'
  style: 'limit' | 'market'
  /** Cents of the order's side. */
  limit: string
  trigger: TriggerType
  /** Cents of the order's side. */
  triggerPrice: string
  /** A time in UTC, or a duration from now. */
  triggerAt: string
  /** A time in UTC, or a duration from now. */
  expires: string
}

/** Fields of the form, in order; `form` is for errors without a field. */
export type OrderField = 'size' | 'limit' | 'trigger' | 'expires' | 'form'
export interface OrderProblem {
  readonly field: OrderField
  readonly text: string
}

type Quoted = Pick<Market, 'venue' | 'bestBid' | 'bestAsk'>

/** Price that an order would pay or receive now, in cents of its side; null for an empty book. */
export function touchOf(
  { bestBid, bestAsk }: Pick<Quoted, 'bestBid' | 'bestAsk'>,
  order: Pick<OrderDraft, 'action' | 'direction'>,
): Cents | null {
  const e4 = (cents: number | null) => (cents === null ? null : priceOfCents(cents as Cents))
  const price = priceFor(order, { bid: e4(bestBid), ask: e4(bestAsk) })
  return price === null ? null : centsOf(price)
}

/** The choice that a text names, else the first. */
const choiceIn = <Choice extends string>(
  text: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice => choices.find((choice) => choice === text) ?? choices[0]
const numberIn = ({ filters }: Command, name: string): string => {
  const value = filters.find((filter) => filter.name === name)?.value
  return value?.kind === 'number' ? String(value.value) : ''
}

/** The draft of a command; its limit is the current price unless the command names one. */
export function draftOf(command: Command, market: Quoted): OrderDraft {
  const action = choiceIn(command.args['action'], ['buy', 'sell'])
  const direction = choiceIn(command.args['side'], ['yes', 'no'])
  const typedLimit = numberIn(command, 'limit')
  const touch = touchOf(market, { action, direction })
  return {
    action,
    direction,
    size: numberIn(command, 'size'),
    unit: 'contracts',
    style: 'limit',
    limit: typedLimit !== '' || touch === null ? typedLimit : String(touch),
    trigger: 'immediate',
    triggerPrice: '',
    triggerAt: '',
    expires: '24h',
  }
}

/** The limit of a draft in cents; null at the market. */
export const limitOf = ({ style, limit }: OrderDraft): number | null =>
  style === 'market' ? null : typedNumber(limit)

/** The price that a draft is expected to trade at: its limit, else the current one. */
export const expectedPrice = (draft: OrderDraft, market: Quoted): number | null =>
  draft.style === 'market' ? touchOf(market, draft) : limitOf(draft)

/** Contracts of a draft; an amount of dollars buys whole contracts with their fees. */
export function contractsOf(draft: OrderDraft, market: Quoted): number | null {
  const size = typedNumber(draft.size)
  if (size === null || draft.unit === 'contracts') return size
  const price = expectedPrice(draft, market)
  if (price === null || price <= 0) return null
  const fee =
    draft.action === 'buy' ? feePerContract(generalTerms(market.venue), price as Cents) : 0
  return Math.floor((size * 100) / (price + fee) + 1e-9)
}

const SPANS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A typed time in UTC, or a duration from now, in Unix milliseconds; null when it is neither. */
export function typedTime(text: string, now: number): number | null {
  const [, count, unit] = /^(\d{1,6})\s*([mhd])$/i.exec(text.trim()) ?? []
  const span = SPANS[unit?.toLowerCase() ?? '']
  if (count !== undefined && span !== undefined) return now + Number(count) * span
  const [, day, clock = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?(?:\s?(?:UTC|Z))?$/i.exec(text.trim()) ?? []
  if (day === undefined || !isCalendarDay(day)) return null
  const at = Date.parse(`${day}T${clock}:00Z`)
  return Number.isNaN(at) ? null : at
}

const TIME = 'Enter a duration such as 2h or 3d, or a time in UTC such as 2026-12-01 14:00.'
const isPrice = (text: string): boolean => {
  const price = typedNumber(text)
  return price !== null && price >= 0.1 && price <= 99.9
}

/** The first error of a draft that the page can find; the service checks everything again. */
export function problemOf(draft: OrderDraft, market: Quoted, now: number): OrderProblem | null {
  const size = typedNumber(draft.size)
  if (size === null || size <= 0) {
    return { field: 'size', text: `Enter how many ${draft.unit} to ${draft.action}.` }
  }
  if (draft.style === 'limit' && !isPrice(draft.limit)) {
    return { field: 'limit', text: 'Enter a price from 0.1 to 99.9 cents.' }
  }
  const contracts = contractsOf(draft, market)
  if (contracts === null) {
    return { field: 'limit', text: 'There is no price now. Enter a limit.' }
  }
  if (contracts <= 0) return { field: 'size', text: 'This amount buys no whole contract.' }
  const byPrice = draft.trigger === 'price_below' || draft.trigger === 'price_above'
  if (byPrice && !isPrice(draft.triggerPrice)) {
    return { field: 'trigger', text: 'Enter a price from 0.1 to 99.9 cents.' }
  }
  if (draft.trigger === 'time' && typedTime(draft.triggerAt, now) === null) {
    return { field: 'trigger', text: TIME }
  }
  return typedTime(draft.expires, now) === null ? { field: 'expires', text: TIME } : null
}

/** The request of a valid draft. */
export function bodyOf(draft: OrderDraft, market: Quoted & { ticker: string }, now: number) {
  const { action, direction, style, trigger } = draft
  const at = (text: string): string => isoOf(typedTime(text, now) ?? now)
  return {
    marketId: market.ticker,
    action,
    direction,
    targetQuantity: contractsOf(draft, market),
    ...(style === 'limit' && { maxPrice: limitOf(draft) }),
    executionStyle: style === 'limit' ? 'limit' : 'ioc',
    triggerType: trigger,
    ...(trigger.startsWith('price') && { triggerPrice: typedNumber(draft.triggerPrice) }),
    ...(trigger === 'time' && { triggerAt: at(draft.triggerAt) }),
    expireAt: at(draft.expires),
    autoExecute: true,
    source: 'manual',
  }
}

/** Fields of the request, each with its field of the form and its label in messages. */
const FIELDS: Readonly<Record<string, readonly [OrderField, string]>> = {
  targetQuantity: ['size', 'The size'],
  maxPrice: ['limit', 'The limit'],
  triggerPrice: ['trigger', 'The price of the trigger'],
  triggerAt: ['trigger', 'The time of the trigger'],
  expireAt: ['expires', 'The expiry'],
}

/** Why the service rejected an order, beside its field: its message begins with the name. */
export function refusalOf(failure: ApiFailure): OrderProblem {
  if (isLost(failure)) return { field: 'form', text: `${failure.message}. ${LOST}` }
  const [name = ''] = /^\w+/.exec(failure.message) ?? []
  const entry = failure.kind === 'refused' ? FIELDS[name] : undefined
  if (entry === undefined) return { field: 'form', text: refusalLabel(failure) }
  const [field, label] = entry
  return { field, text: `${label}${failure.message.slice(name.length).replace(/\.$/, '')}.` }
}

const LOST = 'The order may have been created: send it again, it is never created twice.'

/** The text of a failure after its form was closed, where it cannot be sent again with its key. */
export const closedRefusal = (failure: ApiFailure): string =>
  isLost(failure)
    ? `${failure.message}. The order may have been created: look for it among your intents.`
    : refusalOf(failure).text

/** Whether the request may have been carried out although its answer is missing. */
export const isLost = ({ kind, status, code }: ApiFailure): boolean =>
  kind === 'timeout' || kind === 'unreachable' || code === 'IN_PROGRESS' || (status ?? 0) >= 500

/** A request to create an order, with the key by which the service creates it once. */
export interface OrderRequest {
  readonly body: object
  readonly key: string
  /** The draft and its account, to recognise the same order. */
  readonly fingerprint: string
}

/** The same request for a draft that was sent to this account before; a new one for another. */
export function orderRequest(
  previous: OrderRequest | null,
  { draft, mode }: { readonly draft: OrderDraft; readonly mode: 'live' | 'paper' },
  bodyOf: () => object,
): OrderRequest {
  const fingerprint = JSON.stringify({ ...draft, mode })
  if (previous?.fingerprint === fingerprint) return previous
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { body: { ...bodyOf(), mode }, key, fingerprint }
}
