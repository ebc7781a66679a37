import type { Market } from '../../../../backend/contract/market.ts'
import type {
  ServedConfig,
  ServedPosition,
  ServedRisk,
} from '../../../../backend/contract/portfolio.ts'
import { feeOfFill, generalTerms } from '../../../../backend/domain/fees.ts'
import { isEntryOrder, reserveOfOrder } from '../../../../backend/domain/portfolio/order-reserve.ts'
import { unreadAccount } from '../../../../backend/domain/portfolio/live-account.ts'
import { VENUES, venueName, type Venue } from '../../../../backend/domain/venue.ts'
import {
  checkGates,
  type GateName,
  type GateResult,
  type LiveGate,
} from '../../../../backend/domain/portfolio/risk-gates.ts'
import {
  priceOfCents,
  sizeOfContracts,
  type Cents,
  type Millis,
  type MoneyE6,
} from '../../../../backend/domain/units.ts'
import { contractsOf, expectedPrice, limitOf, touchOf, type OrderDraft } from './order-draft.ts'

/** The account that an order would trade in. */
export interface OrderAccount {
  readonly risk: ServedRisk
  readonly config: ServedConfig
  /** The position of this account in the market. */
  readonly openPosition: ServedPosition | null
}

/** Expected effect of an order; money in cents. */
export interface OrderPreview {
  readonly contracts: number
  /** Cents of its side at which the figures are computed. */
  readonly price: number
  /** Paid by a buy, received by a sale, without fees. */
  readonly amount: number
  readonly fee: number
  /** With fees, when the order is filled completely and held until the market is resolved. */
  readonly gain: number | null
  readonly loss: number | null
  /** Result of a sale against the average cost; null when nothing is held. */
  readonly realized: number | null
  /** Contracts of the other side that a buy closes first. */
  readonly closedContracts: number
  /** Contracts that a sale lacks. */
  readonly shortfall: number
  /** Why the order would not be sent at once. */
  readonly waitReasons: readonly string[]
  /** The limits that apply, in the order in which they are checked. */
  readonly gates: readonly GateResult[]
  /** The gates that would reject the order now. */
  readonly failedGates: readonly GateResult[]
}

const money = (cents: number): MoneyE6 => Math.round(cents * 10_000) as MoneyE6
const roundCents = (cents: number): number => Math.round(cents * 100) / 100

/** Gates that a manual order always passes. */
const TICK_GATES: ReadonlySet<GateName> = new Set<GateName>([
  'orders_per_tick',
  'cooldown',
  'price_moved',
])
/** Gates that a paper order always passes. */
const LIVE_GATES: ReadonlySet<GateName> = new Set<GateName>(['reconcile', 'credentials'])
/** Gates that delay an order instead of rejecting it. */
const WAITING_GATES: ReadonlySet<GateName> = new Set<GateName>(['execution_mode', 'market_open'])

/** What the gates of a live order check of the account at the exchange; null on paper. */
function liveGateOf(venue: Venue, { mode, balance, ...risk }: ServedRisk): LiveGate | null {
  if (mode !== 'live') return null
  const knownBalances = VENUES.flatMap((name) => {
    const cents = balance[name]
    return cents === null ? [] : [[name, money(cents)] as const]
  })
  return {
    venue,
    account: {
      ...unreadAccount(''),
      status: risk.lastReconcileStatus,
      balances: Object.fromEntries(knownBalances),
    },
    failure: risk.credentials[venue]
      ? null
      : `no credentials for ${venueName(venue)} are stored: add them in SECRET`,
  }
}

