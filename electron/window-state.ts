import { writeFileSync } from 'node:fs'

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface WindowState {
  readonly bounds: Bounds
  readonly isMaximized: boolean
}

export const MIN_SIZE = { width: 640, height: 480 } as const
const FIRST = { width: 1440, height: 900 } as const
/** Size of the title bar that must be on a display so that the mouse can reach the window. */
const MIN_VISIBLE = { width: 120, height: 32 } as const

/** Parses a saved window state; null when the text is not one. */
export function readWindowState(text: string | null): WindowState | null {
  if (text === null) return null
  try {
    const value = JSON.parse(text) as { bounds?: Partial<Bounds>; isMaximized?: unknown } | null
    const { x, y, width, height } = value?.bounds ?? {}
    const numbers = [x, y, width, height]
    if (!numbers.every((number) => Number.isFinite(number))) return null
    return { bounds: { x, y, width, height } as Bounds, isMaximized: value?.isMaximized === true }
  } catch {
    return null
  }
}

/** Saves the state to a file; a full disk or a read-only folder must not end the app. */
export function saveWindowState(path: string, state: WindowState): void {
  try {
    writeFileSync(path, JSON.stringify(state))
  } catch {
    return
  }
}

/**
 * Where the window opens: as saved when its title bar can still be reached, else centred on the
 * first display. Never larger than the display it is on, never smaller than `MIN_SIZE` unless the
 * display is.
 * @param displays work areas, the primary one first
 */
export function fitToDisplays(saved: WindowState | null, displays: readonly Bounds[]): WindowState {
  const primary = displays[0] ?? { x: 0, y: 0, ...FIRST }
  // Judged by the size it will have there: a window cut to its display may end before its edge.
  const home = displays.find(
    (display) =>
      saved !== null &&
      isReachable({ ...saved.bounds, ...sizeWithin(saved.bounds, display) }, display),
  )
  if (saved === null || home === undefined) {
    const size = sizeWithin(saved?.bounds ?? FIRST, primary)
    return { bounds: centreOn(size, primary), isMaximized: saved?.isMaximized ?? false }
  }
  const size = sizeWithin(saved.bounds, home)
  return {
    bounds: { x: Math.round(saved.bounds.x), y: Math.round(saved.bounds.y), ...size },
    isMaximized: saved.isMaximized,
  }
}

function isReachable(window: Bounds, display: Bounds): boolean {
  const left = Math.max(window.x, display.x)
  const right = Math.min(window.x + window.width, display.x + display.width)
  const isBelowTop = window.y >= display.y
  return (
    right - left >= MIN_VISIBLE.width &&
    isBelowTop &&
    window.y + MIN_VISIBLE.height <= display.y + display.height
  )
}

type Size = Pick<Bounds, 'width' | 'height'>

const sizeWithin = (size: Size, display: Size): Size => ({
  width: Math.round(Math.min(Math.max(size.width, MIN_SIZE.width), display.width)),
  height: Math.round(Math.min(Math.max(size.height, MIN_SIZE.height), display.height)),
})

const centreOn = (size: Size, display: Bounds): Bounds => ({
  x: Math.round(display.x + (display.width - size.width) / 2),
  y: Math.round(display.y + (display.height - size.height) / 2),
  ...size,
})
