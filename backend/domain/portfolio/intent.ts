import type { Side, Ticker, Venue } from '../market.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import type { GateResult } from './risk-gates.ts'

export const INTENT_STATUSES = [
  ...(['pending', 'armed', 'triggered', 'executing', 'partial'] as const),
  ...(['filled', 'expired', 'cancelled', 'rejected'] as const),
] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]
/** Intents in these states may still trade. */
export const OPEN_INTENTS: readonly IntentStatus[] = INTENT_STATUSES.slice(0, 5)
export const isOpen = ({ status }: Pick<Intent, 'status'>): boolean => OPEN_INTENTS.includes(status)

/** Whether it still waits for its trigger. */
export const isWaiting = ({ status }: Pick<Intent, 'status'>): boolean =>
  status === 'pending' || status === 'armed'

export const TRIGGER_TYPES = ['immediate', 'price_below', 'price_above', 'time'] as const
export type TriggerType = (typeof TRIGGER_TYPES)[number]
export const EXECUTION_STYLES = ['ioc', 'limit'] as const
export type ExecutionStyle = (typeof EXECUTION_STYLES)[number]
export const INTENT_SOURCES = ['agent', 'manual', 'idea', 'thesis', 'strategy'] as const
export type IntentSource = (typeof INTENT_SOURCES)[number]
export const SOFT_STATES = ['none', 'waiting', 'met', 'not_met'] as const
export type SoftState = (typeof SOFT_STATES)[number]

export interface IntentFill {
  readonly orderId: string
  readonly size: SizeE6
  readonly price: PriceE4
  /** Size times price, without fees. */
  readonly cost: MoneyE6
  readonly at: Millis
}

/** An intended trade. Prices are of the direction's side. */
export interface Intent {
  readonly id: string
  readonly userId: string
  readonly action: 'buy' | 'sell'
  readonly venue: Venue
  readonly ticker: Ticker
  readonly marketTitle: string
  readonly direction: Side
  readonly targetSize: SizeE6
  readonly filledSize: SizeE6
  /** Maximum price of a buy, minimum price of a sell; null accepts the book's prices. */
  readonly maxPrice: PriceE4 | null
  readonly executionStyle: ExecutionStyle
  readonly triggerType: TriggerType
  readonly triggerPrice: PriceE4 | null
  readonly triggerAt: Millis | null
  readonly softCondition: string | null
  readonly softState: SoftState
  /** When a model judged the condition last; null if none did. */
  readonly softJudgedAt: Millis | null
  readonly expireAt: Millis
  readonly status: IntentStatus
  readonly statusReason: string | null
  readonly autoExecute: boolean
  readonly mode: 'paper' | 'live' | null
  /** Exchange at which the service may trade it; null for paper. */
  readonly exchange: string | null
  readonly source: IntentSource
  readonly sourceId: string | null
  /** The own thesis and strategy that it follows; they may have been deleted since it ended. */
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly rationale: string | null
  readonly gates: readonly GateResult[]
  readonly tickId: string | null
  readonly fills: readonly IntentFill[]
  readonly createdAt: Millis
  readonly updatedAt: Millis
  readonly triggeredAt: Millis | null
  readonly finishedAt: Millis | null
}

/** The thesis and the strategy that an intent follows. */
export type IntentBasis = Pick<Intent, 'thesisId' | 'strategyId'>

/** A thesis or a strategy that its user deleted. */
export type DeletedBasis = { readonly thesisId: string } | { readonly strategyId: string }

/** Who requests a transition: the caller by PATCH, or the runner by its observations. */
export type TransitionSource = 'caller' | 'runner'

const WAITING_ENDS = ['expired', 'cancelled'] as const
const TRANSITIONS: Readonly<
  Record<TransitionSource, Readonly<Record<IntentStatus, readonly IntentStatus[]>>>
