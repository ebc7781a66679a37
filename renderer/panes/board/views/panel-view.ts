import {
  ARROWS,
  directionOf,
  formatDelta,
  formatNumber,
  MISSING,
  type Direction,
} from '../../../lib/format.ts'

const MINUS = '−'

/** A value as text, with optional details. */
export interface Cell {
  readonly text: string
  /** Coloured by sign; the text includes the sign. */
  readonly direction?: Direction
  /** For hover. */
  readonly title?: string
  /** Sort value; null is unknown. Does not sort if absent. */
  readonly order?: number | string | null
}

export interface ViewColumn {
  readonly id: string
  readonly label: string
  readonly help?: string
  readonly width: number
  readonly numeric?: boolean
  readonly flexible?: boolean
  /** Columns with a larger number are hidden first on small widths. */
  readonly hidePriority?: number
}

export interface ViewRow {
  readonly id: string
  /** The market of the row; null when it has none. */
  readonly ticker: string | null
  /** By column. */
  readonly cells: Readonly<Record<string, Cell>>
}

/** A bar of a drawing: its label and its length. */
export interface Bar {
  readonly id: string
  readonly label: string
  readonly value: number | null
  readonly text: string
  readonly ticker: string | null
}

/** One value within its bounds. */
export interface GaugeReading {
  readonly value: number | null
  readonly from: number
  readonly to: number
  readonly text: string
  readonly label: string
}

/** A line over time or over ranks; gaps are omitted. */
export interface LineReading {
  readonly values: readonly number[]
  /** Labels of the axis at both ends. */
  readonly ends: readonly [string, string]
  readonly name: string
  /** The value that represents the line: the newest over time, the first of a ranking. */
  readonly headlinePosition: 'first' | 'last'
  readonly valueText: (value: number) => string
}

export interface StatReading {
  readonly value: string
  readonly label: string
  readonly change: Cell | null
}

/**
 * The content of a payload, ready for each drawing. The table's rows contain all values of every
 * drawing.
 */
export interface PanelView {
  /** One sentence: the accessible name of a drawing. */
  readonly summary: string
  readonly stat: StatReading
  readonly gauge: GaugeReading
  readonly line: LineReading
  readonly bars: readonly Bar[]
  /** The leading column; it takes the remaining width. */
  readonly columns: readonly ViewColumn[]
  readonly rows: readonly ViewRow[]
  /** Why there is nothing to draw, and what to do about it. */
  readonly empty: string | null
  /** Missing data, as a sentence. */
  readonly missingNote: string | null
}

export const textCell = (text: string, order?: number | string | null): Cell => ({
  text,
  ...(order !== undefined && { order }),
})

/** A formatted number, sorted by its value. */
export const numeral = (
  value: number | null,
  text: (value: number | null) => string,
  title?: string,
): Cell => ({ text: text(value), order: value, ...(title !== undefined && { title }) })

/** A number with fixed decimals, so that columns align. */
export const decimal = (value: number | null, places: number): string =>
  value === null ? MISSING : value.toFixed(places).replace('-', MINUS)

/** A change in cents with sign, colour and arrow. */
export function moveCell(cents: number | null, text = formatDelta(cents)): Cell {
  const direction = directionOf(cents)
  const arrow = ARROWS[direction]
  return { text: arrow === '' ? text : `${text} ${arrow}`, direction, order: cents }
}

/** Ranks have no labels of their own. */
const RANKS = ['first', 'last'] as const

/** Bars of rows, and the line over them in their order. */
export function rankedRows(
  bars: readonly Bar[],
  name: string,
  valueText: (value: number) => string,
): { readonly bars: readonly Bar[]; readonly line: LineReading } {
  const values = bars.flatMap(({ value }) => (value === null ? [] : [value]))
  return { bars, line: { values, ends: RANKS, name, headlinePosition: 'first', valueText } }
}

/** The mean of the known values; null without any. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null)
  return present.length === 0
    ? null
    : present.reduce((sum, value) => sum + value, 0) / present.length
}

export const shareText = (part: number, total: number): string =>
  total === 0 ? MISSING : `${Math.round((part / total) * 100)}%`

/** `1 market`, `3 markets`. */
export const countText = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(count, 0)} ${count === 1 ? singular : plural}`
