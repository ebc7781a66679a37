import type { Page, Route } from '@playwright/test'
import { expect, test } from './fixtures/app.ts'
import { run } from './fixtures/terminal.ts'

test.use({ viewport: { width: 900, height: 400 } })

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString()

const market = (place: number) => ({
  ticker: `KXSTATE-26DEC-${place}`,
  venue: place % 2 === 0 ? 'venue_a' : 'venue_b',
  title: ['Will the Fed cut rates in December?', 'Oil above 90 dollars this year?'][place % 2],
  subtitle: null,
  slug: `s${place}`,
  eventId: `E${place}`,
  eventTitle: null,
  seriesId: null,
  category: 'economy',
  topics: [],
  status: 'active',
  result: null,
  volumeUnit: 'contracts',
  price: 40 + place * 3,
  bestBid: 39 + place * 3,
  bestAsk: 41 + place * 3,
  spread: 2,
  lastPrice: 40 + place * 3,
  change24h: place % 3 === 0 ? -1.5 : 2.1,
  volume: 9_000,
  volume24h: 1_200 + place,
  openInterest: 500,
  liquidityScore: 'high',
  openTime: ago(9e5),
  closeTime: ago(-9e5),
  tauDays: 10.4,
  updatedAt: ago(5),
})
const rows = (seconds: number, count = 6) => ({
  markets: Array.from({ length: count }, (_, index) => market(index)),
  count,
  total: count,
  nextCursor: null,
  hasMore: false,
  generatedAt: ago(seconds),
})
const operational = ['venue_a', 'venue_b'].map((name) => ({
  name,
  status: 'operational',
  lastOkAt: ago(1),
  dataAgeSeconds: 1,
  message: null,
}))

type Answering = (route: Route) => Promise<unknown>
const responding =
  (body: object, status = 200, headers: Record<string, string> = {}): Answering =>
  (route) =>
    route.fulfill({ status, headers, json: body })

/** A window over the test's own responses, at a time that stops until it is advanced. */
class Still {
  readonly page: Page
  /** How the list of markets responds. */
  list: Answering = responding(rows(5))
  source = 'live'

  constructor(page: Page) {
    this.page = page
  }

  async open(url: string, line: string): Promise<void> {
    const { page } = this
    await page.clock.install({ time: NOW - 120_000 })
    await page.addInitScript(() => {
      const root = { type: 'branch', data: [] }
      const grid = { root, width: 830, height: 320, orientation: 'HORIZONTAL' }
      const keep = (name: string, value: object) =>
        localStorage.setItem(`augury.${name}`, JSON.stringify({ version: 1, ...value }))
      keep('layout', { active: 1, workspaces: { 1: { grid, panels: {} } } })
      keep('welcome', { closed: true })
    })
    await page.routeWebSocket(/\/ws/, (socket) => void socket.close({ code: 4401 }))
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/') || pathname === '/status',
      (route) => this.#answer(route),
    )
    await page.goto(url)
    await page.clock.pauseAt(NOW)
    await this.pass(500)
    await run(page, line)
    await this.answered()
    await this.pass(500)
  }

  /** Advances time until responses are drawn; requests without a response stay pending. */
  async answered(): Promise<void> {
    await this.pass(200)
    if (this.list === never) return
    await expect
      .poll(async () => {
        await this.pass(20)
        return this.page.locator('.progress, .skeleton').count()
      })
      .toBe(0)
  }

  /** Advances time, and lets responses be drawn. */
  async pass(span: number): Promise<void> {
    await this.page.clock.runFor(span)
    await this.page.evaluate(() => new Promise((done) => queueMicrotask(() => done(null))))
    await this.page.clock.runFor(50)
  }

  async refresh(): Promise<void> {
    await this.page.keyboard.press('r')
    await this.answered()
  }

  async #answer(route: Route): Promise<void> {
    const { pathname, search } = new URL(route.request().url())
    const time = new Date(await this.page.evaluate(() => Date.now()).catch(() => NOW)).toISOString()
    const fulfill = (body: object, status = 200) => route.fulfill({ status, json: body })
    if (pathname === '/api/health') {
      await fulfill({ status: 'ok', time, source: this.source, version: '0.1.0' })
    } else if (pathname === '/status') {
      await fulfill({
        status: 'operational',
        components: operational,
        incidents: [],
        updatedAt: time,
      })
    } else if (pathname === '/api/public/live-tickers') {
      await fulfill({ tickers: [], count: 0, generatedAt: time })
    } else if (pathname === '/api/public/markets' && !search.includes('limit=500&nextActions')) {
      await this.list(route)
    } else if (pathname.startsWith('/api/auth')) {
      await fulfill({ error: 'Sign in', code: 'AUTH_REQUIRED' }, 401)
    } else await fulfill({ markets: [], count: 0, generatedAt: time })
  }
}

const never: Answering = () => new Promise(() => undefined)
const SCAN = 'SCAN'

/** Setup of each pane state, after a first good response unless `first` overrides it. */
const STATES: Readonly<
  Record<string, { first?: Answering; line?: string; then?: (still: Still) => Promise<void> }>
> = {
  loading: { first: never },
  fresh: {},
  refreshing: {
    async then(still) {
      still.list = never
      await still.refresh()
    },
  },
  late: { first: responding(rows(200)) },
  stale: { first: responding(rows(900)) },
  empty: { first: responding(rows(5, 0)), line: 'SCAN vol24h>1000' },
  error: {
    first: responding({ error: 'Upstream venue error', code: 'UPSTREAM_UNAVAILABLE' }, 502),
  },
  'error-over-data': {
    async then(still) {
      still.list = responding({ error: 'Upstream venue error', code: 'UPSTREAM_UNAVAILABLE' }, 502)
      await still.refresh()
    },
  },
  limited: {
    first: responding(
      { ok: false, error: { code: 'RATE_LIMITED', status: 429, message: 'x' } },
      429,
      {
        'Retry-After': '42',
      },
    ),
  },
  'not-ready': { first: responding({ error: 'Not yet', code: 'NOT_READY' }, 503) },
  offline: {
    async then(still) {
      still.list = (route) => route.abort()
      await still.refresh()
    },
  },
  'sign-in': { line: 'KEY' },
  paused: {
    async then(still) {
      await still.page.keyboard.press('Space')
      await still.pass(100)
    },
  },
  sample: {
    async then(still) {
      still.source = 'demo'
      await still.pass(6_000)
    },
  },
}

for (const [name, { first, line = SCAN, then }] of Object.entries(STATES)) {
  test(`a pane in the state ${name} matches its approved picture [terminal.states.pictures]`, async ({
    app,
    page,
  }) => {
    const still = new Still(page)
    if (first !== undefined) still.list = first
    await still.open(app.url, line)
    await then?.(still)
    await page.mouse.move(450, 390)
    await expect(page.locator('.dv-groupview').first()).toHaveScreenshot(`${name}.png`, {
      animations: 'disabled',
      // Edges of letters differ between browsers; without hinting (playwright.config.ts) little else does.
      maxDiffPixelRatio: 0.01,
      threshold: 0.3,
    })
  })
}
