import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser, type Page } from '@playwright/test'
import { findTestBrowser } from '../scripts/browsers.mjs'
import type { BenchRow } from './bench-row.ts'
import { median } from './rounds.ts'
import { backfilled, startService } from './service.ts'
import { SETTINGS, twelvePanes, WINDOW } from './terminal-layout.ts'
import {
  EMPTY_PAGE,
  heapOf,
  PROBES,
  smoothness,
  startsOf,
  there,
  timeTo,
  timeToSuggestions,
} from './terminal-probes.ts'
import { startRelay, type Relay } from './terminal-relay.ts'

const PAGE = fileURLToPath(new URL('../dist/page', import.meta.url))
const ROUNDS = 5
const TICKERS = 100_000
const FINDER_PAGES = 10
/** Of five lines together. */
const POINTS = 100_000
const UPDATES = 200
/** A busy machine loads a page slowly; a longer load has failed. */
const PATIENCE_MS = 120_000
const FRAMES_MS = 12_000
/** The soak of a run without `--minutes`. */
const SHORT_SOAK_MINUTES = 1

const row = { baseline: null, ratio: null, note: null } as const

/** Gzipped kB of the page's files of a kind: those referenced by its document, and all of them. */
function weights(kind: RegExp): { readonly first: number; readonly all: number } {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const sizeOf = (name: string) => gzipSync(readFileSync(join(PAGE, 'assets', name))).length / 1_000
  const names = readdirSync(join(PAGE, 'assets')).filter((name) => kind.test(name))
  const sum = (some: readonly string[]) => some.reduce((total, name) => total + sizeOf(name), 0)
  return { first: sum(names.filter((name) => html.includes(name))), all: sum(names) }
}

function weightRows(): BenchRow[] {
  const scripts = weights(/\.js$/)
  const styles = weights(/\.css$/)
  const fonts = weights(/latin-(?:wght|standard)[^/]*\.woff2$/)
  const kB = { ...row, unit: 'kB gzip' }
  return [
    { ...kB, name: 'scripts at start', ours: scripts.first, goal: '≤ 190 kB' },
    { ...kB, name: 'styles at start', ours: styles.first, goal: '≤ 20 kB' },
    { ...kB, name: 'fonts', ours: fonts.all, goal: '≤ 90 kB', note: 'all latin files' },
    {
      ...kB,
      name: 'all scripts that come later',
      ours: scripts.all - scripts.first,
      goal: '≤ 450 kB',
    },
  ]
}

/** A one-time ticket of the service's owner, as the desktop shell requests it. */
async function ticketOf(folder: string, url: string): Promise<string> {
  const launch = JSON.parse(readFileSync(join(folder, 'run', 'launch.json'), 'utf8')) as {
    readonly secret: string
  }
  const answer = await fetch(`${url}/api/auth/local`, {
    method: 'POST',
    headers: { authorization: `Launch ${launch.secret}` },
  })
  const { ticket } = (await answer.json()) as { readonly ticket: string }
  return ticket
}

interface Opening {
  /** Stored values that the page finds. */
  readonly stored?: Readonly<Record<string, string>>
  /** Presses a key into the bar as soon as it exists. */
  readonly triesBar?: boolean
}

/** A page in a context of its own, measured from its first script on. */
async function opened(
  browser: Browser,
  address: string,
  { stored = {}, triesBar = false }: Opening = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: WINDOW })
  context.setDefaultTimeout(PATIENCE_MS)
  const values = JSON.stringify(Object.entries(stored))
  // Stored once, as if by an earlier visit.
  await context.addInitScript(
    `for (const [name, value] of ${values}) localStorage.getItem(name) ?? localStorage.setItem(name, value)`,
  )
  await context.addInitScript(`globalThis.triesBar = ${triesBar}`)
  await context.addInitScript({ path: PROBES })
  const page = await context.newPage()
  await page.goto(address, { waitUntil: 'load' })
  return page
}

async function startRows(browser: Browser, url: string): Promise<BenchRow[]> {
  const figures: { paint: number; bar: number; rows: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const page = await opened(browser, url, { triesBar: true })
    const starts = await startsOf(page)
    if (round > 0) figures.push(starts)
    await page.context().close()
  }
  const of = (name: 'paint' | 'bar' | 'rows') => median(figures.map((figure) => figure[name]))
  const ms = { ...row, unit: 'ms' }
  return [
    { ...ms, name: 'first contentful paint', ours: of('paint'), goal: '≤ 300 ms' },
    { ...ms, name: 'the bar answers a key', ours: of('bar'), goal: '≤ 800 ms' },
    { ...ms, name: 'first live data', ours: of('rows'), goal: '≤ 2,500 ms' },
  ]
}

const command = async (page: Page, line: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.type(line)
}

