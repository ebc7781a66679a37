import { normalizedMarks } from './indicators.ts'
import type { MarketResult, Ticker } from './market.ts'
import type { Cents } from './units.ts'

/** One outcome of an exclusive event: a market of its own. */
export interface EventOutcome {
  readonly ticker: Ticker
  readonly mark: Cents | null
}

export interface OutcomeShare<Outcome> {
  readonly outcome: Outcome
  /** Normalised chance in percent, for display only; null when the event cannot be normalised. */
  readonly share: number | null
}

/** The outcome with the highest mark, equal ones by ticker; null when no mark is known. */
export function leaderOf<Outcome extends EventOutcome>(
  outcomes: Iterable<Outcome>,
): Outcome | null {
  let leader: Outcome | null = null
  for (const outcome of outcomes) {
    if (outcome.mark === null) continue
    const lead = leader?.mark ?? -1
    const isAhead =
      outcome.mark > lead ||
      (outcome.mark === lead && leader !== null && outcome.ticker < leader.ticker)
    if (leader === null || isAhead) leader = outcome
  }
  return leader
}

/**
 * Outcomes of an exclusive event with their normalised chances, highest mark first, unknown ones
 * last, equal ones by ticker. Methodology A17.
 */
export function outcomeShares<Outcome extends EventOutcome>(
  outcomes: readonly Outcome[],
  noneIsPossible: boolean,
): OutcomeShare<Outcome>[] {
  const shares = normalizedMarks(
    outcomes.map(({ mark }) => mark),
    noneIsPossible,
  )
  return outcomes
    .map((outcome, i) => ({ outcome, share: shares?.[i] ?? null }))
    .sort(
      ({ outcome: a }, { outcome: b }) =>
        (b.mark ?? -1) - (a.mark ?? -1) || (a.ticker < b.ticker ? -1 : 1),
    )
}

/** What a result counts for in forecasts: 1, 0, or null (unknown, void, scalar or split). */
export function binaryOutcome(result: MarketResult | null): 0 | 1 | null {
  if (result === 'yes') return 1
  return result === 'no' ? 0 : null
}
