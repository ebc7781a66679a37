import type { Page } from '@playwright/test'
import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { expect, test } from './fixtures/app.ts'
import { faultsOfShownPane } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, run, runFromField, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

/** This changes the time of a replay. */
const ELSEWHERE: readonly string[] = ['REPLAY']
/** Lines that show the pane of a command whose example writes or needs an item of the day. */
const LINES: Readonly<Record<string, string>> = { ALERT: 'ALERT' }
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
] as const

/** A limit counts the requests of a minute. */
const LIMIT_ENDS = 70_000

/** Panes of the window, hidden tabs included. */
const tabs = (page: Page) => page.locator('.dv-tab').count()

async function explainFirstItem(page: Page): Promise<void> {
  await runFromField(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  await expect(page.locator('[data-pane]:focus-within')).toHaveAttribute('aria-label', /^World/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
}

test('the example of every command shows a pane without faults [terminal.commands.panes]', async ({
  app,
  page,
}) => {
  await page.setViewportSize(SIZES[0])
  await openSignedIn(page, app)
  await expect(page.getByRole('gridcell').first()).toBeVisible({ timeout: 120_000 })
  // Computed results have to exist before they can be shown.
  await run(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  const before = await tabs(page)
  const specs = COMMANDS.filter(
    ({ verb, effect }) => effect === 'read' && !ELSEWHERE.includes(verb),
  )
  for (const spec of specs) {
    const example = spec.example.replace('KXFED-26DEC', '.').replace(' in float', '')
    if (spec.verb === 'EXPLAIN') await explainFirstItem(page)
    else await runFromField(page, LINES[spec.verb] ?? example)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
      // So many commands in a row may reach the limit of requests, which a pane waits out.
      await expect
        .poll(() => page.evaluate(faultsOfShownPane), {
          message: `${spec.verb} at ${size.width}`,
          timeout: LIMIT_ENDS,
        })
        .toEqual([])
    }
  }
  // Commands of one kind share a pane.
  expect((await tabs(page)) - before).toBeLessThan(specs.length / 2)
})
