import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { TickFinished } from '../../../contract/orders/ticks.ts'
import type { ConfigStored, ServedEntry, ServedRisk } from '../../../contract/portfolio.ts'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { reschedule } from '../../../simulator/catalogue/market.ts'
import { parseOrder as parseFault } from '../../../simulator/faults/parse-order.ts'
import { openAutopilot } from '../../../testing/autopilot.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { START } from '../../../testing/simulated-venues.ts'
import { startTrading, tradableMarket } from '../../../testing/trading-accounts.ts'
import { simulatedCredentials } from '../../../testing/trading-credentials.ts'
import { OPEN_LIMITS } from '../../../testing/trading-service.ts'
import { openState } from '../../../state/open.ts'
import { createPortfolioStore } from '../portfolio.store.ts'
import type { LiveExchange } from './live-exchange.ts'
import { createLiveOrders } from './live-orders.ts'
import { createLiveOrdersStore } from './live-orders.store.ts'

const CONFIG = '/api/portfolio/config'
const VENUES = ['venue_a', 'venue_b'] as const
const ACCOUNTS = {
  venue_a: 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
  venue_b: `0x${'1'.repeat(40)}`,
}
const ORDERS = { venue_a: '^POST .*/portfolio/events/orders$', venue_b: '^POST /order$' }
const LOOKUPS = { venue_a: '^GET .*/portfolio/orders', venue_b: '^GET /data/order/' }

