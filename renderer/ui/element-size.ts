import type { Attachment } from 'svelte/attachments'

/** Content size of an element without its scrollbars, in CSS pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}
const UNKNOWN: Size = { width: 0, height: 0 }

const callbacks = new WeakMap<Element, (size: Size) => void>()
let observer: ResizeObserver | null = null

function receive(entries: readonly ResizeObserverEntry[]): void {
  for (const { target, contentRect } of entries) {
    const { width, height } = contentRect
    // Hidden; it is reported again when it is shown with another size.
    if (width === 0 || height === 0) continue
    callbacks.get(target)?.({ width: Math.round(width), height: Math.round(height) })
  }
}

/**
 * Reports the content size of an element while it is visible: at first and on each change, after
 * layout and before paint. Reading a size synchronously would force a layout while the page is
 * built.
 */
export const watchSize =
  (report: (size: Size) => void): Attachment =>
  (element) => {
    observer ??= new ResizeObserver(receive)
    callbacks.set(element, report)
    observer.observe(element)
    return () => {
      observer?.unobserve(element)
      callbacks.delete(element)
    }
  }

/** Enough for every part of every pane of all workspaces. */
const MAX_ENTRIES = 300
const sizes = new Map<string, Size>()

/**
 * The last measured size of a part of a pane, so that it is drawn right when it is created again; 0
 * × 0 when unknown.
 */
export const lastSize = (name: string): Size => sizes.get(name) ?? UNKNOWN

export function keepSize(name: string, size: Size): void {
  sizes.delete(name)
  sizes.set(name, size)
  const [oldest] = sizes.keys()
  if (sizes.size > MAX_ENTRIES && oldest !== undefined) sizes.delete(oldest)
}
