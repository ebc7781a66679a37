/**
 * `npm run screenshots`: takes pictures of every workspace in both themes, and of panes that the
 * docs show, over a new demo, into `docs/images`. Check them before committing.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { backfilled, startService } from '../bench/service.ts'
import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { findBrowser } from './browsers.mjs'

const IMAGES = join(import.meta.dirname, '..', 'docs', 'images')
const THEMES = ['dark', 'light'] as const
const WINDOW = { width: 1440, height: 900 } as const
const FLAGS = ['--source', 'demo', '--seed', '7', '--demo-markets', '600']
/**
 * Context is computed every quarter of an hour: the next one is the first to include the received
 * data.
 */
const CONTEXT_MS = 20 * 60_000
/** Panes load and draw within this time. */
const SETTLE_MS = 6_000

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

async function picture(page: Page, name: string): Promise<void> {
  await pause(SETTLE_MS)
  const file = `${name}.png`
  await page.screenshot({ path: join(IMAGES, file) })
  console.log(file)
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

/** Markets of the sample world by how often they trade, and how their charts are drawn. */
const CHARTS = {
  thin: 'KXRAINNYM-26DEC01-T3 GP 1h 30d step auto',
  busy: 'KXFEDDECISION-27JAN20-HIKE0 GP 1h 7d candles auto',
  compare:
    'KXFEDDECISION-27JAN20-HIKE0 GP 1h 7d step auto +pair +KXFEDDECISION-27JAN20-HIKE2 +index +KXFED-27JAN20-T3.25',
  studies: 'KXFEDDECISION-27JAN20-HIKE0 GP 1h 7d step auto +none sma:20 ema:50 bb rsi vol profile',
  settled: '$KXFILIBUSTER-26SEP06-26NOV06 GP 1h 90d step auto +none plain',
} as const

async function charts(page: Page): Promise<void> {
  await enter(page, 'TH dark')
  await page.keyboard.press('Alt+2')
  for (const [name, line] of Object.entries(CHARTS)) {
    await enter(page, line)
    if (name === 'thin') await page.keyboard.press('Control+Shift+F')
    await picture(page, `chart-${name}-dark`)
  }
  await page.keyboard.press('Control+Shift+F')
}

const folder = mkdtempSync(join(tmpdir(), 'augury-pictures-'))
const service = await startService([...FLAGS, '--data', folder])
const executablePath = findBrowser(process.platform, process.env)
const browser = await chromium.launch({
  ...(executablePath === null ? {} : { executablePath }),
  args: ['--no-sandbox'],
})
try {
  const startedAt = Date.now()
  await backfilled(folder)
  await contextOf(service.url, startedAt)
  const page = await browser.newPage({ viewport: WINDOW })
  await page.addInitScript(`localStorage.setItem('augury.welcome', '{"version":1,"closed":true}')`)
  await page.goto(`${service.url}/#ticket=${await ticketOf(folder, service.url)}`)
  await page.locator('[role="gridcell"]').first().waitFor({ timeout: 120_000 })
  await makeWorkspaces(page)
  for (const theme of THEMES) {
    for (const { number, name } of WORKSPACES) await workspace(page, theme, number, name)
  }
  await panes(page)
  await charts(page)
} finally {
  await browser.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