/** The limits as the service checks them, with the figures that the page has. */
function gatesOf(
  draft: OrderDraft,
  contracts: number,
  market: Market,
  { risk, config, openPosition }: OrderAccount,
  at: { readonly now: number; readonly isStale: boolean },
): readonly GateResult[] {
  const limit = limitOf(draft)
  const touch = touchOf(market, draft)
  const { action, direction } = draft
  const order = {
    action,
    direction,
    size: sizeOfContracts(contracts),
    limit: limit === null ? null : priceOfCents(limit as Cents),
  }
  const position =
    openPosition === null
      ? null
      : { direction: openPosition.direction, size: sizeOfContracts(openPosition.quantity) }
  const { indicators } = market
  const gates = checkGates(
    {
      isEntry: isEntryOrder(order, position),
      opensMarket: openPosition === null,
      marketStatus: market.status,
      quoteAgeMs: at.isStale || touch === null ? null : (0 as Millis),
      categories: [market.category, ...market.topics],
      tauDays: indicators.tauDays,
      adjIy: indicators.adjIy,
      las: indicators.las,
      ...reserveOfOrder(
        order,
        touch === null ? null : priceOfCents(touch),
        market.venue,
        at.now as Millis,
      ),
      support: null,
      tick: null,
      live: liveGateOf(market.venue, risk),
    },
    {
      balance: money(risk.balance.totalCents ?? 0),
      exposure: money(risk.exposure.usedCents),
      marketExposure: money(openPosition?.costCents ?? 0),
      dailyPnl: money(-risk.dailyLoss.usedCents),
      openPositions: risk.positions.used,
    },
    config,
  )
  const isHidden = (gate: GateName): boolean =>
    TICK_GATES.has(gate) || (risk.mode !== 'live' && LIVE_GATES.has(gate))
  return gates.filter(({ gate, passed }) => !passed || !isHidden(gate))
}

function waitReasonsOf({ config }: OrderAccount, gates: readonly GateResult[]): readonly string[] {
  const reasons: string[] = []
  if (!config.enabled)
    reasons.push('The autopilot is off: the order waits until you turn it on in RISK.')
  else if (config.executionMode === 'halted') {
    reasons.push('Trading is halted: the order waits until you resume it in RISK.')
  }
  const isStale = gates.some(({ gate, note }) => gate === 'market_open' && note !== null)
  if (isStale) reasons.push('There is no current quote: the order waits for one.')
  return reasons
}

/**
 * Expected effect of a draft; null while its size or price is missing.
 * @param isStale the source of the market's prices is stale
 */
export function previewOf(
  draft: OrderDraft,
  market: Market,
  account: OrderAccount,
  at: { readonly now: number; readonly isStale: boolean },
): OrderPreview | null {
  const contracts = contractsOf(draft, market)
  const price = expectedPrice(draft, market)
  if (contracts === null || contracts <= 0 || price === null || price <= 0) return null
  const { openPosition } = account
  const isBuy = draft.action === 'buy'
  const amount = contracts * price
  const { fee: feeE6 } = feeOfFill(generalTerms(market.venue), {
    at: at.now as Millis,
    side: draft.action,
    role: 'taker',
    price: priceOfCents(price as Cents),
    size: sizeOfContracts(contracts),
  })
  const fee = feeE6 / 10_000
  const heldOther =
    openPosition !== null && openPosition.direction !== draft.direction ? openPosition.quantity : 0
  const heldSame =
    openPosition !== null && openPosition.direction === draft.direction ? openPosition.quantity : 0
  const closedContracts = isBuy ? Math.min(heldOther, contracts) : 0
  const isOpening = isBuy && closedContracts === 0
  const gates = gatesOf(draft, contracts, market, account, at)
  return {
    contracts,
    price,
    amount: roundCents(amount),
    fee: roundCents(fee),
    gain: isOpening ? roundCents(contracts * 100 - amount - fee) : null,
    loss: isOpening ? roundCents(amount + fee) : null,
    realized:
      isBuy || openPosition === null || heldSame < contracts
        ? null
        : roundCents(amount - fee - contracts * openPosition.avgPriceCents),
    closedContracts,
    shortfall: isBuy ? 0 : Math.max(0, contracts - heldSame),
    waitReasons: waitReasonsOf(account, gates),
    gates,
    failedGates: gates.filter(({ gate, passed }) => !passed && !WAITING_GATES.has(gate)),
  }
}
