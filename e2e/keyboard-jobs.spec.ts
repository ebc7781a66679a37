import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { clearWatchlist } from './fixtures/clean-account.ts'
import { typedName } from './fixtures/market-names.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, run, WITH_CONTEXT } from './fixtures/terminal.ts'
import { jobsWith, pressesOf, type Job, type Outcome } from './fixtures/keyboard-jobs.ts'

test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

/** Every job starts alike: the list of markets has the focus, its first row the cursor. */
async function begin(page: Page): Promise<void> {
  for (const key of ['Escape', 'Escape', 'Alt+1', 'Alt+Shift+1', 'Home']) {
    await page.keyboard.press(key)
  }
  await expect(page.locator('[data-pane]:focus-within')).toHaveAttribute('aria-label', /^Markets/)
}

async function check(page: Page, outcome: Outcome): Promise<void> {
  switch (outcome.kind) {
    case 'focus':
      await expect(page.locator('[data-pane]:focus-within')).toHaveAttribute(
        'aria-label',
        outcome.pane,
      )
      return
    case 'announced':
      await expect(page.getByRole('contentinfo').getByRole('status')).toHaveText(outcome.text)
      return
    case 'shown':
      await expect(page.locator(outcome.selector).first()).toBeVisible()
      return
    case 'root':
      await expect(page.locator('html')).toHaveAttribute(outcome.name, outcome.value)
  }
}

const textOf = (selector: string): Outcome => ({ kind: 'shown', selector })
const line = (job: Job) => `${job.name}: ${pressesOf(job).length} of ${job.max} keys`

test('the listed tasks are done by keyboard only, within their number of keys [terminal.keyboard.jobs] [terminal.alerts.keys]', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openSignedIn(page, app)
  await clearWatchlist(page, app)
  await page.reload()
  await expect(page.getByRole('gridcell').first()).toBeVisible({ timeout: 120_000 })
  const name = await typedName(app)
  // Names are found once the first page of markets was loaded, seconds after the start.
  await expect(async () => {
    for (const key of ['Escape', 'Escape', 'Escape', '/']) await page.keyboard.press(key)
    await page.keyboard.type(name.typed)
    const found = page.getByRole('listbox', { name: 'Suggestions' })
    await expect(found).toContainText(name.word, { timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  // Computed results have to exist before they can be shown.
  await run(page, 'WORLD')
  await expect(page.getByRole('grid', { name: 'Salient items' })).toBeVisible(FIRST_CONTEXT)
  for (const job of jobsWith(name)) {
    await test.step(line(job), async () => {
      expect(pressesOf(job).length, line(job)).toBeLessThanOrEqual(job.max)
      await begin(page)
      for (const key of job.before ?? []) await page.keyboard.press(key)
      if (job.before !== undefined && job.sees !== undefined) await check(page, textOf(job.sees))
      for (const key of pressesOf(job)) {
        if (key === 'ArrowDown' && job.sees !== undefined) await check(page, textOf(job.sees))
        await page.keyboard.press(key)
      }
      await check(page, job.outcome)
    })
  }
})
