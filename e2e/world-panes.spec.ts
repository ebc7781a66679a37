import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** A new demo fills its history and works out its first context before it has a world. */
const FIRST = { timeout: 90_000 }

test.describe.configure({ timeout: 150_000 })

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.getByRole('gridcell').first()).toBeVisible({ timeout: 30_000 })
}
const run = async (page: Page, line: string) => {
  await page.keyboard.press('/')
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}
const pane = (page: Page, name: RegExp) => page.getByRole('region', { name })

/** Serious and critical findings of WCAG A and AA rules on the page as it stands. */
const serious = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const checker = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await checker.run({
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`)
  })
}

test('the world is read, drilled and explained by keys alone [terminal.world.threads] [terminal.world.regions]', async ({
  app,
  page,
}) => {
  await open(page, app.url)
  await run(page, 'WORLD')
  const world = pane(page, /^World/)
  const items = world.getByRole('grid', { name: 'What stands out' })
  await expect(items.getByRole('gridcell').first()).toBeVisible(FIRST)
  await expect(world.getByText(/^as of \d+[sm] ago$/)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const explanation = pane(page, /^Explanation/)
  await expect(explanation.getByText('Hypotheses').first()).toBeVisible()
  await expect(explanation.getByText(/^Asked: \w/)).toBeVisible()
  await run(page, 'WORLD')
  await page.keyboard.press('v')
  await page.keyboard.press('j')
  const region = world.getByRole('grid', { name: 'Regions within' }).getByRole('gridcell').first()
  const name = await region.innerText()
  await page.keyboard.press('Enter')
  await expect(world.getByRole('navigation', { name: 'Region', exact: true })).toContainText(name)
  await page.keyboard.press('i')
  await expect(page.getByRole('region', { name: 'Salience' })).toBeVisible()
})

test('gauges are drawn, read point by point, and shown as a table [terminal.world.gauges]', async ({
  app,
  page,
}) => {
  await open(page, app.url)
  await run(page, 'IDX 7d')
  const index = pane(page, /^Index/)
  await expect(index.getByText('Disagreement').first()).toBeVisible(FIRST)
  await expect(index.locator('canvas').first()).toBeVisible(FIRST)
  await expect(index.getByRole('img', { name: /^The index over 7d/ })).toBeVisible()
  const legend = index.locator('.legend')
  const newest = await legend.innerText()
  await page.keyboard.press('ArrowLeft')
  await expect(legend).not.toHaveText(newest, { useInnerText: true })
  await page.keyboard.press('t')
  const table = index.getByRole('grid', { name: 'Gauges, newest first' })
  await expect(table.getByRole('gridcell').first()).toBeVisible()
  expect(await table.innerText()).not.toMatch(/null|NaN|undefined/)
})

test('regimes give their reasons, and a market its dossier and trail [terminal.world.regimes] [terminal.world.dossier]', async ({
  app,
  page,
}) => {
  await open(page, app.url)
  await run(page, 'REG')
  const scan = pane(page, /^Regime scan/)
  const rows = scan.getByRole('grid', { name: 'Markets by regime' })
  await expect(rows.getByRole('gridcell').first()).toBeVisible(FIRST)
  await page.keyboard.press('j')
  await expect(scan.getByRole('region', { name: /^Why / }).getByRole('table')).toBeVisible()
  await page.keyboard.press('Enter')
  const facts = pane(page, /^Facts/)
  await expect(facts.getByRole('heading', { name: /^Suggestion/ })).toBeVisible(FIRST)
  await expect(facts.getByRole('heading', { name: /^Other venue/ })).toBeVisible()
  await run(page, 'TRAIL')
  const trail = pane(page, /^Trail/)
  await expect(
    trail.getByRole('group', { name: /^Trail of / }).or(trail.getByText(/^No market is linked/)),
  ).toBeVisible(FIRST)
})

for (const theme of ['dark', 'light', 'contrast']) {
  test(`the panes of the world have no serious accessibility fault in theme ${theme}`, async ({
    app,
    page,
  }) => {
    await open(page, app.url)
    await run(page, `TH ${theme}`)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await run(page, 'WORLD')
    await expect(page.getByRole('grid', { name: 'What stands out' })).toBeVisible(FIRST)
    expect(await serious(page)).toEqual([])
    await run(page, 'IDX 7d')
    await expect(
      pane(page, /^Index/)
        .locator('canvas')
        .first(),
    ).toBeVisible(FIRST)
    expect(await serious(page)).toEqual([])
    await run(page, 'REG')
    await expect(page.getByRole('grid', { name: 'Markets by regime' })).toBeVisible(FIRST)
    expect(await serious(page)).toEqual([])
  })
}
