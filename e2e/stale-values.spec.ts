import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { COMMANDS } from '../renderer/shell/commands/commands.ts'
import { expect, test } from './fixtures/app.ts'
import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { FrozenSources, sourceOf } from './fixtures/frozen-sources.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, openWorkspace, run } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 600_000 })

/** Requests of the frame itself, whatever panes are open. */
const OF_THE_FRAME = [
  '/api/health',
  '/status',
  '/api/public/live-tickers',
  '/api/auth/me',
  // Whether trading is halted, for the status line of a signed-in user.
  '/api/portfolio/config',
  // How the account's terminal looks.
  '/api/terminal/settings',
  // Alerts that fired, for the notices of a signed-in user.
  '/api/alert-deliveries?event=alert.fired&limit=20',
  '/api/alert-deliveries?channel=desktop&limit=20',
  // The command bar's known markets.
  '/api/public/markets?limit=500&nextActions=off',
]
const isOfTheFrame = (source: string) => OF_THE_FRAME.some((path) => source.startsWith(path))

/** Verbs that a line of their own alone does not open. */
const LINES: Readonly<Record<string, (item: string) => string>> = {
  EXPLAIN: (item) => `EXPLAIN ${item}`,
  FEED: () => 'FEED iran',
  ASK: () => 'ASK will the fed cut rates',
}
/** Requests once, on demand: its content states its time. */
const ONCE = ['DISC', 'PANEL']
/** The user's own data has no value of a market, and is not requested without a session. */
const OWN = ['KEY', 'USE', 'SET', 'ACCOUNT', 'MW', 'BT', 'THES']
const PORTFOLIO = COMMANDS.filter(
  ({ area, effect }) => area === 'Portfolio' && effect === 'read',
).map(({ verb }) => verb)
const VERBS = COMMANDS.filter(
  ({ verb, area, route }) =>
    route !== null && !['Theses', 'Portfolio'].includes(area) && ![...ONCE, ...OWN].includes(verb),
).map(({ verb }) => verb)
/** Verbs that request another route for other arguments. */
const OTHER_COMMANDS = [
  'SCAN fed',
  'WORLD iran',
  'IDX iran 7d',
  'GLOSS salience',
  'SKILL explain-a-move',
]

/**
 * A market for which most panes have content: it has a pair, is active, and stays so for a while.
 */
async function busyMarket(page: Page, url: string): Promise<string> {
  const answer = await page.request.get(`${url}/api/public/cross-venue/pairs?limit=100`)
  if (!answer.ok()) return ''
  const { pairs } = (await answer.json()) as {
    pairs: { a: { ticker: string; volume24h: number | null; closeTime: string } }[]
  }
  const [busiest] = pairs
    .map(({ a }) => a)
    .filter(({ closeTime }) => Date.parse(closeTime) - Date.now() > 14 * 86_400_000)
    .sort((left, right) => (right.volume24h ?? 0) - (left.volume24h ?? 0))
  return busiest?.ticker ?? ''
}

async function salientItem(page: Page, url: string): Promise<string> {
  const answer = await page.request.get(`${url}/api/agent/world?format=json&limit=1`)
  if (!answer.ok()) return ''
  return ((await answer.json()) as { salient: { id: string }[] }).salient[0]?.id ?? ''
}

/** Whether a list of the service has entries by now, so that a pane can open one. */
async function hasItems(page: Page, address: string): Promise<boolean> {
  const answer = await page.request.get(address)
  if (!answer.ok()) return false
  const body = Object.values((await answer.json()) as object)
  return body.some((part) => Array.isArray(part) && part.length > 0)
}

/** An empty workspace, and a market in its first link group. */
async function emptyDesk(page: Page, ticker: string): Promise<void> {
  await page.addInitScript((market) => {
    const root = { type: 'branch', data: [] }
    const grid = { root, width: 1400, height: 800, orientation: 'HORIZONTAL' }
    const keep = (name: string, value: object) =>
      localStorage.setItem(`augury.${name}`, JSON.stringify({ version: 1, ...value }))
    keep('layout', { active: 1, workspaces: { 1: { grid, panels: {} } } })
    keep('links', { A: market })
    keep('welcome', { closed: true })
  }, ticker)
}

