import type { Locator, Page } from '@playwright/test'
import type { PositionPage } from '../backend/contract/portfolio.ts'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { defaultFindings } from './fixtures/accessibility.ts'
import { cancelIntents } from './fixtures/clean-account.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import {
  FIRST_CONTEXT,
  openWorkspace,
  paneOf,
  rowOf,
  run,
  runFromField,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

interface Row {
  readonly ticker: string
  readonly title: string
  readonly bestAsk: number | null
}

/** A question without a position whose YES is for sale at 20 to 80¢; null while there is none. */
async function forSale(page: Page, { url }: RunningApp): Promise<Row | null> {
  const read = async (path: string) => (await page.request.get(`${url}${path}`)).json()
  const { markets = [] } = (await read('/api/public/markets?limit=200')) as { markets?: Row[] }
  const held = (await read('/api/portfolio/positions?status=open')) as PositionPage
  const traded = new Set(held.data.map(({ marketId }) => marketId))
  const isForSale = ({ ticker, title, bestAsk }: Row) =>
    !traded.has(ticker) &&
    /^Will .*\?$/.test(title) &&
    bestAsk !== null &&
    bestAsk > 20 &&
    bestAsk < 80
  return markets.find(isForSale) ?? null
}

/** Writes as the signed-in page would. */
async function write<T>(page: Page, { url }: RunningApp, path: string, data: object): Promise<T> {
  const method = path.endsWith('/config') ? 'put' : 'post'
  const headers = { origin: new URL(url).origin }
  const answer = await page.request[method](`${url}${path}`, { headers, data })
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
  return (await answer.json()) as T
}

test('a strategy is traded by a tick and read in the panes, by keys only [terminal.portfolio.tour]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await expect.poll(() => forSale(page, app), FIRST_CONTEXT).not.toBeNull()
  const market = await forSale(page, app)
  const rawThesis = market?.title.replace(/\?$/, ' because of demand') ?? ''
  const { id } = await write<{ id: string }>(page, app, '/api/thesis/create?sync=true', {
    rawThesis,
  })
  const size = { entryBelow: 99, perOrderQuantity: 10, maxQuantity: 10 }
  const strategy = { marketId: market?.ticker, direction: 'yes', ...size }
  await write(page, app, `/api/thesis/${id}/strategies`, strategy)
  const open = { minAdjIy: 0, maxLas: 1, minTauDays: 0, excludeCategories: [] }
  await write(page, app, '/api/portfolio/config', { ...open, enabled: false })

  await openWorkspace(page, 6)
  await run(page, 'RISK')
  const limits = paneOf(page, 'Risk')
  await expect(limits.getByText('The autopilot is off')).toBeVisible()
  await page.keyboard.press('a')
  await expect(limits.getByRole('alertdialog')).toContainText('trades on paper')
  await page.keyboard.press('Enter')
  await expect(limits.getByText('The autopilot is on')).toBeVisible()

  await run(page, 'TICKS')
  const ticks = paneOf(page, 'Ticks')
  await page.keyboard.press('n')
  await expect(ticks.getByRole('alertdialog')).toContainText('within your limits')
  await page.keyboard.press('Enter')
  const decisions = ticks.getByRole('table', { name: 'Decisions' })
  await expect(decisions).toContainText('buy 10 YES at')
  await expect(decisions).toContainText('filled: 10 at')
  await expect(ticks.getByRole('table', { name: 'Gates' })).toContainText('Total exposure')

  const held = rowOf(page, paneOf(page, 'Positions'), market?.title ?? '')
  await expect(held).toContainText('YES')
  await run(page, 'LEDG fills')
  await expect(paneOf(page, 'Ledger').getByRole('row').nth(1)).toContainText('fill: buy 10 YES at')
  await run(page, 'ATTR thesis 30d')
  await expect(rowOf(page, paneOf(page, 'Attribution'), rawThesis)).toContainText('$')
  expect(await defaultFindings(page, 'html')).toEqual([])

  await run(page, 'RISK')
  await page.keyboard.press('h')
  await expect(limits.getByText('Trading is halted')).toBeVisible()
  await page.keyboard.press('h')
  await expect(limits.getByRole('alertdialog')).toContainText('Trading on paper continues')
  await page.keyboard.press('Escape')
  await expect(limits.getByRole('alertdialog')).toHaveCount(0)
  await expect(limits.getByText('Trading is halted')).toBeVisible()
  await page.keyboard.press('h')
  await page.keyboard.type('resume')
  await page.keyboard.press('Enter')
  await expect(limits.getByText('The autopilot is on')).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('Enter')
  await expect(limits.getByText('The autopilot is off')).toBeVisible()
})

