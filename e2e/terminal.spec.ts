import { expect, test } from './fixtures/app.ts'
import { FIRST_CONTEXT, openTerminal, run } from './fixtures/terminal.ts'

test('opens without an error and contacts no other host [terminal.page.loads] [terminal.page.keeps-to-itself]', async ({
  app,
  page,
}) => {
  // Before the first context, computed values are refused with 503, which the browser reports.
  const isComputed = async () => (await page.request.get(`${app.url}/api/agent/world`)).ok()
  await expect.poll(isComputed, FIRST_CONTEXT).toBe(true)
  const problems: string[] = []
  const foreign: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== app.url) foreign.push(request.url())
  })
  await openTerminal(page, app.url)
  expect(problems).toEqual([])
  expect(foreign).toEqual([])
})

test('lists markets with prices and marks demo data [terminal.page.market-list]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  const cells = page.getByRole('grid').first().getByRole('gridcell')
  await expect(cells.filter({ hasText: /^\D*\d+(\.\d+)?¢/ }).first()).toBeVisible()
  await expect(page.getByText('SAMPLE').first()).toBeVisible()
})

test('the command bar runs a command [terminal.page.command-bar]', async ({ app, page }) => {
  await openTerminal(page, app.url)
  await page.keyboard.press('/')
  const bar = page.getByRole('combobox').first()
  await expect(bar).toBeFocused()
  await page.keyboard.type('HELP')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Help', exact: true }).first()).toBeVisible()
})

test('keys pressed before the bar is ready are not lost [terminal.page.early-keys]', async ({
  app,
  page,
}) => {
  let enter = (): void => {}
  const entering = new Promise<void>((resolve) => (enter = resolve))
  // A ticket is exchanged before the terminal is built: for as long as the response is delayed.
  await page.route('**/api/auth/exchange', async (route) => {
    await entering
    await route.continue()
  })
  const exchange = page.waitForRequest('**/api/auth/exchange')
  await page.goto(`${app.url}/#ticket=none`)
  await exchange
  await expect(page.locator('.boot')).toBeVisible()
  await page.keyboard.type('/HELP MOV')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/sca')
  enter()
  await expect(page.getByRole('region', { name: /^Help/ }).first()).toBeVisible()
  await expect(page.getByRole('combobox').first()).toHaveValue('sca')
})

test('the command bar marks where a command is wrong', async ({ app, page }) => {
  await openTerminal(page, app.url)
  await run(page, 'KXNOSUCH FLY')
  const bar = page.getByRole('combobox').first()
  await expect(bar).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alert').filter({ hasText: /\w/ }).first()).toBeVisible()
})

test('shows within seconds that the service is gone, and no venue as fresh', async ({
  services,
  page,
}) => {
  const service = await services.start(['--source', 'demo', '--seed', '3', '--demo-markets', '100'])
  await openTerminal(page, service.url)
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status.getByTitle('Kalshi: current')).toBeVisible()
  await service.stop('SIGKILL')
  await expect(status.getByText('Service not reachable')).toBeVisible()
  await expect(status.getByTitle(/: current$/)).toHaveCount(0)
  await expect(page.getByText(/^Offline/).first()).toBeVisible()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
})
