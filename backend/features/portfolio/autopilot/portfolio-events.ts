import type { HaltTriggered, TickCompleted } from '../../../contract/orders/webhook-events.ts'
import { isPlanned, type Tick } from '../../../domain/portfolio/tick.ts'
import type { Millis } from '../../../domain/units.ts'
import type { OutgoingEvent } from '../../../domain/webhooks/payload.ts'
import { isoOf } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { PortfolioRecord } from '../portfolio.store.ts'

const eventFields = (userId: string, now: Millis) => ({
  id: newId('evt', now),
  userId,
  createdAt: now,
  ruleId: null,
  ticker: null,
})

/** The event of a tick that ended, or was skipped by a halt. */
export function tickCompleted(tick: Tick, now: Millis): OutgoingEvent {
  const { id, userId, tickAt, status, trigger, executionMode, mode } = tick
  const orders = tick.decisions.filter(isPlanned)
  const filledCount = orders.filter(({ filledQuantity }) => filledQuantity > 0).length
  const data: TickCompleted = {
    tickId: id,
    tickAt: isoOf(tickAt),
    status,
    trigger,
    executionMode,
    mode,
    actionsCount: tick.decisions.filter(({ kind }) => kind !== 'hold').length,
    balanceCents: tick.balanceCents,
    exposureCents: tick.exposureCents,
    tickDurationMs: tick.tickDurationMs,
  }
  const reason = tick.skipReason ?? tick.error
  const message = `Autopilot tick ${status}${reason === null ? '' : ` (${reason})`}: ${filledCount} of ${orders.length} orders filled`
  return { ...eventFields(userId, now), type: 'portfolio.tick_completed', data, message }
}

/** The event of a halt by drawdown. */
export function haltTriggered(
  userId: string,
  halt: Omit<HaltTriggered, 'newExecutionMode' | 'haltedAt'>,
  now: Millis,
): OutgoingEvent {
  const data: HaltTriggered = { ...halt, newExecutionMode: 'halted', haltedAt: isoOf(now) }
  const message = `Trading is halted: ${drawdownText(halt.drawdownCents, halt.haltCapCents)}`
  return { ...eventFields(userId, now), type: 'portfolio.halt_triggered', data, message }
}

export const drawdownText = (drawdownCents: number, limitCents: number): string =>
  `the drawdown of ${dollars(drawdownCents)} reached the limit of ${dollars(limitCents)}`

/** Why a tick is skipped while trading is halted. */
export function haltNote(portfolio: PortfolioRecord): string {
  const { haltedAt, haltReason, config, live } = portfolio
  const since =
    haltedAt === null ? '' : ` since ${isoOf(haltedAt).slice(0, 16).replace('T', ' ')} UTC`
  if (haltReason !== 'drawdown') return `Trading is halted${since}, until you resume it`
  const accounts = [portfolio, ...live]
  const max = Math.max(...accounts.map(({ maxDrawdownCents }) => maxDrawdownCents))
  const { maxDrawdownHaltCents: limit } = config
  // The limit may have been raised since.
  const limitText = max >= limit ? `the limit of ${dollars(limit)}` : 'its limit'
  return `Trading is halted${since}, because the drawdown reached ${limitText}`
}

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
