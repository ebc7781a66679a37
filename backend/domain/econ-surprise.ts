import { sampleSd } from './statistics/statistics.ts'

export interface EconSurpriseParams {
  /** Minimum past surprises for their deviation. */
  readonly minPast: number
}
export const ECON_SURPRISE_PARAMS: EconSurpriseParams = { minPast: 8 }

/** A first-release figure and its expectation before the release. */
export interface EconRelease {
  /** First-release vintage; null before the release. */
  readonly actual: number | null
  /** Consensus of forecasters; null when there is none. */
  readonly consensus: number | null
  /** Mean that the ladder of markets implied before the release (`ladderDistribution`). */
  readonly impliedMean: number | null
}

export interface EconSurprise {
  /** In standard deviations of past surprises; positive means more than expected. */
  readonly surprise: number | null
  /** The expected value. */
  readonly expected: number | null
  readonly basis: 'consensus' | 'market' | null
}

/**
 * Surprise of a release: actual minus consensus (or the markets' mean without a consensus), divided
 * by the sample deviation of past surprises. Null before the release, without an expectation, with
 * fewer than eight past surprises, or when they have no variance. Methodology part M.
 * @param pastValues earlier surprises in the figure's own unit; unknown ones are left out
 */
export function econSurprise(
  release: EconRelease,
  pastValues: readonly (number | null)[],
  params: EconSurpriseParams = ECON_SURPRISE_PARAMS,
): EconSurprise {
  const { actual, consensus, impliedMean } = release
  const expectedValue = consensus ?? impliedMean
  const basis = consensus !== null ? 'consensus' : impliedMean !== null ? 'market' : null
  const present = pastValues.filter((surprise) => surprise !== null)
  const sd = present.length < params.minPast ? null : sampleSd(present)
  const isKnown = actual !== null && expectedValue !== null && sd !== null && sd > 0
  return {
    surprise: isKnown ? (actual - expectedValue) / sd : null,
    expected: expectedValue,
    basis,
  }
}