const marketsPage = (page: number): string =>
  JSON.stringify({
    total: TICKERS,
    nextCursor: page + 1 < FINDER_PAGES ? String(page + 1) : null,
    markets: Array.from({ length: TICKERS / FINDER_PAGES }, (_, index) => {
      const number = page * (TICKERS / FINDER_PAGES) + index
      const [what, when] = [number % 997, number % 365]
      return {
        ticker: `KX${what.toString(36).toUpperCase()}-26D${when}-T${number}`,
        title: `Will measure ${what} be above ${number % 89} on day ${when}?`,
      }
    }),
  })

const WORDS = ['above', 'measure 71', 'day 300', 'kx1-26', 'will mea 4', 'be above 55 on', 'zz9']

async function suggestionRow(browser: Browser, relay: Relay): Promise<BenchRow[]> {
  let dropped = 0
  relay.answerInstead(({ pathname, searchParams }) => {
    if (pathname !== '/api/public/markets' || searchParams.get('limit') !== '500') return null
    const body = marketsPage(Number(searchParams.get('cursor') ?? '0'))
    dropped += 1
    return body
  })
  const page = await opened(browser, relay.url)
  while (dropped < FINDER_PAGES) await pause(200)
  await pause(1_000)
  const times: number[] = []
  for (const word of WORDS) {
    await page.keyboard.press('/')
    for (const letter of word) {
      const ms = await timeToSuggestions(page, letter)
      if (ms !== null) times.push(ms)
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
  await page.context().close()
  relay.answerInstead(() => null)
  times.sort((left, right) => left - right)
  return [
    {
      ...row,
      name: 'key to suggestions, p95',
      unit: 'ms',
      goal: '≤ 50 ms',
      ours: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
      note: `${TICKERS.toLocaleString('en')} tickers, ${times.length} keys, up to the end of the frame that shows them; median ${median(times).toFixed(0)} ms`,
    },
  ]
}

async function commandRows(browser: Browser, url: string): Promise<BenchRow[]> {
  const page = await opened(browser, url)
  await page.locator('[role="gridcell"]').first().waitFor()
  const skeletons: number[] = []
  const cached: number[] = []
  const switches: number[] = []
  const candles: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.keyboard.press('Alt+3')
    await command(page, 'CALIB')
    skeletons.push(await timeTo(page, 'Enter', '[data-pane][aria-label^="Calibration"]'))
    await page.keyboard.press('Alt+w')
    // Rows of the workspace's table: new markets may be none, by the hour of the day.
    await command(page, 'SCAN in float')
    cached.push(await timeTo(page, 'Enter', '.dv-resize-container [role="gridcell"]'))
    await page.keyboard.press('Alt+w')
    switches.push(await timeTo(page, 'Alt+1', '[data-pane]', 6))
    await pause(500)
    await page.keyboard.press('Alt+2')
    await page.locator('[data-pane] canvas').first().waitFor()
    await pause(500)
    await command(page, '. GP 1h in float')
    candles.push(await timeTo(page, 'Enter', '.dv-resize-container canvas'))
    await page.keyboard.press('Alt+w')
  }
  await page.context().close()
  const ms = { ...row, unit: 'ms' }
  return [
    { ...ms, name: 'command to skeleton', ours: median(skeletons), goal: '≤ 100 ms' },
    { ...ms, name: 'command to a cached result', ours: median(cached), goal: '≤ 250 ms' },
    {
      ...ms,
      name: 'workspace switch',
      ours: median(switches),
      goal: '≤ 200 ms',
      note: 'to workspace 1, nine panes in seven groups',
    },
    {
      ...ms,
      name: '2,000 candles to paint',
      ours: median(candles),
      goal: '≤ 150 ms',
      note: 'from Enter, a new pane over cached bars',
    },
  ]
}

async function seriesRow(browser: Browser, relay: Relay): Promise<BenchRow[]> {
  const end = Date.now()
  const body = JSON.stringify({
    days: 90,
    theme: null,
    stepSeconds: 375,
    points: Array.from({ length: POINTS / 5 }, (_, index) => ({
      at: new Date(end - (POINTS / 5 - index) * 375_000).toISOString(),
      value: 50 + 30 * Math.sin(index / 900),
      disagreement: 40 + 20 * Math.sin(index / 700),
      geoRisk: 30 + 10 * Math.sin(index / 500),
      breadth: Math.sin(index / 1_100),
      activity: 60 + 30 * Math.sin(index / 300),
    })),
  })
  relay.answerInstead(({ pathname }) => (pathname === '/api/public/index/history' ? body : null))
  const page = await opened(browser, relay.url)
  await page.locator('[role="gridcell"]').first().waitFor()
  await command(page, 'IDX 90d')
  await page.keyboard.press('Enter')
  await page.locator('.uplot canvas').first().waitFor({ timeout: 60_000 })
  await page.keyboard.press('Alt+w')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await command(page, 'IDX 90d in float')
    times.push(await timeTo(page, 'Enter', '.dv-resize-container .uplot canvas'))
    await page.keyboard.press('Alt+w')
  }
  await page.context().close()
  relay.answerInstead(() => null)
  return [
    {
      ...row,
      name: '100k points in uPlot',
      ours: median(times),
      unit: 'ms',
      goal: '≤ 200 ms',
      note: 'from Enter, the index pane over cached points: five lines of 20,000 in two plots',
    },
  ]
}

