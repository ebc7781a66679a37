import type { Column } from './table.ts'

type ColumnShape = Pick<Column<never>, 'id' | 'width' | 'flexible' | 'numeric' | 'shortens'> &
  Pick<Column<never>, 'hidePriority'>

/** Columns of a table at a width, and the width of each in pixels. */
export interface ColumnLayout<C> {
  readonly columns: readonly C[]
  readonly widths: readonly number[]
}

/** A line of text longer than this is hard to follow to its end. */
const READABLE_WIDTH = 560
/** A text up to this width is shown whole before a title gets more room. */
const MAX_SHORT_TEXT = 140
/** The most space that is added between columns of a wide table. */
const MAX_GAP = 28

/** Whether the cells of a column may be shortened when there is too little space. */
const isText = ({ flexible, numeric, shortens }: ColumnShape): boolean =>
  flexible === true || shortens === true || numeric !== true

/**
 * The columns that fit into a table and their widths. A column of figures is as wide as its
 * content. Text is shortened only when no space is left, and takes spare space up to a readable
 * width; the rest of a wide table stays empty, so that a row can be followed with the eye.
 *
 * @param measuredWidths widths of the content in pixels, by column; a column that was never shown has
 *   none, and its declared width counts
 */
export function columnLayout<C extends ColumnShape>(
  columns: readonly C[],
  width: number,
  scale: number,
  measuredWidths: ReadonlyMap<string, number>,
): ColumnLayout<C> {
  const content = (column: C) => measuredWidths.get(column.id) ?? column.width * scale
  const min = (column: C) =>
    isText(column) ? Math.min(content(column), column.width * scale) : content(column)
  let visible = columns
  while (sum(visible.map(min)) > width) {
    const max = Math.max(...visible.map(({ hidePriority }) => hidePriority ?? 0))
    if (max === 0) break
    visible = visible.filter(({ hidePriority }) => hidePriority !== max)
  }
  const widths = visible.map(min)
  const grow = (widthOf: (column: C, index: number) => number) => {
    const growth = visible.map((column, index) => Math.max(0, widthOf(column, index)))
    const spareWidth = Math.max(0, width - sum(widths))
    const share = Math.min(1, spareWidth / Math.max(1, sum(growth)))
    growth.forEach(
      (columnGrowth, index) => (widths[index] = (widths[index] ?? 0) + columnGrowth * share),
    )
  }
  const missingWidth = (column: C, index: number) => content(column) - (widths[index] ?? 0)
  // A short text such as a time is useless when it is cut; a title is not.
  grow((column, index) =>
    column.flexible === true || content(column) > MAX_SHORT_TEXT * scale
      ? 0
      : missingWidth(column, index),
  )
  grow(missingWidth)
  grow((column, index) =>
    column.flexible === true ? READABLE_WIDTH * scale - (widths[index] ?? 0) : 0,
  )
  grow(() => MAX_GAP * scale)
  return { columns: visible, widths: shrunk(visible, widths, width) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The least width of a text that is shortened because columns may not be hidden. */
const MIN_TEXT_WIDTH = 48

/**
 * Makes widths fit that are too large together: first the flexible text, then all columns in
 * proportion.
 */
function shrunk(
  columns: readonly ColumnShape[],
  widths: readonly number[],
  width: number,
): readonly number[] {
  const text = columns.map(({ flexible }, index) =>
    flexible === true ? Math.max(0, (widths[index] ?? 0) - MIN_TEXT_WIDTH) : 0,
  )
  const excess = Math.max(0, sum(widths) - width)
  const share = Math.min(1, excess / Math.max(1, sum(text)))
  const fittedWidths = widths.map((columnWidth, index) => columnWidth - (text[index] ?? 0) * share)
  const scale = Math.min(1, width / Math.max(1, sum(fittedWidths)))
  return fittedWidths.map((columnWidth) => Math.floor(columnWidth * scale))
}
