import { MINUTE, type Millis, type MoneyE6 } from '../units.ts'
import type { Venue } from '../venue.ts'
import type { LiveAccount } from './live-account.ts'

export const GATES = [
  ...(['execution_mode', 'market_open', 'reconcile', 'credentials', 'category', 'tau'] as const),
  ...(['adj_iy', 'las', 'min_edge', 'thesis_confidence', 'balance', 'funds'] as const),
  ...(['single_order', 'total_exposure', 'per_market', 'daily_loss', 'positions'] as const),
  ...(['orders_per_tick', 'cooldown', 'price_moved'] as const),
] as const
export type GateName = (typeof GATES)[number]

export interface GateResult {
  readonly gate: GateName
  readonly passed: boolean
  readonly value: number | string | null
  readonly limit: number | string | null
  readonly note: string | null
}

/** Limits of the portfolio's configuration that block orders; money in cents. */
export interface GateLimits {
  readonly enabled: boolean
  readonly executionMode: 'dry-run' | 'live' | 'halted'
  readonly excludeCategories: readonly string[]
  readonly minTauDays: number
  readonly minAdjIy: number
  readonly maxLas: number
  readonly minEdgeCents: number
  readonly minThesisConfidence: number
  readonly minBalanceCents: number
  readonly maxSingleOrderCents: number
  readonly maxTotalExposureCents: number
  readonly maxPerMarketCents: number
  readonly maxDailyLossCents: number
  readonly maxPositions: number
  readonly maxOrdersPerTick: number
  readonly cooldownAfterLossTicks: number
}

/** An order before it is sent. An unknown value is null and fails its gate. */
export interface GatedOrder {
  readonly isEntry: boolean
  /** Whether it opens a market without a position. */
  readonly opensMarket: boolean
  readonly marketStatus: string
  readonly quoteAgeMs: Millis | null
  /** Category and topics of the market. */
  readonly categories: readonly string[]
  readonly tauDays: number | null
  readonly adjIy: number | null
  readonly las: number | null
  /** Size at the limit; for an exit its proceeds. */
  readonly cost: MoneyE6
  readonly fee: MoneyE6
  /** The view of the order’s thesis; null for an order that follows none. */
  readonly support: ThesisSupport | null
  /** The tick of the order; null for an order of an intent. */
  readonly tick: TickProgress | null
  /** The account at the exchange; null on paper. */
  readonly live: LiveGate | null
}

/** The state of an account at the exchange that gates check. */
export interface LiveGate {
  readonly venue: Venue
  readonly account: LiveAccount
  /** Why the venue's credentials were not opened; null when they were. */
  readonly failure: string | null
}

/** Why a reconciliation failed. */
export function reconcileText({ status, failures, mismatches }: LiveAccount): string {
  if (status === null) return 'the account was not reconciled yet'
  const failureTexts = Object.entries(failures).map(([venue, reason]) => `${venue}: ${reason}`)
  const differing = mismatches.map(
    ({ marketId, ours, theirs }) => `${marketId}: ledger ${ours}, venue ${theirs}`,
  )
  const reason = [...failureTexts, ...differing.slice(0, 3)].join('; ')
  return status === 'failed'
    ? `the last reconciliation failed: ${reason}`
    : `ledger and venue differ: ${reason}`
}

/** Figures of a tick that limit its next order. */
export interface TickProgress {
  /** Orders that earlier decisions of the tick send. */
  readonly orders: number
  /** Ticks since the last losing exit; null when there was none. */
  readonly ticksSinceLoss: number | null
  /** Cents by which the limit is worse than the price decided on. */
  readonly worseCents: number
}

/** The view of a thesis on one side of one market. */
export interface ThesisSupport {
  /** Cents a contract that remain of its edge after crossing the book and the fee. */
  readonly edgeCents: number | null
  /** Why the edge is unknown. */
  readonly edgeNote: string | null
  /** Null while the thesis has no tree. */
  readonly confidence: number | null
}

/** The account before the order; money is exact. */
export interface GatedAccount {
  readonly balance: MoneyE6
  /** Cost of open lots. */
  readonly exposure: MoneyE6
  readonly marketExposure: MoneyE6
  /** Equity now minus equity at the start of the UTC day. */
  readonly dailyPnl: MoneyE6
  readonly openPositions: number
}

const MAX_QUOTE_AGE = MINUTE
/** Cents by which a limit may be worse than the price decided on. */
const MAX_MOVED = 2
const NO_THESIS = 'the order follows no thesis'
const cents = (money: MoneyE6): number => money / 10_000

/**
 * Checks every gate of an order in the order of the contract. A failed gate rejects the order and
 * never reduces it. On paper the gates of live trading are listed and pass.
 */
