import { expect, it } from 'vitest'
import type { ConfigStored } from '../../../contract/portfolio.ts'
import type { Millis } from '../../../domain/units.ts'
import { reschedule } from '../../../simulator/catalogue/market.ts'
import {
  LIVE_VENUES,
  LOOKUP_ROUTES,
  openLive,
  ORDER_ROUTES,
  type LiveTest,
} from '../../../testing/live-autopilot.ts'
import { OPEN_LIMITS } from '../../../testing/trading-service.ts'

/** Cash of the ledger and of the exchange, in millionths of a dollar since the start. */
async function moneyOf(live: LiveTest) {
  const entries = await live.ledger()
  const ours = entries.reduce(
    (sum, { exact }) => sum + Math.round(Number(exact.cashDelta) * 1e6),
    0,
  )
  const theirs = LIVE_VENUES.reduce((sum, venue) => sum + live.accountAt(venue).cash - 1e9, 0)
  return { ours, theirs }
}

it('[portfolio.live.day] trades a day at the exchange: one order a decision, a lost answer found, the ledger to the cent', async () => {
  const live = await openLive()
  await live.goLive()
  live.fault('venue_a', 'lost-answer', ORDER_ROUTES.venue_a)
  const tick = await live.tick()
  expect(tick).toMatchObject({ status: 'completed', mode: 'live', executionMode: 'live' })
  expect(tick.actions).toMatchObject([
    { venue: 'venue_a', outcome: 'filled', filledQuantity: 10, orderId: `svc-${tick.id}-1` },
    { venue: 'venue_b', outcome: 'filled', filledQuantity: 10, orderId: `svc-${tick.id}-2` },
  ])
  for (const venue of LIVE_VENUES) expect(live.accountAt(venue).orders).toHaveLength(1)
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
  live.fault('venue_a', 'lost-answer', ORDER_ROUTES.venue_a)
  live.fault('venue_a', 'status', LOOKUP_ROUTES.venue_a, { status: 500, count: 1_000 })
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
