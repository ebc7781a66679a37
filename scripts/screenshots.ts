/**
 * `npm run screenshots`: takes pictures of every workspace in both themes, and of panes that the
 * docs show, over a new demo, into `docs/images`. Check them before committing.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { backfilled, startService } from '../bench/service.ts'
import { CHART_TYPES, TYPE_LABELS } from '../renderer/charts/chart-types.ts'
import { chooseMarkets, type ChartMarkets } from '../e2e/fixtures/choose-markets.ts'
import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { findTestBrowser } from './browsers.mjs'
import { smallPng } from './small-png.ts'

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images')
const THEMES = ['dark', 'light'] as const
const WINDOW = { width: 1280, height: 800 } as const
const FLAGS = ['--source', 'demo', '--seed', '7', '--demo-markets', '600']
/**
 * Context is computed every quarter of an hour: the next one is the first to include the received
 * data.
 */
const CONTEXT_MS = 20 * 60_000
/** Panes load and draw within this time. */
const SETTLE_MS = 6_000
/** A busy machine loads panes within this time. */
const LOAD_MS = 120_000

async function ticketOf(folder: string, url: string): Promise<string> {
  const launch = JSON.parse(readFileSync(join(folder, 'run', 'launch.json'), 'utf8')) as {
    readonly secret: string
  }
  const headers = { authorization: `Launch ${launch.secret}` }
  const answer = await fetch(`${url}/api/auth/local`, { method: 'POST', headers })
  return ((await answer.json()) as { readonly ticket: string }).ticket
}

/** Waits until a world was computed after an instant. */
async function contextOf(url: string, after: number): Promise<void> {
  const end = performance.now() + CONTEXT_MS
  while (performance.now() < end) {
    const answer = await fetch(`${url}/api/agent/world?format=json`)
    const world = (await answer.json()) as { readonly asOf?: string }
    if (answer.ok && Date.parse(world.asOf ?? '') > after) return
    await pause(2_000)
  }
}

/** Content of the workspaces that start empty, as a trader would create it. */
const PANELS = ['index', 'liquidity', 'movers as=bar', 'catalysts', 'health', 'prices']
const MADE = [
  ...PANELS.map((subject) => ({ workspace: 4, line: `PANEL add ${subject} every=5m` })),
  { workspace: 7, line: 'BT run buy-and-hold 5d' },
]
const WATCHED = 8

