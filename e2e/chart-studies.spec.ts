import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { marketsOf } from './fixtures/chart-markets.ts'
import { chartInkOf, twoFrames } from './fixtures/in-page.js'
import {
  FIRST_CONTEXT,
  openTerminal,
  openWorkspace,
  paneOf,
  run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** Pixels of the first line besides the price, and of a drawing. */
const accentInk = (page: Page) => page.evaluate(chartInkOf, '--accent')

/** The ink once two drawn frames have the same: what was just removed may still be on the canvas. */
async function settledInk(page: Page): Promise<number> {
  let last = -1
  await expect
    .poll(async () => {
      await page.evaluate(twoFrames)
      const before = last
      last = await accentInk(page)
      return last === before
    })
    .toBe(true)
  return last
}

/** Where an element is within another one, px. */
async function placeIn(outer: Locator, inner: Locator): Promise<{ x: number; y: number }> {
  const [around, box] = [await outer.boundingBox(), await inner.boundingBox()]
  if (around === null || box === null) throw new Error('it is not on the page')
  return { x: box.x - around.x, y: box.y - around.y }
}

/** Moves the pointer to a part of the chart's width, and waits until the legend has read the bar. */
async function hoverAcross(page: Page, chart: Locator, part: number): Promise<void> {
  const box = await chart.getByRole('region', { name: /^Price of/ }).boundingBox()
  if (box === null) throw new Error('the chart is not on the page')
  const legend = chart.locator('.legend')
  const before = await legend.innerText()
  await page.mouse.move(box.x + box.width * part, box.y + box.height * 0.6)
  await expect(legend).not.toHaveText(before, { useInnerText: true })
}

test('studies and compared lines are added by command, key and mouse [terminal.chart.studies] [terminal.chart.compare]', async ({
  app,
  page,
}) => {
  const { busy } = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  await run(page, `$${busy} GP 1h 7d sma:5 rsi`)
  const chart = paneOf(page, 'Chart')
  const key = chart.getByRole('list', { name: 'Compared markets and studies' })
  await expect(key.getByText('SMA 5')).toBeVisible()
  await expect(key.getByText('RSI 14')).toBeVisible()
  await chart.getByRole('region', { name: /^Price of/ }).focus()
  await page.keyboard.press('s')
  await page.getByRole('menuitem', { name: 'Realised volatility' }).click()
  await expect(key.getByText('Volatility 24')).toBeVisible()
  await chart.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('menuitem', { name: 'Gauge: Index' }).click()
  await expect(key.getByText('Index', { exact: true })).toBeVisible()
  const remove = key.getByRole('button', { name: 'Remove RSI 14' })
  // The gauge has no values until the first context is computed.
  await expect(key.getByText('…')).toHaveCount(0, FIRST_CONTEXT)
  const place = await placeIn(key, remove)
  for (const part of [0.2, 0.5, 0.8]) {
    await hoverAcross(page, chart, part)
    const now = await placeIn(key, remove)
    expect(
      Math.hypot(now.x - place.x, now.y - place.y),
      'a button stays in its place',
    ).toBeLessThan(1)
  }
  await remove.click()
  await expect(key.getByText('RSI 14')).toHaveCount(0)
  await page.reload()
  await expect(key.getByText('Volatility 24')).toBeVisible()
  await expect(key.getByText('Index', { exact: true })).toBeVisible()
})

test('studies after a comparison, and drawings by key and mouse, appear on any market [terminal.chart.studies] [terminal.chart.drawings]', async ({
  app,
  page,
}) => {
  const markets = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  const chart = paneOf(page, 'Chart')
  const key = chart.getByRole('list', { name: 'Compared markets and studies' })
  const drawing = chart.getByRole('region', { name: /^Price of/ })
  const other = { busy: markets.thin, thin: markets.busy, settled: markets.busy }
  for (const name of ['busy', 'thin', 'settled'] as const) {
    await run(page, `$${markets[name]} GP 1h 30d step +${other[name]}`)
    await expect(key.getByRole('listitem')).toHaveCount(1)
    await run(page, `$${markets[name]} GP 1h 30d step +none sma:5`)
    await expect(key.getByText('SMA 5')).toBeVisible()
    await expect(key.getByRole('listitem')).toHaveCount(1)
    await expect
      .poll(() => accentInk(page), { message: `a study of the ${name} market` })
      .toBeGreaterThan(100)

    await run(page, `$${markets[name]} GP 1h 30d step +none plain`)
    await expect(key).toHaveCount(0)
    const before = await settledInk(page)
    await drawing.focus()
    await page.keyboard.press('p')
    await page.getByRole('menuitem', { name: 'Trend line' }).press('Enter')
    await expect(chart.getByText(/^Trend line: click or Enter/)).toBeVisible()
    await page.keyboard.press('Enter')
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(chart.getByText(/^Trend line: click or Enter/)).toHaveCount(0)
    await expect
      .poll(() => accentInk(page), { message: `by keyboard, ${name}` })
      .toBeGreaterThan(before + 50)

    const byKey = await settledInk(page)
    await chart.getByRole('button', { name: 'Draw' }).click()
    await page.getByRole('menuitem', { name: 'Range' }).click()
    const surface = chart.locator('.surface')
    await surface.click({ position: { x: 120, y: 60 } })
    await surface.click({ position: { x: 320, y: 140 } })
    await expect(surface).toHaveCount(0)
    await expect
      .poll(() => accentInk(page), { message: `by mouse, ${name}` })
      .toBeGreaterThan(byKey + 50)
  }
})
