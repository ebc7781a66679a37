import { cleanup } from '@testing-library/svelte'
import { afterEach, expect } from 'vitest'

/** jsdom has no layout, so nothing is ever resized. */
class InertResizeObserver implements ResizeObserver {
  observe(): void {
    return
  }
  unobserve(): void {
    return
  }
  disconnect(): void {
    return
  }
}

globalThis.ResizeObserver = InertResizeObserver

/** Without a layout everything counts as visible. */
class VisibleObserver implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  readonly #seen: IntersectionObserverCallback
  constructor(callback: IntersectionObserverCallback) {
    this.#seen = callback
  }
  observe(target: Element): void {
    const entry = { target, isIntersecting: true } as unknown as IntersectionObserverEntry
    this.#seen([entry], this)
  }
  unobserve(): void {
    return
  }
  disconnect(): void {
    return
  }
  takeRecords(): IntersectionObserverEntry[] {
    return []
  }
}
globalThis.IntersectionObserver = VisibleObserver
// jsdom does not scroll.
Element.prototype.scrollIntoView = () => {}
/** Forms whose submission would load another page. */
const leaving: string[] = []
window.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return
  leaving.push(target instanceof Element ? target.outerHTML.slice(0, 200) : 'a form')
})
afterEach(() => {
  cleanup()
  expect(leaving.splice(0), 'forms that leave the page').toEqual([])
})