test('a strategy is created by keys, and a tick decides for it [terminal.theses.strategies-tour]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await expect.poll(() => forSale(page, app), FIRST_CONTEXT).not.toBeNull()
  const market = await forSale(page, app)
  const rawThesis = market?.title.replace(/\?$/, ' because supply is short') ?? ''
  const { id } = await write<{ id: string }>(page, app, '/api/thesis/create?sync=true', {
    rawThesis,
  })
  await write(page, app, '/api/portfolio/config', { enabled: true, maxOrdersPerTick: 0 })

  await openWorkspace(page, 5)
  await run(page, `THES ${id.slice(0, 8)} strategies`)
  const pane = paneOf(page, /^Theses · strategies/)
  await expect(pane.getByText('No strategies yet')).toBeVisible()
  await page.keyboard.press('a')
  const ticker = pane.getByRole('textbox', { name: 'Market' })
  await expect(ticker).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(market?.ticker ?? '')
  await page.keyboard.press('Enter')
  const entry = pane.getByRole('textbox', { name: /^Buy at or below/ })
  await expect(entry).toBeFocused()
  await page.keyboard.type('99')
  await page.keyboard.press('Enter')
  const strip = pane.getByRole('alertdialog', { name: 'Add strategy' })
  await expect(strip).toContainText('at or below 99.0¢, 50 contracts per order')
  expect(await defaultFindings(page, 'html')).toEqual([])
  await page.keyboard.press('Enter')
  const row = pane.getByRole('row').nth(1)
  await expect(row).toContainText('≤ 99.0¢')
  await expect(row).toContainText('active')

  // No order is allowed, so that the tick decides and trades nothing.
  await openWorkspace(page, 6)
  await run(page, 'TICKS')
  const ticks = paneOf(page, 'Ticks')
  await expect(ticks.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('n')
  await expect(ticks.getByRole('alertdialog')).toContainText('within your limits')
  await page.keyboard.press('Enter')
  // The tick of an earlier test decided for another strategy.
  const decided = ticks.getByRole('table', { name: 'Decisions' }).getByRole('row')
  const own = decided.filter({ hasText: 'buy 50' })
  await expect(own).toContainText('at or below the entry of 99¢')
  await expect(ticks.getByRole('table', { name: 'Gates' })).toContainText('Orders')

  await openWorkspace(page, 5)
  await run(page, `THES ${id.slice(0, 8)} strategies`)
  await expect(row).toBeVisible()
  await page.keyboard.press('Home')
  await page.keyboard.press('z')
  await expect(row).toContainText('paused')
  await row.click()
  await pane.getByRole('button', { name: 'Resume' }).click()
  await expect(row).toContainText('active')
  await page.keyboard.press('Delete')
  await expect(pane.getByRole('alertdialog')).toContainText('cancels its open intents')
  await page.keyboard.press('Enter')
  await expect(pane.getByText('No strategies yet')).toBeVisible()
})

test('a paper order is filled and read in the panes, by keys only [terminal.portfolio.order-tour]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await expect.poll(() => forSale(page, app), FIRST_CONTEXT).not.toBeNull()
  await cancelIntents(page, app)
  const market = await forSale(page, app)
  const title = market?.title ?? ''
  const open = { minAdjIy: 0, maxLas: 1, minTauDays: 0, excludeCategories: [] }
  const limits = { ...open, enabled: true, maxOrdersPerTick: 3 }
  await write(page, app, '/api/portfolio/config', limits)

  await openWorkspace(page, 6)
  // Beyond the best offer, so that the order is filled although prices move meanwhile.
  await run(
    page,
    `${market?.ticker ?? ''} INTENT buy yes limit=${Math.ceil(market?.bestAsk ?? 0) + 5}`,
  )
  const intents = paneOf(page, /^Intents/)
  const size = intents.getByRole('textbox', { name: 'Size' })
  await expect(size).toBeFocused()
  await page.keyboard.type('5')
  const effects = intents.getByRole('region', { name: 'Order preview' })
  await expect(effects).toContainText('Max loss')
  await expect(effects.getByRole('table', { name: 'Limits' })).toContainText('Total exposure')
  expect(await defaultFindings(page, 'html')).toEqual([])
  await page.keyboard.press('Enter')
  const strip = intents.getByRole('alertdialog', { name: 'Send paper order' })
  await expect(strip).toContainText('Paper order: nothing leaves this machine. Buys 5 YES')
  await page.keyboard.press('Enter')
  await expect(strip).toHaveCount(0)
  const row = rowOf(page, intents, title)
  await expect(row).toContainText('filled', FIRST_CONTEXT)
  await expect(intents.getByRole('table', { name: 'Fills' })).toContainText('5')

  await run(page, 'TRADES')
  const bought = rowOf(page, paneOf(page, 'Trades'), title)
  await expect(bought.first()).toContainText('open')
  await run(page, 'POS')
  const held = rowOf(page, paneOf(page, 'Positions'), title)
  await expect(held).toContainText('YES')

  // Far below the best offer it waits, and can be cancelled.
  await run(page, `${market?.ticker ?? ''} INTENT buy yes limit=1 size=5`)
  await expect(size).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(intents.getByRole('row').nth(1)).toContainText('working', FIRST_CONTEXT)
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await expect(intents.getByRole('alertdialog')).toContainText('No further orders are sent')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, intents, title).getByText('cancelled', { exact: true })).toBeVisible()

  await run(page, 'VIEWS new')
  const views = paneOf(page, 'Views')
  await expect(views.getByRole('textbox', { name: 'View' })).toBeFocused()
  await page.keyboard.type('Demand grows')
  await page.keyboard.press('Enter')
  await expect(views.getByRole('row').nth(1)).toContainText('Demand grows')
  await run(page, 'PLAN new')
  const plan = paneOf(page, 'Plan')
  await expect(plan.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Patience')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Buy below the midpoint')
  await page.keyboard.press('Control+Enter')
  await expect(plan.getByRole('row').nth(1)).toContainText('Patience')
  expect(await defaultFindings(page, 'html')).toEqual([])
})