async function enter(page: Page, line: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

async function makeWorkspaces(page: Page): Promise<void> {
  await page.keyboard.press('Alt+3')
  const table = page.getByRole('region', { name: 'Markets', exact: true }).getByRole('grid')
  await table.getByRole('gridcell').first().waitFor()
  await table.focus()
  for (let row = 0; row < WATCHED; row += 1) {
    await page.keyboard.press('j')
    await page.keyboard.press('w')
  }
  for (const { workspace, line } of MADE) {
    await page.keyboard.press(`Alt+${workspace}`)
    await enter(page, line)
    await pause(SETTLE_MS)
    // The command fills in a form: this submits it.
    await page.keyboard.press('Enter')
    await pause(SETTLE_MS)
  }
}

function keep(name: string, png: Buffer): void {
  const small = smallPng(png)
  writeFileSync(join(IMAGES, `${name}.png`), small)
  console.log(`${name}.png ${Math.round(small.length / 1_000)} kB`)
}

async function picture(page: Page, name: string): Promise<void> {
  // The pointer shows a crosshair and marks rows.
  await page.mouse.move(0, 0)
  await pause(SETTLE_MS)
  await page.locator('.skeleton').first().waitFor({ state: 'detached', timeout: LOAD_MS })
  keep(name, await page.screenshot())
}

async function workspace(page: Page, theme: string, number: number, name: string): Promise<void> {
  await enter(page, `TH ${theme}`)
  await page.keyboard.press(`Alt+${number}`)
  await picture(page, `workspace-${name.toLowerCase()}-${theme}`)
}

const STATEMENT =
  'select ticker, count(*) as trades, min(price) as low, max(price) as high, round(sum(size)) as contracts ' +
  'from trades group by ticker order by trades desc limit 40'

/**
 * A trade of a backtest on its chart, and a result of the stored history, in the backtests
 * workspace.
 */
async function panes(page: Page): Promise<void> {
  await enter(page, 'TH light')
  await page.keyboard.press('Alt+7')
  await enter(page, 'BT latest trades')
  const trades = page.getByRole('grid', { name: 'Trades, oldest first' })
  await trades.getByRole('gridcell').first().waitFor()
  await trades.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await picture(page, 'backtest-trade-light')
  await enter(page, 'TH dark')
  await page.keyboard.press('Alt+3')
  await enter(page, `SQL ${STATEMENT}`)
  await picture(page, 'sql-dark')
}

/** How much of a market's history its charts show. */
const RANGES: Readonly<Record<keyof ChartMarkets, string>> = {
  thin: '30d',
  busy: '7d',
  settled: '90d',
}

/** Lines of the busy market that show what a chart can draw beside its price. */
const CHARTS = {
  compare: 'step auto +pair +index',
  studies: 'step auto +none sma:20 ema:50 bb rsi vol profile',
} as const

/** Every chart type of a market on one sheet. */
async function chartTypes(
  page: Page,
  name: keyof ChartMarkets,
  markets: ChartMarkets,
): Promise<void> {
  const charts: string[] = []
  for (const type of CHART_TYPES) {
    await enter(page, `$${markets[name]} GP 1h ${RANGES[name]} ${type} auto +none plain`)
    await page.mouse.move(0, 0)
    await pause(SETTLE_MS)
    const chart = page.getByRole('region', { name: 'Chart', exact: true }).first()
    const data = (await chart.screenshot()).toString('base64')
    charts.push(
      `<figure><img src="data:image/png;base64,${data}"><figcaption>${TYPE_LABELS[type]}</figcaption></figure>`,
    )
  }
  const sheet = await page.context().newPage()
  await sheet.setViewportSize(WINDOW)
  await sheet.setContent(
    `<style>body{background:#0b0e13;color:#e6ebf2;display:grid;font:13px sans-serif;gap:12px;grid-template-columns:1fr 1fr;margin:12px}figure{margin:0}img{display:block;width:100%}figcaption{padding:4px}</style>${charts.join('')}`,
  )
  keep(`chart-types-${name}`, await sheet.screenshot({ fullPage: true }))
  await sheet.close()
}

async function charts(page: Page, markets: ChartMarkets): Promise<void> {
  await enter(page, 'TH dark')
  await page.keyboard.press('Alt+2')
  for (const name of ['thin', 'busy', 'settled'] as const) await chartTypes(page, name, markets)
  for (const [name, rest] of Object.entries(CHARTS)) {
    await enter(page, `$${markets.busy} GP 1h 7d ${rest}`)
    await picture(page, `chart-${name}-dark`)
  }
}

/** Reads a path of the service as anybody. */
const reader =
  (url: string) =>
  async <T>(path: string): Promise<T> =>
    (await (await fetch(`${url}${path}`)).json()) as T

interface Market {
  readonly ticker: string
  readonly title: string
  readonly bestAsk: number | null
}

/** A thesis with a strategy, and a tick of the autopilot that trades it on paper. */
async function makePortfolio(page: Page, url: string): Promise<void> {
  const { markets } = await reader(url)<{ markets: Market[] }>('/api/public/markets?limit=200')
  const [first, ...others] = markets.filter(
    ({ title, bestAsk }) => /^Will .*\?$/.test(title) && bestAsk !== null && bestAsk < 80,
  )
  if (first === undefined) throw new Error('no market is for sale')
  const headers = { origin: new URL(url).origin }
  const send = async (method: 'post' | 'put', path: string, data: object): Promise<unknown> => {
    const answer = await page.request[method](`${url}${path}`, { headers, data })
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const rawThesis = first.title.replace(/\?$/, ' because pressure on both sides grows')
  const create = '/api/thesis/create?sync=true'
  const { id } = (await send('post', create, { rawThesis })) as { readonly id: string }
  for (const { ticker } of [first, ...others.slice(0, 3)]) {
    const size = { entryBelow: 99, perOrderQuantity: 10, maxQuantity: 10 }
    await send('post', `/api/thesis/${id}/strategies`, {
      marketId: ticker,
      direction: 'yes',
      ...size,
    })
  }
  const open = { minAdjIy: 0, maxLas: 1, minTauDays: 0, excludeCategories: [] }
  await send('put', '/api/portfolio/config', { ...open, enabled: true })
  await page.keyboard.press('Alt+6')
  await enter(page, 'TICKS')
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Decisions' }).waitFor({ timeout: LOAD_MS })
}

const folder = mkdtempSync(join(tmpdir(), 'augury-pictures-'))
const service = await startService([...FLAGS, '--data', folder])
const executablePath = findTestBrowser(process.platform, process.env)
const browser = await chromium.launch({
  ...(executablePath === null ? {} : { executablePath }),
  args: ['--no-sandbox'],
})
try {
  const startedAt = Date.now()
  await backfilled(folder)
  await contextOf(service.url, startedAt)
  const context = await browser.newContext({ viewport: WINDOW })
  const page = await context.newPage()
  await page.addInitScript(`localStorage.setItem('augury.welcome', '{"version":1,"closed":true}')`)
  await page.goto(`${service.url}/#ticket=${await ticketOf(folder, service.url)}`)
  await page.locator('[role="gridcell"]').first().waitFor({ timeout: 120_000 })
  await makeWorkspaces(page)
  await makePortfolio(page, service.url)
  for (const theme of THEMES) {
    for (const { number, name } of WORKSPACES) await workspace(page, theme, number, name)
  }
  await panes(page)
  await charts(page, await chooseMarkets(reader(service.url)))
} finally {
  await browser.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
