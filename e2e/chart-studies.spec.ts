import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { marketsOf } from './fixtures/chart-markets.ts'
import { chartInkOf } from './fixtures/in-page.js'
import { openTerminal, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** Pixels of the first line besides the price, and of a drawing. */
const accentInk = (page: Page) => page.evaluate(chartInkOf, '--accent')

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
  await key.getByRole('button', { name: 'Remove RSI 14' }).click()
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
    const before = await accentInk(page)
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

    const byKey = await accentInk(page)
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