/** A user whose autopilot can trade one market of each simulated venue. */
async function openLive() {
  const clock = new FakeClock(START)
  const { sim, openA, openB } = await startTrading(clock)
  const markets = VENUES.map((venue) => tradableMarket(sim, venue, 20))
  const marketOf = (ticker: string) => {
    const market = markets.find(({ id }) => id === ticker)
    if (market === undefined) throw new Error(`no market ${ticker}`)
    return market
  }
  const exchange: LiveExchange = {
    id: 'simulated',
    isSample: true,
    epoch: 7,
    openClient: { venue_a: openA, venue_b: openB },
    openCredentials: (_, venue) => Promise.resolve(simulatedCredentials()[venue]),
  }
  const path = await mkdtemp(join(tmpdir(), 'augury-live-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const file = join(path, 'state.sqlite')
  const open = () =>
    openAutopilot(file, clock.now(), {
      clock,
      exchange: () => exchange,
      tickers: markets.map(({ id }) => id),
      venueOf: (ticker) => marketOf(ticker).venue,
      factsOf(ticker) {
        const { tokens } = marketOf(ticker)
        return { assetIds: tokens }
      },
      touchNow(ticker) {
        const { bids, asks } = sim.book(marketOf(ticker))
        const [[bid = 0] = [], [ask = 0, size = 0] = []] = [bids[0], asks[0]]
        return [bid / 100, ask / 100, size / 100]
      },
    })
  /** Advances time until the work ends: lost answers and look-ups wait. */
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    const state = { isOver: false }
    const end = (): void => void (state.isOver = true)
    work.then(end, end)
    while (!state.isOver) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      await clock.advance(250)
      after.pilot.publish()
    }
    return work
  }
  const fault = (venue: (typeof VENUES)[number], kind: string, route: string, more = {}): void => {
    const order = parseFault({ venue, kind, route, ...more })
    if (typeof order === 'string') throw new Error(order)
    sim.order([order])
  }
  const pilot = await open()
  const after: { pilot: typeof pilot } = { pilot }
  onTestFinished(() => after.pilot.close())
  const put = async <T = ConfigStored>(body: object): Promise<[number, T]> =>
    inTime(after.pilot.send<T>('PUT', CONFIG, body))
  const tick = async () => {
    await after.pilot.quote()
    const [status, body] = await inTime(
      after.pilot.send<TickFinished>('POST', '/api/portfolio/trigger', { sync: true }),
    )
    expect([status, body]).toMatchObject([200, { ok: true }])
    return body.tick
  }
  /** An order that rests at the best bid of a market, as a tick would write it. */
  const rest = async (venue: (typeof VENUES)[number]): Promise<void> => {
    const state = await openState(file)
    const store = createLiveOrdersStore(state, () => exchange.epoch)
    const orders = createLiveOrders({
      store,
      portfolios: createPortfolioStore(state),
      openPositions: () => Promise.resolve([]),
      clock,
    })
    const market = markets.find((one) => one.venue === venue)
    if (market === undefined) throw new Error('no market')
    const [bid = 0] = sim.book(market).bids[0] ?? []
    const sent = await orders.send(
      'usr_autopilot',
      {
        tickId: `pt_${venue}`,
        decision: 1,
        venue,
        ticker: market.id,
        marketTitle: market.question,
        category: 'economics',
        action: 'buy',
        direction: 'yes',
        size: 5_000_000 as SizeE6,
        limit: bid as PriceE4,
        timeInForce: 'gtc',
        source: 'autopilot',
        intentId: null,
        thesisId: null,
        strategyId: null,
        viewId: null,
        payload: {},
      },
      venue === 'venue_a' ? openA(simulatedCredentials().venue_a) : openB(),
      AbortSignal.timeout(30_000),
    )
    expect(sent).toMatchObject({ order: { status: 'resting' } })
    await state.destroy()
  }
  return {
    sim,
    clock,
    rest,
    markets,
    fault,
    inTime,
    put,
    tick,
    pilot: () => after.pilot,
    async restart() {
      await after.pilot.close()
      after.pilot = await open()
    },
    /** The two steps of a person, after a tick on paper. */
    async goLive() {
      await put(OPEN_LIMITS)
      await tick()
      const [status, { confirmation }] = await put<{ confirmation: { token: string } }>({
        executionMode: 'live',
      })
      expect(status).toBe(409)
      const [done, config] = await put({
        executionMode: 'live',
        confirmToken: confirmation.token,
        confirmPhrase: 'TRADE LIVE',
      })
      expect([done, config]).toMatchObject([200, { executionMode: 'live', mode: 'live' }])
      expect(await after.pilot.bought()).toEqual({})
    },
    async ledger() {
      const path = '/api/portfolio/ledger?mode=live&order=asc&limit=500'
      return (await after.pilot.send<{ data: ServedEntry[] }>('GET', path))[1].data
    },
    async risk() {
      return (await after.pilot.send<ServedRisk>('GET', '/api/portfolio/risk'))[1]
    },
    accountAt: (venue: (typeof VENUES)[number]) => {
      const account = sim.exchanges[venue].account(ACCOUNTS[venue], clock.now())
      if (account === null) throw new Error('no account')
      return account
    },
  }
}
type LiveTest = Awaited<ReturnType<typeof openLive>>

/** Cash of the ledger and of the exchange, in millionths of a dollar since the start. */
async function moneyOf(live: LiveTest) {
  const entries = await live.ledger()
  const ours = entries.reduce(
    (sum, { exact }) => sum + Math.round(Number(exact.cashDelta) * 1e6),
    0,
  )
  const theirs = VENUES.reduce((sum, venue) => sum + live.accountAt(venue).cash - 1e9, 0)
  return { ours, theirs }
}

