import type { LucideIcon } from '@lucide/svelte'
import { mount, untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

/** Cached icon elements, cloned and never shown themselves. */
const drawings = new Map<LucideIcon, Element>()

function drawingOf(icon: LucideIcon): Element {
  const existing = drawings.get(icon)
  if (existing !== undefined) return existing
  const container = document.createElement('div')
  untrack(() => mount(icon, { target: container, props: {} }))
  const drawing = container.firstElementChild
  if (drawing === null) throw new Error('An icon draws nothing')
  drawings.set(icon, drawing)
  return drawing
}

/**
 * Puts an icon into an element, for icons that every pane repeats. A layout contains dozens of
 * them, and cloning one takes far less time than creating it from its description.
 * @param size px of both sides
 */
export const stamp =
  (icon: LucideIcon, size: number): Attachment<HTMLElement> =>
  (host) => {
    const copy = drawingOf(icon).cloneNode(true) as Element
    copy.setAttribute('width', String(size))
    copy.setAttribute('height', String(size))
    host.append(copy)
    return () => copy.remove()
  }
