import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { denyNotifications, keepNotices, spoilLayoutOnLeaving } from './fixtures/in-page.js'
import { FIRST_CONTEXT, openTerminal, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const statusOf = (page: Page) => page.getByRole('contentinfo', { name: 'Status' })
const panes = (page: Page) =>
  page
    .locator('[data-pane]')
    .evaluateAll((all) => all.map((pane) => pane.getAttribute('aria-label') ?? '').sort())
const storedValue = (page: Page, name: string) =>
  page.evaluate((key) => localStorage.getItem(`augury.${key}`), name)
/** Waits until the shown layout is stored. */
const untilKept = (page: Page, line: string) =>
  expect.poll(() => storedValue(page, 'layout')).toContain(`"line":"${line}"`)

/** Opens the terminal with the browser machine's clock offset by so many milliseconds. */
async function openWithClock(context: BrowserContext, url: string, apart: number): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript((by) => {
    const { now } = Date
    Date.now = () => now() + by
    Object.assign(globalThis, { setClock: (next: number) => (Date.now = () => now() + next) })
  }, apart)
  await openTerminal(page, url)
  return page
}

const ageTexts = (page: Page) => page.locator('.actions .age').allInnerTexts()

test('a window whose page was killed is restored with its layout [terminal.recovery.crash]', async ({
  app,
  context,
}) => {
  const page = await context.newPage()
  await openTerminal(page, app.url)
  await run(page, 'CHG 6h in new')
  await untilKept(page, 'CHG 6h')
  await run(page, 'TH light')
  const before = await panes(page)
  const crashed = page.waitForEvent('crash')
  // A killed process does not respond.
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const next = await context.newPage()
  await openTerminal(next, app.url)
  expect(await panes(next)).toEqual(before)
  await expect(next.locator('html')).toHaveAttribute('data-theme', 'light')
})

test('a layout that is damaged or of a later version is set aside and reported [terminal.recovery.aside]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'CHG 6h in new')
  await untilKept(page, 'CHG 6h')
  await page.reload()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  const good = await panes(page)
  for (const [corrupted, words] of [
    ['{"version":1,"active":', /is damaged. It was set aside/],
    ['{"version":99,"active":1,"workspaces":{}}', /from a newer version. It was set aside/],
  ] as const) {
    await page.evaluate(spoilLayoutOnLeaving, corrupted)
    await page.reload()
    await expect(statusOf(page).getByText(words)).toBeVisible()
    await expect.poll(() => panes(page)).toEqual(good)
    expect(await storedValue(page, 'layout.aside')).toBe(corrupted)
  }
})

test('two windows work side by side, share settings, and lose no layout [terminal.recovery.tabs]', async ({
  app,
  context,
}) => {
  const [one, other] = [await context.newPage(), await context.newPage()]
  await openTerminal(one, app.url)
  await openTerminal(other, app.url)
  await run(one, 'TH light')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'light')
  await run(other, 'DENS compact')
  await expect(one.locator('html')).toHaveAttribute('data-density', 'compact')
  // Each changes its own workspace: neither overwrites the other's.
  await one.bringToFront()
  await one.keyboard.press('Alt+1')
  await run(one, 'CHG 6h in new')
  await untilKept(one, 'CHG 6h')
  await other.bringToFront()
  await other.keyboard.press('Alt+2')
  await expect(paneOf(other, /^History/)).toBeVisible()
  await run(other, 'MOV iran in new')
  await untilKept(other, 'iran MOV')
  expect(await storedValue(one, 'layout')).toContain('"line":"CHG 6h"')
  await run(one, '. WATCH')
  await expect(statusOf(one).getByText(/added to the watchlist/)).toBeVisible()
  await run(other, 'WATCH')
  await expect(paneOf(other, 'Watchlist').getByRole('gridcell').first()).toBeVisible()
  for (const page of [one, other]) {
    await expect(statusOf(page).getByText('Connected')).toBeVisible()
  }
})

for (const [name, apart] of [
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
] as const) {
  test(`ages are those of the service on a machine whose clock is ${name} [terminal.recovery.skew]`, async ({
    app,
    context,
  }) => {
    const page = await openWithClock(context, app.url, apart)
    await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(2)
    await expect(page.locator('[data-pane] .skeleton')).toHaveCount(0, FIRST_CONTEXT)
    await expect(page.getByText('STALE')).toHaveCount(0)
    // Panes whose code is fetched have no age before their first answer.
    const odd = async () =>
      (await ageTexts(page)).filter((age) => !/^(\d+s|[0-4]m|1?\dm)$/.test(age))
    await expect.poll(odd, FIRST_CONTEXT).toEqual([])
    const shown = await statusOf(page).locator('.clock').innerText()
    const [hours = 0, minutes = 0] = shown.split(':').map(Number)
    const now = new Date()
    const off = hours * 60 + minutes - (now.getUTCHours() * 60 + now.getUTCMinutes())
    expect(Math.abs(off)).toBeLessThanOrEqual(1)
    expect(await page.locator('main').innerText()).not.toMatch(/-\d+[smh]\b/)
  })
}

test('values from before a sleep are marked until they are fresh again [terminal.recovery.sleep]', async ({
  app,
  context,
}) => {
  const page = await openWithClock(context, app.url, 0)
  await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(2)
  await context.setOffline(true)
  // The browser's counter stopped for eight hours, the machine's calendar did not.
  await page.evaluate(() =>
    (globalThis as unknown as { setClock: (by: number) => void }).setClock(8 * 3_600_000),
  )
  await expect(page.locator('.actions .age.fresh')).toHaveCount(0)
  await expect(page.getByText('STALE').first()).toBeVisible()
  await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(0)
  await context.setOffline(false)
  await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(2, { timeout: 90_000 })
  await expect(page.getByText('STALE')).toHaveCount(0, { timeout: 90_000 })
})

test('an outage of the service keeps the page and is reported once [terminal.recovery.backend]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  const before = await panes(page)
  const notices = await page.evaluateHandle(keepNotices)
  await page.route(/\/(api|status)/, (route) => route.abort())
  await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
  await expect(page.getByText(/^Offline\. Showing data/).first()).toBeVisible()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await page.unroute(/\/(api|status)/)
  await expect(statusOf(page).getByText('Connected')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^Offline/)).toHaveCount(0, { timeout: 60_000 })
  expect(await panes(page)).toEqual(before)
  const texts = (await notices.jsonValue()).filter((text) => text !== '')
  expect(texts.length).toBeLessThanOrEqual(1)
  expect(await page.getByRole('alert').filter({ hasText: /\w/ }).count()).toBe(0)
})

test('a full store is reported once, and the window still works [terminal.recovery.storage]', async ({
  app,
  page,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await openTerminal(page, app.url)
  await expect(statusOf(page).getByText(/^Local storage is full or blocked/)).toBeVisible()
  await run(page, 'TH light')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(statusOf(page).getByText(/^Local storage is full or blocked/)).toHaveCount(0)
  await run(page, 'HELP')
  await expect(paneOf(page, 'Help')).toBeVisible()
})

test('nothing requests notifications without an action, and a denial breaks nothing [terminal.recovery.denied]', async ({
  app,
  page,
}) => {
  await page.addInitScript(denyNotifications)
  await openTerminal(page, app.url)
  await run(page, 'SET')
  await expect(paneOf(page, /^Settings/)).toBeVisible()
  expect(
    await page.evaluate(() => (globalThis as unknown as { requested: string[] }).requested),
  ).toEqual([])
  await expect(statusOf(page).getByText('Connected')).toBeVisible()
})