/** The same number of paints on a page that does nothing else. */
async function emptyFps(browser: Browser): Promise<number> {
  const page = await browser.newPage({ viewport: WINDOW })
  await page.addInitScript({ path: PROBES })
  await page.goto('about:blank')
  await page.setContent(EMPTY_PAGE)
  const { fps } = await smoothness(page, FRAMES_MS / 2)
  await page.close()
  return fps
}

async function loadRows(
  browser: Browser,
  folder: string,
  relay: Relay,
  service: string,
  minutes: number,
): Promise<BenchRow[]> {
  const empty = await emptyFps(browser)
  const page = await opened(browser, `${relay.url}/#ticket=${await ticketOf(folder, service)}`, {
    stored: {
      'augury.layout': twelvePanes(),
      'augury.settings': SETTINGS,
      'augury.welcome': JSON.stringify({ version: 1, closed: true }),
    },
  })
  await page.locator('[role="gridcell"]').first().waitFor()
  await there(page, '.chart canvas', 4)
  await page.locator('[data-link="live"]').waitFor()
  await pause(6_000)
  const rows = await page.locator('tbody tr:not(.space):visible').count()
  const panes = await page.locator('[data-pane]:visible').count()
  relay.tick(UPDATES)
  await pause(4_000)
  const before = relay.messageCount()
  const messageCount = () => relay.messageCount() - before
  const from = performance.now()
  const smooth = await smoothness(page, FRAMES_MS)
  const perSecond = (messageCount() * 1_000) / (performance.now() - from)
  const began = performance.now()
  const heaps: HeapReading[] = []
  for (let minute = 0; minute <= minutes; minute += 1) {
    if (minute > 0) await pause(60_000)
    heaps.push({ hours: (performance.now() - began) / 3_600_000, mb: (await heapOf(page)) / 1e6 })
  }
  const sizes = heaps.map(({ mb }) => mb)
  relay.tick(0)
  await page.context().close()
  const note = `${panes} panes, ${rows} rows, ${perSecond.toFixed(0)} updates/s, ${WINDOW.width} × ${WINDOW.height}, software rendering`
  return [
    {
      name: 'frames under load',
      ours: smooth.fps,
      baseline: empty,
      unit: 'fps',
      ratio: smooth.fps / empty,
      goal: '≥ 55 fps',
      note: `${note}; baseline: an empty page`,
    },
    { ...row, name: 'frame under load, p95', ours: smooth.p95, unit: 'ms', goal: '≤ 20 ms' },
    {
      ...row,
      name: 'longest task under load',
      ours: smooth.longestTask,
      unit: 'ms',
      goal: '≤ 200 ms',
    },
    { ...row, name: 'heap under load', ours: Math.max(...sizes), unit: 'MB', goal: '≤ 250 MB' },
    {
      ...row,
      name: 'heap growth',
      ours: growthOf(heaps),
      unit: 'MB/h',
      goal: '≤ 5 MB/h',
      note: `slope of ${heaps.length} readings over ${minutes} min, ${Math.min(...sizes).toFixed(1)} to ${Math.max(...sizes).toFixed(1)} MB`,
    },
  ]
}

interface HeapReading {
  readonly hours: number
  readonly mb: number
}

/** Least squares: two readings alone would depend on the last garbage collection. */
function growthOf(readings: readonly HeapReading[]): number {
  const mean = (of: (reading: HeapReading) => number) =>
    readings.reduce((sum, reading) => sum + of(reading), 0) / readings.length
  const [hours, mb] = [mean((reading) => reading.hours), mean((reading) => reading.mb)]
  const rise = mean((reading) => (reading.hours - hours) * (reading.mb - mb))
  return rise / mean((reading) => (reading.hours - hours) ** 2)
}

/** The terminal's budgets on the demo in a real browser. `--minutes N` sets the soak's length. */
export async function benchTerminal(minutes = SHORT_SOAK_MINUTES): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-terminal-'))
  const flags = ['--source', 'demo', '--seed', '7', '--demo-markets', '600', '--data', folder]
  const service = await startService(flags)
  const relay = await startRelay(service.url)
  const executablePath = findTestBrowser(process.platform, process.env)
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    await backfilled(folder)
    const parts: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
      start: () => startRows(browser, service.url),
      commands: () => commandRows(browser, service.url),
      series: () => seriesRow(browser, relay),
      suggestions: () => suggestionRow(browser, relay),
      load: () => loadRows(browser, folder, relay, service.url, minutes),
    }
    const rows = weightRows()
    for (const [name, measure] of Object.entries(parts)) {
      process.stderr.write(`terminal: ${name} …\n`)
      rows.push(...(await measure()))
    }
    return rows
  } finally {
    await browser.close()
    await relay.close()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
