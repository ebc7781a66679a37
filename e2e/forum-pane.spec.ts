import { seriousFindings } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { paneOf, runFromField as run } from './fixtures/terminal.ts'

test('messages are posted, answered and opened from the forum pane [terminal.forum.pane]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await run(page, 'FORUM signals')
  const pane = paneOf(page, 'Forum')
  await expect(pane.getByRole('button', { name: 'Signals' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await pane.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(pane.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()

  await pane.getByLabel('Message', { exact: true }).fill('Cut <b>priced</b> in\nwatch the close')
  await pane.getByLabel('Add tickers').fill('KXFED-26DEC')
  await page.keyboard.press('Enter')
  await pane.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.press('Control+Enter')
  const posted = pane.getByRole('article').filter({ hasText: 'Cut <b>priced</b> in' })
  await expect(posted.getByRole('button', { name: 'KXFED-26DEC' })).toBeVisible()

  await posted.getByRole('button', { name: 'Reply' }).click()
  await pane.getByLabel('Message', { exact: true }).fill('Agreed')
  await pane.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(
    pane.getByText('In reply to Owner: Cut <b>priced</b> in watch the close'),
  ).toBeVisible()
  expect(await seriousFindings(page)).toEqual([])
})
