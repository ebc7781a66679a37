import { hash } from 'node:crypto'
import { announcedEndOf } from '../domain/announced-end.ts'
import type { MarketFacts } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { AnnouncedEnd } from '../venues/connector.ts'

/** A version of a market's facts and the time from which it is known. */
export interface Version {
  readonly knownAt: Millis
  readonly facts: MarketFacts
}

const isOver = (facts: MarketFacts): boolean =>
  facts.status === 'closed' || facts.status === 'resolving' || facts.status === 'settled'

/**
 * The versions to store when a market is described for the first time. The market was listed
 * before the collector started, so its life is reconstructed as a reader could have known it:
 * listed at `openTime`, closed at `closeTime`, ended at `statedAt`, each plus the venue's delay
 * (methodology 0.1). Nothing is known before it happened: earlier versions hold no result, and the
 * close that was announced, not an early one.
 * Versions are ascending; the last one always holds the facts as stated.
 * @param statedAt when the venue's statement became true (its settlement or update time)
 * @param receivedAt when it was read
 * @param delay the venue's delay
 * @param announced close and expected result as announced before the end
 */
export function firstVersions(
  facts: MarketFacts,
  statedAt: Millis,
  receivedAt: Millis,
  delay: Millis,
  announced: AnnouncedEnd = announcedEndOf(facts),
): Version[] {
  if (facts.status === 'upcoming' || facts.openTime === null)
    return [{ knownAt: receivedAt, facts }]
  const openedAt = (facts.openTime + delay) as Millis
  if (openedAt >= receivedAt) return [{ knownAt: receivedAt, facts }]
  if (!isOver(facts)) return [{ knownAt: openedAt, facts }]
  const { expirationTime } = announced
  const undecidedFacts = { ...facts, expirationTime, result: null, settlementPrice: null }
  const versions: Version[] = [
    { knownAt: openedAt, facts: { ...undecidedFacts, ...announced, status: 'active' } },
  ]
  const effectiveCloseTime = facts.closeTime === null ? null : ((facts.closeTime + delay) as Millis)
  // A close is observable when it happens; any later state only when the venue states it.
  const effectiveAt =
    facts.status === 'closed' && effectiveCloseTime !== null ? effectiveCloseTime : statedAt + delay
  const endedAt = Math.min(receivedAt, Math.max(effectiveAt, openedAt + 1)) as Millis
  if (
    facts.status !== 'closed' &&
    effectiveCloseTime !== null &&
    effectiveCloseTime > openedAt &&
    effectiveCloseTime < endedAt
  ) {
    versions.push({ knownAt: effectiveCloseTime, facts: { ...undecidedFacts, status: 'closed' } })
  }
  versions.push({ knownAt: endedAt, facts })
  return versions
}

/**
 * Digest that is equal when two statements hold the same facts. One is held for each market ever
 * described, so it must be short.
 */
export const fingerprintOf = (facts: MarketFacts): string =>
  hash('sha256', JSON.stringify(Object.entries(facts).sort(byName)), 'base64url')

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0
