import { createServer } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { demoVenues } from './fixtures/demo-venues.ts'
import { signedInAddress } from './fixtures/sign-in.ts'
import { openWorkspace, run } from './fixtures/terminal.ts'

const DEMO = ['--source', 'demo', '--seed', '7', '--demo-markets', '150']
/** Events that take up to half a minute: a missed heartbeat, a reconnect. */
const IN_TIME = { timeout: 120_000 }
/** A request that is sent again with each answer is sent many times a second. */
const SECONDS_AT_REST = 4

const statusOf = (page: Page) => page.getByRole('contentinfo', { name: 'Status' })
const linkOf = (page: Page) => statusOf(page).locator('[data-link]')

/** Opens the page signed in and waits until it receives changes live. */
async function openLive(page: Page, app: RunningApp): Promise<void> {
  await page.goto(await signedInAddress(app))
  await expect(page.getByRole('gridcell').first()).toBeVisible(IN_TIME)
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
}

/** Paths and queries that the page requests from now on. */
function requestsOf(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    requested.push(pathname + search)
  })
  return requested
}

/** Names of the topics whose state the page has received, from now on. */
function streamedTo(page: Page): Set<string> {
  const streamed = new Set<string>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { type: string; topic?: string }
      if (frame.type === 'snapshot' && frame.topic !== undefined) streamed.add(frame.topic)
    }),
  )
  return streamed
}

async function untilMoved(moving: Locator): Promise<void> {
  const before = await moving.innerText()
  await expect(moving).not.toHaveText(before, { ...IN_TIME, useInnerText: true })
}

/** An unused port. */
const freePort = () =>
  new Promise<string>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : 0)))
    })
  })

test.describe.configure({ timeout: 480_000 })

test('values update while quotes and bars are not polled [terminal.live.moves]', async ({
  app,
  page,
}) => {
  const firstBars = page.waitForResponse(
    (response) => response.ok() && response.url().includes('/candles'),
    IN_TIME,
  )
  const streamed = streamedTo(page)
  await openLive(page, app)
  const ticker = /market\/([^/]+)\/candles/.exec((await firstBars).url())?.[1] ?? ''
  const topics = [`candles:${ticker}:1h`, `ticker:${ticker}`]
  await expect.poll(() => topics.filter((topic) => !streamed.has(topic)), IN_TIME).toEqual([])
  // The page shows frames in their order: after the next change it shows these topics too.
  await untilMoved(page.getByRole('grid').first())
  const requested = requestsOf(page)
  await untilMoved(page.getByRole('grid').first())
  await untilMoved(page.getByRole('grid').first())
  expect(requested.filter((path) => /live-tickers|candles|health/.test(path))).toEqual([])
  await expect(page.getByText('STALE')).toHaveCount(0)
})

test('a page at rest requests nothing again and again [terminal.live.at-rest]', async ({
  app,
  page,
}) => {
  await openLive(page, app)
  const clock = statusOf(page).locator('.clock')
  for (let workspace = 1; workspace <= 7; workspace += 1) {
    await openWorkspace(page, workspace)
    await expect(page.locator('.skeleton:visible')).toHaveCount(0, IN_TIME)
    const requested = requestsOf(page)
    for (let second = 0; second < SECONDS_AT_REST; second += 1) await untilMoved(clock)
    const times = Map.groupBy(requested, (path) => path)
    const repeated = [...times].filter(([, all]) => all.length > SECONDS_AT_REST)
    expect(
      repeated.map(([path, all]) => `${all.length} × ${path}`),
      `workspace ${workspace}`,
    ).toEqual([])
  }
})

test('the book is streamed completely, and marked as live [terminal.live.book]', async ({
  app,
  page,
}) => {
  await openLive(page, app)
  await run(page, 'BOOK')
  const pane = page.getByRole('region', { name: 'Depth', exact: true }).first()
  await expect(pane.getByText(/^live, \d+ \+ \d+ levels$/)).toBeVisible(IN_TIME)
})

test('a page that is not signed in polls and shows that [terminal.live.signed-out]', async ({
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
  // Killed or not: a busy machine may not write back a new demo's history within the 5 s of a stop.
  await service.stop()
  await expect(linkOf(page)).not.toHaveText('Live')
  await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
  await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(0)
  await services.start(flags)
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
  await untilMoved(page.getByRole('grid').first())
})

test('marks its values while the service hangs, and recovers by itself [terminal.live.hangs]', async ({
  services,
  page,
}) => {
  const service = await services.start(DEMO)
  await openLive(page, service)
  process.kill(service.pid, 'SIGSTOP')
  try {
    await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
    await expect(statusOf(page).getByTitle(/: current$/)).toHaveCount(0)
    await expect(linkOf(page)).not.toHaveText('Live', IN_TIME)
  } finally {
    process.kill(service.pid, 'SIGCONT')
  }
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
})

test('recovers after the machine slept [terminal.live.sleeps]', async ({ app, page, context }) => {
  await openLive(page, app)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await devtools.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(statusOf(page).getByText('Service not reachable')).toBeVisible()
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await expect(linkOf(page)).toHaveText('Live', IN_TIME)
  await expect(statusOf(page).getByText('Connected')).toBeVisible(IN_TIME)
  await untilMoved(page.getByRole('grid').first())
})

test('a silent venue is marked within seconds of being reported [terminal.live.frozen]', async ({
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
    // Requested like the page does, so that both read the same cached response.
    const answer = await page.request.get(`${service.url}/status?format=json`, {
      headers: { accept: 'application/json' },
    })
    const { components } = (await answer.json()) as {
      components: { name: string; status: string }[]
    }
    return components.find(({ name }) => name === 'venue_a')?.status
  }
  await expect(statusOf(page).getByTitle('Kalshi: current')).toBeVisible(IN_TIME)
  await venues?.scheduleFaults([
    { venue: 'venue_a', kind: 'freeze', forMs: 300_000 },
    { venue: 'venue_a', kind: 'status', status: 503, count: 100_000 },
    { venue: 'venue_a', kind: 'refuse', forMs: 300_000 },
  ])
  await expect.poll(declared, { timeout: 240_000, intervals: [250] }).not.toBe('operational')
  // The page polls every few seconds; the second response at the latest is the cached one.
  const requested = requestsOf(page)
  await expect(statusOf(page).getByTitle('Kalshi: current')).toHaveCount(0)
  // No pane with a value of that venue marks its age as current.
  await expect(page.locator('.actions .age.fresh')).toHaveCount(0)
  await expect(page.locator('.actions .age').first()).toBeVisible()
  expect(requested.filter((path) => path === '/status').length).toBeLessThanOrEqual(2)
  await expect(statusOf(page).getByTitle('Polymarket: current')).toBeVisible()
})
