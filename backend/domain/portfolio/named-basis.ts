import type { Side, Ticker } from '../market.ts'
import type { Millis } from '../units.ts'

/** A side of a market that a thesis or one of its strategies names, and the time it did so. */
export interface NamedSide {
  readonly thesisId: string
  readonly strategyId: string | null
  readonly ticker: Ticker
  readonly direction: Side
  readonly from: Millis
  /** Null while it is in effect. */
  readonly until: Millis | null
}

export interface Basis {
  readonly thesisId: string
  readonly strategyId: string | null
}

/**
 * The only thesis that named a side of a market at an instant, with its strategy if only one did;
 * null when none or several did (methodology J4).
 */
export function onlyBasis(
  namedSides: readonly NamedSide[],
  fill: { readonly ticker: Ticker; readonly direction: Side; readonly at: Millis },
): Basis | null {
  const matches = namedSides.filter(
    ({ ticker, direction, from, until }) =>
      ticker === fill.ticker &&
      direction === fill.direction &&
      from <= fill.at &&
      (until === null || fill.at < until),
  )
  const [first] = matches
  if (first === undefined) return null
  const { thesisId } = first
  if (matches.some((match) => match.thesisId !== thesisId)) return null
  const strategies = matches.flatMap(({ strategyId }) => (strategyId === null ? [] : [strategyId]))
  const [strategyId = null] = strategies
  return { thesisId, strategyId: strategies.length === 1 ? strategyId : null }
}
