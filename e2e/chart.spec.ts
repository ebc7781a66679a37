import type { Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { fetchWithinLimits } from './fixtures/fetch-within-limits.ts'
import { chartInk } from './fixtures/in-page.js'
import { openSignedIn } from './fixtures/sign-in.ts'
import {
  FIRST_CONTEXT,
  openTerminal,
  openWorkspace,
  paneOf,
  run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

const CHART_TYPES = ['step', 'line', 'area', 'candles', 'mid-candles'] as const

interface Row {
  readonly ticker: string
  readonly volume24h: number | null
}
async function read<T>(app: RunningApp, path: string): Promise<T> {
  const response = await fetchWithinLimits(`${app.url}${path}`)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}

const tradesOf = async (app: RunningApp, ticker: string): Promise<readonly { at: string }[]> => {
  const path = `/api/public/market/${ticker}/trades?limit=500`
  return (await read<{ trades: { at: string }[] }>(app, path)).trades
}

type Markets = Readonly<Record<'thin' | 'busy' | 'settled', string>>

const chosen = new Map<string, Promise<Markets>>()
/** The markets of a service, chosen once: finding a thin one takes many requests. */
function marketsOf(app: RunningApp): Promise<Markets> {
  const markets = chosen.get(app.url) ?? chooseMarkets(app)
  chosen.set(app.url, markets)
  return markets
}

/** A market with at most 12 trades in the last week, one with hundreds, and a settled one. */
async function chooseMarkets(app: RunningApp): Promise<Markets> {
  const list = (query: string) =>
    read<{ markets: Row[] }>(app, `/api/public/markets?nextActions=off&${query}`)
  const { markets } = await list('limit=200')
  const byVolume = markets.toSorted((a, b) => (b.volume24h ?? 0) - (a.volume24h ?? 0))
  const weekAgo = Date.now() - 7 * 86_400_000
  let thin = ''
  for (const { ticker } of byVolume.toReversed()) {
    const count = (await tradesOf(app, ticker)).filter(({ at }) => Date.parse(at) > weekAgo).length
    if (count >= 3 && count <= 12) {
      thin = ticker
      break
    }
  }
  let settled = ''
  for (const { ticker } of (await list('limit=100&status=settled')).markets) {
    if ((await tradesOf(app, ticker)).length < 20) continue
    settled = ticker
    break
  }
  const busy = byVolume[0]?.ticker ?? ''
  // A new service answers for single markets once its first context is computed.
  const market = `${app.url}/api/public/market/${busy}?depth=true`
  await expect.poll(async () => (await fetchWithinLimits(market)).status, FIRST_CONTEXT).toBe(200)
  return { thin, busy, settled }
}

const inkOf = (page: Page) => page.evaluate(chartInk)

test('a thin, a busy and a settled market chart legibly in all types [terminal.chart.legible]', async ({
  app,
  page,
}) => {
  const markets = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  for (const [name, ticker] of Object.entries(markets)) {
    expect(ticker, `no ${name} market in the demo`).not.toBe('')
    for (const type of CHART_TYPES) {
      await run(page, `$${ticker} GP 1h 30d ${type} auto`)
      const chart = paneOf(page, 'Chart')
      await expect(chart.getByRole('combobox', { name: 'Chart type' })).toHaveValue(type)
      await expect(chart.locator('.legend')).toContainText(/(Mid|Last|Settled).* \d+(\.\d+)?¢/)
      await expect
        .poll(async () => (await inkOf(page)).columns, { message: `${name} as ${type}` })
        .toBeGreaterThan(0.3)
      expect((await inkOf(page)).height, `${name} as ${type}`).toBeGreaterThan(0.05)
    }
  }
})

test('heading, legend, ladder and axis show one price [terminal.chart.one-price]', async ({
  app,
  page,
}) => {
  const { busy } = await marketsOf(app)
  await openTerminal(page, app.url)
  await openWorkspace(page, 2)
  await run(page, `$${busy} GP`)
  const chart = paneOf(page, 'Chart')
  await expect(chart.locator('.legend .price')).toContainText(/\d¢/)
  await expect
    .poll(async () => {
      const [heading, legend, ladder] = await Promise.all([
        chart.locator('.line strong').textContent(),
        chart.locator('.legend .price b').textContent(),
        paneOf(page, 'Depth').locator('.tools b').first().textContent(),
      ])
      return (
        heading !== null && heading.trim() === legend?.trim() && legend.trim() === ladder?.trim()
      )
    })
    .toBe(true)
})

test('an alert is set from the chart by keyboard and by mouse [terminal.chart.menu]', async ({
  app,
  page,
}) => {
  const { busy } = await marketsOf(app)
  await openSignedIn(page, app)
  await openWorkspace(page, 2)
  await run(page, `$${busy} GP 1h`)
  const drawing = paneOf(page, 'Chart').getByRole('region', { name: /^Price of/ })
  await expect(paneOf(page, 'Chart').locator('.legend .price')).toContainText(/\d¢/)
  await drawing.focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: /^Alert at/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Alert set:/)).toBeVisible()
  await drawing.click({ button: 'right', position: { x: 300, y: 150 } })
  await page.getByRole('menuitem', { name: /^Open at/ }).click()
  await expect(drawing.getByText(/^As of/)).toBeVisible()
  await expect(paneOf(page, 'Depth').getByText('PAST')).toBeVisible()
  await drawing.focus()
  await page.keyboard.press('n')
  await expect(drawing.getByText(/^As of/)).toHaveCount(0)
})
