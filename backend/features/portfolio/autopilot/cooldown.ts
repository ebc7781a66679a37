import type { Tick } from '../../../domain/portfolio/tick.ts'
import type { Millis } from '../../../domain/units.ts'
import type { AccountFigures } from '../account-figures.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { TicksStore } from './ticks.store.ts'

/**
 * Ticks of an account that ended since it last lost; null when it never did.
 * @param ending the tick that is about to end, which counts too
 */
export type TicksSinceLoss = (
  userId: string,
  figures: Pick<AccountFigures, 'account' | 'portfolio'>,
  currentTick?: Pick<Tick, 'tickAt'> | null,
) => Promise<number | null>

/** The end of a halt counts as a loss. */
export const createTicksSinceLoss =
  (deps: { readonly ledger: LedgerStore; readonly ticks: TicksStore }): TicksSinceLoss =>
  async (userId, { account, portfolio: { cooldownFrom } }, currentTick = null) => {
    const lastLossAt = await deps.ledger.lastLossAt(userId, account)
    if (lastLossAt === null && cooldownFrom === null) return null
    const from = Math.max(lastLossAt ?? 0, cooldownFrom ?? 0) as Millis
    const finishedCount = await deps.ticks.countFinished(userId, account.mode, from)
    return finishedCount + Number(currentTick !== null && currentTick.tickAt > from)
  }
