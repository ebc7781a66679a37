import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { expect, test } from './fixtures/app.ts'
import { textFaults } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, runFromField as run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 3 * WITH_CONTEXT.timeout })

/** These change the time of the service, or need an item of the current world. */
const ELSEWHERE: readonly string[] = ['EXPLAIN', 'REPLAY']
/** Windows, and the last as one of 1440 × 900 at 200 %. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
  { width: 2560, height: 1440 },
  { width: 720, height: 450 },
] as const
const TEXT_SIZES = { small: 0.9, normal: 1, large: 1.25 } as const

/** A text may be measured in the frame in which its pane is laid out again. */
const SETTLES = { timeout: 15_000 }

test('no pane cuts or overlaps text at any size of the window [terminal.text.fits]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await run(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  const specs = COMMANDS.filter(
    ({ verb, effect }) => effect === 'read' && !ELSEWHERE.includes(verb),
  )
  for (const { verb, example } of specs) {
    await run(page, example.replace('KXFED-26DEC', '.').replace(' in float', ''))
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
      await expect
        .poll(() => page.evaluate(textFaults), { message: `${verb} at ${size.width}`, ...SETTLES })
        .toEqual([])
    }
  }
})

test('no workspace cuts or overlaps text in any text size and row height [terminal.text.sizes]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  const rail = page.getByRole('navigation', { name: 'Workspaces' })
  for (const [name, scale] of Object.entries(TEXT_SIZES)) {
    for (const density of ['compact', 'normal', 'roomy']) {
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
  await run(page, 'SET')
})