it('[portfolio.live.day] trades a day at the exchange: one order a decision, a lost answer found, the ledger to the cent', async () => {
  const live = await openLive()
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDERS.venue_a)
  const tick = await live.tick()
  expect(tick).toMatchObject({ status: 'completed', mode: 'live', executionMode: 'live' })
  expect(tick.actions).toMatchObject([
    { venue: 'venue_a', outcome: 'filled', filledQuantity: 10, orderId: `svc-${tick.id}-1` },
    { venue: 'venue_b', outcome: 'filled', filledQuantity: 10, orderId: `svc-${tick.id}-2` },
  ])
  for (const venue of VENUES) expect(live.accountAt(venue).orders).toHaveLength(1)
  expect(await live.risk()).toMatchObject({
    mode: 'live',
    lastReconcileStatus: 'ok',
    positions: { used: 2 },
  })
  // The strategies are full: the next tick orders nothing.
  expect(Object.values(await live.pilot().bought())).toEqual([10, 10])
  expect((await live.tick()).actionsCount).toBe(0)
  const traded = await moneyOf(live)
  expect(traded.ours).toBe(traded.theirs)
  expect(traded.ours).toBeLessThan(0)
  // Both markets settle, and the next tick books what they paid.
  const now = live.clock.now()
  for (const market of live.markets) {
    const at = (seconds: number) => (now + seconds * 1_000) as Millis
    reschedule(market, { closeAt: at(1), determinedAt: at(2), settledAt: at(3) })
  }
  await live.clock.advance(5_000)
  await live.tick()
  const settlements = (await live.ledger()).filter((one) => one.eventType === 'settlement')
  expect(settlements).toHaveLength(2)
  const ended = await moneyOf(live)
  expect(ended.ours).toBe(ended.theirs)
  expect(await live.risk()).toMatchObject({ positions: { used: 0 }, lastReconcileStatus: 'ok' })
})

it('[portfolio.live.steps] is turned on by a person in two steps, and each unmet precondition is named', async () => {
  const live = await openLive()
  const [status, body] = await live.put<{ code: string; failed: { name: string }[] }>({
    executionMode: 'live',
  })
  expect([status, body.code]).toEqual([409, 'LIVE_PRECONDITION_FAILED'])
  expect(body.failed.map(({ name }) => name)).toEqual(['enabled', 'dry_run'])
  await live.put({ ...OPEN_LIMITS, maxDailyLossCents: 0 })
  const [, unlimited] = await live.put<{ failed: { name: string; message: string }[] }>({
    executionMode: 'live',
  })
  expect(unlimited.failed).toEqual([
    {
      name: 'dry_run',
      message: 'run the autopilot on paper first: no dry-run tick completed in 7 days',
    },
    { name: 'limits', message: 'set limits above 0: maxDailyLossCents' },
  ])
  await live.put({ maxDailyLossCents: 100_000 })
  await live.tick()
  const both = { executionMode: 'live', maxPositions: 3 }
  expect(await live.put(both)).toMatchObject([
    400,
    { error: 'executionMode live must be sent alone, without maxPositions' },
  ])
  const step = async () => {
    const [code, sent] = await live.put<{
      code: string
      confirmation: { token: string; sample: boolean }
    }>({ executionMode: 'live' })
    expect([code, sent]).toMatchObject([409, { code: 'CONFIRMATION_REQUIRED' }])
    expect(sent.confirmation).toMatchObject({
      phrase: 'TRADE LIVE',
      sample: true,
      venues: ['venue_a', 'venue_b'],
      limits: { maxDailyLossCents: 100_000 },
    })
    return sent.confirmation.token
  }
  const confirm = (confirmToken: string, confirmPhrase = 'TRADE LIVE') =>
    live.put<ConfigStored & { code?: string; error?: string }>({
      executionMode: 'live',
      confirmToken,
      confirmPhrase,
    })
  // A key of a program cannot confirm.
  const token = await step()
  live.pilot().credential = 'service-key'
  expect(await confirm(token)).toMatchObject([403, { code: 'CONFIRM_IN_TERMINAL' }])
  live.pilot().credential = 'session'
  expect(await confirm(token, 'trade live')).toMatchObject([
    409,
    { error: 'type the phrase exactly: TRADE LIVE' },
  ])
  // Another change of the configuration voids the token, and so does its age.
  await live.put({ maxPositions: 4 })
  expect((await confirm(token))[0]).toBe(409)
  const old = await step()
  await live.clock.advance(5 * 60_000 + 1)
  expect((await confirm(old))[0]).toBe(409)
  const fresh = await step()
  expect(await confirm(fresh)).toMatchObject([200, { executionMode: 'live' }])
  expect(await live.risk()).toMatchObject({ mode: 'live', balance: { totalCents: 200_000 } })
  await live.put({ executionMode: 'dry-run' })
  expect((await confirm(fresh))[0]).toBe(409)
})

