import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

/** Script that a measured page runs before its own. */
export const PROBES = fileURLToPath(new URL('./terminal-probes.page.js', import.meta.url))

/** When a page could first be used, in milliseconds from the start of its loading. */
export interface Starts {
  readonly bar: number
  readonly rows: number
}

/** Waits until the bar answered a key and rows stood. */
export async function startsOf(page: Page): Promise<Starts & { readonly paint: number }> {
  const starts = await page.evaluate<Starts>('probes.starts()')
  return { ...starts, paint: await page.evaluate<number>('probes.paint()') }
}

/** Waits until so many elements of a selector are there. */
export const there = (page: Page, selector: string, count: number): Promise<void> =>
  page.evaluate<void>(`probes.there(${JSON.stringify(selector)}, ${count})`)

/** Frames and tasks of a stretch of time. */
export interface Smoothness {
  readonly fps: number
  /** Milliseconds between two frames. */
  readonly p95: number
  readonly longestTask: number
}

/** Counts the frames of so many milliseconds. */
export const smoothness = (page: Page, ms: number): Promise<Smoothness> =>
  page.evaluate<Smoothness>(`probes.smoothness(${ms})`)

/** Milliseconds from a typed letter to its suggestions; null when nobody was asked for any. */
export async function timeToSuggestions(page: Page, letter: string): Promise<number | null> {
  const waiting = page.evaluate<number | null>('probes.ranked()')
  await page.keyboard.type(letter)
  return waiting
}

/** Milliseconds from a press to the first frame after `count` elements of a selector show. */
export async function timeTo(
  page: Page,
  press: string,
  selector: string,
  count = 1,
): Promise<number> {
  const waiting = page.evaluate<number | null>(`probes.seen(${JSON.stringify(selector)}, ${count})`)
  await page.keyboard.press(press)
  return (await waiting) ?? Number.NaN
}

/** Bytes that the page's scripts hold after everything of no use was let go. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

/** A page that changes as many cells as the terminal and does nothing else: what the machine can show. */
export const EMPTY_PAGE = `<!doctype html><html lang="en"><title>empty</title><body><div id="app"></div><script>
const cells = Array.from({ length: 1500 }, () => {
  const cell = document.createElement('span')
  cell.textContent = '50.0¢ '
  document.getElementById('app').append(cell)
  return cell
})
let count = 0
setInterval(() => {
  for (let change = 0; change < 10; change += 1) {
    count += 1
    cells[(count * 7) % cells.length].textContent = (count % 90) + 10 + '.0¢ '
  }
}, 50)
</script>`
