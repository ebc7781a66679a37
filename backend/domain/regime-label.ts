import { HOUR, roundTo } from './units.ts'
import type { Cents, Millis } from './units.ts'

export const REGIME_LABELS = ['maker', 'taker', 'neutral'] as const
/** Who is paid by crossing: quoting pays (`maker`), taking pays (`taker`), or neither clearly. */
export type RegimeLabel = (typeof REGIME_LABELS)[number]

export interface RegimeParams {
  readonly makerCut: number
  readonly takerCut: number
  /** How far beyond a cut the score must be for the label to change. */
  readonly margin: number
  /** Spreads, cents, and depths of the thinner side, dollars, that speak for an effect. */
  readonly makerSpread: number
  readonly takerSpread: number
  readonly makerDepth: number
  readonly takerDepth: number
  /** Size of a thesis edge, cents, from which takers are expected. */
  readonly takerEdge: number
  /** Least time between rows of the regime history. */
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
export function labelByCuts(score: number, params: RegimeParams = REGIME_PARAMS): RegimeLabel {
  if (score <= params.makerCut) return 'maker'
  return score >= params.takerCut ? 'taker' : 'neutral'
}

/**
 * Label of a score after `previous` (null: the first one, by the cuts alone): it changes only when
 * the score lies the margin beyond a cut. Methodology A11.
 */
export function regimeLabel(
  score: number,
  previous: RegimeLabel | null,
  params: RegimeParams = REGIME_PARAMS,
): RegimeLabel {
  if (previous === null) return labelByCuts(score, params)
  const { makerCut, takerCut, margin } = params
  const maker = roundTo(makerCut + (previous === 'maker' ? margin : -margin), 6)
  const taker = roundTo(takerCut + (previous === 'taker' ? -margin : margin), 6)
  if (previous === 'maker' ? score < maker : score <= maker) return 'maker'
  return (previous === 'taker' ? score > taker : score >= taker) ? 'taker' : 'neutral'
}

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

/** Whether a row is news after the last stored one: another score, label or spread, an hour later. */
export const isRegimeNews = (
  row: RegimeRow,
  last: RegimeRow | null,
  params: RegimeParams = REGIME_PARAMS,
): boolean =>
  last === null ||
  (row.at - last.at >= params.historyStep &&
    (row.score !== last.score || row.label !== last.label || row.spreadCents !== last.spreadCents))

/** Rows of the regime history out of grid rows ascending by time; methodology part M. */
export function regimeHistory(
  rows: Iterable<RegimeRow>,
  params: RegimeParams = REGIME_PARAMS,
): RegimeRow[] {
  const kept: RegimeRow[] = []
  for (const row of rows) if (isRegimeNews(row, kept.at(-1) ?? null, params)) kept.push(row)
  return kept
}
