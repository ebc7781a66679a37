import type { Ticker } from '../domain/market.ts'
import type { RegimeLabel } from '../domain/regime/label.ts'
import { passesRegimeFilter, REGIME_SCAN_PARAMS, REGIME_SORT_KEYS } from '../domain/regime/scan.ts'
import type {
  RegimeFilter,
  RegimeScanParams,
  RegimeScanRow,
  RegimeSort,
} from '../domain/regime/scan.ts'

export interface RegimeScan<Row> {
  readonly rows: readonly Row[]
  /** Counts of everything that passes the filter, for any label. */
  readonly byLabel: Readonly<Record<RegimeLabel, number>>
}

/**
 * Markets by regime: filtered and sorted, ties by ticker, unknown quantities last in both
 * directions. Methodology part M.
 */
export function scanRegimes<Row extends RegimeScanRow>(
  rows: Iterable<Row>,
  filter: RegimeFilter = {},
  sort: RegimeSort = 'score',
  order: 'asc' | 'desc' = 'desc',
  params: RegimeScanParams = REGIME_SCAN_PARAMS,
): RegimeScan<Row> {
  const byLabel = { maker: 0, taker: 0, neutral: 0, unknown: 0 }
  const selected: Row[] = []
  for (const row of rows) {
    if (!passesRegimeFilter(row, filter, params)) continue
    byLabel[row.label]++
    if ((filter.label ?? row.label) === row.label) selected.push(row)
  }
  const keyOf = REGIME_SORT_KEYS[sort]
  const sign = order === 'asc' ? 1 : -1
  selected.sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byTicker(a, b)
    return sign * (x - y) || byTicker(a, b)
  })
  return { rows: selected, byLabel }
}

const byTicker = (a: { readonly ticker: Ticker }, b: { readonly ticker: Ticker }): number =>
  a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0
