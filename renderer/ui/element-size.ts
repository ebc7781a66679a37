import type { Attachment } from 'svelte/attachments'

/** Inside of an element without its scrollbars, in CSS pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}
const UNKNOWN: Size = { width: 0, height: 0 }

const tellings = new WeakMap<Element, (size: Size) => void>()
let observer: ResizeObserver | null = null

function hear(entries: readonly ResizeObserverEntry[]): void {
  for (const { target, contentRect } of entries) {
    const { width, height } = contentRect
    // Out of sight; it comes back as it was, or with its new size.
    if (width === 0 || height === 0) continue
    tellings.get(target)?.({ width: Math.round(width), height: Math.round(height) })
  }
}

/**
 * Tells the size of an element without padding while it is in sight: at first and whenever it changes, after the page was
 * laid out and before it is painted. To read a size instead would lay out the page at once, in the
 * middle of its making.
 */
export const watchSize =
  (tell: (size: Size) => void): Attachment =>
  (element) => {
    observer ??= new ResizeObserver(hear)
    tellings.set(element, tell)
    observer.observe(element)
    return () => {
      observer?.unobserve(element)
      tellings.delete(element)
    }
  }

/** Enough for every part of every pane of all workspaces. */
const MOST_KEPT = 300
const kept = new Map<string, Size>()

/** What a part of a pane last measured, so that it is drawn right when it is made again; 0 × 0 when never seen. */
export const lastSize = (name: string): Size => kept.get(name) ?? UNKNOWN

export function keepSize(name: string, size: Size): void {
  kept.delete(name)
  kept.set(name, size)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}
