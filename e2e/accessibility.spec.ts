import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures/app.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  readonly rule: string
  readonly nodes: readonly string[]
}

/** Serious and critical findings of WCAG A and AA rules on the page as it stands. */
const SERIOUS = async (): Promise<Finding[]> => {
  const run = (globalThis as unknown as { axe: typeof axe }).axe
  const { violations } = await run.run({
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ rule: id, nodes: nodes.map(({ html }) => html.slice(0, 120)) }))
}

for (const theme of ['dark', 'light', 'contrast']) {
  test(`the first workspace has no serious accessibility fault in theme ${theme}`, async ({
    app,
    page,
  }) => {
    await page.goto(app.url)
    await expect(page.getByRole('gridcell').first()).toBeVisible({ timeout: 30_000 })
    await page.keyboard.press('/')
    await page.keyboard.type(`TH ${theme}`)
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await page.evaluate(AXE)
    expect(await page.evaluate(SERIOUS)).toEqual([])
  })
}
