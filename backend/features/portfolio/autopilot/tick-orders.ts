import type { PortfolioConfig } from '../../../domain/portfolio/config.ts'
import { refusalOf } from '../../../domain/portfolio/risk-gates.ts'
import type { NewLedgerEntry } from '../../../domain/portfolio/ledger.ts'
import {
  isPlanned,
  orderGroups,
  type PlannedOrder,
  type Tick,
} from '../../../domain/portfolio/tick.ts'
import { TickReserve } from '../../../domain/portfolio/tick-reserve.ts'
import type { TradingThesis } from '../../../domain/portfolio/trading-thesis.ts'
import {
  centsOf,
  contractsOf,
  priceOfCents,
  roundTo,
  type Cents,
  type SizeE6,
} from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { AccountFigures, AccountFiguresReader } from '../account-figures.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { LiveSession } from '../live/live-desk.ts'
import type { PaperOutcome } from '../paper-account.ts'
import type { PaperAccounts } from '../paper-accounts.ts'
import {
  brokerRefusal,
  decisionEntry,
  fillEntries,
  orderIdOf,
  sendOrder,
  type PaperOrderPlan,
} from '../paper-order.ts'
import type { TicksSinceLoss } from './cooldown.ts'
import { isBooked, reserve, type BookedOrder, type GatedOrders } from './gated-orders.ts'

/** A running tick with the inputs of its orders. */
export interface RunningTick {
  tick: Tick
  /** The limits that it started with; a halt and a disabling that come later end it. */
  readonly config: PortfolioConfig
  theses: readonly TradingThesis[]
  /** Number of its next ledger entry. */
  n: number
  /** The open accounts at the exchange; null for a tick on paper. */
  readonly session: LiveSession | null
}

/** The account of a tick: at the exchange for a live one, whatever the mode is meanwhile. */
export const figuresOfTick = (
  { tick, session }: Pick<RunningTick, 'tick' | 'session'>,
  figuresReader: AccountFiguresReader,
): Promise<AccountFigures> =>
  session === null
    ? figuresReader.paper(tick.userId)
    : figuresReader.live(tick.userId, session.exchange)

/** How an order of a group ended, with its entries. */
interface TickEnding {
  readonly change: Partial<PlannedOrder>
  readonly entries: readonly NewLedgerEntry[]
}

const OTHER_LEG = 'the other leg of the pair was rejected: both are traded or none'
const LEG_NOT_FILLED = 'both legs of the pair could not be filled whole: none was traded'

