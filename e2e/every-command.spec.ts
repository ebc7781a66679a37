import type { Page } from '@playwright/test'
import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { expect, test } from './fixtures/app.ts'
import { faultsOfShownPane } from './fixtures/in-page.js'
import {
  FIRST_CONTEXT,
  openTerminal,
  run,
  runFromField,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** These change the time or the user's alerts, or need an item of the current world. */
const ELSEWHERE: readonly string[] = ['ALERT', 'EXPLAIN', 'REPLAY']
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
] as const

/** A limit counts the requests of a minute. */
const LIMIT_ENDS = 70_000

/** Panes of the window, hidden tabs included. */
const tabs = (page: Page) => page.locator('.dv-tab').count()

test('the example of every command shows a pane without faults [terminal.commands.panes]', async ({
  app,
  page,
}) => {
  await page.setViewportSize(SIZES[0])
  await openTerminal(page, app.url)
  // Computed results have to exist before they can be shown.
  await run(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  const before = await tabs(page)
  const specs = COMMANDS.filter(
    ({ verb, effect }) => effect === 'read' && !ELSEWHERE.includes(verb),
  )
  for (const spec of specs) {
    const line = spec.example.replace('KXFED-26DEC', '.').replace(' in float', '')
    await runFromField(page, line)
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
