import { ARROWS, directionOf, formatDelta, MISSING, type Direction } from '../../lib/format.ts'

const MINUS = '−'

/** A value as text, with what a reader may want to know besides. */
export interface Cell {
  readonly text: string
  /** Drawn with its colour; the text has the sign already. */
  readonly direction?: Direction
  /** For hover. */
  readonly title?: string
  /** What it is sorted by; null is unknown. Does not sort if absent. */
  readonly order?: number | string | null
}

export interface ViewColumn {
  readonly id: string
  readonly label: string
  readonly help?: string
  readonly width: number
  readonly numeric?: boolean
  readonly flexible?: boolean
  /** Columns with a larger number go first where the room is small. */
  readonly yields?: number
}

export interface ViewRow {
  readonly id: string
  /** The market of the row; null when it is about none. */
  readonly ticker: string | null
  /** By column. */
  readonly cells: Readonly<Record<string, Cell>>
}

/** A bar of a drawing: what it is called and how long it is. */
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

/** A line over time or over ranks; unknown values are left out. */
export interface LineReading {
  readonly values: readonly number[]
  /** What the axis says at both ends. */
  readonly ends: readonly [string, string]
  readonly name: string
  readonly valueText: (value: number) => string
}

export interface StatReading {
  readonly value: string
  readonly label: string
  readonly change: Cell | null
}

/**
 * What a payload says, ready for each way of drawing it. The rows are the twin of every drawing:
 * they hold all of it.
 */
export interface PanelView {
  /** One sentence: the accessible name of a drawing. */
  readonly summary: string
  readonly stat: StatReading
  readonly gauge: GaugeReading
  readonly line: LineReading
  readonly bars: readonly Bar[]
  /** The first leads the row and takes the room that is left. */
  readonly columns: readonly ViewColumn[]
  readonly rows: readonly ViewRow[]
  /** Why there is nothing to draw, and what to do about it. */
  readonly empty: string | null
  /** What is missing from it, as a sentence. */
  readonly missing: string | null
}

export const plain = (text: string, order?: number | string | null): Cell => ({
  text,
  ...(order !== undefined && { order }),
})

/** A number as it is written, sorted by its value. */
export const numeral = (
  value: number | null,
  text: (value: number | null) => string,
  title?: string,
): Cell => ({ text: text(value), order: value, ...(title !== undefined && { title }) })

/** A number with all its decimals, so that columns of them line up. */
export const decimal = (value: number | null, places: number): string =>
  value === null ? MISSING : value.toFixed(places).replace('-', MINUS)

/** A change in cents with sign, colour and arrow. */
export function moved(cents: number | null, text = formatDelta(cents)): Cell {
  const direction = directionOf(cents)
  const arrow = ARROWS[direction]
  return { text: arrow === '' ? text : `${text} ${arrow}`, direction, order: cents }
}

/** Ranks have no names of their own. */
const RANKS = ['first', 'last'] as const

/** Bars of rows, and the line over them in their order. */
export function ranked(
  bars: readonly Bar[],
  name: string,
  valueText: (value: number) => string,
): { readonly bars: readonly Bar[]; readonly line: LineReading } {
  const values = bars.flatMap(({ value }) => (value === null ? [] : [value]))
  return { bars, line: { values, ends: RANKS, name, valueText } }
}

/** The mean of what is known; null without any. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

export const shareText = (part: number, whole: number): string =>
  whole === 0 ? MISSING : `${Math.round((part / whole) * 100)}%`

/** `1 market`, `3 markets`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