const EXPORT = [
  'fill_id,ticker,action,side,count,yes_price,created_time',
  'f1,KXBOUGHT,buy,yes,10,44,2026-01-10T15:00:00Z',
  'f2,KXBOUGHT,sell,yes,10,55,2026-01-11T15:00:00Z',
  'f3,KXBOUGHT,sell,perhaps,10,55,2026-01-11T15:00:00Z',
].join('\n')

/** Drops a file with this content onto an element, as from a folder of the system. */
async function dropFile(page: Page, target: Locator, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([${JSON.stringify(content)}], 'fills.csv', { type: 'text/csv' }))
    return transfer
  })()`)
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

test('a limit is edited, trading halted and a file imported, by keys [terminal.portfolio.limits-tour]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await openWorkspace(page, 6)
  await run(page, 'RISK')
  const limits = paneOf(page, 'Risk')
  const order = limits.getByTitle('with fees')
  await expect(order).toContainText('$200.00')
  await page.keyboard.press('e')
  const field = limits.getByRole('textbox', { name: 'Max order cost' })
  await expect(field).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('80')
  const schedule = limits.getByRole('textbox', { name: 'Schedule' })
  const written = await schedule.inputValue()
  await schedule.fill('at noon')
  await page.keyboard.press('Enter')
  const change = limits.getByRole('alertdialog', { name: 'Change limits' })
  await expect(change).toContainText('Max order cost $200.00 → $80.00')
  expect(await defaultFindings(page, 'html')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(limits.getByRole('alert')).toContainText('Schedule')
  await expect(schedule).toBeFocused()
  await schedule.fill(written)
  await page.keyboard.press('Enter')
  await expect(change).toContainText('Max order cost $200.00 → $80.00')
  await page.keyboard.press('Enter')
  await expect(order).toContainText('$80.00')

  // Halted while a command is being typed; the status line of the window shows it.
  await page.keyboard.press('/')
  await page.keyboard.type('SC')
  await page.keyboard.press('F8')
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status.getByText('HALTED', { exact: true })).toBeVisible()
  await runFromField(page, 'RISK')
  await expect(limits.getByText('Trading is halted')).toBeVisible()
  await page.keyboard.press('h')
  await expect(limits.getByRole('alertdialog')).toContainText('Trading on paper continues')
  await page.keyboard.type('resume')
  await page.keyboard.press('Enter')
  await expect(status.getByText('HALTED', { exact: true })).toHaveCount(0)

  await run(page, 'LEDG')
  const ledger = paneOf(page, 'Ledger')
  const rows = ledger.getByRole('group', { name: 'Ledger entries' })
  await dropFile(page, rows, EXPORT)
  const confirmation = ledger.getByRole('alertdialog', { name: 'Import 2 rows' })
  await expect(confirmation).toContainText('2 fills and 0 settlements to add, 0 rows known')
  const refused = ledger.getByRole('region', { name: 'Lines that are not imported' })
  await expect(refused).toContainText('Line 4 side')
  expect(await defaultFindings(page, 'html')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(ledger.getByText('fill: sell 10 YES at 55.0¢')).toBeVisible()
  await dropFile(page, rows, EXPORT)
  await expect(ledger.getByText(/^Nothing to add\. Kalshi: .+ 2 rows known/)).toBeVisible()

  await run(page, 'ATTR market 365d')
  const attribution = paneOf(page, 'Attribution')
  await expect(attribution.getByRole('gridcell', { name: 'KXBOUGHT' })).toBeVisible()
  await page.keyboard.press('t')
  await expect(attribution.getByRole('button', { name: /KXBOUGHT/ })).toBeVisible()
  expect(await defaultFindings(page, 'html')).toEqual([])
})
