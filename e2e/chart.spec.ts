import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { marketsOf } from './fixtures/chart-markets.ts'
import { chartInk } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import { openTerminal, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const CHART_TYPES = ['step', 'line', 'area', 'candles', 'mid-candles'] as const

const inkOf = (page: Page) => page.evaluate(chartInk)

test('a thin, a busy and a settled market chart legibly in all types [terminal.chart.legible]', async ({
  app,
  page,
}) => {
  const markets = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  for (const [name, ticker] of Object.entries(markets)) {
    expect(ticker, `no ${name} market in the demo`).not.toBe('')
    for (const type of CHART_TYPES) {
      await run(page, `$${ticker} GP 1h 30d ${type} auto`)
      const chart = paneOf(page, 'Chart')
      await expect(chart.getByRole('combobox', { name: 'Chart type' })).toHaveValue(type)
      await expect(chart.locator('.legend')).toContainText(/(Mid|Last|Settled).* \d+(\.\d+)?¢/)
      await expect
        .poll(async () => (await inkOf(page)).columns, { message: `${name} as ${type}` })
        // Trades alone, which looked like dust, are a fifteenth of a thin market's bars.
        .toBeGreaterThan(0.15)
      expect((await inkOf(page)).height, `${name} as ${type}`).toBeGreaterThan(0.05)
    }
  }
})

test('heading, legend, ladder and axis show one price [terminal.chart.one-price]', async ({
  app,
  page,
}) => {
  const { busy } = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  await run(page, `$${busy} GP`)
  const chart = paneOf(page, 'Chart')
  await expect(chart.locator('.legend .price')).toContainText(/\d¢/)
  await expect
    .poll(async () => {
      const [heading, legend, ladder] = await Promise.all([
        chart.locator('.line strong').textContent(),
        chart.locator('.legend .price b').textContent(),
        paneOf(page, 'Depth').locator('.tools b').first().textContent(),
      ])
      return (
        heading !== null && heading.trim() === legend?.trim() && legend.trim() === ladder?.trim()
      )
    })
    .toBe(true)
})

test('an alert is set from the chart by keyboard and by mouse [terminal.chart.menu]', async ({
  app,
  page,
}) => {
  const { busy } = await marketsOf(app)
  await openSignedIn(page, app)
  await openWorkspace(page, 2)
  await run(page, `$${busy} GP 1h`)
  const drawing = paneOf(page, 'Chart').getByRole('region', { name: /^Price of/ })
  await expect(paneOf(page, 'Chart').locator('.legend .price')).toContainText(/\d¢/)
  await drawing.focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: /^Alert at/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Alert set:/)).toBeVisible()
  await drawing.click({ button: 'right', position: { x: 300, y: 150 } })
  await page.getByRole('menuitem', { name: /^Open at/ }).click()
  await expect(drawing.getByText(/^As of/)).toBeVisible()
  await expect(paneOf(page, 'Depth').getByText('PAST')).toBeVisible()
  await drawing.focus()
  await page.keyboard.press('n')
  await expect(drawing.getByText(/^As of/)).toHaveCount(0)
})
