import { createServer } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { demoVenues } from './fixtures/demo-venues.ts'
import { signedInAddress } from './fixtures/sign-in.ts'
import { run } from './fixtures/terminal.ts'

const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '150']
/** What takes up to half a minute by itself: a heartbeat that is missed, a new connection. */
const IN_TIME = { timeout: 120_000 }

const statusOf = (page: Page) => page.getByRole('contentinfo', { name: 'Status' })
const linkOf = (page: Page) => statusOf(page).locator('[data-link]')

/** Opens the page signed in and waits until it hears changes as they happen. */
async function openLive(page: Page, app: RunningApp): Promise<void> {
  await page.goto(await signedInAddress(app))
  await expect(page.getByRole('gridcell').first()).toBeVisible(IN_TIME)
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
}

/** Requests of the page from now on, by path. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  return asked
}

async function untilMoved(moving: Locator): Promise<void> {
  const before = await moving.innerText()
  await expect(moving).not.toHaveText(before, { ...IN_TIME, useInnerText: true })
}

/** A port that nobody uses now. */
const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : 0)))
    })
  })

test.describe.configure({ timeout: 480_000 })

test('values move while quotes and bars are not asked for [terminal.live.moves]', async ({
  app,
  page,
}) => {
  const firstBars = page.waitForResponse(/\/candles/, IN_TIME)
  await openLive(page, app)
  await firstBars
  const asked = requestsOf(page)
  await untilMoved(page.getByRole('grid').first())
  await untilMoved(page.getByRole('grid').first())
  expect(asked.filter((path) => /live-tickers|candles|health/.test(path))).toEqual([])
  await expect(page.getByText('STALE')).toHaveCount(0)
})

test('the book is told whole, and says that it is live [terminal.live.book]', async ({
  app,
  page,
}) => {
  await openLive(page, app)
  await run(page, 'BOOK')
  const pane = page.getByRole('region', { name: 'Depth', exact: true }).first()
  await expect(pane.getByText(/^live, \d+ \+ \d+ levels$/)).toBeVisible(IN_TIME)
})

test('a page that is not signed in asks as before and says so [terminal.live.signed-out]', async ({
  app,
  page,
}) => {
  await page.goto(app.url)
  await expect(page.getByRole('gridcell').first()).toBeVisible(IN_TIME)
  await expect(linkOf(page)).toHaveText('Polling', IN_TIME)
  await expect(linkOf(page)).toHaveAttribute('title', /not signed in/)
  await page.waitForRequest((request) => request.url().includes('/live-tickers'))
})

test('survives a restart of the service on the same address [terminal.live.restart]', async ({
  services,
  page,
}) => {
  const flags = [...DEMO, '--port', await freePort()]
  const service = await services.start(flags)
  await openLive(page, service)
  expect(await service.stop()).toBe(0)
  await expect(linkOf(page)).not.toHaveText('Live')
  await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
  await expect(statusOf(page).getByTitle(/: in time$/)).toHaveCount(0)
  await services.start(flags)
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
  await untilMoved(page.getByRole('grid').first())
})

test('marks what it shows while the service hangs, and recovers by itself [terminal.live.hangs]', async ({
  services,
  page,
}) => {
  const service = await services.start(DEMO)
  await openLive(page, service)
  process.kill(service.pid, 'SIGSTOP')
  try {
    await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
    await expect(statusOf(page).getByTitle(/: in time$/)).toHaveCount(0)
    await expect(linkOf(page)).not.toHaveText('Live', IN_TIME)
  } finally {
    process.kill(service.pid, 'SIGCONT')
  }
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
})

test('comes back after the machine slept [terminal.live.sleeps]', async ({
  app,
  page,
  context,
}) => {
  await openLive(page, app)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  })
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  })
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
  await untilMoved(page.getByRole('grid').first())
})

test('a venue that falls silent is marked within seconds of being declared so [terminal.live.frozen]', async ({
  services,
  page,
}) => {
  const service = await services.start(DEMO)
  const venues = await demoVenues(service)
  test.skip(
    venues === null,
    'the demo’s address is found in /proc, which this system does not have',
  )
  await openLive(page, service)
  const declared = async () => {
    // Asked as the page asks, so that both read one and the same kept answer.
    const answer = await page.request.get(`${service.url}/status?format=json`, {
      headers: { accept: 'application/json' },
    })
    const { components } = (await answer.json()) as {
      components: { name: string; status: string }[]
    }
    return components.find(({ name }) => name === 'venue_a')?.status
  }
  await expect(statusOf(page).getByTitle('Venue A: in time')).toBeVisible(IN_TIME)
  await venues?.order([
    { venue: 'venue_a', kind: 'freeze', forMs: 300_000 },
    { venue: 'venue_a', kind: 'status', status: 503, count: 100_000 },
    { venue: 'venue_a', kind: 'refuse', forMs: 300_000 },
  ])
  await expect.poll(declared, { timeout: 240_000, intervals: [250] }).not.toBe('operational')
  // The page asks every few seconds; the second question at the latest is answered with it.
  const asked = requestsOf(page)
  await expect(statusOf(page).getByTitle('Venue A: in time')).toHaveCount(0)
  // No pane that could hold a value of that venue vouches for its age.
  await expect(page.locator('.actions .age.fresh')).toHaveCount(0)
  await expect(page.locator('.actions .age').first()).toBeVisible()
  expect(asked.filter((path) => path === '/status').length).toBeLessThanOrEqual(2)
  await expect(statusOf(page).getByTitle('Venue B: in time')).toBeVisible()
})