const status = (page: Page) => page.getByRole('contentinfo', { name: 'Status' })
const marks = (within: Locator) => within.getByText(/^(STALE|SAVED)$/).filter({ visible: true })
/** Prices that are drawn as current. */
const freshPrices = (page: Page) =>
  page.locator('.price.number:not(.stale)').filter({ hasText: '¢' }).filter({ visible: true })

/** One pane at a time in an otherwise empty window. */
class Desk {
  readonly #page: Page
  readonly frozen: FrozenSources

  constructor(page: Page, frozen: FrozenSources) {
    this.#page = page
    this.frozen = frozen
  }

  get group(): Locator {
    return this.#page.locator('.dv-groupview').first()
  }

  async open(line: string): Promise<void> {
    await run(this.#page, line)
    await this.settled()
    // A pane without an answer, as over a limit, requests its next one by itself.
    await expect(
      this.group.locator('.pane-message .cause, .pane-message .limit'),
      line,
    ).toHaveCount(0, FIRST_CONTEXT)
  }

  async close(): Promise<void> {
    await this.#page.keyboard.press('Alt+w')
    await expect(this.#page.locator('[data-pane]')).toHaveCount(0)
  }

  /** The pane's code is loaded, and all its requests have completed. */
  async settled(): Promise<void> {
    await expect(this.group.locator('[data-pane] > :not(.loading)').first()).toBeVisible()
    await expect(this.group.locator('.progress, .skeleton')).toHaveCount(0, FIRST_CONTEXT)
  }

  /** Requests all sources that determine the pane's freshness again; returns them. */
  async refresh(): Promise<readonly string[]> {
    this.frozen.requested.clear()
    await this.#page.keyboard.press('r')
    await this.settled()
    return [...this.frozen.requested].filter((source) => !isOfTheFrame(source))
  }

  /** Whether the pane shows a mark within a timeout. */
  isMarked(): Promise<boolean> {
    return marks(this.group)
      .first()
      .waitFor({ timeout: 15_000 })
      .then(
        () => true,
        () => false,
      )
  }

  /** Whether the pane shows no mark, at the latest after its next poll: each half minute. */
  isFree(): Promise<boolean> {
    return expect
      .poll(() => marks(this.group).count(), { timeout: 45_000 })
      .toBe(0)
      .then(
        () => true,
        () => false,
      )
  }

  /** Freezes the sources of the open pane one at a time; returns those that still looked fresh. */
  async *faults(line: string): AsyncGenerator<string> {
    const { frozen } = this
    const own = await this.refresh()
    if (!(await this.isFree())) yield `${line} is marked without a fault`
    for (const source of own.filter((known) => frozen.dated.has(known))) {
      frozen.freeze('past', (other) => other === source)
      await this.refresh()
      if (!(await this.isMarked())) yield `${line} looks fresh on the past of ${source}`
    }
    if (own.length === 0) return
    frozen.freeze('silent', (source) => own.includes(source))
    await this.refresh()
    if (!(await this.isMarked())) yield `${line} looks fresh while ${own.join()} is silent`
    frozen.thaw()
  }
}

/** Every address in the page's tables of queries, with its variable parts as a pattern. */
function knownRoutes(): readonly RegExp[] {
  const folder = join(import.meta.dirname, '..', 'renderer', 'api')
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('queries.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const routes = texts.flatMap((text) =>
    [...text.matchAll(/['`](\/(?:api|status)[^'`?]*)/g)].map(([, route = '']) => route),
  )
  return [...new Set(routes)].map((route) => {
    const pattern = route.replace(/\$\{[^}]*\}?|:\w+/g, '[^/]+').replace(/\*/g, '.+')
    return new RegExp(`^${pattern}(?:/|\\?|$)`)
  })
}

/** Not requested without a session, or a write. */
const NOT_HERE =
  /auth|keys|dashboard2?|doctor|admin|backtests|watch|alert|forum|thesis|portfolio|intents|webhook|drawings|terminal\\\/settings|api\\\/feed/
/** Views with sources of their own, and the keys that lead to them. */
const OTHER_VIEWS = [{ line: 'MICRO', keys: [']', ']', ']'] }]

test('no pane looks fresh while one of its sources is frozen [terminal.stale.sweep]', async ({
  app,
  page,
}) => {
  const frozen = await FrozenSources.of(page)
  const desk = new Desk(page, frozen)
  await expect.poll(() => salientItem(page, app.url), FIRST_CONTEXT).not.toBe('')
  const item = await salientItem(page, app.url)
  await expect.poll(() => busyMarket(page, app.url), FIRST_CONTEXT).not.toBe('')
  await emptyDesk(page, await busyMarket(page, app.url))
  await page.goto(app.url)
  await expect(status(page).getByText('Connected')).toBeVisible()
  // A young service may have no data yet that these panes could open; some may come meanwhile.
  const empty: string[] = []
  for (const list of ['technicals', 'opinions']) {
    if (!(await hasItems(page, `${app.url}/api/public/${list}`))) empty.push(list)
  }
  const faults: string[] = []
  const seen = new Set<string>()
  page.on('request', (request) => seen.add(sourceOf(request.url())))
  const lines = [...VERBS.map((verb) => LINES[verb]?.(item) ?? verb), ...OTHER_COMMANDS]
  const views = [...lines.map((line) => ({ line, keys: [] as string[] })), ...OTHER_VIEWS]
  for (const { line, keys } of views) {
    await desk.open(line)
    for (const key of keys) await page.keyboard.press(key)
    for await (const fault of desk.faults(line)) faults.push(fault)
    await desk.close()
  }
  expect(faults).toEqual([])
  const missed = knownRoutes().filter((route) => ![...seen].some((source) => route.test(source)))
  const isExcused = (source: string) =>
    NOT_HERE.test(source) || empty.some((list) => source.includes(`${list}\\/`))
  expect(missed.filter(({ source }) => !isExcused(source))).toEqual([])
})

test('no price of any workspace looks fresh for past data [terminal.stale.prices]', async ({
  app,
  page,
}) => {
  const frozen = await FrozenSources.of(page)
  await page.goto(app.url)
  await expect(page.getByRole('gridcell').first()).toBeVisible(FIRST_CONTEXT)
  await expect.poll(() => freshPrices(page).count(), FIRST_CONTEXT).toBeGreaterThan(0)
  // The service's own clock keeps running: its data is frozen.
  frozen.freeze('past', (source) => source !== '/api/health')
  for (const { number, plan } of WORKSPACES) {
    await page.reload()
    await expect(status(page).getByText('Connected')).toBeVisible()
    await openWorkspace(page, number)
    await expect(page.locator('.progress, .skeleton')).toHaveCount(0, FIRST_CONTEXT)
    await expect(freshPrices(page)).toHaveCount(0)
    // Without a session there is no board, and without watched markets no list.
    const empty = page.getByText(/^(Sign in|Your watchlist is empty)/)
    const pane = page.locator('.dv-groupview').filter({ hasNot: empty })
    const mark = page.getByText(/^(STALE|SAVED)$/).filter({ visible: true })
    // Repeated until it holds: a message of a group may still be in flight.
    await expect(pane.filter({ hasNot: mark })).toHaveCount(0)
    expect(plan.length).toBeGreaterThanOrEqual(await pane.count())
    if (number < 4) expect(await pane.count()).toBeGreaterThan(2)
    await expect(status(page).getByTitle(/: stale or down$/)).toHaveCount(2)
  }
})

test('the user’s own data are marked while the service does not respond [terminal.stale.own]', async ({
  app,
  page,
}) => {
  const frozen = await FrozenSources.of(page)
  const desk = new Desk(page, frozen)
  await emptyDesk(page, '')
  await openSignedIn(page, app)
  const faults: string[] = []
  for (const line of [...OWN, ...PORTFOLIO, 'SET sources', 'HEALTH']) {
    await desk.open(line)
    for await (const fault of desk.faults(line)) faults.push(fault)
    await desk.close()
  }
  expect(faults).toEqual([])
})
