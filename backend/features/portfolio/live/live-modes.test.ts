import { expect, it } from 'vitest'
import type { TickFinished, TickStarted } from '../../../contract/orders/ticks.ts'
import type { ServedState } from '../../../contract/portfolio.ts'
import { CANCEL_ROUTES, openLive, type LiveTest } from '../../../testing/live-autopilot.ts'
import { simulatedCredentials } from '../../../testing/trading-credentials.ts'

const TRIGGER = '/api/portfolio/trigger'
const stateOf = async (live: LiveTest): Promise<ServedState> =>
  (await live.pilot().send<ServedState>('GET', '/api/portfolio/state'))[1]

it('[portfolio.live.figures] a tick on paper in live mode has the figures of paper, and live keeps its own', async () => {
  const live = await openLive()
  await live.goLive()
  // The drawdown of paper does not count for the live account.
  expect(await stateOf(live)).toMatchObject({ maxDrawdownCents: 0, handoffNote: null })
  const traded = await live.tick()
  expect(traded).toMatchObject({ mode: 'live', openPositionCount: 2 })
  const before = await stateOf(live)
  const [, { tick }] = await live.inTime(
    live.pilot().send<TickFinished>('POST', TRIGGER, { dryRun: true, sync: true }),
  )
  expect(tick).toMatchObject({ mode: 'paper', executionMode: 'live', openPositionCount: 2 })
  // Paper began with $5,000, the exchange with $2,000.
  expect(tick.portfolioValueCents).toBeGreaterThan(400_000)
  expect(traded.portfolioValueCents).toBeLessThan(250_000)
  const { updatedAt: _, ...after } = await stateOf(live)
  expect(before).toMatchObject(after)
})

it('[portfolio.live.figures] the cooldown counts the ticks of its own account', async () => {
  const live = await openLive()
  await live.goLive()
  await live.put({ executionMode: 'halted' })
  await live.put({ executionMode: 'dry-run' })
  await live.clock.advance(1)
  await live.tick()
  await live.tick()
  expect((await live.risk()).cooldown.ticksSinceLoss).toBe(2)
  await live.confirmLive()
  expect((await live.risk()).cooldown.ticksSinceLoss).toBe(0)
  await live.tick()
  expect((await live.risk()).cooldown.ticksSinceLoss).toBe(1)
})

it('[portfolio.live.accounts] step 1 at another exchange keeps the account of this one', async () => {
  const live = await openLive()
  live.connect({ id: 'venues', epoch: 0 })
  await live.goLive()
  await live.tick()
  const { drawdown } = await live.risk()
  expect(drawdown.usedCents).toBeGreaterThan(0)
  live.connect({ id: 'sample:1', epoch: 9 })
  expect((await live.put({ executionMode: 'live' }))[0]).toBe(409)
  expect((await live.risk()).mode).toBe('paper')
  live.connect({ id: 'venues', epoch: 0 })
  expect(await live.risk()).toMatchObject({ mode: 'live', drawdown })
})

it('[portfolio.live.token] a confirmation is void after a change of the configuration and its reversal', async () => {
  const live = await openLive()
  await live.goLive()
  await live.put({ executionMode: 'dry-run', maxPositions: 20 })
  const [, { confirmation }] = await live.put<{ confirmation: { token: string } }>({
    executionMode: 'live',
  })
  await live.put({ maxPositions: 4 })
  await live.put({ maxPositions: 20 })
  const [status, { executionMode }] = await live.put({
    executionMode: 'live',
    confirmToken: confirmation.token,
    confirmPhrase: 'TRADE LIVE',
  })
  expect([status, executionMode]).toEqual([409, undefined])
})

it('[portfolio.live.lease] cancelling orders leaves the lease to the tick that runs', async () => {
  const live = await openLive()
  await live.goLive()
  await live.rest('venue_a')
  const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  live.pilot().hooks = {
    onDecide() {
      reached.resolve()
      return go.promise
    },
  }
  const [, { tickId }] = await live.pilot().send<TickStarted>('POST', TRIGGER, {})
  await live.inTime(reached.promise)
  const [, { orders }] = await live.put({ executionMode: 'dry-run' })
  expect(orders?.cancelled).toHaveLength(1)
  const again = await live.pilot().send('POST', TRIGGER, {})
  expect(again).toMatchObject([409, { code: 'TICK_RUNNING', tickId }])
  go.resolve()
  await live.inTime(live.pilot().settled())
  live.pilot().hooks = {}
  expect((await live.pilot().send('POST', TRIGGER, {}))[0]).toBe(202)
})

it('[portfolio.live.accounts] the balance of a venue without credentials is unknown', async () => {
  const live = await openLive()
  await live.goLive()
  expect((await live.risk()).balance).toMatchObject({ totalCents: 200_000, venue_b: 100_000 })
  live.connect({
    openCredentials: (_, venue) =>
      Promise.resolve(venue === 'venue_b' ? null : simulatedCredentials()[venue]),
  })
  await live.tick()
  const { venue_a: left, venue_b: gone, totalCents } = (await live.risk()).balance
  expect([gone, totalCents]).toEqual([null, left])
})

it('[portfolio.live.halt] a second halt does not interrupt the cancellation of the first', async () => {
  const live = await openLive()
  await live.goLive()
  await live.rest('venue_a')
  live.fault('venue_a', 'slow-body', CANCEL_ROUTES.venue_a, { milliseconds: 3_000 })
  const first = live.put({ executionMode: 'halted' })
  await live.inTime(
    (async () => {
      while (live.accountAt('venue_a').orders[0]?.status !== 'canceled') {
        await new Promise((resolve) => setImmediate(resolve))
      }
    })(),
  )
  const second = live.put({ executionMode: 'halted' })
  const [[status, { orders }], [again]] = await Promise.all([first, second])
  expect([status, again]).toEqual([200, 200])
  expect(orders).toMatchObject({ cancelled: [{ venue: 'venue_a' }], failed: [] })
})

it('[portfolio.live.halt] an order that was filled meanwhile is not listed as cancelled', async () => {
  const live = await openLive()
  await live.goLive()
  await live.rest('venue_a')
  await live.rest('venue_b')
  const [order] = live.accountAt('venue_a').orders
  if (order === undefined) throw new Error('no order')
  live.sim.exchanges.venue_a.trade(order, order.size, live.clock.now())
  const [, { orders }] = await live.put({ executionMode: 'halted' })
  expect(orders).toMatchObject({ cancelled: [{ venue: 'venue_b', status: 'done' }], failed: [] })
})
