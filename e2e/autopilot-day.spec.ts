import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { fetchWithinLimits } from './fixtures/fetch-within-limits.ts'
import { asPage } from './fixtures/panels.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

/** A service and a replay start, and each computes a context first. */
test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

const AUGURY = join(import.meta.dirname, '..', 'backend', 'cli', 'augury.mjs')
const DAY = 86_400_000
const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '40']
/** The start of the past day, of which a new demo has hourly quotes. */
const YESTERDAY = (Math.floor(Date.now() / DAY) - 1) * DAY
const on = (day: number): string => new Date(YESTERDAY - day * DAY + DAY / 2).toISOString()

interface Row {
  readonly ticker: string
  readonly bestAsk: number | null
}
async function marketsOf({ url }: RunningApp, query: string): Promise<readonly Row[]> {
  const answer = await fetchWithinLimits(`${url}/api/public/markets?limit=200&${query}`)
  return ((await answer.json()) as { markets: Row[] }).markets
}

/** Closed lots, as Kalshi exports them. */
const statementOf = (tickers: readonly string[]): string =>
  [
    'type,quantity,market_ticker,side,entry_price_cents,exit_price_cents,open_fees_cents,close_fees_cents,realized_pnl_without_fees_cents,realized_pnl_with_fees_cents,close_timestamp,open_timestamp',
    ...tickers.map(
      (ticker, n) => `trade,${7 + n},${ticker},yes,52,${49 + 4 * n},13,11,,,${on(2)},${on(3)}`,
    ),
  ].join('\n')

/** Cents of a cell: `−$1,204.50` is −120450. */
const centsOf = (text: string): number =>
  Number(text.replaceAll(/[^\d]/g, '')) * (text.trim().startsWith('−') ? -1 : 1)

/** The profit of each row of the attribution, and of the whole. */
async function attributed(page: Page) {
  const pane = paneOf(page, 'Attribution')
  const rows = await pane
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .all()
  const cells = rows.map((row) => row.getByRole('gridcell').nth(1).textContent())
  const profits = (await Promise.all(cells)).map((text) => centsOf(text ?? ''))
  const total = await pane.locator('dt', { hasText: 'Profit' }).locator('+ dd').textContent()
  return { profits, total: centsOf(total ?? '') }
}

test('an account is imported, and an autopilot runs a day on a replay until it halts [portfolio.autopilot.day]', async ({
  services,
  page,
}) => {
  const { dataDir } = services
  const demo = await services.start(DEMO)
  await openSignedIn(page, demo)
  const traded = async () => (await marketsOf(demo, 'venue=venue_a')).slice(0, 5)
  await expect.poll(async () => (await traded()).length, FIRST_CONTEXT).toBe(5)
  const statement = join(dataDir, 'kalshi.csv')
  await writeFile(statement, statementOf((await traded()).map(({ ticker }) => ticker)))
  const line = ['portfolio', 'import', statement, '--data', dataDir]
  const imported = await promisify(execFile)(process.execPath, [AUGURY, ...line])
  expect(imported.stdout).toContain('Booked from Kalshi: 10 fills, 0 settlements')

  await openWorkspace(page, 6)
  await run(page, 'LEDG fills')
  await expect(paneOf(page, 'Ledger').getByRole('row').nth(1)).toContainText('fill: sell')
  await run(page, 'ATTR market 30d')
  await expect.poll(async () => (await attributed(page)).profits.length).toBe(5)
  const { profits, total } = await attributed(page)
  expect(profits.reduce((sum, cents) => sum + cents, 0)).toBe(total)
  // (49 − 52) × 7 + (53 − 52) × 8 + … − 5 × 24 of fees.
  expect(total).toBe(-21 + 8 + 45 + 90 + 143 - 5 * 24)
  await demo.stop()

  const [from, to] = [YESTERDAY, YESTERDAY + DAY].map((at) => new Date(at).toISOString())
  const span = ['--from', from ?? '', '--to', to ?? '']
  const replay = await services.replay([...span, '--speed', 'step'])
  await openSignedIn(page, replay)
  // A minute later the quotes of the first hour are known.
  await asPage(page, 'POST', '/api/replay/step', { n: 61 })
  const quoted = await marketsOf(replay, 'status=active')
  const tradable = quoted.filter(({ bestAsk }) => bestAsk !== null && bestAsk > 8 && bestAsk < 92)
  const rawThesis = 'The Fed will raise rates in January 2027 because inflation stays high'
  const create = '/api/thesis/create?sync=true'
  const { id } = (await asPage(page, 'POST', create, { rawThesis })) as { id: string }
  const size = { entryBelow: 99, perOrderQuantity: 25, maxQuantity: 1_000 }
  for (const { ticker: marketId } of tradable) {
    const strategy = { marketId, direction: 'yes', ...size }
    await asPage(page, 'POST', `/api/thesis/${id}/strategies`, strategy)
  }
  await asPage(page, 'PUT', '/api/portfolio/config', {
    minAdjIy: 0,
    maxLas: 10,
    minTauDays: 0,
    excludeCategories: [],
    maxOrdersPerTick: 20,
    cronExpression: '1 * * * *',
    drawdownWarnCents: 1_000,
    maxDrawdownHaltCents: 2_000,
  })

  await openWorkspace(page, 6)
  await run(page, 'RISK')
  const limits = paneOf(page, 'Risk')
  await expect(limits.getByText('The autopilot is off')).toBeVisible()
  await page.keyboard.press('a')
  await expect(limits.getByRole('alertdialog')).toContainText('1 * * * *, Pacific time')
  await page.keyboard.press('Enter')
  await expect(limits.getByText('The autopilot is on')).toBeVisible()
  await run(page, 'REPLAY speed max')
  const clock = paneOf(page, 'Replay')
  await expect(clock.getByRole('button', { name: 'Set', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(clock).toContainText('at full speed')
  await clock.getByRole('button', { name: 'Resume' }).click()

  await run(page, 'RISK')
  const halted = limits.getByText('Trading is halted: the drawdown reached its limit')
  await expect(halted).toBeVisible(FIRST_CONTEXT)
  await run(page, 'TICKS')
  const ticks = paneOf(page, 'Ticks')
  const rows = ticks.getByRole('row').filter({ has: page.getByRole('gridcell') })
  await expect(rows.first()).toContainText('skipped: trading was halted', FIRST_CONTEXT)
  const detail = ticks.getByRole('region', { name: 'Selected tick' })
  await expect(detail).toContainText('because the drawdown reached the limit of $20.00')
  await expect(detail).toContainText('RISK shows the limits')
  // What it traded before, each order with its gates.
  await page.keyboard.press('End')
  await expect(detail.getByRole('table', { name: 'Decisions' })).toContainText('filled: 25 at')
  await expect(detail.getByRole('table', { name: 'Gates' })).toContainText('Total exposure')
})
