import { isPlanned, type Tick } from '../../../domain/portfolio/tick.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { EventOutbox } from '../../../state/event-outbox.ts'
import type { AccountService, AccountSummary } from '../account.service.ts'
import { centsOfMoney, dailyPnlCents } from '../intent-served.ts'
import { drawdownText, tickCompleted } from './portfolio-events.ts'
import { writeTick, type TicksStore } from './ticks.store.ts'

/** Ends ticks: the last phase. */
export function createTickSettlement(deps: {
  readonly ticks: Pick<TicksStore, 'put'>
  readonly account: Pick<AccountService, 'report'>
  readonly outbox: EventOutbox
  readonly clock: Clock
}) {
  const { ticks, account, outbox, clock } = deps

  return {
    /**
     * Writes figures, report and event with the end of a tick. The caller holds the user's
     * queue.
     */
    async settle(
      tick: Tick,
      end: {
        readonly status: 'completed' | 'failed' | 'interrupted'
        readonly startedAt: number | null
      },
    ): Promise<Tick> {
      const settling: Tick = { ...tick, phase: 'settle' }
      // A stop from here on ends an interrupted tick as interrupted, any other as it ends here.
      if (end.status !== 'interrupted') await ticks.put(settling)
      let endedTick = settling
      const now = clock.now()
      await account.report(settling.userId, {
        ...(settling.mode !== null && { mode: settling.mode }),
        finish(summary) {
          // A live tick that a restart without its exchange ends has no figures.
          const isOfTick = summary.figures.account.mode === settling.mode
          endedTick = {
            ...settling,
            ...(isOfTick && figuresOf(summary)),
            status: end.status,
            phase: 'done',
            haltTriggered: settling.haltTriggered || summary.isHalting,
            handoffNote: withModelNote(noteOf(settling, summary), settling),
            tickDurationMs:
              end.startedAt === null ? null : Math.round(clock.monotonic() - end.startedAt),
            finishedAt: now,
          }
          return {
            tick: endedTick,
            async write(transaction) {
              await writeTick(transaction, endedTick)
              if (end.status !== 'interrupted') {
                await outbox.publish(transaction, tickCompleted(endedTick, now))
              }
            },
          }
        },
      })
      return endedTick
    },
  }
}
export type TickSettlement = ReturnType<typeof createTickSettlement>

/** The account at the end of a tick. */
export const figuresOf = ({ figures, drawdownCents }: AccountSummary) => ({
  balanceCents: centsOfMoney(figures.balance),
  portfolioValueCents: centsOfMoney(figures.equity),
  exposureCents: centsOfMoney(figures.exposure),
  dailyPnlCents: dailyPnlCents(figures),
  drawdownCents,
  openPositionCount: figures.open.length,
})

const withModelNote = (note: string, { modelNote }: Tick): string =>
  modelNote === undefined ? note : `${note}. ${modelNote}`

/** A sentence for the next tick. */
function noteOf(
  { decisions, haltTriggered, executionMode, mode }: Tick,
  { figures, drawdownCents, isHalting }: AccountSummary,
): string {
  const orders = decisions.filter(isPlanned)
  const count = (outcome: string): number =>
    orders.filter((order) => order.outcome === outcome).length
  const filledCount = count('filled') + count('partial')
  const ordersText = `Orders: ${orders.length} decided, ${filledCount} filled, ${count('rejected_by_gate')} rejected by a risk limit`
  const isElsewhere = executionMode === 'live' && mode === 'paper'
  const waitingText = `${decisions.length - orders.length} held or waiting`
  const rest = isElsewhere
    ? `${waitingText}; on paper: live trading is not confirmed here`
    : waitingText
  const isHalted = haltTriggered || isHalting
  if (!isHalted) return `${ordersText}; ${rest}`
  const { maxDrawdownHaltCents: limit } = figures.portfolio.config
  // Prices may have recovered since the order after which it halted.
  const isOver = drawdownCents >= limit
  const haltReason = isOver ? drawdownText(drawdownCents, limit) : 'the drawdown reached its limit'
  return `${ordersText}; ${rest}; ${haltReason} and halted trading`
}
