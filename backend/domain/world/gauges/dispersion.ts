import type { ParamsOf } from '../../params.ts'
import { medianOf, quantileOf } from '../../statistics/statistics.ts'
import { roundTo } from '../../units.ts'
import type { Venue } from '../../market.ts'
import { largest } from '../top-rows.ts'
import { inspectUrlOf, type Addresses } from '../links.ts'
import { bodyOf, eventKey } from '../salient/market-candidates.ts'
import { topicLabel } from '../regions/region.ts'
import type { PairedMarket } from '../salient/consensus.ts'
import type { WorldMarket } from '../world-market.ts'
import { impliedPrices } from './implied-prices.ts'

export const DISPERSION_PARAMS = {
  minMarks: 2,
  tight: 10,
  split: 25,
  /** Standard deviation at which the agreement of a group is zero. */
  none: 50,
  outlierCents: 10,
  outlierDeviations: 1.5,
  outliers: 3,
} as const
type Params = ParamsOf<typeof DISPERSION_PARAMS>

export interface DispersionGroup {
  readonly key: string
  readonly label: string
  readonly kind: 'event' | 'topic'
  readonly marketCount: number
  /**
   * Values that `stdev` and the outliers are computed from: deviations from the prices that the
   * markets imply for each other, or, where they imply none, from the mean and median of the marks.
   */
  readonly basis: 'implied' | 'marks'
  readonly mean: number
  readonly median: number
  readonly stdev: number
  readonly min: number
  readonly max: number
  readonly consensus: 'tight' | 'mixed' | 'split'
  readonly outliers: readonly {
    readonly ticker: string
    readonly venue: Venue
    readonly title: string
    readonly price: number | null
    readonly url: string
    readonly deviation: number
  }[]
}

export interface Dispersion {
  /** 0 to 1; null without a group. */
  readonly agreement: number | null
  readonly median: number | null
  readonly iqr: number | null
  readonly marketCount: number
  readonly groups: readonly DispersionGroup[]
}

interface MarkedMarket {
  readonly market: WorldMarket
  readonly mark: number
  readonly volume: number
  /** Mark minus the price that other markets imply, cents; null when they imply none. */
  readonly deviation: number | null
}

/**
 * Mean and population deviation of marks weighted by dollars traded; equal weights when nothing
 * was traded.
 */
export function weightedSpread(
  marks: readonly { readonly mark: number; readonly volume: number }[],
): { readonly mean: number; readonly stdev: number; readonly volume: number } {
  const volume = marks.reduce((sum, row) => sum + row.volume, 0)
  const weightOf = (row: { readonly volume: number }) => (volume === 0 ? 1 : row.volume)
  const total = volume === 0 ? marks.length : volume
  const mean = marks.reduce((sum, row) => sum + weightOf(row) * row.mark, 0) / total
  const variance =
    marks.reduce((sum, row) => sum + weightOf(row) * (row.mark - mean) ** 2, 0) / total
  return { mean, stdev: Math.sqrt(variance), volume }
}

/**
 * Disagreement of the markets of a region, by its events and the topics below it. Outcomes, ladders
 * and counterparts on two venues are compared with the prices that they imply for each other,
 * because their prices differ by nature; markets of one event without such a relation with each
 * other: marks 40, 50, 70 traded for 5000, 3000, 2000 dollars have mean 49, stdev 11.36, agreement
 * .7728. A topic has only markets of the first kind. Methodology C8.
 * @param topics keys of the topics below the region
 * @param pairs the best counterpart of each paired market
 */
