/** Widths are multiples of this, so that a changed digit does not move a column. */
const STEP = 8

type Widths = ReadonlyMap<string, number>

interface Measurement {
  /** Contains a table whose rows are grids with the tracks `--tracks`. */
  readonly viewport: HTMLElement
  readonly columns: readonly { readonly id: string }[]
  readonly onmeasured: (widths: Widths) => void
}

/**
 * Pause between measurements of changed values, which seldom need more space. Each lays all changed
 * tables out twice: every half second, that was most of the time spent in layout.
 */
const VALUES_MS = 2_500
const pendingMeasurements = new Map<HTMLElement, Measurement>()
let isQueued = false
let timer: ReturnType<typeof setTimeout> | null = null

/**
 * Reports the width of each column's content in the drawn rows: before the browser paints when rows or
 * columns are new, else soon. Tables that change together are laid out once: each alone, twelve tables
 * took 100 ms.
 */
export function measureColumns(measurement: Measurement, isNew: boolean): void {
  pendingMeasurements.set(measurement.viewport, measurement)
  if (isNew && !isQueued) {
    isQueued = true
    queueMicrotask(measureWaiting)
  } else if (!isNew && !isQueued) timer ??= setTimeout(measureWaiting, VALUES_MS)
}

function measureWaiting(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  isQueued = false
  const measurements = [...pendingMeasurements.values()].filter(
    ({ viewport }) => viewport.isConnected,
  )
  pendingMeasurements.clear()
  const previous = measurements.map(({ viewport, columns }) => {
    const tracks = viewport.style.getPropertyValue('--tracks')
    viewport.style.setProperty('--tracks', `repeat(${columns.length}, max-content)`)
    return tracks
  })
  const widths = measurements.map(contentWidths)
  measurements.forEach(({ viewport }, index) =>
    viewport.style.setProperty('--tracks', previous[index] ?? ''),
  )
  measurements.forEach(({ onmeasured }, index) => onmeasured(widths[index] ?? NONE))
}

function contentWidths({ viewport, columns }: Measurement): Widths {
  const widths = new Map<string, number>()
  for (const row of viewport.querySelectorAll('[role="row"]')) {
    const cells = row.children
    columns.forEach(({ id }, index) => {
      const width = cells[index]?.getBoundingClientRect().width ?? 0
      widths.set(id, Math.max(widths.get(id) ?? 0, Math.ceil(width / STEP) * STEP))
    })
  }
  return widths
}

/** The larger width of each column; `known` itself when none grew: columns never become narrower by scrolling. */
export function widest(widths: Widths, newWidths: Widths): Widths {
  const wider = [...newWidths].filter(([column, width]) => width > (widths.get(column) ?? 0))
  return wider.length === 0 ? widths : new Map([...widths, ...wider])
}

/** Enough for the tables of all workspaces. */
const MAX_ENTRIES = 300
const cache = new Map<string, Widths>()
const NONE: Widths = new Map()

/** Measured widths of a table that was shown before, so that it is drawn right at once. */
export const lastWidths = (name: string): Widths => cache.get(name) ?? NONE

export function keepWidths(name: string, widths: Widths): void {
  cache.delete(name)
  cache.set(name, widths)
  const [oldest] = cache.keys()
  if (cache.size > MAX_ENTRIES && oldest !== undefined) cache.delete(oldest)
}
