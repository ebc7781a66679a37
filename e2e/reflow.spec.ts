import type { Page } from '@playwright/test'
import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { expect, test } from './fixtures/app.ts'
import { farthest, groupBoxes, stickingOut, tablesWithoutRows } from './fixtures/geometry.ts'
import { isHiddenByHeader } from './fixtures/in-page.js'
import {
  FIRST_CONTEXT,
  openTerminal,
  openWorkspace,
  paneOf,
  run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const WIDE = { width: 1440, height: 900 }
/** A window 1280 px wide at 400 %. */
const NARROW = { width: 320, height: 640 }
/** A window of 1440 × 900 at 200 %. */
const ZOOMED = { width: 720, height: 450 }

async function settled(page: Page): Promise<void> {
  await expect(page.locator('[data-pane] > *').first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
}

/** The groups are stacked, each as wide as the window. */
async function expectColumn(page: Page, width: number): Promise<void> {
  const boxes = await groupBoxes(page)
  expect(boxes.length).toBeGreaterThan(1)
  let below = -Infinity
  for (const { left, right, top, bottom } of boxes) {
    expect(left).toBeLessThan(10)
    expect(right).toBeGreaterThan(width - 25)
    expect(right).toBeLessThanOrEqual(width)
    expect(top).toBeGreaterThanOrEqual(below)
    expect(bottom - top).toBeGreaterThanOrEqual(270)
    below = bottom
  }
  expect(await stickingOut(page)).toEqual([])
  expect(await tablesWithoutRows(page)).toEqual([])
}

for (const [name, window, id] of [
  ['320 px', NARROW, 'terminal.reflow.column'],
  ['200 %', ZOOMED, 'terminal.reflow.zoom'],
] as const) {
  test(`every workspace is one column at ${name}, and restored when wide again [${id}]`, async ({
    app,
    page,
  }) => {
    await openTerminal(page, app.url)
    for (const { number } of WORKSPACES) {
      await page.setViewportSize(WIDE)
      await openWorkspace(page, number)
      await settled(page)
      const wide = await groupBoxes(page)
      await page.setViewportSize(window)
      await expect(page.locator('html')).toHaveAttribute('data-column')
      await settled(page)
      await expectColumn(page, window.width)
      await page.setViewportSize(WIDE)
      await expect.poll(async () => farthest(wide, await groupBoxes(page))).toBeLessThanOrEqual(1)
    }
  })
}

test('the window is usable at 320 px: bar, panes, keys, status [terminal.reflow.column]', async ({
  app,
  page,
}) => {
  await page.setViewportSize(NARROW)
  await openTerminal(page, app.url)
  // Panes that load do not scroll the column away from its start.
  await settled(page)
  await expect(page.getByRole('navigation', { name: 'Workspaces' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  const bar = page.getByRole('combobox', { name: 'Command' })
  await run(page, 'MOV')
  const movers = paneOf(page, /^Movers/)
  await expect(movers.getByRole('gridcell').first()).toBeInViewport()
  await expect(bar).toBeInViewport()
  // A pane further down is scrolled into view with the focus, below the bar.
  await page.keyboard.press('F6')
  await page.keyboard.press('F6')
  await expect(page.locator('[data-pane]:focus-within').first()).toBeInViewport()
  const covered = await page.evaluate(isHiddenByHeader)
  expect(covered).toBe(false)
  await run(page, 'HELP')
  await expect(paneOf(page, 'Help')).toBeInViewport()
  await page.keyboard.press('/')
  await page.keyboard.type('sc')
  await expect(page.getByRole('option').first()).toBeInViewport({ ratio: 1 })
  expect(await stickingOut(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await status.scrollIntoViewIfNeeded()
  await expect(status.getByText('Connected')).toBeInViewport()
  await expect(bar).toBeInViewport()
  const rail = page.getByRole('navigation', { name: 'Workspaces' })
  await rail.getByRole('button', { name: 'Market', exact: true }).click()
  await expect(paneOf(page, /^Chart/)).toBeVisible()
})

test('text at 200 % reflows as a zoomed window does [terminal.reflow.zoom]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await page.evaluate(() =>
    localStorage.setItem('augury.settings', JSON.stringify({ version: 1, scale: 2 })),
  )
  await page.reload()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-column')
  await settled(page)
  await expectColumn(page, WIDE.width)
})
