import { expect, test } from './fixtures/app.ts'
import { openTerminal, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

test('studies and compared lines are added by command, key and mouse [terminal.chart.studies] [terminal.chart.compare]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  await run(page, 'GP 1h 7d sma:5 rsi')
  const chart = paneOf(page, 'Chart')
  const key = chart.getByRole('list', { name: 'Compared markets and studies' })
  await expect(key.getByText('SMA 5')).toBeVisible()
  await expect(key.getByText('RSI 14')).toBeVisible()
  // The price, its study pane and the time axis are tables rows of the chart library.
  await expect(chart.locator('.chart tr')).toHaveCount(4)
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
