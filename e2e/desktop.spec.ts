import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { openTerminal, paneOf, run } from './fixtures/terminal.ts'

const ROOT = join(import.meta.dirname, '..')

/** Runs an item of a pane's menu; a floating pane comes last. */
async function choose(page: Page, title: RegExp, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: title }).last().click()
  await page.getByRole('menuitem', { name: item }).click()
}
const focused = (page: Page) => page.locator('[data-pane]:focus-within, [data-pane]:focus')
const floating = (page: Page) => page.locator('.dv-resize-container [data-pane]')

test('a pane moves to its own window and shares its link group [terminal.desktop.pop-out]', async ({
  app,
  page,
  context,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'GP')
  await expect(focused(page)).toHaveAttribute('aria-label', /^Chart/)
  const opening = context.waitForEvent('page')
  await page.keyboard.press('Control+Shift+O')
  const away = await opening
  await expect(paneOf(away, /^Chart/)).toBeVisible()
  await expect(away).toHaveTitle(/^Chart.* · Augury$/)
  await expect(away.getByRole('navigation', { name: 'Workspaces' })).toHaveCount(0)
  await expect(page.locator('.notice')).toContainText('opened in a new window')
  // The market that is selected here is shown there.
  await page.getByRole('row').nth(3).click()
  const links = await page.evaluate(() => localStorage.getItem('augury.links'))
  const { A: ticker } = JSON.parse(links ?? '') as { readonly A: string }
  await expect(away.locator('button.focus')).toHaveAttribute('title', new RegExp(`\\n${ticker}\\n`))
  // A reload restores the pane, and the terminal's layout is separate.
  await away.reload()
  await expect(paneOf(away, /^Chart/)).toBeVisible()
  await away.close()
  await run(page, 'UNDO')
  await expect(paneOf(page, /^Chart/)).toBeVisible()
})

test('a pane floats, docks again, and is duplicated in its link group', async ({ app, page }) => {
  await openTerminal(page, app.url)
  await run(page, 'MOV in float')
  await expect(floating(page)).toHaveCount(1)
  await choose(page, /^Menu of Movers/, /^Float or dock/)
  await expect(floating(page)).toHaveCount(0)
  await expect(focused(page)).toHaveAttribute('aria-label', /^Movers/)
  await page.keyboard.press('l')
  const group = page.locator('.dv-groupview:focus-within')
  await group.getByRole('button', { name: /^Menu of Movers/ }).click()
  await page.getByRole('menuitem', { name: /^Duplicate/ }).click()
  await expect(
    page.getByRole('tab', { name: /Movers/ }).filter({ has: page.locator('[data-letter=B]') }),
  ).toHaveCount(2)
})

test('a start with a fresh layout sets the stored one aside [terminal.desktop.crash]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  await run(page, 'GLOSS')
  await expect(paneOf(page, /^Glossary/)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('augury.layout')))
    .toContain('GLOSS')
  await page.goto('about:blank')
  await page.goto(`${app.url}/#layout=fresh`)
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await expect(paneOf(page, /^Glossary/)).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('augury.layout.aside'))).toContain('GLOSS')
  expect(new URL(page.url()).hash).toBe('')
})

test('denied notifications are reported [terminal.desktop.notify]', async ({ app, browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(
    "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
  )
  await openTerminal(page, app.url)
  await run(page, 'SET')
  await page
    .getByRole('group', { name: 'Notifications' })
    .getByRole('button', { name: 'On' })
    .click()
  await expect(page.getByText(/^Notifications are blocked for this address/)).toBeVisible()
  await context.close()
})

test.describe('the app window of an installed Chromium', () => {
  const xvfb = ['/usr/bin/Xvfb', '/usr/local/bin/Xvfb'].find((path) => existsSync(path))
  const started: ChildProcess[] = []
  test.afterEach(() => started.splice(0).forEach((child) => child.kill('SIGTERM')))

  test('opens signed in, survives a crash of the service, and ends with it [terminal.desktop.restart]', async ({
    services,
  }) => {
    test.skip(xvfb === undefined, 'there is no Xvfb to show a window on')
    const display = spawn(xvfb ?? '', ['-displayfd', '1', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    started.push(display)
    const number = await new Promise<string>((resolve) =>
      createInterface({ input: display.stdout }).once('line', resolve),
    )
    const { dataDir } = services
    const launched = spawn(
      process.execPath,
      [join(ROOT, 'electron', 'launch.ts'), '--port', '0', '--source', 'none', '--data', dataDir],
      {
        // Electron would come first when its binary is installed.
        env: { PATH: '/usr/bin:/bin', HOME: dataDir, DISPLAY: `:${number}` },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    started.push(launched)
    const ended = new Promise<number | null>((resolve) => launched.once('exit', resolve))
    const message = await new Promise<string>((resolve) =>
      createInterface({ input: launched.stdout }).once('line', resolve),
    )
    expect(message).toContain('in a window of its own')
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(message)?.[0] ?? ''
    const readLaunch = () =>
      JSON.parse(readFileSync(join(dataDir, 'run', 'launch.json'), 'utf8')) as {
        readonly pid: number
        readonly secret: string
      }
    /** Browser sessions, as listed by a session with a ticket of its own. */
    const browsers = async (): Promise<number> => {
      const entering = await fetch(`${address}/api/auth/local`, {
        method: 'POST',
        headers: { authorization: `Launch ${readLaunch().secret}` },
      })
      const { ticket } = (await entering.json()) as { ticket: string }
      const entered = await fetch(`${address}/api/auth/exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: address },
        body: JSON.stringify({ ticket }),
      })
      const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
      const answer = await fetch(`${address}/api/auth/sessions`, { headers: { cookie } })
      return ((await answer.text()).match(/Chrome|Chromium/g) ?? []).length
    }
    await expect.poll(browsers).toBeGreaterThan(0)
    const before = readLaunch().pid
    process.kill(before, 'SIGKILL')
    await expect
      .poll(() => (existsSync(join(dataDir, 'run', 'launch.json')) ? readLaunch().pid : before))
      .not.toBe(before)
    // At the same address, so that the page and its layout stay.
    await expect.poll(async () => (await fetch(`${address}/api/health`)).status).toBe(200)
    expect(launched.exitCode).toBeNull()
    launched.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})
