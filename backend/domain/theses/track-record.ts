import { feePerContract, type FeeTerms } from '../fees.ts'
import type { Cents } from '../units.ts'

/** An edge of a thesis as it was found. */
export interface FoundEdge {
  /** Cents of YES. */
  readonly firstThesisPrice: number
  readonly firstMarketPrice: number
  /** Cost of its side then, cents; null without a quote. */
  readonly entryPrice: number | null
}

/** Result of an edge in a settled market. */
export interface EdgeScore {
  readonly direction: 'yes' | 'no'
  /** Squared errors, 0 to 1. */
  readonly thesisBrier: number
  readonly marketBrier: number
  /** Its side held to settlement after the taker fee, percent; null without an entry price. */
  readonly returnPct: number | null
  /** YES bought at the market price and held, percent; null for a price of 0. */
  readonly benchmarkPct: number | null
}

export interface TrackRecordFigures {
  readonly closedEdges: number
  readonly winRate: number | null
  readonly avgReturnPct: number | null
  readonly benchmarkPct: number | null
  readonly brier: number | null
  readonly marketBrier: number | null
}

const squaredError = (price: number, settlement: number): number =>
  ((price - settlement) / 100) ** 2

/** The side that a thesis takes in a market. */
export const sideOf = ({
  firstThesisPrice,
  firstMarketPrice,
}: Pick<FoundEdge, 'firstThesisPrice' | 'firstMarketPrice'>): 'yes' | 'no' =>
  firstThesisPrice >= firstMarketPrice ? 'yes' : 'no'

/**
 * Scores an edge when its market settles: the Brier scores of thesis and market at the time the
 * edge was found (methodology G2), and the return of its side after the fee beside YES held.
 * @param settlement cents that YES paid
 */
export function scoreOf(edge: FoundEdge, settlement: number, fees: FeeTerms): EdgeScore {
  const { firstThesisPrice, firstMarketPrice, entryPrice } = edge
  const direction = sideOf(edge)
  const payout = direction === 'yes' ? settlement : 100 - settlement
  const cost = entryPrice === null ? null : entryPrice + feePerContract(fees, entryPrice as Cents)
  return {
    direction,
    thesisBrier: squaredError(firstThesisPrice, settlement),
    marketBrier: squaredError(firstMarketPrice, settlement),
    returnPct: cost === null || cost <= 0 ? null : (100 * (payout - cost)) / cost,
    benchmarkPct:
      firstMarketPrice <= 0 ? null : (100 * (settlement - firstMarketPrice)) / firstMarketPrice,
  }
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** The figures of scored edges; null without any. */
export function trackRecordOf(scores: readonly EdgeScore[]): TrackRecordFigures {
  const returns = scores.flatMap(({ returnPct }) => returnPct ?? [])
  return {
    closedEdges: scores.length,
    winRate: meanOf(returns.map((returnPct) => (returnPct > 0 ? 1 : 0))),
    avgReturnPct: meanOf(returns),
    benchmarkPct: meanOf(scores.flatMap(({ benchmarkPct }) => benchmarkPct ?? [])),
    brier: meanOf(scores.map(({ thesisBrier }) => thesisBrier)),
    marketBrier: meanOf(scores.map(({ marketBrier }) => marketBrier)),
  }
}
