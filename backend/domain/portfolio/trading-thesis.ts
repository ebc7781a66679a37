import type { Side, Ticker } from '../market.ts'
import type { ThesisStrategy } from '../theses/holdings.ts'
import type { ThesisStatus } from '../theses/status.ts'
import type { ThesisSupport } from './risk-gates.ts'

/**
 * Expected profit of a contract of each side by the thesis, after crossing the book and the fee,
 * cents.
 */
export interface TradingEdge {
  readonly ticker: Ticker
  /** Null without a price or a book to buy from. */
  readonly yes: number | null
  readonly no: number | null
  readonly rationale: string
}

/** A user's thesis as trading reads it. */
export interface TradingThesis {
  readonly id: string
  readonly title: string
  readonly status: ThesisStatus
  readonly confidence: number | null
  /** Highest priority first. */
  readonly strategies: readonly ThesisStrategy[]
  /** Of the markets that may still trade. */
  readonly edges: readonly TradingEdge[]
}

/** The view of a thesis on a side of a market; null without a thesis. */
export function supportOf(
  thesis: TradingThesis | undefined,
  ticker: Ticker,
  side: Side,
): ThesisSupport | null {
  if (thesis === undefined) return null
  const edge = thesis.edges.find((candidate) => candidate.ticker === ticker)
  const edgeCents = edge?.[side] ?? null
  const unknown =
    edge === undefined
      ? 'the thesis has no edge in this market'
      : 'the edge has no price: the market has no usable book'
  return { edgeCents, edgeNote: edgeCents === null ? unknown : null, confidence: thesis.confidence }
}
