import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

/** Script that runs before those of the measured page. */
export const PROBES = fileURLToPath(new URL('./terminal-probes.page.js', import.meta.url))

/** When a page became usable, in milliseconds from the start of its loading. */
export interface Starts {
  readonly bar: number
  readonly rows: number
}

/** Waits until the bar responded to a key and rows are shown. */
export async function startsOf(page: Page): Promise<Starts & { readonly paint: number }> {
  const starts = await page.evaluate<Starts>('probes.starts()')
  return { ...starts, paint: await page.evaluate<number>('probes.paint()') }
}

/** Waits until so many elements match a selector. */
export const there = (page: Page, selector: string, count: number): Promise<void> =>
  page.evaluate<void>(`probes.there(${JSON.stringify(selector)}, ${count})`)

/** Frames and tasks of a period. */
export interface Smoothness {
  readonly fps: number
  /** Milliseconds between two frames. */
  readonly p95: number
  readonly longestTask: number
}

/** Counts the frames of so many milliseconds. */
export const smoothness = (page: Page, ms: number): Promise<Smoothness> =>
  page.evaluate<Smoothness>(`probes.smoothness(${ms})`)

/** Milliseconds from a typed letter to its suggestions; null when they stay as they were. */
export async function timeToSuggestions(page: Page, letter: string): Promise<number | null> {
  await page.evaluate<void>("probes.begin('suggested')")
  await page.keyboard.type(letter)
  return page.evaluate<number | null>('probes.ended()')
}

/** Milliseconds from a press to the first frame with `count` elements of a selector. */
export async function timeTo(
  page: Page,
  press: string,
  selector: string,
  count = 1,
): Promise<number> {
  await page.evaluate<void>(`probes.begin('seen', ${JSON.stringify(selector)}, ${count})`)
  await page.keyboard.press(press)
  return (await page.evaluate<number | null>('probes.ended()')) ?? Number.NaN
}

/** Heap bytes of the page's scripts after garbage collection. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

/**
 * A page that changes as many cells as the terminal and does nothing else: the machine's upper
 * bound.
 */
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
