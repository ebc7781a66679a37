import type { AttributionRow } from '../../../backend/contract/orders/attribution.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatNumber } from '../../lib/format.ts'
import type { MapTile } from '../parts/map-tile.ts'
import { axisDollars } from './account-curves.ts'
import { attributionName, profit, toneOf } from './portfolio-labels.ts'

/** Strongest colour of a tile, percent. */
const MAX_INTENSITY = 30

type Tile = Omit<MapTile, 'id' | 'onopen'> & { readonly row: AttributionRow }

/** Tiles of rows: the area is the size of the profit or loss, the colour its sign and size. */
export function attributionTiles(rows: readonly AttributionRow[]): readonly Tile[] {
  const bySize = rows.toSorted((a, b) => Math.abs(b.pnlCents) - Math.abs(a.pnlCents))
  const largest = Math.abs(bySize[0]?.pnlCents ?? 0)
  return bySize.map((row) => {
    const { pnlCents, realizedPnlCents, fills } = row
    const name = attributionName(row)
    const size = Math.abs(pnlCents)
    const details = `realised ${profit(realizedPnlCents)}, ${fills} ${fills === 1 ? 'fill' : 'fills'}`
    return {
      row,
      name,
      weight: size,
      value: profit(pnlCents),
      change: null,
      tone: toneOf(pnlCents),
      heat: largest === 0 ? 0 : Math.round((0.3 + 0.7 * (size / largest)) * MAX_INTENSITY),
      title: `${name}: ${profit(pnlCents)}, ${details}`,
    }
  })
}

/** The rows in a sentence, for screen readers. */
export function attributionSentence(rows: readonly AttributionRow[], by: string): string {
  const sortedRows = rows.toSorted((a, b) => b.pnlCents - a.pnlCents)
  const [best, worst] = [sortedRows[0], sortedRows.at(-1)]
  if (best === undefined || worst === undefined) return 'No trades or positions'
  const total = rows.reduce((sum, { pnlCents }) => sum + pnlCents, 0)
  const nameAndProfit = (row: AttributionRow) => `${attributionName(row)} ${profit(row.pnlCents)}`
  const parts = [
    `${profit(total)} by ${by} over ${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'row' : 'rows'}`,
    ...(best.pnlCents > 0 ? [`best ${nameAndProfit(best)}`] : []),
    ...(worst.pnlCents < 0 ? [`worst ${nameAndProfit(worst)}`] : []),
  ]
  return parts.join('; ')
}

/** Cumulative profit by day, total and realised. */
export function profitPlan(rows: readonly AttributionRow[]): LinesPlan {
  const days = rows.toSorted((a, b) => (a.date ?? '').localeCompare(b.date ?? ''))
  const cumulative = (centsOf: (row: AttributionRow) => number) => {
    let sum = 0
    return days.map((row) => (sum += centsOf(row)) / 100)
  }
  return {
    times: days.map(({ date = '' }) => Date.parse(date) / 1000),
    lines: [
      { name: 'profit', values: cumulative((row) => row.pnlCents), isPrimary: true },
      { name: 'realised', values: cumulative((row) => row.realizedPnlCents) },
    ],
    range: null,
    valueText: axisDollars,
  }
}
