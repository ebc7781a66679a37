import { isMeasured } from './adverse-selection.ts'
import { HOUR, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Which side of a trade profits: quoting (`maker`), taking (`taker`), or neither clearly. */
export const REGIME_SIDES = ['maker', 'taker', 'neutral'] as const
export type RegimeSide = (typeof REGIME_SIDES)[number]

/** The side of a market; unknown for one without measured trades. */
export const REGIME_LABELS = [...REGIME_SIDES, 'unknown'] as const
export type RegimeLabel = (typeof REGIME_LABELS)[number]

export interface RegimeParams {
  readonly makerCut: number
  readonly takerCut: number
  /** Distance beyond a cut that the score needs for the label to change. */
  readonly margin: number
  /** Spreads, cents, and depths of the thinner side, dollars, that indicate an effect. */
  readonly makerSpread: number
  readonly takerSpread: number
  readonly makerDepth: number
  readonly takerDepth: number
  /** Thesis edge, cents, from which takers are expected. */
  readonly takerEdge: number
  /** Minimum time between rows of the regime history. */
  readonly historyStep: Millis
}
export const REGIME_PARAMS: RegimeParams = {
  makerCut: 0.35,
  takerCut: 0.65,
  margin: 0.02,
  makerSpread: 4,
  takerSpread: 1,
  makerDepth: 200,
  takerDepth: 1_000,
  takerEdge: 5,
  historyStep: HOUR,
}

/** Label of a score by the cuts alone; also the effect of `alpha` and of the prior. */
export function labelByCuts(score: number, params: RegimeParams = REGIME_PARAMS): RegimeSide {
  if (score <= params.makerCut) return 'maker'
  return score >= params.takerCut ? 'taker' : 'neutral'
}

/**
 * Label of a score after `previous` (null: by the cuts alone): it changes only when
 * the score is beyond a cut by the margin. Methodology A11.
 */
export function regimeLabel(
  score: number,
  previous: RegimeSide | null,
  params: RegimeParams = REGIME_PARAMS,
): RegimeSide {
  if (previous === null) return labelByCuts(score, params)
  const { makerCut, takerCut, margin } = params
  const maker = roundTo(makerCut + (previous === 'maker' ? margin : -margin), 6)
  const taker = roundTo(takerCut + (previous === 'taker' ? -margin : margin), 6)
  if (previous === 'maker' ? score < maker : score <= maker) return 'maker'
  return (previous === 'taker' ? score > taker : score >= taker) ? 'taker' : 'neutral'
}

/**
 * Score and label as served: with fewer measured trades than an alpha needs the score is the prior,
 * which does not describe this market.
 */
export const measuredRegime = (
  regime: { readonly score: number | null; readonly label: RegimeSide },
  trades: number,
): { readonly score: number | null; readonly label: RegimeLabel } =>
  isMeasured(trades)
    ? { score: regime.score, label: regime.label }
    : { score: null, label: 'unknown' }

/** One row of a market's regime history. */
export interface RegimeRow {
  readonly at: Millis
  readonly score: number | null
  readonly label: RegimeLabel
  readonly spreadCents: Cents | null
  readonly bidDepthUsd: number | null
  readonly askDepthUsd: number | null
  readonly volume24h: number | null
}

/**
 * Whether a row differs from the last stored one: another score, label or spread, at least an hour
 * later.
 */
export const isRegimeChange = (
  row: RegimeRow,
  last: RegimeRow | null,
  params: RegimeParams = REGIME_PARAMS,
): boolean =>
  last === null ||
  (row.at - last.at >= params.historyStep &&
    (row.score !== last.score || row.label !== last.label || row.spreadCents !== last.spreadCents))

/** Rows of the regime history from quarter-hour rows ascending by time; methodology part M. */
export function regimeHistory(
  rows: Iterable<RegimeRow>,
  params: RegimeParams = REGIME_PARAMS,
): RegimeRow[] {
  const selectedRows: RegimeRow[] = []
  for (const row of rows)
    if (isRegimeChange(row, selectedRows.at(-1) ?? null, params)) selectedRows.push(row)
  return selectedRows
}
