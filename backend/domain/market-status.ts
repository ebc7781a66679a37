import type { MarketFacts, MarketStatus } from './market.ts'
import type { Millis } from './units.ts'

type StatusFacts = Pick<MarketFacts, 'venue' | 'status' | 'openTime' | 'closeTime'>

/**
 * Status of a market at `at`: what the venue last said, moved on by its own timetable. venue_a opens
 * and closes by time without saying so; venue_b trades past its end date until it says otherwise.
 */
export function statusAt(facts: StatusFacts, at: Millis): MarketStatus {
  const { venue, status, openTime, closeTime } = facts
  if (venue !== 'venue_a') return status
  const opened = status === 'upcoming' && openTime !== null && at >= openTime ? 'active' : status
  const trades = opened === 'active' || opened === 'paused'
  return trades && closeTime !== null && at >= closeTime ? 'closed' : opened
}

/** Whether a market trades and has not reached its close time at `at` (methodology 0.7). */
export const isLive = (facts: StatusFacts, at: Millis): boolean =>
  statusAt(facts, at) === 'active' && (facts.closeTime === null || at < facts.closeTime)
