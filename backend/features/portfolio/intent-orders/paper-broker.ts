import { moneyOf } from '../../../domain/backtest/broker/fill-model.ts'
import { priceFor, transition, withFill, type Intent } from '../../../domain/portfolio/intent.ts'
import type { NewLedgerEntry } from '../../../domain/portfolio/ledger.ts'
import { checkGates, refusalOf } from '../../../domain/portfolio/risk-gates.ts'
import { supportOf } from '../../../domain/portfolio/trading-thesis.ts'
import type { PlannedOrder, Tick } from '../../../domain/portfolio/tick.ts'
import type { Millis } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { AccountFiguresReader } from '../account-figures.ts'
import { changeBy } from '../autopilot/tick-orders.ts'
import type { TickSettlement } from '../autopilot/tick-settlement.ts'
import type { UserTheses } from '../intent-basis.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { OrderBooks } from '../order-books.ts'
import type { PaperOutcome } from '../paper-account.ts'
import type { PaperAccounts } from '../paper-accounts.ts'
import {
  brokerRefusal,
  decisionEntry,
  fillEntries,
  gatedAccount,
  gatedOrder,
  orderIdOf,
  sendOrder,
} from '../paper-order.ts'
import type { IntentBroker } from './intent-execution.ts'
import { intentTick, planOf } from './intent-tick.ts'

/** Trades intents on paper. */
export function createPaperBroker(deps: {
  readonly accounts: PaperAccounts
  readonly figuresReader: AccountFiguresReader
  readonly ledger: LedgerStore
  readonly books: OrderBooks
  readonly theses: UserTheses
  readonly settlement: TickSettlement
  readonly clock: Clock
}): IntentBroker {
  const { accounts, figuresReader, ledger, books, theses, settlement, clock } = deps

  /** Writes the end of an order with its tick, and reports the account. */
  const finish = async (
    from: Intent,
    next: Intent,
    entries: readonly NewLedgerEntry[],
    tick: Tick,
  ): Promise<Intent> => {
    const intent = { next, from: from.status }
    await ledger.book(from.userId, { intent, entries, newTick: tick }, clock.now())
    await settlement.settle(tick, { status: 'completed', startedAt: null })
    return next
  }

  return {
    // A paper order is answered at once.
    pausedUntil: () => Promise.resolve(null),
    async send(intent, view, tickId) {
      const now = clock.now()
      const { userId } = intent
      const book = books.get(view.market)
      if (book === null) return intent
      const figures = await figuresReader.paper(userId)
      const { config } = figures.portfolio
      const [thesis] = intent.thesisId === null ? [] : await theses.trading(userId, intent.thesisId)
      const support = supportOf(thesis, intent.ticker, intent.direction)
      const plan = planOf(intent, tickId)
      const market = { view, book, isStale: false }
      const order = gatedOrder(plan, market, figures, { support, tick: null, live: null }, now)
      const gates = checkGates(order, gatedAccount(figures, intent.ticker), config)
      const refusal = refusalOf(gates)
      const base = { ...intent, gates, mode: 'paper' as const }
      const { account, epoch } = await accounts.open(userId, now)
      const booking = { epoch, now, n: 0 }
      const decision = (note: string | null) => decisionEntry(plan, view, booking, { note, gates })
      const tickWith = (result: Partial<PlannedOrder>): Tick =>
        intentTick(plan, view, {
          intent,
          config,
          mode: 'paper',
          phase: 'settle',
          isEntry: order.isEntry,
          touch: priceFor(intent, book),
          gates,
          result,
          now,
        })
      const reject = (reason: string, outcome: 'rejected_by_gate' | 'rejected_by_venue') => {
        // A partial fill is kept, and the rest is tried again.
        if (base.status === 'partial') {
          const next = { ...base, statusReason: reason }
          return storeState(next)
        }
        const next = { ...transition(base, 'rejected', now, reason), tickId }
        return finish(intent, next, [decision(reason)], tickWith({ outcome, error: reason }))
      }
      const storeState = async (next: Intent): Promise<Intent> => {
        await ledger.book(userId, { intent: { next, from: intent.status } }, now)
        return next
      }
      if (refusal !== null) return reject(refusal, 'rejected_by_gate')
      const outcome = sendOrder(account, plan, view, book, now)
      const rejection = brokerRefusal(outcome)
      if (rejection !== null) return reject(rejection, 'rejected_by_venue')
      if (outcome.fills.length === 0) {
        const isIoc = intent.executionStyle === 'ioc'
        const status = isIoc || intent.status === 'partial' ? intent.status : 'executing'
        const reason = outcome.end ?? 'no matching offers'
        return storeState({ ...base, status, statusReason: `not filled: ${reason}` })
      }
      try {
        const filledIntent = applyFills({ ...base, tickId }, outcome, now)
        const entries = fillEntries(plan, view, outcome, { ...booking, n: 1 })
        const realized = await accounts.realizedByEach(userId, entries)
        const bookedEntries = entries.map((entry, n) => ({
          ...entry,
          realized: realized[n] ?? null,
        }))
        const tick = tickWith(changeBy(outcome, plan, orderIdOf(tickId, 1)))
        return await finish(intent, filledIntent, [decision(null), ...bookedEntries], tick)
      } catch (error) {
        // The broker's state differs from the ledger, so the account is reopened from it.
        accounts.invalidate(userId)
        throw error
      }
    },
  }
}

/** The intent after an order's fills, one fill per book level. */
function applyFills(base: Intent, { fills, end }: PaperOutcome, now: Millis): Intent {
  let next = base
  for (const [n, { fill }] of fills.entries()) {
    const { price, size } = fill
    const orderId = orderIdOf(base.tickId ?? '', n + 1)
    next = withFill(next, { orderId, size, price, cost: moneyOf(price, size), at: now })
  }
  return { ...next, statusReason: next.status === 'filled' ? null : end }
}