it('[portfolio.live.halt] a halt cancels what rests at every venue and reports what it could not cancel', async () => {
  const live = await openLive()
  await live.goLive()
  await live.rest('venue_a')
  await live.rest('venue_b')
  live.fault('venue_b', 'status', '^DELETE /order', { status: 500, count: 1_000 })
  const [status, { executionMode, orders }] = await live.put({ executionMode: 'halted' })
  expect([status, executionMode]).toEqual([200, 'halted'])
  expect(orders).toMatchObject({
    cancelled: [{ venue: 'venue_a' }],
    failed: [{ venue: 'venue_b', status: 'resting' }],
  })
  expect(orders?.failed[0]?.reason).toContain('cancelling')
  expect(live.accountAt('venue_a').orders[0]?.status).toBe('canceled')
  expect(live.accountAt('venue_b').orders[0]?.status).toBe('resting')
  // The other order is cancelled within a minute, also after a restart.
  live.sim.stopFaults()
  await live.restart()
  const stop = new AbortController()
  const running = live.pilot().run(stop.signal)
  await live.clock.advance(61_000)
  await live.inTime(live.pilot().settled())
  expect(live.accountAt('venue_b').orders[0]?.status).toBe('canceled')
  stop.abort()
  await running
})

it('[portfolio.live.lost] an order whose answer is lost blocks entries, is found after a restart and is sent once', async () => {
  const live = await openLive()
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDERS.venue_a)
  live.fault('venue_a', 'status', LOOKUPS.venue_a, { status: 500, count: 1_000 })
  const tick = await live.tick()
  expect(tick.actions).toMatchObject([
    { venue: 'venue_a', outcome: 'unknown' },
    { venue: 'venue_b', outcome: 'rejected_by_gate', error: 'RISK_GATE_FAIL:reconcile' },
  ])
  expect(live.accountAt('venue_a').orders).toHaveLength(1)
  live.sim.stopFaults()
  await live.restart()
  const stop = new AbortController()
  const running = live.pilot().run(stop.signal)
  await live.clock.advance(61_000)
  await live.inTime(live.pilot().settled())
  const [, found] = await live.pilot().send<typeof tick>('GET', `/api/portfolio/ticks/${tick.id}`)
  expect(found.actions[0]).toMatchObject({ outcome: 'filled', filledQuantity: 10 })
  expect(live.accountAt('venue_a').orders).toHaveLength(1)
  stop.abort()
  await running
  const { ours, theirs } = await moneyOf(live)
  expect(ours).toBe(theirs)
})

it('[portfolio.live.mismatch] holdings that the ledger lacks stop entries and are recorded', async () => {
  const live = await openLive()
  await live.goLive()
  live.accountAt('venue_a').holdings.set('KXOTHER-1', { yes: 3_000_000, no: 0 })
  const tick = await live.tick()
  expect(tick.actions.map(({ outcome, error }) => [outcome, error])).toEqual([
    ['rejected_by_gate', 'RISK_GATE_FAIL:reconcile'],
    ['rejected_by_gate', 'RISK_GATE_FAIL:reconcile'],
  ])
  const [, state] = await live.pilot().send<object>('GET', '/api/portfolio/state')
  expect(state).toMatchObject({
    lastReconcileStatus: 'mismatch',
    mismatches: [{ venue: 'venue_a', marketId: 'KXOTHER-1', ours: 0, theirs: 3 }],
  })
})
