import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TickFinished } from '../contract/orders/ticks.ts'
import type { ConfigStored, ServedEntry, ServedRisk } from '../contract/portfolio.ts'
import type { PriceE4, SizeE6 } from '../domain/units.ts'
import { openAutopilot } from './autopilot.ts'
import { FakeClock } from './fake-clock.ts'
import { START } from './simulated-venues.ts'
import { startTrading, tradableMarket } from './trading-accounts.ts'
import { simulatedCredentials } from './trading-credentials.ts'
import { OPEN_LIMITS } from './trading-service.ts'
import { openState } from '../state/open.ts'
import { createPortfolioStore } from '../features/portfolio/portfolio.store.ts'
import type { LiveExchange } from '../features/portfolio/live/live-exchange.ts'
import { createLiveOrders } from '../features/portfolio/live/live-orders.ts'
import { createLiveOrdersStore } from '../features/portfolio/live/live-orders.store.ts'

const CONFIG = '/api/portfolio/config'
export const LIVE_VENUES = ['venue_a', 'venue_b'] as const
const ACCOUNTS = {
  venue_a: 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c',
  venue_b: `0x${'1'.repeat(40)}`,
}
export const ORDER_ROUTES = {
  venue_a: '^POST .*/portfolio/events/orders$',
  venue_b: '^POST /order$',
}
export const CANCEL_ROUTES = {
  venue_a: '^DELETE .*/portfolio/events/orders/',
  venue_b: '^DELETE /order$',
}
export const LOOKUP_ROUTES = { venue_a: '^GET .*/portfolio/orders', venue_b: '^GET /data/order/' }

/** A user whose autopilot can trade one market of each simulated venue. */
export async function openLive() {
  const clock = new FakeClock(START)
  const trading = await startTrading(clock)
  const { sim, openA, openB, fault } = trading
  const markets = LIVE_VENUES.map((venue) => tradableMarket(sim, venue, 20))
  const marketOf = (ticker: string) => {
    const market = markets.find(({ id }) => id === ticker)
    if (market === undefined) throw new Error(`no market ${ticker}`)
    return market
  }
  let exchange: LiveExchange = {
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
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    trading.inTime(work, () => after.pilot.publish())
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
  const rest = async (venue: (typeof LIVE_VENUES)[number]): Promise<void> => {
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
    /** Connects another exchange, as a start with another source does. */
    connect(change: Partial<LiveExchange>): void {
      exchange = { ...exchange, ...change }
    },
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
      await this.confirmLive()
      expect(await after.pilot.bought()).toEqual({})
    },
    /** The two steps alone. */
    async confirmLive() {
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
    },
    async ledger() {
      const path = '/api/portfolio/ledger?mode=live&order=asc&limit=500'
      return (await after.pilot.send<{ data: ServedEntry[] }>('GET', path))[1].data
    },
    async risk() {
      return (await after.pilot.send<ServedRisk>('GET', '/api/portfolio/risk'))[1]
    },
    accountAt: (venue: (typeof LIVE_VENUES)[number]) => {
      const account = sim.exchanges[venue].account(ACCOUNTS[venue], clock.now())
      if (account === null) throw new Error('no account')
      return account
    },
  }
}
export type LiveTest = Awaited<ReturnType<typeof openLive>>
