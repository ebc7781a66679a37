import { expect, test } from './fixtures/app.ts'
import { textFaults } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, runFromField as run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 3 * WITH_CONTEXT.timeout })

const TEXT_SIZES = { small: 0.9, normal: 1, large: 1.25 } as const

const USUAL = { width: 1440, height: 900 }
const LARGE = { width: 1600, height: 1000 }

/** A text may be measured in the frame in which its pane is laid out again. */
const SETTLES = { timeout: 15_000 }

test('no workspace cuts or overlaps text in any text size and row height [terminal.text.sizes]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  const rail = page.getByRole('navigation', { name: 'Workspaces' })
  for (const [name, scale] of Object.entries(TEXT_SIZES)) {
    for (const density of ['compact', 'normal', 'roomy']) {
      await page.setViewportSize(density === 'compact' ? LARGE : USUAL)
      await run(page, 'SET')
      const settings = page.getByRole('region', { name: 'Settings', exact: true })
      const choose = async (label: string, choice: RegExp) => {
        const group = settings.getByRole('group', { name: label })
        await group.getByRole('button', { name: choice }).click()
      }
      await choose('Text size', new RegExp(`^${name}$`, 'i'))
      await choose('Row height', new RegExp(`^${density}$`, 'i'))
      await expect(page.locator('html')).toHaveAttribute('data-density', density)
      await expect(page.locator('html')).toHaveCSS('--scale', String(scale))
      await run(page, 'UNDO')
      for (const button of await rail.getByRole('button').all()) {
        if ((await button.getAttribute('aria-label')) !== null) continue
        await button.click()
        await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
        await expect
          .poll(() => page.evaluate(textFaults), { message: `${name} ${density}`, ...SETTLES })
          .toEqual([])
      }
    }
  }
})