> = {
  caller: {
    pending: ['armed', 'triggered', ...WAITING_ENDS],
    armed: ['triggered', ...WAITING_ENDS],
    triggered: ['executing', 'rejected', ...WAITING_ENDS],
    executing: ['filled', 'rejected', ...WAITING_ENDS],
    partial: WAITING_ENDS,
    filled: [],
    expired: [],
    cancelled: [],
    rejected: [],
  },
  runner: {
    pending: ['armed', 'triggered', ...WAITING_ENDS],
    armed: ['triggered', ...WAITING_ENDS],
    triggered: ['executing', 'rejected', ...WAITING_ENDS],
    executing: ['triggered', 'rejected', ...WAITING_ENDS],
    partial: WAITING_ENDS,
    filled: [],
    expired: [],
    cancelled: [],
    rejected: [],
  },
}

/** Whether an intent may change from one state to another without a fill. */
export const mayTransition = (
  by: TransitionSource,
  from: IntentStatus,
  to: IntentStatus,
): boolean => TRANSITIONS[by][from].includes(to)

/** The intent in another state; callers check `mayTransition` first. */
export function transition(
  intent: Intent,
  to: IntentStatus,
  at: Millis,
  statusReason: string | null = null,
): Intent {
  const isFinal = !OPEN_INTENTS.includes(to)
  const isTriggering = to === 'triggered' && intent.triggeredAt === null
  return {
    ...intent,
    status: to,
    statusReason,
    updatedAt: at,
    ...(isTriggering && { triggeredAt: at }),
    ...(isTriggering && intent.softCondition !== null && { softState: 'met' as const }),
    ...(isFinal && { finishedAt: at }),
  }
}

/** The intent after a fill, which makes it partial or filled. */
export function withFill(intent: Intent, fill: IntentFill): Intent {
  const filledSize = (intent.filledSize + fill.size) as SizeE6
  const to = filledSize >= intent.targetSize ? 'filled' : 'partial'
  const fills = [...intent.fills, fill]
  return { ...transition(intent, to, fill.at), filledSize, fills }
}

/** The unfilled size. */
export const remainingSize = ({ targetSize, filledSize }: Intent): SizeE6 =>
  Math.max(0, targetSize - filledSize) as SizeE6

/** The initial state of an intent, also after its trigger was changed. */
export const firstStatus = ({
  triggerType,
  softCondition,
}: Pick<Intent, 'triggerType' | 'softCondition'>): 'pending' | 'armed' | 'triggered' => {
  if (triggerType !== 'immediate') return 'armed'
  return softCondition === null ? 'triggered' : 'pending'
}

/** Best prices of a book on the YES scale, null for an empty side. */
export interface BestPrices {
  readonly bid: PriceE4 | null
  readonly ask: PriceE4 | null
}

/**
 * The price at which an intent would trade, of its own side: what a buy pays and a sell receives.
 */
export function priceFor(
  { action, direction }: Pick<Intent, 'action' | 'direction'>,
  { bid, ask }: BestPrices,
): PriceE4 | null {
  const yes = (action === 'buy') === (direction === 'yes') ? ask : bid
  if (yes === null) return null
  return (direction === 'yes' ? yes : 10_000 - yes) as PriceE4
}

/** Whether the price of a trigger is reached. */
export function priceReached(intent: Intent, bestPrices: BestPrices): boolean {
  const price = priceFor(intent, bestPrices)
  if (price === null || intent.triggerPrice === null) return false
  if (intent.triggerType === 'price_below') return price <= intent.triggerPrice
  return intent.triggerType === 'price_above' && price >= intent.triggerPrice
}

/** Whether a book offers anything within the limit. */
export function isMarketable(intent: Intent, bestPrices: BestPrices): boolean {
  const price = priceFor(intent, bestPrices)
  if (price === null) return false
  if (intent.maxPrice === null) return true
  return intent.action === 'buy' ? price <= intent.maxPrice : price >= intent.maxPrice
}

/** Whether the orders of an intent at an exchange rest in its book until they are filled. */
export const restsInBook = ({ executionStyle, maxPrice, exchange }: Intent): boolean =>
  exchange !== null && executionStyle === 'limit' && maxPrice !== null
