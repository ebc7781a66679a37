import type { Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { defaultFindings } from './fixtures/accessibility.ts'
import { asPage } from './fixtures/panels.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

/** Its own service starts twice and computes a context first. */
test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '200']
const CONFIG = '/api/portfolio/config'

interface Row {
  readonly ticker: string
  readonly title: string
  readonly bestAsk: number | null
}

/** A question at Kalshi whose YES is for sale at 20 to 80¢; null while there is none yet. */
async function forSale(page: Page, { url }: RunningApp): Promise<Row | null> {
  const answer = await page.request.get(`${url}/api/public/markets?limit=200&venue=venue_a`)
  const { markets = [] } = (await answer.json()) as { markets?: Row[] }
  const isForSale = ({ title, bestAsk }: Row) =>
    /^Will .*\?$/.test(title) && bestAsk !== null && bestAsk > 20 && bestAsk < 80
  return markets.find(isForSale) ?? null
}

/** Starts a demo whose autopilot buys 10 contracts of a market once; its title. */
async function openTradable(page: Page, app: RunningApp): Promise<string> {
  await openSignedIn(page, app)
  await expect.poll(() => forSale(page, app), FIRST_CONTEXT).not.toBeNull()
  const market = await forSale(page, app)
  if (market === null) throw new Error('no market is for sale')
  const rawThesis = market.title.replace(/\?$/, ' because of demand')
  const create = '/api/thesis/create?sync=true'
  const { id } = (await asPage(page, 'POST', create, { rawThesis })) as { id: string }
  const size = { entryBelow: 99, perOrderQuantity: 10, maxQuantity: 10 }
  const strategy = { marketId: market.ticker, direction: 'yes', ...size }
  await asPage(page, 'POST', `/api/thesis/${id}/strategies`, strategy)
  const open = { minAdjIy: 0, maxLas: 1, minTauDays: 0, excludeCategories: [] }
  await asPage(page, 'PUT', CONFIG, { ...open, maxDailyLossCents: 0, decisionModel: 'rules' })
  return market.title
}

/** Runs a tick by keys, and waits until it ended. */
async function runTick(page: Page, place: string): Promise<void> {
  await run(page, 'TICKS')
  await page.keyboard.press('n')
  const strip = paneOf(page, 'Ticks').getByRole('alertdialog')
  await expect(strip).toContainText(place)
  await page.keyboard.press('Enter')
  await expect(strip).toHaveCount(0)
}

test('a person turns live trading on in two steps, trades, halts, and confirms again after a restart [portfolio.live.steps] [portfolio.live.sample] [terminal.portfolio.live] [terminal.portfolio.halt]', async ({
  services,
  page,
}) => {
  const demo = await services.start(DEMO)
  const title = await openTradable(page, demo)
  await openWorkspace(page, 6)
  await run(page, 'RISK')
  const limits = paneOf(page, 'Risk')
  const start = limits.getByRole('button', { name: 'Trade live…' })
  const banner = page.getByText('LIVE TRADING', { exact: true })

  // Nothing is ready: each missing precondition is named.
  await start.click()
  const missing = limits.getByRole('alert').getByRole('listitem')
  await expect(missing).toHaveText([
    /turn the autopilot on/,
    /run the autopilot on paper first/,
    'set limits above 0: Max daily loss',
  ])
  await asPage(page, 'PUT', CONFIG, { maxDailyLossCents: 15_000 })
  await limits.getByRole('button', { name: 'Turn on' }).click()
  await page.keyboard.press('Enter')
  await expect(limits.getByText('The autopilot is on')).toBeVisible()
  await runTick(page, 'trades on paper')
  const ticks = paneOf(page, 'Ticks')
  const decisions = ticks.getByRole('table', { name: 'Decisions' })
  await expect(decisions).toContainText('filled: 10 at')

  // The phrase is typed exactly, and a change in between voids the confirmation.
  await run(page, 'RISK')
  await start.click()
  const strip = limits.getByRole('alertdialog', { name: 'Trade live' })
  await expect(strip).toContainText('SAMPLE exchange, no real money')
  await expect(strip).toContainText('a daily loss of $150.00 stops orders')
  const phrase = strip.getByRole('textbox')
  await phrase.fill('trade live')
  await expect(strip.getByRole('button', { name: 'Trade live' })).toBeDisabled()
  await asPage(page, 'PUT', CONFIG, { maxPositions: 19 })
  await phrase.fill('TRADE LIVE')
  await phrase.press('Enter')
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status).toContainText('The confirmation is not valid any more: start again')
  await expect(banner).toHaveCount(0)
  await start.click()
  await phrase.fill('TRADE LIVE')
  await phrase.press('Enter')
  await expect(banner).toBeVisible()
  await expect(status).toContainText('LIVE TRADING (SAMPLE)')
  await expect(limits.getByText('LIVE', { exact: true })).toBeVisible()
  expect(await defaultFindings(page, 'html')).toEqual([])

  // A live tick orders once; the next one holds.
  await runTick(page, 'trades LIVE at the SAMPLE exchange')
  const newest = ticks.getByRole('row').nth(1)
  await expect(newest).toContainText('LIVE')
  await expect(decisions).toContainText('filled: 10 at')
  await run(page, 'LEDG fills')
  const fills = paneOf(page, 'Ledger').getByRole('row')
  await expect(fills.nth(1)).toContainText('LIVE')
  await expect(fills.nth(2)).toContainText('paper')
  await runTick(page, 'trades LIVE')
  await expect(decisions).toContainText('maxQuantity of 10 is reached')
  const positions = paneOf(page, 'Positions')
  const held = positions.getByRole('row').filter({ has: page.getByText('LIVE', { exact: true }) })
  await expect(held).toHaveCount(1)
  await expect(held.getByTitle(title, { exact: true })).toBeVisible()

  // A restart of the demo is another exchange: it trades on paper until it is confirmed again.
  await demo.stop()
  const again = await services.start(DEMO)
  await openSignedIn(page, again)
  await openWorkspace(page, 6)
  await run(page, 'RISK')
  await expect(limits).toContainText('Confirm again with Trade live…')
  await expect(banner).toHaveCount(0)
  await start.click()
  await phrase.fill('TRADE LIVE')
  await phrase.press('Enter')
  await expect(banner).toBeVisible()
  await expect(limits).not.toContainText('Confirm again')

  // One key halts; only paper follows.
  await page.keyboard.press('F8')
  await expect(status).toContainText('Trading halted: no order is sent')
  await expect(banner).toHaveCount(0)
  await expect(limits.getByText('Trading is halted')).toBeVisible()
  await expect(start).toHaveCount(0)
  await limits.getByRole('button', { name: 'Resume trading' }).click()
  await page.keyboard.type('resume')
  await page.keyboard.press('Enter')
  await expect(limits.getByText(/The autopilot is on/)).toBeVisible()
  await expect(start).toBeVisible()
  await expect(banner).toHaveCount(0)
})
