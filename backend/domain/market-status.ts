import type { MarketFacts, MarketStatus } from './market.ts'
import type { Millis } from './units.ts'
import { descriptorOf } from './venue.ts'

type StatusFacts = Pick<MarketFacts, 'venue' | 'status' | 'openTime' | 'closeTime'>

/**
 * Status of a market at `at`: the venue's last statement, and on venues that follow their timetable
 * (`VenueDescriptor.followsTimetable`) the open and close times that have passed since.
 */
export function statusAt(facts: StatusFacts, at: Millis): MarketStatus {
  const { venue, status, openTime, closeTime } = facts
  if (!descriptorOf(venue).followsTimetable) return status
  const scheduledStatus =
    status === 'upcoming' && openTime !== null && at >= openTime ? 'active' : status
  const isTrading = scheduledStatus === 'active' || scheduledStatus === 'paused'
  return isTrading && closeTime !== null && at >= closeTime ? 'closed' : scheduledStatus
}

/** Whether a market trades and has not reached its close time at `at` (methodology 0.7). */
export const isLive = (facts: StatusFacts, at: Millis): boolean =>
  statusAt(facts, at) === 'active' && (facts.closeTime === null || at < facts.closeTime)
