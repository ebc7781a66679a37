import { createHash } from 'node:crypto'
import { findingsInThemes, seriousFindings } from './fixtures/accessibility.ts'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { paneOf, run } from './fixtures/terminal.ts'

const statusOf = async ({ url }: RunningApp, key: string): Promise<number> =>
  (await fetch(`${url}/api/keys`, { headers: { authorization: `Bearer ${key}` } })).status

test('a key is created, shown once, works, and is revoked, by keyboard only [terminal.access.keys]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await run(page, 'KEYS in new')
  const keys = paneOf(page, 'API keys')
  await expect(keys.getByRole('textbox', { name: 'Name of the new key' })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('research agent')
  await page.keyboard.press('Enter')
  const notice = keys.getByRole('region', { name: 'New key research agent' })
  const key = (await notice.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^svc_live_[\w-]{43}$/)
  expect(await statusOf(app, key)).toBe(200)

  // "Copy" has the focus; the next button confirms that the key is stored.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(notice).toHaveCount(0)
  expect(await page.content()).not.toContain(key)
  await expect(keys.getByRole('gridcell', { name: key.slice(0, 12) })).toBeVisible()
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
  expect(kept).not.toContain(key)

  await page.keyboard.press('j')
  await page.keyboard.press('Delete')
  await expect(keys.getByRole('alertdialog')).toContainText('Revoke “research agent”')
  await page.keyboard.press('Escape')
  expect(await statusOf(app, key)).toBe(200)
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(keys.getByRole('row', { name: /research agent.*revoked/ })).toBeVisible()
  expect(await statusOf(app, key)).toBe(401)
})

test('the owner gets an email and a password, by keyboard only [terminal.access.own-account]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await run(page, 'ACCOUNT in new')
  const account = paneOf(page, 'Account')
  await expect(account.getByRole('button', { name: 'Change' })).toBeVisible()
  await page.keyboard.press('e')
  await expect(account.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('owner')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse battery')
  await page.keyboard.press('Enter')
  await expect(account.getByRole('alert')).toHaveText('Email must be an address.')
  expect(await seriousFindings(page, { within: 'section[aria-label="Account"]' })).toEqual([])
  // The field with the error has the focus.
  await page.keyboard.press('End')
  await page.keyboard.type('@example.test')
  await page.keyboard.press('Enter')
  await expect(account.getByRole('form', { name: 'Change the account' })).toHaveCount(0)
  await expect(account).toContainText('owner@example.test')
  const signedIn = await fetch(`${app.url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.test', password: 'correct horse battery' }),
  })
  expect(signedIn.status).toBe(200)
})

test('the theme is switched in Settings and stays [terminal.access.settings]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await page.keyboard.press('Control+,')
  const settings = paneOf(page, 'Settings')
  await settings.getByRole('button', { name: 'Light', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await settings.getByRole('button', { name: 'Compact' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
})

test('an anonymous page still reads, and offers to sign in where required', async ({
  app,
  page,
}) => {
  await page.goto(app.url)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  for (const [line, title] of [
    ['KEY', 'API keys'],
    ['USE', 'Usage'],
    ['SET data', 'Settings'],
  ] as const) {
    await run(page, `${line} in new`)
    await expect(paneOf(page, title)).toContainText('augury open')
  }
  await run(page, 'LOGIN')
  await expect(paneOf(page, 'Account').getByRole('textbox', { name: 'Email' })).toBeVisible()
})

test('a login is shown with its check code, and completed only by a click [terminal.access.cli-page]', async ({
  app,
  page,
}) => {
  const requested: string[] = []
  await page.route('**/api/auth/cli/complete', (route) => {
    requested.push(route.request().postData() ?? '')
    return route.fulfill({ status: 410, json: { error: 'Session expired or already used' } })
  })
  await openSignedIn(page, app)
  const token = 'a+b'.padEnd(40, 'c')
  await page.goto('about:blank')
  await page.goto(`${app.url}/#cli=${encodeURIComponent(token)}`)
  const dialog = page.getByRole('dialog', { name: 'Sign in the command line' })
  const code = createHash('sha256').update(token).digest('hex')
  await expect(dialog).toContainText(`${code.slice(0, 4)}-${code.slice(4, 8)}`)
  await expect(dialog).toContainText('Signed in as Owner')
  expect(page.url()).toBe(`${app.url}/`)
  expect(await seriousFindings(page, { within: 'dialog' })).toEqual([])
  // A user who was typing when the page opened has approved nothing.
  await page.keyboard.press('Enter')
  expect(requested).toEqual([])
  await dialog.getByRole('button', { name: 'Allow' }).click()
  await expect(dialog).toContainText('expired or was already used')
  expect(requested).toEqual([JSON.stringify({ sessionToken: token })])
})

test('the first steps are shown once, until they are closed [terminal.access.first-steps]', async ({
  app,
  page,
}) => {
  await page.goto(app.url)
  const card = page.getByRole('complementary', { name: 'First steps' })
  await card.getByRole('button', { name: /^HELP:/ }).click()
  await expect(paneOf(page, 'Help')).toBeVisible()
  await card.getByRole('button', { name: 'Close first steps' }).click()
  await expect(card).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(card).toHaveCount(0)
})

test('keys, usage, account and settings have no serious violation in any theme [terminal.access.accessible]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  for (const [line, title] of [
    ['KEY', 'API keys'],
    ['USE', 'Usage'],
    ['ACCOUNT', 'Account'],
    ['SET look', 'Settings'],
    ['SET keys', 'Settings'],
    ['SET sources', 'Settings'],
    ['SET data', 'Settings'],
  ] as const) {
    await run(page, line)
    await expect(paneOf(page, title)).toBeVisible()
    await expect(page.locator('[data-pane] [role="status"][aria-label^="Loading"]')).toHaveCount(0)
    const within = `section[aria-label="${title}"]`
    expect([line, await findingsInThemes(page, within)]).toEqual([line, []])
  }
})
