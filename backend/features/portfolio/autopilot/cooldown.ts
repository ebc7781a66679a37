import type { Tick } from '../../../domain/portfolio/tick.ts'
import type { Millis } from '../../../domain/units.ts'
import { accountOf, type ReadLiveExchange } from '../live/live-exchange.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { PortfolioRecord } from '../portfolio.store.ts'
import type { TicksStore } from './ticks.store.ts'

/**
 * Ticks that ended since the account last lost; null when it never did.
 * @param ending the tick that is about to end, which counts too
 */
export type TicksSinceLoss = (
  userId: string,
  portfolio: PortfolioRecord,
  ending?: Pick<Tick, 'tickAt'> | null,
) => Promise<number | null>

/** The end of a halt counts as a loss. */
export const createTicksSinceLoss =
  (deps: {
    readonly ledger: LedgerStore
    readonly ticks: TicksStore
    readonly exchange: ReadLiveExchange
  }): TicksSinceLoss =>
  async (userId, portfolio, ending = null) => {
    const { cooldownFrom } = portfolio
    const account = accountOf(portfolio, deps.exchange())
    const lost = await deps.ledger.lastLossAt(userId, account)
    if (lost === null && cooldownFrom === null) return null
    const from = Math.max(lost ?? 0, cooldownFrom ?? 0) as Millis
    const ended = await deps.ticks.finishedSince(userId, from)
    return ended + Number(ending !== null && ending.tickAt > from)
  }
