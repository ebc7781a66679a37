import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { untilPlayable } from './fixtures/backtests.ts'
import { markKeys } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import { paneOf, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

/** Any key that the page receives is a failed test: text is only filled into fields. */
async function refuseKeys(page: Page): Promise<void> {
  page.keyboard.press = () => Promise.reject(new Error('A key was pressed'))
  page.keyboard.type = () => Promise.reject(new Error('A key was typed'))
  await page.evaluate(markKeys)
}

const CLAIM = 'The Fed will cut rates by December 2026 because unemployment rises above 4.5%'

const workspace = async (page: Page, name: string): Promise<void> => {
  const rail = page.getByRole('navigation', { name: 'Workspaces' })
  const button = rail.getByRole('button', { name, exact: true })
  await button.click()
  await expect(button).toHaveAttribute('aria-current', 'page')
}
const notice = (page: Page) => page.getByRole('contentinfo').getByRole('status')
const menuItem = (page: Page, name: string | RegExp) =>
  page.getByRole('menu').getByRole('menuitem', { name })

/** Shows the list of markets, which other panes of its group may cover. */
async function openList(page: Page): Promise<void> {
  await workspace(page, 'Screen')
  await page.locator('.dv-tab', { hasText: 'Markets' }).first().click()
  await expect(firstRow(page)).toBeVisible()
}
/** The first row of the list of markets. */
const firstRow = (page: Page): Locator =>
  paneOf(page, 'Markets').getByRole('grid').getByRole('row').nth(1)

test('the jobs of the product are done by mouse alone [terminal.mouse.jobs]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await expect(page.getByRole('gridcell').first()).toBeVisible({ timeout: 120_000 })
  await untilPlayable(page)
  await refuseKeys(page)
  const close = page.getByRole('button', { name: 'Close first steps' })
  if (await close.isVisible()) await close.click()

  await test.step('find a market: sort the list and open a row', async () => {
    await openList(page)
    const head = paneOf(page, 'Markets').getByRole('columnheader', { name: 'Vol 24h' })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await firstRow(page).click()
    await expect(paneOf(page, 'Details')).toBeVisible()
  })

  await test.step('chart it: the menu of the row', async () => {
    await openList(page)
    await firstRow(page).click({ button: 'right' })
    await menuItem(page, /^Chart/i).click()
    await expect(paneOf(page, /^Chart/).getByRole('group', { name: 'Timeframe' })).toBeVisible()
    const chart = paneOf(page, /^Chart/)
    await chart.getByRole('button', { name: '1M', exact: true }).click()
    await expect(chart.locator('canvas').first()).toBeVisible()
  })

  await test.step('compare: the menu of the chart', async () => {
    const chart = paneOf(page, /^Chart/)
    await chart.getByRole('button', { name: 'Compare' }).click()
    await menuItem(page, /^Gauge: /)
      .first()
      .click()
    await expect(chart.getByRole('button', { name: /^Remove / }).first()).toBeVisible()
  })

  await test.step('set an alert: the menu at a price of the chart', async () => {
    const drawing = paneOf(page, /^Chart/).locator('[data-focus]')
    await drawing.click({ button: 'right', position: { x: 260, y: 120 } })
    await menuItem(page, /^Alert at /).click()
    await expect(notice(page)).toHaveText(/^Alert set: /)
  })

  await test.step('order ticket: the menu of the row, a usual size, check, send', async () => {
    await openList(page)
    await firstRow(page).click({ button: 'right' })
    await menuItem(page, /^Order/i).click()
    const ticket = page.getByRole('form', { name: 'New order' })
    await ticket
      .getByRole('group', { name: 'Preset sizes' })
      .getByRole('button', { name: '10', exact: true })
      .click()
    await ticket.getByRole('button', { name: 'Review order' }).click()
    await page.getByRole('button', { name: 'Send paper order' }).click()
    await expect(notice(page)).toHaveText('Paper order sent')
  })

  await test.step('backtest: choose a strategy and run it', async () => {
    await workspace(page, 'Backtest')
    const form = page.getByRole('form', { name: 'New run' })
    await form.getByLabel('Strategy').selectOption('buy-and-hold')
    await expect(form.getByLabel('contracts')).toHaveValue('10')
    await form.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(paneOf(page, 'Backtests · report')).toContainText(/buy-and-hold: [+−]\$/)
  })

  await test.step('thesis: fill in the claim and form it', async () => {
    await workspace(page, 'Theses')
    const form = page.getByRole('form', { name: 'New thesis' })
    await form.getByLabel(/^Claim/).fill(CLAIM)
    await form.getByRole('button', { name: 'Create thesis' }).click()
    await expect(
      page.getByRole('region', { name: /^Thes/ }).filter({ hasText: CLAIM }).first(),
    ).toBeVisible()
  })

  await test.step('panel layout: add from the gallery, move, close, undo by reset', async () => {
    await workspace(page, 'Watch')
    await page.getByRole('button', { name: 'Add a pane' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Movers/ })
      .click()
    const tab = page.locator('.dv-tab', { hasText: 'Movers' })
    await expect(tab).toBeVisible()
    const groups = page.locator('.dv-groupview')
    const before = await groups.count()
    await tab.dragTo(groups.last(), { targetPosition: { x: 40, y: 200 } })
    await expect(groups).not.toHaveCount(before)
    await page.locator('.dv-tab', { hasText: 'Movers' }).click({ button: 'right' })
    await menuItem(page, 'Reset workspace layout').click()
    await expect(page.locator('.dv-tab', { hasText: 'Movers' })).toHaveCount(0)
  })

  expect(await page.locator('[data-key-pressed]').count()).toBe(0)
})
