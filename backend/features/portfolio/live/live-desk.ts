import type { LiveAccount, Mismatch } from '../../../domain/portfolio/live-account.ts'
import type { LiveOrder } from '../../../domain/portfolio/live-order.ts'
import { foldMarkets } from '../../../domain/portfolio/position-fold.ts'
import type { Millis, MoneyE6 } from '../../../domain/units.ts'
import type { Venue } from '../../../domain/venue.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { OpenCredentials, TradingClient, TradingVenue } from '../../../venues/trading.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { PortfolioStore } from '../portfolio.store.ts'
import { withLiveClients, type LiveClients } from './live-accounts.ts'
import { liveAccountOf, withLiveAccount, type LiveExchange } from './live-exchange.ts'
import type { LiveOrderPlan, LiveOrders, SentOrder } from './live-orders.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'
import type { createLiveReconcile, Reconciliation } from './live-reconcile.ts'

/** The open accounts of a user at an exchange, for one piece of work. */
export interface LiveSession extends LiveClients {
  readonly exchange: LiveExchange
  /** Aborts when the user halts. */
  readonly signal: AbortSignal
  /**
   * Brings ledger, orders and stored figures up to what every venue reports. The caller holds the
   * user's queue.
   */
  reconcile(): Promise<LiveAccount>
  /** Checks the limits, writes the order and sends it once. The caller holds the user's queue. */
  send(plan: LiveOrderPlan): Promise<SentOrder>
  /**
   * Cancels resting orders. The caller holds the user's queue.
   * @param reasonOf why an order is cancelled; null for one that stays
   * @returns the orders that could not be cancelled, with the reason
   */
  cancel(reasonOf: (order: LiveOrder) => string | null): ReturnType<LiveOrders['cancel']>
}

/** Opens the accounts of users at the exchange of this run. */
export function createLiveDesk(deps: {
  readonly portfolios: PortfolioStore
  readonly ledger: Pick<LedgerStore, 'trades'>
  readonly store: LiveOrdersStore
  readonly orders: LiveOrders
  readonly reconcile: ReturnType<typeof createLiveReconcile>
  readonly openCredentials: OpenCredentials
  readonly clock: Clock
}) {
  const { portfolios, ledger, store, orders, clock } = deps
  const activeWork = new Map<string, Set<AbortController>>()

  /** Venues at which the user has positions or orders that may still cost something. */
  const venuesInUse = async (userId: string, { epoch }: LiveExchange): Promise<Set<Venue>> => {
    const positions = foldMarkets(await ledger.trades(userId, { mode: 'live', epoch })).values()
    const openPositions = [...positions].filter(({ status }) => status === 'open')
    return new Set([
      ...openPositions.map(({ venue }) => venue),
      ...(await store.open(userId)).map(({ venue }) => venue),
    ])
  }

  /** Why venues that matter cannot be reconciled. */
  const failuresOf = async (
    userId: string,
    { exchange, failures, missing }: LiveClients & { readonly exchange: LiveExchange },
  ): Promise<Partial<Record<Venue, string>>> => {
    const usedVenues = await venuesInUse(userId, exchange)
    return Object.fromEntries(
      Object.entries(failures).filter(
        ([venue]) => !missing.includes(venue as TradingVenue) || usedVenues.has(venue as Venue),
      ),
    )
  }

  const reconcileAll = async (
    userId: string,
    live: LiveClients & Pick<LiveSession, 'exchange' | 'signal'>,
  ): Promise<LiveAccount> => {
    const { clients, exchange, signal } = live
    const failures = await failuresOf(userId, live)
    const results = new Map<TradingVenue, Reconciliation>()
    const { fillsReadUntil } = liveAccountOf(await portfolios.read(userId), exchange)
    for (const client of clients) {
      const readUntil = fillsReadUntil?.[client.venue] ?? null
      results.set(client.venue, await deps.reconcile.reconcile(userId, client, readUntil, signal))
    }
    const portfolio = await portfolios.read(userId)
    const previous = liveAccountOf(portfolio, exchange)
    // The cash at a venue without credentials is not known any more.
    const knownBalances = Object.entries(previous.balances).filter(
      ([venue]) => !live.missing.includes(venue as TradingVenue),
    )
    const balances: Partial<Record<Venue, MoneyE6>> = Object.fromEntries(knownBalances)
    const readUntil: Partial<Record<Venue, Millis>> = { ...previous.fillsReadUntil }
    const mismatches: Mismatch[] = []
    for (const [
      venue,
      { balance, mismatches: venueMismatches, fillsReadUntil: until, error },
    ] of results) {
      if (until !== null) readUntil[venue] = until
      if (error !== null) failures[venue] = error
      if (balance !== null) balances[venue] = balance
      mismatches.push(...venueMismatches)
    }
    const isFailed = Object.keys(failures).length > 0 || clients.length === 0
    const now = clock.now()
    const account: LiveAccount = {
      ...previous,
      balances,
      fillsReadUntil: readUntil,
      readAt: isFailed ? previous.readAt : now,
      reconciledAt: now,
      status: isFailed ? 'failed' : mismatches.length > 0 ? 'mismatch' : 'ok',
      mismatches,
      failures: clients.length === 0 ? live.failures : failures,
      clockOffset: worstOffset(clients) ?? previous.clockOffset,
    }
    await portfolios.change(userId, { live: withLiveAccount(portfolio, account) }, now)
    return account
  }

  return {
    /** Runs work with the accounts of a user; their credentials are erased when it ends. */
    async open<Result>(
      userId: string,
      exchange: LiveExchange,
      work: (session: LiveSession) => Promise<Result>,
    ): Promise<Result> {
      const control = new AbortController()
      const { signal } = control
      const controls = activeWork.get(userId) ?? new Set()
      activeWork.set(userId, controls.add(control))
      const openCredentials = exchange.openCredentials ?? deps.openCredentials
      try {
        return await withLiveClients(
          userId,
          { openCredentials, openClient: exchange.openClient },
          (live) => {
            const liveSession = { ...live, exchange, signal }
            return work({
              ...liveSession,
              reconcile: () => reconcileAll(userId, liveSession),
              async send(plan) {
                const client = live.clients.find(({ venue }) => venue === plan.venue)
                if (client !== undefined) return orders.send(userId, plan, client, signal)
                const reason = live.failures[plan.venue] ?? `no orders are sent to ${plan.venue}`
                return { kind: 'refused', reason }
              },
              async cancel(reasonOf) {
                const failures = []
                for (const client of live.clients) {
                  failures.push(...(await orders.cancel(userId, client, reasonOf, signal)))
                }
                return failures
              },
            })
          },
        )
      } finally {
        controls.delete(control)
        if (controls.size === 0) activeWork.delete(userId)
      }
    },

    /** Aborts the work that runs for a user now, so that a halt does not wait for a silent venue. */
    interrupt(userId: string): void {
      for (const control of activeWork.get(userId) ?? []) {
        control.abort(new Error('trading was halted'))
      }
    },
  }
}
export type LiveDesk = ReturnType<typeof createLiveDesk>

function worstOffset(clients: readonly TradingClient[]): number | null {
  const offsets = clients.flatMap(({ clockOffset }) => (clockOffset === null ? [] : [clockOffset]))
  const [worst = null] = offsets.toSorted((a, b) => Math.abs(b) - Math.abs(a))
  return worst
}