export function dispersionOf(
  markets: readonly WorldMarket[],
  topics: readonly string[],
  limit: number,
  addresses: Pick<Addresses, 'baseUrl'>,
  pairs: ReadonlyMap<string, PairedMarket> = new Map(),
  params: Params = DISPERSION_PARAMS,
): Dispersion {
  const impliedByTicker = impliedPrices(markets, pairs)
  const markedMarkets = markets.flatMap((market): MarkedMarket[] => {
    const { mark, ticker, volume24hUsd } = market
    if (mark === null) return []
    const impliedPrice = impliedByTicker.get(ticker)
    const deviation = impliedPrice === undefined ? null : mark - impliedPrice
    return [{ market, mark, volume: volume24hUsd ?? 0, deviation }]
  })
  const groupedRows = [
    ...[...Map.groupBy(markedMarkets, ({ market }) => eventKey(market)).values()].flatMap(
      (rows) => {
        const market = rows[0]?.market
        if (market === undefined) return []
        return [
          {
            kind: 'event' as const,
            key: market.eventId,
            label: market.eventTitle ?? market.title,
            rows,
          },
        ]
      },
    ),
    ...topics.map((key) => ({
      kind: 'topic' as const,
      key,
      label: topicLabel(key),
      rows: markedMarkets.filter(
        ({ market, deviation }) => deviation !== null && market.topics.includes(key),
      ),
    })),
  ].filter(({ rows }) => rows.length >= params.minMarks)
  const groups = groupedRows.map((group) => ({ group, spread: disagreementOf(group.rows) }))
  const marks = markedMarkets.map(({ mark }) => mark)
  const [low, high] = [quantileOf(marks, 0.25), quantileOf(marks, 0.75)]
  const median = medianOf(marks)
  return {
    agreement: agreementOf(
      groups.map(({ spread }) => spread),
      params,
    ),
    median: median === null ? null : roundTo(median, 2),
    iqr: low === null || high === null ? null : roundTo(high - low, 2),
    marketCount: markets.length,
    groups: largest(
      groups,
      limit,
      ({ spread }) => roundTo(spread.stdev, 2),
      ({ group }) => `${group.key}|${group.kind}`,
    ).map(({ group, spread }) => {
      const { rows, ...groupFields } = group
      return { ...groupFields, ...describeSpread(rows, spread, addresses, params) }
    }),
  }
}

interface Spread extends ReturnType<typeof weightedSpread> {
  readonly basis: DispersionGroup['basis']
}

/** Spread of the deviations from the implied prices, or of the marks where there are none. */
function disagreementOf(rows: readonly MarkedMarket[]): Spread {
  const marks = weightedSpread(rows)
  const comparedRows = rows.flatMap(({ deviation, volume }) =>
    deviation === null ? [] : [{ mark: deviation, volume }],
  )
  if (comparedRows.length < DISPERSION_PARAMS.minMarks) return { ...marks, basis: 'marks' }
  const { mean, stdev } = weightedSpread(comparedRows)
  return { ...marks, stdev: Math.hypot(mean, stdev), basis: 'implied' }
}

function agreementOf(spreads: readonly Spread[], params: Params): number | null {
  if (spreads.length === 0) return null
  const { mean } = weightedSpread(
    spreads.map(({ stdev, volume }) => ({ mark: Math.min(1, stdev / params.none), volume })),
  )
  return roundTo(1 - mean, 4)
}

function describeSpread(
  rows: readonly MarkedMarket[],
  { mean, stdev, basis }: Spread,
  addresses: Pick<Addresses, 'baseUrl'>,
  params: Params,
): Omit<DispersionGroup, 'key' | 'label' | 'kind'> {
  const marks = Float64Array.from(rows, ({ mark }) => mark).sort()
  const median = medianOf([...marks]) ?? mean
  const minDistance = Math.max(params.outlierCents, params.outlierDeviations * stdev)
  const distanceOf = ({ mark, deviation }: MarkedMarket): number =>
    basis === 'marks' ? mark - median : (deviation ?? 0)
  const outliers = largest(
    rows,
    params.outliers,
    (row) => (Math.abs(distanceOf(row)) >= minDistance ? Math.abs(distanceOf(row)) : null),
    ({ market }) => market.ticker,
  ).map((row) => ({
    ...bodyOf(row.market),
    url: inspectUrlOf(addresses, row.market.ticker),
    deviation: roundTo(distanceOf(row), 2),
  }))
  return {
    marketCount: rows.length,
    basis,
    mean: roundTo(mean, 2),
    median: roundTo(median, 2),
    stdev: roundTo(stdev, 2),
    min: roundTo(marks[0] ?? mean, 2),
    max: roundTo(marks.at(-1) ?? mean, 2),
    consensus: stdev <= params.tight ? 'tight' : stdev >= params.split ? 'split' : 'mixed',
    outliers,
  }
}
