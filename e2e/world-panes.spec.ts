import { findingsInThemes } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { FIRST_CONTEXT, openTerminal, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

test('the world is read, drilled and explained by keys only [terminal.world.threads] [terminal.world.regions]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'WORLD')
  const world = paneOf(page, /^World/)
  const items = world.getByRole('grid', { name: 'Salient items' })
  await expect(items.getByRole('gridcell').first()).toBeVisible(FIRST_CONTEXT)
  await expect(world.getByText(/^as of \d+[sm] ago$/)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const explanation = paneOf(page, /^Explanation/)
  await expect(explanation.getByText('Hypotheses').first()).toBeVisible()
  await expect(explanation.getByText(/^Sources searched: \w/)).toBeVisible()
  await run(page, 'WORLD')
  await page.keyboard.press('v')
  await page.keyboard.press('j')
  const region = world.getByRole('grid', { name: 'Regions within' }).getByRole('gridcell').first()
  const name = await region.innerText()
  await page.keyboard.press('Enter')
  await expect(world.getByRole('navigation', { name: 'Region', exact: true })).toContainText(name)
  await page.keyboard.press('i')
  const term = page.getByRole('dialog', { name: /means$/ })
  await expect(term).toContainText('Salience')
  await page.keyboard.press('Escape')
  await expect(term).toHaveCount(0)
})

test('gauges are drawn, read point by point, and shown as a table [terminal.world.gauges]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'IDX 7d')
  const index = paneOf(page, /^Index/)
  await expect(index.getByText('Disagreement').first()).toBeVisible(FIRST_CONTEXT)
  await expect(index.locator('canvas').first()).toBeVisible(FIRST_CONTEXT)
  await expect(index.getByRole('img', { name: /^The index over 7d/ })).toBeVisible()
  const legend = index.locator('.chart-legend')
  const newest = await legend.innerText()
  await page.keyboard.press('ArrowLeft')
  await expect(legend).not.toHaveText(newest, { useInnerText: true })
  await page.keyboard.press('t')
  const table = index.getByRole('grid', { name: 'Gauges, newest first' })
  await expect(table.getByRole('gridcell').first()).toBeVisible()
  expect(await table.innerText()).not.toMatch(/null|NaN|undefined/)
})

test('regimes show their reasons, and a market its dossier and trail [terminal.world.regimes] [terminal.world.dossier]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'REG')
  const scan = paneOf(page, /^Regime scan/)
  const rows = scan.getByRole('grid', { name: 'Markets by regime' })
  await expect(rows.getByRole('gridcell').first()).toBeVisible(FIRST_CONTEXT)
  await page.keyboard.press('j')
  await expect(scan.getByRole('region', { name: /^Why / }).getByRole('table')).toBeVisible()
  await page.keyboard.press('Enter')
  const facts = paneOf(page, /^Details/)
  await expect(facts.getByRole('heading', { name: /^Suggestion/ })).toBeVisible(FIRST_CONTEXT)
  await expect(facts.getByRole('heading', { name: /^Other venue/ })).toBeVisible()
  await run(page, 'TRAIL')
  const trail = paneOf(page, /^Trail/)
  await expect(
    trail.getByRole('group', { name: /^Trail of / }).or(trail.getByText(/^No market is linked/)),
  ).toBeVisible(FIRST_CONTEXT)
})

test('the panes of the world have no serious accessibility violation in any theme', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  expect(await findingsInThemes(page)).toEqual([])
  await run(page, 'IDX 7d')
  await expect(
    paneOf(page, /^Index/)
      .locator('canvas')
      .first(),
  ).toBeVisible(FIRST_CONTEXT)
  expect(await findingsInThemes(page)).toEqual([])
  await run(page, 'REG')
  await expect(page.getByRole('grid', { name: 'Markets by regime' })).toBeVisible(FIRST_CONTEXT)
  expect(await findingsInThemes(page)).toEqual([])
})
