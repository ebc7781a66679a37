import type { MarketFacts } from './market.ts'
import { MINUTE, SECOND, type Millis } from './units.ts'

type End = Pick<MarketFacts, 'closeTime' | 'expirationTime'>

/** Venues announce closes on five minutes, or a minute or a second before. */
const SCHEDULE = 5 * MINUTE
const isScheduled = (time: Millis): boolean =>
  [0, MINUTE, SECOND].some((offset) => (time + offset) % SCHEDULE === 0)

/**
 * Close and expected result of a market as they were known before it ended, from what is stated of
 * it afterwards. A close at an unscheduled time is an early one, which nobody knew: the earliest
 * announced expiration after it takes its place, null when there is none (methodology 0.1).
 * @param expirations stated times of the result
 */
export function announcedEndOf(
  { closeTime, expirationTime }: End,
  expirations: readonly Millis[] = expirationTime === null ? [] : [expirationTime],
): End {
  if (closeTime === null || isScheduled(closeTime)) return { closeTime, expirationTime }
  const laterTimes = expirations.filter((time) => time >= closeTime)
  return {
    closeTime: laterTimes.length === 0 ? null : (Math.min(...laterTimes) as Millis),
    expirationTime,
  }
}