export function checkGates(
  order: GatedOrder,
  account: GatedAccount,
  limits: GateLimits,
): GateResult[] {
  const results: GateResult[] = []
  const add = (
    gate: GateName,
    passed: boolean,
    value: GateResult['value'],
    limit: GateResult['limit'],
    note: string | null = null,
  ): void => void results.push({ gate, passed, value, limit, note })
  /** Gates that apply to entries only. */
  const entry = (
    gate: GateName,
    value: GateResult['value'],
    limit: GateResult['limit'],
    isFine: () => boolean,
    note: string | null = null,
  ): void => {
    if (order.isEntry) add(gate, value !== null && isFine(), value, limit, note)
  }
  const { executionMode, enabled } = limits
  const mode = enabled ? executionMode : 'disabled'
  const { live } = order
  // An order of a live tick is sent only while the mode is live.
  const isAllowed = live === null ? executionMode !== 'halted' : executionMode === 'live'
  add('execution_mode', enabled && isAllowed, mode, live === null ? 'dry-run' : 'live')
  const age = order.quoteAgeMs
  const isFresh = age !== null && age <= MAX_QUOTE_AGE
  const staleness = isFresh ? null : 'STALE_PRICE: the quote is older than 60 s'
  add(
    'market_open',
    order.marketStatus === 'active' && isFresh,
    order.marketStatus,
    'active',
    staleness,
  )
  if (live === null) {
    entry('reconcile', 'paper', 'ok', () => true, 'not needed for paper')
    add('credentials', true, 'paper', null, 'not needed for paper')
  } else {
    const isOk = live.account.status === 'ok'
    const note = isOk ? null : reconcileText(live.account)
    entry('reconcile', live.account.status, 'ok', () => isOk, note)
    const credentialState = live.failure === null ? 'opened' : 'missing'
    add('credentials', live.failure === null, credentialState, 'opened', live.failure)
  }
  const excludedCategory = order.categories.find((name) => limits.excludeCategories.includes(name))
  const mainCategory = order.categories[0] ?? null
  entry(
    'category',
    excludedCategory ?? mainCategory,
    limits.excludeCategories.join(','),
    () => excludedCategory === undefined,
  )
  const { tauDays, adjIy, las } = order
  entry('tau', tauDays, limits.minTauDays, () => tauDays !== null && tauDays >= limits.minTauDays)
  entry('adj_iy', adjIy, limits.minAdjIy, () => adjIy !== null && adjIy >= limits.minAdjIy)
  entry('las', las, limits.maxLas, () => las !== null && las <= limits.maxLas)
  const edge = order.support?.edgeCents ?? null
  const confidence = order.support?.confidence ?? null
  const { minEdgeCents, minThesisConfidence } = limits
  if (minEdgeCents > 0) {
    const note = edge === null ? (order.support?.edgeNote ?? NO_THESIS) : null
    entry('min_edge', edge, minEdgeCents, () => edge !== null && edge >= minEdgeCents, note)
  }
  if (minThesisConfidence > 0) {
    const unknown = order.support === null ? NO_THESIS : 'the thesis has no confidence yet'
    const note = confidence === null ? unknown : null
    const isSure = (): boolean => confidence !== null && confidence >= minThesisConfidence
    entry('thesis_confidence', confidence, minThesisConfidence, isSure, note)
  }
  const { balance, exposure, marketExposure, dailyPnl } = account
  const [cost, fee] = [cents(order.cost), cents(order.fee)]
  entry(
    'balance',
    cents(balance),
    limits.minBalanceCents,
    () => cents(balance) >= limits.minBalanceCents,
  )
  const funds = live === null ? balance : fundsAt(live, balance)
  const available = funds === null ? null : cents(funds)
  const isCovered = (): boolean => available !== null && cost + fee <= available
  entry('funds', cost + fee, available, isCovered)
  add('single_order', cost <= limits.maxSingleOrderCents, cost, limits.maxSingleOrderCents)
  const total = cents(exposure) + cost
  entry(
    'total_exposure',
    total,
    limits.maxTotalExposureCents,
    () => total <= limits.maxTotalExposureCents,
  )
  const marketExposureAfter = cents(marketExposure) + cost
  entry(
    'per_market',
    marketExposureAfter,
    limits.maxPerMarketCents,
    () => marketExposureAfter <= limits.maxPerMarketCents,
  )
  const loss = Math.max(0, -cents(dailyPnl))
  add('daily_loss', loss <= limits.maxDailyLossCents, loss, limits.maxDailyLossCents)
  const { openPositions } = account
  const hasRoom = !order.opensMarket || openPositions < limits.maxPositions
  entry('positions', openPositions, limits.maxPositions, () => hasRoom)
  const { maxOrdersPerTick, cooldownAfterLossTicks: requiredTicks } = limits
  const { tick } = order
  const sentOrders = tick?.orders ?? 0
  add('orders_per_tick', sentOrders < maxOrdersPerTick, sentOrders, maxOrdersPerTick)
  if (tick === null) {
    entry('cooldown', 'none', null, () => true, 'intents do not count for the cooldown')
    add('price_moved', true, 0, MAX_MOVED, 'the limit is the caller’s own')
    return results
  }
  const { ticksSinceLoss, worseCents } = tick
  const isOver = ticksSinceLoss === null || ticksSinceLoss >= requiredTicks
  entry('cooldown', ticksSinceLoss ?? 'none', requiredTicks, () => isOver)
  add('price_moved', worseCents <= MAX_MOVED, worseCents, MAX_MOVED)
  return results
}

/**
 * Cash at the venue of an order, less what all earlier orders of the tick reserve; null when it was
 * not read.
 */
function fundsAt({ account, venue }: LiveGate, balance: MoneyE6): MoneyE6 | null {
  const venueCash = account.balances[venue]
  if (venueCash === undefined) return null
  const total = Object.values(account.balances).reduce((sum, cash) => sum + cash, 0)
  return (venueCash - (total - balance)) as MoneyE6
}

/** Why an intent is refused, worded like its `statusReason`; null when every gate passed. */
export function refusalOf(results: readonly GateResult[]): string | null {
  const failedGate = results.find(({ passed }) => !passed)
  if (failedGate === undefined) return null
  if (failedGate.gate === 'category') return 'CATEGORY_BLOCKED'
  if (failedGate.gate === 'funds') return 'INSUFFICIENT_BALANCE'
  if (failedGate.note?.startsWith('STALE_PRICE') === true) return 'STALE_PRICE'
  return `RISK_GATE_FAIL:${failedGate.gate}`
}
