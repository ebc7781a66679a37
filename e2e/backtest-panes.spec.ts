import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findingsInThemes } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { HOSTILE, played, putStrategies, untilPlayable } from './fixtures/backtests.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { openWorkspace, paneOf, WITH_CONTEXT, runFromField as run } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

const RUNS = 'Backtests'
const FORM = 'Backtests · new run'
const REPORT = 'Backtests · report'
const COMPARE = 'Backtests · compare'

/** Requests a run by its line: it fills in the form, and Enter on the form’s button starts it. */
async function playFrom(page: Page, line: string): Promise<void> {
  await run(page, line)
  const submit = paneOf(page, FORM).getByRole('button', { name: 'Run', exact: true })
  await expect(submit).toBeFocused()
  await page.keyboard.press('Enter')
}

test('a run is started by form, followed to its end and read [terminal.backtest.workspace] [terminal.backtest.form] [terminal.backtest.command] [terminal.backtest.report] [terminal.backtest.tables] [terminal.backtest.trade] [terminal.backtest.export]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await untilPlayable(page)
  await openWorkspace(page, 7)
  const report = paneOf(page, REPORT)
  const form = paneOf(page, FORM)
  await expect(paneOf(page, RUNS)).toContainText('buy-and-hold')
  await expect(report).toContainText('Warnings')

  // By the form, by keyboard alone: the service returns the parameters and their defaults.
  await form.getByLabel('Strategy').focus()
  await page.keyboard.type('buy-and')
  await expect(form.getByLabel('contracts')).toHaveValue('10')
  await expect(form.getByLabel('maxPrice')).toHaveValue('95')
  await form.getByLabel('contracts').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await form.getByLabel('From, UTC').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(new Date(Date.now() - 2 * 86_400_000).toISOString())
  await page.keyboard.press('Enter')
  // The report of the workspace's own run looks the same until the new run's report is opened.
  await expect(form.getByLabel('From, UTC')).not.toBeFocused()
  await expect(report).toContainText(/buy-and-hold: [+−]\$/)

  // Each chart has its table.
  await expect(report.getByRole('img', { name: /^buy-and-hold: / })).toBeVisible()
  await expect(report.getByRole('img', { name: /^Drawdown, deepest / })).toBeVisible()
  await expect(report.getByRole('img', { name: /^Exposure, mean / })).toBeVisible()
  await page.keyboard.press('t')
  const curve = report.getByRole('grid', { name: 'Equity, drawdown and exposure' })
  await expect(curve.getByRole('row').nth(2)).toBeVisible()
  await page.keyboard.press('t')
  for (const name of ['Profit', 'Sharpe', 'Max drawdown', 'Fees', 'Exposure', 'Hit rate']) {
    await expect(
      report.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }),
    ).toBeVisible()
  }

  // The same by command: filled in, not run, until a second Enter.
  await run(page, 'BT run buy-and-hold 2d contracts=7')
  const submit = form.getByRole('button', { name: 'Run', exact: true })
  await expect(submit).toBeFocused()
  await expect(form.getByLabel('contracts')).toHaveValue('7')
  await expect(form).toContainText('Runs buy-and-hold over all markets with events.')
  const requested = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await requested).postDataJSON()).toMatchObject({
    strategy: 'buy-and-hold',
    params: { contracts: 7 },
  })

  // Parts by key; a trade on its chart, with the fills of the run marked.
  const answer = await (await requested).response()
  if (answer === null) throw new Error('the backtest was not answered')
  const { id } = (await answer.json()) as { id: string }
  await expect
    .poll(async () => (await page.request.get(`${app.url}/api/backtests/${id}`)).json())
    .toMatchObject({ state: 'done' })
  await run(page, `BT ${id} trades`)
  const trades = report.getByRole('grid', { name: 'Trades, oldest first' })
  await expect(trades.getByRole('gridcell', { name: '7', exact: true }).first()).toBeVisible()
  const rows = Number(await trades.getAttribute('aria-rowcount')) - 1
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Control+Shift+e')
  const csv = await readFile(await (await saved).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toBe(
    'at,ticker,action,side,role,price,contracts,fee,isEstimated,tag',
  )
  expect(csv.trim().split('\r\n')).toHaveLength(rows + 1)
  await page.keyboard.press('3')
  await expect(report.getByRole('grid', { name: 'Profit by market' })).toBeVisible()
  await page.keyboard.press('4')
  await expect(report).toContainText(/Entry prices versus outcomes|nothing to calibrate/)
  await page.keyboard.press('5')
  await expect(report).toContainText('Data gaps')
  await expect(report).toContainText('trades.csv')
  await page.keyboard.press('2')
  await trades.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const chart = page.locator('[data-pane]:focus-within')
  await expect(chart).toHaveAttribute('aria-label', /^Chart/)
  await expect(chart.getByRole('button', { name: '1 fill' })).toBeVisible()
  await expect(chart.getByRole('region', { name: /marked date/ })).toBeVisible()
  await page.keyboard.press('t')
  // The table renders the visible rows, newest first, and the fill is two days old.
  await chart.getByRole('grid', { name: 'Candles, newest first' }).focus()
  await expect(async () => {
    await page.keyboard.press('PageDown')
    await expect(chart).toContainText(/buy 7 YES/, { timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  await page.keyboard.press('e')
  await expect(chart.getByRole('button', { name: '1 fill' })).toHaveCount(0)
})

test('a run shows its progress, is polled when events stop, and is cancelled [terminal.backtest.progress] [terminal.backtest.poll] [terminal.backtest.cancel]', async ({
  app,
  page,
}) => {
  putStrategies(app)
  await openSignedIn(page, app)
  await untilPlayable(page)
  await openWorkspace(page, 7)
  const report = paneOf(page, REPORT)
  const events = page.waitForResponse((response) =>
    (response.headers()['content-type'] ?? '').startsWith('text/event-stream'),
  )
  await playFrom(page, 'BT run slow 2d')
  await events
  const progress = report.getByRole('progressbar', { name: 'Progress of slow' })
  await expect(progress).toBeVisible()
  const value = async () => Number(await progress.getAttribute('value'))
  await expect.poll(value).toBeGreaterThan(0)
  const seen = await value()
  await expect.poll(value).toBeGreaterThan(seen)
  await page.keyboard.press('Delete')
  await expect(report.getByRole('alertdialog')).toContainText('Cancel the run of slow?')
  await page.keyboard.press('Enter')
  await expect(report).toContainText(/Cancelled .* No report was written\./)
  await expect(paneOf(page, RUNS).getByRole('row').nth(1)).toContainText('cancelled')

  // Events never arrive: the run is polled, and its end is shown anyway.
  await page.route('**/api/backtests/bt_*', (route, request) =>
    request.headers()['accept'] === 'text/event-stream' ? route.abort() : route.fallback(),
  )
  await playFrom(page, 'BT run slow 2d spins=20000')
  await expect(report).toContainText(/slow: [+−]?\$/)
})

test('each error is shown beside its field, and a failed run can be started again [terminal.backtest.reasons] [terminal.backtest.hostile]', async ({
  app,
  page,
}) => {
  putStrategies(app)
  await openSignedIn(page, app)
  await untilPlayable(page)
  await openWorkspace(page, 7)
  const form = paneOf(page, FORM)
  const report = paneOf(page, REPORT)
  const refused = async (line: string, field: string, text: string) => {
    await run(page, line)
    await expect(form.getByRole('button', { name: 'Run', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(form.getByLabel(field)).toBeFocused()
    await expect(form.getByLabel(field)).toHaveAccessibleDescription(text)
  }
  await refused(
    'BT run buy-and-hold 2026-11-02 2026-11-01',
    'To, UTC',
    'The end must be after the start.',
  )
  await refused(
    'BT run buy-and-hold 2026-11-02 2099-01-01',
    'To, UTC',
    'The end must not be in the future.',
  )
  await refused('BT run thesis-edge 2d fair=much', 'fair', 'fair must be a number.')
  await run(page, 'BT run none 2d')
  await expect(form.getByRole('alert')).toContainText('There is no strategy none. Available: ')

  // Errors at the start of a run are in the report, and beside their field when it is repeated.
  await playFrom(page, 'BT run buy-and-hold 2d tickers=NOPE-1')
  await expect(report).toContainText('The run failed: NOPE-1 is not in the history.')
  await page.keyboard.press('u')
  await expect(form.locator('[name="tickers"]')).toHaveValue('NOPE-1')
  await expect(form.locator('[name="tickers"]')).toHaveAccessibleDescription(
    'NOPE-1 is not in the history.',
  )

  // A strategy's texts are rendered as text.
  await playFrom(page, 'BT run broken 2d')
  await expect(report.getByRole('alert')).toContainText('<img src=x onerror=')
  const id = await played(page, {
    strategy: 'slow',
    params: { spins: 10, word: HOSTILE, isBold: true },
  })
  for (const part of ['overview', 'trades', 'profit', 'conditions']) {
    await run(page, `BT ${id} ${part}`)
    await expect(report).toContainText(part === 'profit' ? 'in total' : 'slow')
    if (part === 'profit') await page.keyboard.press('f')
  }
  await run(page, 'BT run slow')
  await expect(form).toContainText('Takes its time. <img src=x')
  await expect(form.getByLabel('isBold')).not.toBeChecked()
  expect(await page.title()).toBe('Augury')
  expect(await page.locator('[data-pane] img, [data-pane] script').count()).toBe(0)
})

test('trades beyond those of a report are loaded on demand [terminal.backtest.all-trades]', async ({
  app,
  page,
}) => {
  putStrategies(app)
  await openSignedIn(page, app)
  await untilPlayable(page)
  const id = await played(page, { strategy: 'busy' })
  await openWorkspace(page, 7)
  await run(page, `BT ${id} trades`)
  const report = paneOf(page, REPORT)
  const trades = report.getByRole('grid', { name: 'Trades, oldest first' })
  await expect(report).toContainText(/The first 500 of [\d,]+ trades/)
  await expect(trades).toHaveAttribute('aria-rowcount', '501')
  await report.getByRole('button', { name: 'Show more' }).click()
  await expect(trades).toHaveAttribute('aria-rowcount', '1001')
  await expect(report).toContainText(/The first 1,000 of [\d,]+ trades/)
  // They are the later ones: the list continues in time, and the last of them opens its chart.
  const saved = page.waitForEvent('download')
  await report.getByRole('button', { name: 'Save as CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  const times = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0] ?? '')
  expect(times).toHaveLength(1_000)
  expect(times).toEqual(times.toSorted())
  await trades.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const chart = page.locator('[data-pane]:focus-within')
  await expect(chart).toHaveAttribute('aria-label', /^Chart/)
  await expect(chart.getByRole('button', { name: /^\d+ fills?$/ })).toBeVisible()
})

test('two runs are shown side by side, in three themes, and links start nothing [terminal.backtest.compare] [terminal.backtest.accessible] [terminal.backtest.link]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await untilPlayable(page)
  const first = await played(page, { strategy: 'buy-and-hold', params: { contracts: 2 } })
  const second = await played(page, { strategy: 'buy-and-hold', params: { contracts: 9 } })
  await openWorkspace(page, 7)
  const list = paneOf(page, RUNS).getByRole('grid')
  await expect(list.getByRole('row').nth(2)).toContainText('buy-and-hold')
  await list.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('m')
  await page.keyboard.press('j')
  await page.keyboard.press('m')
  const compare = paneOf(page, COMPARE)
  await expect(compare).toContainText('contracts (9 and 2)')
  await expect(compare.getByRole('img', { name: /^Profit of A, / })).toBeVisible()
  const metrics = compare.getByRole('table', { name: 'Metrics side by side' })
  await expect(metrics.getByRole('row', { name: /^Profit / })).toContainText('$')
  await page.keyboard.press('t')
  await expect(compare.getByRole('grid', { name: 'Profit of both runs over time' })).toBeVisible()
  await page.keyboard.press('t')
  await run(page, `BT compare ${first} ${second}`)
  await expect(compare).toContainText('contracts (2 and 9)')

  await run(page, `BT compare ${first} ${second}`)
  await expect(compare.getByRole('img', { name: /^Profit of A, / })).toBeVisible()
  expect(await findingsInThemes(page, '.dv-active-group'), 'compare').toEqual([])
  for (const part of ['overview', 'trades', 'profit', 'calibration', 'conditions']) {
    await run(page, `BT ${second} ${part}`)
    await expect(paneOf(page, REPORT)).toContainText('buy-and-hold')
    expect(await findingsInThemes(page, '.dv-active-group'), part).toEqual([])
  }
  await run(page, 'BT run thesis-edge 2d')
  await expect(paneOf(page, FORM).getByLabel('fair')).toHaveValue('50')
  expect(await findingsInThemes(page)).toEqual([])

  await page.goto(`${app.url}/#c=${encodeURIComponent('BT run buy-and-hold 2d')}`)
  await expect(page.getByText('A link can only open panes')).toBeVisible()
  await page.goto(`${app.url}/#c=${encodeURIComponent(`BT ${first}`)}`)
  await expect(paneOf(page, REPORT)).toContainText('buy-and-hold')
})

test('anonymous users are offered to sign in [terminal.backtest.sign-in]', async ({
  app,
  page,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(app.url)
  await openWorkspace(page, 7)
  for (const title of [RUNS, FORM, REPORT]) {
    await expect(paneOf(page, title)).toContainText('Sign in, or run augury open, to see')
  }
  expect(requested.filter((url) => url.includes('/api/backtests'))).toEqual([])
})