/** Gates the orders of a tick and sends them to the paper broker, one at a time. */
export function createTickOrders(deps: {
  readonly accounts: PaperAccounts
  readonly figuresReader: AccountFiguresReader
  readonly ledger: LedgerStore
  readonly gated: GatedOrders
  readonly ticksSinceLoss: TicksSinceLoss
  readonly clock: Clock
}) {
  const { accounts, figuresReader, ledger, ticksSinceLoss, clock } = deps
  const { orderOf, gatesOf } = deps.gated

  return {
    /** Opens the account again from the ledger, after an order that was not waited for. */
    discardAccount: (userId: string): void => accounts.invalidate(userId),
    /**
     * Evaluates every gate of every order, as if the orders accepted before it were filled. The
     * caller holds the user's queue.
     */
    async gate(runningTick: RunningTick): Promise<void> {
      const { tick, config, theses } = runningTick
      const now = clock.now()
      const figures = await figuresOfTick(runningTick, figuresReader)
      const { mode, epoch } = figures.account
      const failures = runningTick.session?.failures ?? {}
      const lossFreeTicks = await ticksSinceLoss(tick.userId, figures)
      let tickReserve = new TickReserve()
      const tickers = new Set(figures.open.map(({ position }) => position.ticker))
      const gatedOrders: PlannedOrder[] = []
      const entries: NewLedgerEntry[] = []
      for (const group of orderGroups(tick.decisions)) {
        const trial = tickReserve.copy()
        const results = []
        for (const decision of group) {
          const order = await orderOf(tick, decision)
          if (order === null) {
            results.push({ decision, order, gates: [], refusal: 'the market is unknown' })
            continue
          }
          const context = {
            config,
            theses,
            reserved: trial,
            ticksSinceLoss: lossFreeTicks,
            failures,
            now,
          }
          const gates = gatesOf(order, figures, context)
          const refusal = refusalOf(gates)
          if (refusal === null) reserve(trial, order, tickers, now)
          results.push({ decision, order, gates, refusal })
        }
        const isAccepted = results.every(({ refusal }) => refusal === null)
        if (isAccepted) tickReserve = trial
        for (const { decision, order, gates, refusal } of results) {
          if (order === null) {
            gatedOrders.push({ ...decision, outcome: 'none', error: refusal })
            continue
          }
          const { plan, view } = order
          const note = isAccepted ? null : (refusal ?? OTHER_LEG)
          const limit = centsOf(plan.limit ?? priceOfCents(0 as Cents))
          gatedOrders.push({
            ...decision,
            limitPriceCents: limit,
            costCents: Math.round(limit * decision.quantity),
            gates,
            outcome: isAccepted ? 'unknown' : 'rejected_by_gate',
            error: note,
          })
          const booking = { n: runningTick.n++, mode, epoch, now }
          entries.push(decisionEntry(plan, view, booking, { note, gates }))
        }
      }
      const decisions = tick.decisions.map(
        (tickDecision) => gatedOrders.find(({ n }) => n === tickDecision.n) ?? tickDecision,
      )
      const next: Tick = { ...tick, phase: 'execute', decisions }
      await ledger.book(tick.userId, { entries, tick: next }, now)
      runningTick.tick = next
    },
    /**
     * Sends an accepted order, or both legs of a pair, if the gates still pass; returns whether
     * anything traded. The caller holds the user's queue.
     * @param isLate aborts when the caller no longer waits: nothing is booked from then on
     */
    async send(
      runningTick: RunningTick,
      group: readonly PlannedOrder[],
      isLate: AbortSignal,
    ): Promise<boolean> {
      const { tick, config, theses, n } = runningTick
      const { userId } = tick
      const endOrders = async (endings: readonly TickEnding[]): Promise<boolean> => {
        isLate.throwIfAborted()
        let next = tick
        for (const [index, decision] of group.entries()) {
          next = replaceDecision(next, { ...decision, ...endings[index]?.change })
        }
        const entries = endings.flatMap((ending) => ending.entries)
        await ledger.book(userId, { entries, tick: next }, clock.now())
        runningTick.tick = next
        runningTick.n += entries.length
        return entries.length > 0
      }
      const endAll = (change: Partial<PlannedOrder>): TickEnding[] =>
        group.map(() => ({ change, entries: [] }))
      const now = clock.now()
      const figures = await figuresReader.paper(userId)
      const orders: BookedOrder[] = []
      for (const decision of group) {
        const order = await orderOf(tick, decision)
        if (order === null || !isBooked(order)) {
          return endOrders(endAll({ outcome: 'none', error: 'the market has no book' }))
        }
        orders.push(order)
      }
      const first = group[0]?.n ?? 0
      const sentDecisions = tick.decisions.filter(
        (tickDecision) =>
          isPlanned(tickDecision) && tickDecision.orderId !== null && tickDecision.n < first,
      )
      const tickReserve = new TickReserve(sentDecisions.length)
      const tickers = new Set(figures.open.map(({ position }) => position.ticker))
      const lossFreeTicks = await ticksSinceLoss(userId, figures)
      const results = orders.map((order) => {
        const context = {
          config,
          theses,
          reserved: tickReserve,
          ticksSinceLoss: lossFreeTicks,
          failures: {},
          now,
        }
        const gates = gatesOf(order, figures, context)
        const refusal = refusalOf(gates)
        if (refusal === null) reserve(tickReserve, order, tickers, now)
        return { gates, refusal }
      })
      if (results.some(({ refusal }) => refusal !== null)) {
        return endOrders(
          results.map(({ gates, refusal }) => ({
            change: { gates, outcome: 'rejected_by_gate', error: refusal ?? OTHER_LEG },
            entries: [],
          })),
        )
      }
      const { account, epoch } = await accounts.open(userId, now)
      isLate.throwIfAborted()
      try {
        const outcomes = orders.map(({ plan, view, book }) =>
          sendOrder(account, plan, view, book, now),
        )
        const isWhole = outcomes.every(
          (outcome, index) => filledSize(outcome) === orders[index]?.plan.size,
        )
        if (group.length > 1 && !isWhole) {
          // On paper a leg that was filled alone is taken back: the account is opened again.
          accounts.invalidate(userId)
          return await endOrders(endAll({ outcome: 'not_filled', error: LEG_NOT_FILLED }))
        }
        const endings: TickEnding[] = []
        let next = n
        for (const [place, { plan, view }] of orders.entries()) {
          const outcome = outcomes[place]
          if (outcome === undefined) continue
          const entries = fillEntries(plan, view, outcome, { n: next, epoch, now })
          const realized = await accounts.realizedByEach(userId, entries)
          const bookedEntries = entries.map((entry, k) => ({
            ...entry,
            realized: realized[k] ?? null,
          }))
          endings.push({
            change: changeBy(outcome, plan, orderIdOf(tick.id, next)),
            entries: bookedEntries,
          })
          next += entries.length
        }
        return await endOrders(endings)
      } catch (error) {
        // The broker's state differs from the ledger, so the account is reopened from it.
        accounts.invalidate(userId)
        throw error
      }
    },
  }
}
export type TickOrders = ReturnType<typeof createTickOrders>

/** The tick with the next state of one decision. */
export const replaceDecision = (tick: Tick, decision: PlannedOrder): Tick => ({
  ...tick,
  decisions: tick.decisions.map((tickDecision) =>
    tickDecision.n === decision.n ? decision : tickDecision,
  ),
})

const filledSize = ({ fills }: PaperOutcome): number =>
  fills.reduce((sum, { fill }) => sum + fill.size, 0)

/** Fields of the decision that the broker's outcome sets. */
export function changeBy(
  outcome: PaperOutcome,
  plan: PaperOrderPlan,
  orderId: string,
): Partial<PlannedOrder> {
  const refusal = brokerRefusal(outcome)
  if (refusal !== null) return { outcome: 'rejected_by_venue', error: refusal }
  const { fills, end } = outcome
  const filledQuantity = filledSize(outcome)
  if (filledQuantity === 0)
    return { outcome: 'not_filled', orderId, error: end ?? 'no matching offers' }
  const cost = fills.reduce((sum, { fill }) => sum + fill.size * fill.price, 0)
  return {
    outcome: filledQuantity < plan.size ? 'partial' : 'filled',
    filledQuantity: contractsOf(filledQuantity as SizeE6),
    avgFillPriceCents: roundTo(cost / filledQuantity / 100, 4),
    orderId,
    error: end,
  }
}
