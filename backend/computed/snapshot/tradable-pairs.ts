import type { TradingPair } from '../../domain/portfolio/decisions/decision-parts.ts'
import type { ContextSnapshot } from './context-snapshot.ts'

/** Pairs of a snapshot that may be traded as one question; none before the first snapshot. */
export const tradablePairs = (snapshot: ContextSnapshot | null): readonly TradingPair[] =>
  [...(snapshot?.crossVenue.values() ?? [])]
    .filter(({ isTradable }) => isTradable)
    .map(({ pair: { id, a, b, inverted, confidence } }) => {
      return { id, a, b, inverted, confidence }
    })
