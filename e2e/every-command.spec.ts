import type { Page } from '@playwright/test'
import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { expect, test } from './fixtures/app.ts'
import { faultsOfShownPane } from './fixtures/in-page.js'
import { FIRST_CONTEXT, openTerminal, runFromField, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** These change the time or the user's alerts, or need an item of the current world. */
const ELSEWHERE: readonly string[] = ['ALERT', 'EXPLAIN', 'REPLAY']
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1600, height: 1000 },
] as const

/** Panes of the window, hidden tabs included. */
const tabs = (page: Page) => page.locator('.dv-tab').count()

test('the example of every command shows a pane without faults [terminal.commands.panes]', async ({
  app,
  page,
}) => {
  await page.setViewportSize(SIZES[0])
  await openTerminal(page, app.url)
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
      expect(await page.evaluate(faultsOfShownPane), `${spec.verb} at ${size.width}`).toEqual([])
    }
  }
  // Commands of one kind share a pane.
  expect((await tabs(page)) - before).toBeLessThan(specs.length / 2)
})
