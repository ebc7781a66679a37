import type { Page } from '@playwright/test'
import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { isHarmless, liveExample } from '../renderer/shell/examples/live-examples.ts'
import { expect, test } from './fixtures/app.ts'
import { faultsOfShownPane } from './fixtures/in-page.js'
import { FIRST_CONTEXT, openTerminal, runFromField, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** The market in focus; the topic of the table. The items of the world change with every snapshot. */
const CURRENT = { ticker: null, topic: null, item: null }
/** These replace the window or its data, or open their result in the terminal pane. */
const ELSEWHERE: readonly string[] = ['EXPLAIN', 'REPLAY', 'TERM', 'WS']
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
  const specs = COMMANDS.filter((spec) => isHarmless(spec) && !ELSEWHERE.includes(spec.verb))
  for (const spec of specs) {
    await runFromField(page, liveExample(spec, CURRENT).replace(' in float', ''))
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
      expect(await page.evaluate(faultsOfShownPane), `${spec.verb} at ${size.width}`).toEqual([])
    }
  }
  // Commands of one kind share a pane.
  expect((await tabs(page)) - before).toBeLessThan(specs.length / 2)
})
