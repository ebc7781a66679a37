import type { ChartColours } from '../../../charts/layers/chart-colours.ts'
import { formatCount, formatMoment, isoOf } from '../../../lib/format.ts'
import { shadeOf, type DepthGrid, type DepthPoint } from './depth-grid.ts'

interface PlotSize {
  readonly width: number
  readonly height: number
}

/** Rows of a grid: one each cent. */
const rowsOf = ({ low, high }: DepthGrid): number => high - low + 1

/** What the book had at a place, in one line; null beyond the grid. */
export function depthText(
  grid: DepthGrid,
  { column: index, price }: DepthPoint,
  now: number,
): string | null {
  const column = grid.columns[index]
  if (column === undefined) return null
  const time = formatMoment(isoOf(column.time * 1_000), now)
  if (column.cells === null) return `${time}: feed gap, no book`
  const cell = column.cells.find((candidate) => candidate.price === price) ?? null
  const size = cell === null ? 'no size' : `${cell.side} ${formatCount(cell.size)} contracts`
  return `${time}, ${price}¢: ${size}${column.isGap ? ', feed gap' : ''}`
}

/** Times of the first, the middle and the last bar, each once. */
export function depthTimes({ columns }: DepthGrid, now: number): ReadonlySet<string> {
  const last = columns.length - 1
  const labelledColumns = [0, Math.floor(last / 2), last].flatMap((index) => columns[index] ?? [])
  return new Set(labelledColumns.map(({ time }) => formatMoment(isoOf(time * 1_000), now)))
}

/** The place under a point, in px from the top left corner of the plot. */
export const depthPlaceAt = (
  grid: DepthGrid,
  plot: PlotSize,
  x: number,
  y: number,
): DepthPoint => ({
  column: Math.floor((x / plot.width) * grid.columns.length),
  price: grid.high - Math.floor((y / plot.height) * rowsOf(grid)),
})

/** Draws the cells, the prices right of the plot and a frame around the chosen place. */
export function drawDepth(
  context: CanvasRenderingContext2D,
  grid: DepthGrid,
  plot: PlotSize,
  colours: ChartColours,
  point: DepthPoint | null,
): void {
  const cellWidth = plot.width / grid.columns.length
  const cellHeight = plot.height / rowsOf(grid)
  const yOf = (price: number) => (grid.high - price) * cellHeight
  for (const [index, { cells, isGap }] of grid.columns.entries()) {
    const x = index * cellWidth
    if (isGap || cells === null) {
      context.fillStyle = colours.gap
      // Stripes: a gap is no size of zero.
      for (let y = 0; y < plot.height; y += 6) context.fillRect(x, y, cellWidth, 2)
    }
    for (const { price, side, size } of cells ?? []) {
      context.globalAlpha = shadeOf(size, grid.largest)
      context.fillStyle = side === 'bid' ? colours.up : colours.down
      context.fillRect(x, yOf(price), cellWidth + 0.5, Math.max(1, cellHeight - 0.5))
      context.globalAlpha = 1
    }
  }
  context.fillStyle = colours.text
  context.font = `11px ${colours.fontFamily}`
  context.textBaseline = 'middle'
  const labelStep = Math.max(1, Math.ceil(16 / cellHeight))
  for (let price = grid.low; price <= grid.high; price += labelStep) {
    context.fillText(`${price}¢`, plot.width + 6, yOf(price) + cellHeight / 2)
  }
  if (point === null) return
  context.strokeStyle = colours.text
  context.lineWidth = 1.5
  const x = point.column * cellWidth
  context.strokeRect(x, yOf(point.price), Math.max(3, cellWidth), Math.max(3, cellHeight))
}
