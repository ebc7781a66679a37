import type { ContagionLink } from '../../../backend/contract/indices.ts'
import type { Bundle } from './contagion-bundles.ts'

/** Two lines of the title and one of prices. */
export const BOX = { width: 210, height: 52 } as const
const GAP = 8
const ROW = BOX.height + GAP
const COLUMN_GAP = 110
/** Number of laggards drawn; the table holds all. */
const MAX_ROWS = 7

export interface PlacedLaggard {
  readonly link: ContagionLink
  readonly y: number
  /** Curve from the trigger to this market. */
  readonly path: string
}
export interface BundleDrawing {
  readonly width: number
  readonly height: number
  readonly trigger: { readonly x: number; readonly y: number }
  readonly laggardX: number
  readonly laggards: readonly PlacedLaggard[]
  /** Laggards that did not fit. */
  readonly hiddenCount: number
}

/** The market that moved on the left, the laggards on the right; px. */
export function layoutBundle({ links }: Bundle): BundleDrawing {
  const visible = links.slice(0, MAX_ROWS)
  const height = visible.length * ROW - GAP + 2
  const middle = height / 2
  const laggardX = BOX.width + COLUMN_GAP
  return {
    width: laggardX + BOX.width,
    height,
    trigger: { x: 0, y: middle - BOX.height / 2 },
    laggardX,
    laggards: visible.map((link, index) => {
      const y = 1 + index * ROW
      const end = y + BOX.height / 2
      const bend = BOX.width + COLUMN_GAP / 2
      return {
        link,
        y,
        path: `M ${BOX.width} ${middle} C ${bend} ${middle}, ${bend} ${end}, ${laggardX} ${end}`,
      }
    }),
    hiddenCount: links.length - visible.length,
  }
}
