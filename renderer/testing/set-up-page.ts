import { cleanup, configure } from '@testing-library/svelte'
import { afterEach, expect } from 'vitest'
import { LOAD_TIMEOUT } from './wait-until.ts'

configure({ asyncUtilTimeout: LOAD_TIMEOUT })

const observed = new Map<Element, (entries: ResizeObserverEntry[]) => void>()

/** jsdom has no layout, so nothing is resized until a test reports a size. */
class ReportedResizeObserver implements ResizeObserver {
  readonly #report: (entries: ResizeObserverEntry[]) => void
  constructor(report: ResizeObserverCallback) {
    this.#report = (entries) => report(entries, this)
  }
  observe(target: Element): void {
    observed.set(target, this.#report)
  }
  unobserve(target: Element): void {
    observed.delete(target)
  }
  disconnect(): void {
    observed.clear()
  }
}

globalThis.ResizeObserver = ReportedResizeObserver

/** Reports the content size of an element to those that watch it. */
export function resize(target: Element, width: number, height: number): void {
  const entry = { target, contentRect: { width, height } } as unknown as ResizeObserverEntry
  observed.get(target)?.([entry])
}

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
