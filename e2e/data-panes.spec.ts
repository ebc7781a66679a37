import { readFile } from 'node:fs/promises'
import { seriousFindings } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { openTerminal, paneOf, WITH_CONTEXT, runFromField as run } from './fixtures/terminal.ts'

test('a statement is run from the command bar or its pane, and its result is shown, exported and opened [terminal.sql.pane] [terminal.sql.command] [terminal.sql.refused] [terminal.sql.export]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  const pane = paneOf(page, 'SQL')
  const field = pane.getByLabel('One SELECT over the stored history')
  const answer = pane.getByRole('grid', { name: 'Result' })
  await run(page, 'SQL')
  await expect(field).toBeFocused()
  expect(await seriousFindings(page)).toEqual([])

  // The views that the pane lists are those of the service, each with its columns.
  await page.keyboard.type('show tables')
  await page.keyboard.press('Control+Enter')
  const refusal = pane.getByRole('alert')
  await expect(refusal).toContainText('There are: ')
  const named = /There are: ([\w, ]+)/.exec(await refusal.innerText())?.[1]?.split(', ') ?? []
  const listed = pane.getByRole('button', { name: /^Columns of / })
  await expect(listed).toHaveCount(named.length)
  for (const view of named)
    await expect(listed.filter({ hasText: new RegExp(`^${view}$`) })).toBeVisible()
  await pane.getByRole('button', { name: 'Columns of trades' }).click()
  await expect(answer.getByRole('gridcell', { name: 'known_at', exact: true })).toBeVisible()

  // By its line: the rest of the line is the statement, quotes and semicolons included.
  await run(page, "SQL select ticker, venue, 'a;b' as mark from markets order by ticker limit 3;")
  await expect(field).toHaveValue(
    "select ticker, venue, 'a;b' as mark from markets order by ticker limit 3",
  )
  await expect(pane.getByRole('status')).toContainText('3 rows in')
  await expect(pane).toContainText('SAMPLE')
  await expect(answer.getByRole('gridcell', { name: 'a;b' })).toHaveCount(3)

  // An error shows its position; the rows below are marked as older.
  await field.fill('select ticker\nfrom market')
  await page.keyboard.press('Control+Enter')
  await expect(refusal).toContainText('line 2')
  await expect(pane).toContainText('Below: result of the previous statement')

  await field.fill("select ticker from markets where venue = 'venue_a' order by ticker limit 2")
  await page.keyboard.press('Control+Enter')
  await expect(pane.getByRole('status')).toContainText('2 rows in')
  await expect(answer.getByRole('row')).toHaveCount(3)
  const saved = page.waitForEvent('download')
  await run(page, 'SQL select 1 as one, null as none to csv')
  expect(await readFile(await (await saved).path(), 'utf8')).toBe('one,none\r\n1,\r\n')

  // Rows with a ticker open their market.
  const ticker = await answer.getByRole('gridcell').first().innerText()
  await answer.getByRole('gridcell').first().click()
  await expect(paneOf(page, /^Details/)).toContainText(ticker)
})

test('statements require a sign-in [terminal.sql.sign-in]', async ({ app, page }) => {
  await openTerminal(page, app.url)
  await run(page, 'SQL select 1')
  await expect(paneOf(page, 'SQL')).toContainText('to see the results of your statements')
})

test.describe('a replay', () => {
  test.describe.configure({ timeout: WITH_CONTEXT.timeout })

  test('is controlled from its pane, on its own clock [terminal.replay.pane] [terminal.replay.clock] [terminal.replay.moves]', async ({
    services,
    page,
  }) => {
    const demo = await services.start(['--source', 'demo', '--seed', '7', '--demo-markets', '20'])
    await openSignedIn(page, demo)
    await run(page, 'REPLAY')
    await expect(paneOf(page, 'Replay')).toContainText('You are viewing live data')
    // On a busy machine it may have to be killed: what a replay reads is stored either way.
    await demo.stop()

    const day = 86_400_000
    const from = new Date(Math.floor(Date.now() / day) * day - 10 * day)
    const app = await services.replay(['--from', from.toISOString(), '--speed', 'step'])
    await openSignedIn(page, app)
    const pane = paneOf(page, 'Replay')
    const now = pane.locator('.now')
    const textOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    await run(page, 'REPLAY')
    await expect(now).toContainText(textOf(from.getTime()))
    await expect(page.getByRole('contentinfo')).toContainText('REPLAY')
    // Every age uses the clock of the replay.
    await expect(page.getByRole('contentinfo').locator('.clock')).toContainText(
      textOf(from.getTime()).slice(11, 13),
    )

    // By its line: filled in, and executed at a second Enter.
    await run(page, 'REPLAY step 10m')
    const step = pane.getByRole('button', { name: 'Step', exact: true })
    await expect(step).toBeFocused()
    await expect(pane.getByLabel('Step by')).toHaveValue('10m')
    await page.keyboard.press('Enter')
    await expect(now).toContainText(textOf(from.getTime() + 600_000))

    // In the pane, with errors beside their field.
    await pane.getByLabel('Seek, UTC').fill('soon')
    await page.keyboard.press('Enter')
    await expect(pane.getByRole('alert')).toContainText('Enter a UTC time')
    await expect(pane.getByLabel('Seek, UTC')).toBeFocused()
    await pane.getByLabel('Seek, UTC').fill('2031-01-01')
    await page.keyboard.press('Enter')
    await expect(pane.getByRole('alert')).toContainText('within the replay')
    // Typed text and its error survive the next update of the clock.
    const response = page.waitForResponse((answer) => answer.url().endsWith('/api/replay'))
    await pane.getByRole('button', { name: 'Refresh Replay' }).click()
    await response
    await expect(pane.getByLabel('Seek, UTC')).toHaveValue('2031-01-01')
    await expect(pane.getByRole('alert')).toContainText('within the replay')
    await pane.getByLabel('Speed').fill('max')
    await page.keyboard.press('Enter')
    await expect(pane).toContainText('at full speed')
    expect(await seriousFindings(page)).toEqual([])
    const saved = page.waitForEvent('download')
    await pane.getByRole('link', { name: 'Paper trading report' }).click()
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('<html')
  })
})
