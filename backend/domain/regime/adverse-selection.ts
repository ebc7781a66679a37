import type { EventType, Observability } from '../topics/event-type-rules.ts'
import { knownAtIndex, newestIndex } from '../prices/mark-series.ts'
import { signedPrints } from './signed-prints.ts'
import type { MarkedQuotes, PrintColumns, TakerSign } from './signed-prints.ts'
import { clamp, sumOf } from '../statistics/statistics.ts'
import { DAY, MINUTE, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

export interface AdverseSelectionParams {
  readonly window: Millis
  /** Delay after a trade at which its impact is measured. */
  readonly horizon: Millis
  readonly maxTrades: number
  readonly maxQuoteAge: Millis
  /** Impacts are capped at this many cents. */
  readonly maxImpact: number
  /** Minimum prints for a share. */
  readonly minPrints: number
  /** Weight of the prior, in prints. */
  readonly priorWeight: number
  readonly priors: Readonly<Record<EventType, number>>
  readonly priorShifts: Readonly<Record<Observability, number>>
  readonly priorBounds: readonly [min: number, max: number]
}
export const ADVERSE_SELECTION_PARAMS: AdverseSelectionParams = {
  window: (7 * DAY) as Millis,
  horizon: (5 * MINUTE) as Millis,
  maxTrades: 2_000,
  maxQuoteAge: MINUTE,
  maxImpact: 10,
  minPrints: 5,
  priorWeight: 50,
  priors: {
    data_release: 0.5,
    political: 0.5,
    financial: 0.6,
    sports: 0.45,
    weather: 0.4,
    cultural: 0.45,
    scientific: 0.4,
  },
  priorShifts: { none: 0, low: 0.1, medium: 0.05, high: 0, direct: 0.15 },
  priorBounds: [0.1, 0.9],
}

/** Cost of one print to its taker against the mark, and the later price move; cents. */
export interface PrintCost {
  readonly effectiveHalfSpread: number
  readonly impact: number
}

/** With the time of the print. */
export interface DatedPrintCost extends PrintCost {
  readonly ts: Millis
}

/** Score before any trade is measured, by the type of the event. */
export function adverseSelectionPrior(
  type: EventType,
  observability: Observability,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): number {
  const [min, max] = params.priorBounds
  const prior = params.priors[type] + params.priorShifts[observability]
  return roundTo(clamp(prior, min, max), 4)
}

/** A print with the mark before it, whose later price is not known yet. */
export interface OpenPrint {
  readonly ts: Millis
  readonly sign: TakerSign
  /** Cents. */
  readonly price: number
  readonly before: Cents
}

/**
 * Prints in (at − 7 d, at − 5 min], of the newest 2,000 trades, that have a mark before them.
 * @param trades without block trades
 */
export function openPrints(
  trades: PrintColumns,
  quotes: MarkedQuotes,
  at: Millis,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): OpenPrint[] {
  const to = newestIndex(trades.ts, at - params.horizon) + 1
  const windowStart = newestIndex(trades.ts, at - params.window) + 1
  const from = Math.max(windowStart, to - params.maxTrades)
  return signedPrints(trades, quotes, from, to, params.maxQuoteAge).flatMap((print) => {
    const previous = knownAtIndex(quotes.mark, print.quote)
    if (previous === null) return []
    const { ts, sign, price } = print
    return [{ ts: ts as Millis, sign, price, before: previous as Cents }]
  })
}

/**
 * Cost of a print: half-spread paid against the mark before, and impact up to the first mark five
 * minutes later that is known at `at` (Huang and Stoll 1996); null while there is none. Methodology
 * A11.
 * @param quotes those after the print; earlier ones may be left out
 */
export function costOfPrint(
  { ts, sign, price, before }: OpenPrint,
  quotes: MarkedQuotes,
  at: Millis,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): DatedPrintCost | null {
  const laterMark = markFrom(quotes, ts + params.horizon, at)
  if (laterMark === null) return null
  const signedMove = sign * (laterMark - before)
  return {
    ts,
    effectiveHalfSpread: sign * (price - before),
    impact: clamp(signedMove, -params.maxImpact, params.maxImpact),
  }
}

/**
 * Costs of the prints in (at − 7 d, at − 5 min], of the newest 2,000 trades. Prints without a mark
 * before or after are left out; nothing after `at` is read. Methodology A11.
 * @param trades without block trades
 */
export const printCosts = (
  trades: PrintColumns,
  quotes: MarkedQuotes,
  at: Millis,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): DatedPrintCost[] =>
  openPrints(trades, quotes, at, params).flatMap(
    (print) => costOfPrint(print, quotes, at, params) ?? [],
  )

/** The mark known at `from`, otherwise the first one after it up to `to`. */
function markFrom(quotes: MarkedQuotes, from: number, to: number): number | null {
  let index = newestIndex(quotes.ts, from)
  if (index < 0 || (quotes.confirmedUntil[index] ?? -Infinity) < from) index++
  for (; (quotes.ts[index] ?? Infinity) <= to; index++) {
    const mark = knownAtIndex(quotes.mark, index)
    if (mark !== null) return mark
  }
  return null
}

/** Whether so many measured prints give an alpha; fewer leave the prior. */
export const isMeasured = (
  prints: number,
  { minPrints }: Pick<AdverseSelectionParams, 'minPrints'> = ADVERSE_SELECTION_PARAMS,
): boolean => prints >= minPrints

export interface AdverseSelection {
  /** 0 to 1, 3 decimals: share of what takers pay that makers lose again. */
  readonly score: number
  readonly prior: number
  /** Number of measured prints. */
  readonly nTrades: number
  /** Measured share; null for fewer than five prints or when takers paid nothing. */
  readonly alpha: number | null
}

/**
 * Adverse-selection score: the measured share (a ratio of sums) shrunk towards the prior, which is
 * used alone when nothing can be measured. Methodology A11.
 */
export function adverseSelection(
  costs: readonly PrintCost[],
  prior: number,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): AdverseSelection {
  const nTrades = costs.length
  const spreadSum = sumOf(costs.map(({ effectiveHalfSpread }) => effectiveHalfSpread))
  const impactSum = sumOf(costs.map(({ impact }) => impact))
  // Sums of cents contain float noise, so less than a millionth of a cent counts as zero.
  const isKnown = isMeasured(nTrades, params) && spreadSum > 1e-6
  const alpha = isKnown ? clamp(impactSum / spreadSum, 0, 1) : null
  return { score: scoreOf(alpha, nTrades, prior, params), prior, nTrades, alpha }
}

/** The score from a stored number of prints and share; see `adverseSelection`. */
export function scoreOf(
  alpha: number | null,
  nTrades: number,
  prior: number,
  params: AdverseSelectionParams = ADVERSE_SELECTION_PARAMS,
): number {
  const { priorWeight } = params
  if (alpha === null) return roundTo(prior, 3)
  return roundTo((nTrades * alpha + priorWeight * prior) / (nTrades + priorWeight), 3)
}
