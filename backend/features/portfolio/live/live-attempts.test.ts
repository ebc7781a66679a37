import { expect, it } from 'vitest'
import { isoOf } from '../../../lib/clock.ts'
import { openLive, type LiveTest } from '../../../testing/live-autopilot.ts'
import { intentsOf } from '../../../testing/live-intents.ts'
import { OPEN_LIMITS } from '../../../testing/trading-service.ts'

/** The preparation of an order at venue_b reads the price step first. */
const PREPARATION = '^GET /tick-size'
const FILLS = '^GET .*/portfolio/fills'

/** Waits until an order of an intent is being prepared. */
async function untilRunning(live: LiveTest, ticks: () => Promise<readonly { status: string }[]>) {
  while (!(await ticks()).some(({ status }) => status === 'running')) {
    await live.inTime(new Promise((resolve) => setImmediate(resolve)))
  }
}

it('[portfolio.live.attempts] a halt while an order is prepared sends nothing', async () => {
  const live = await openLive()
  const { create, one, orders, settle, ticks } = intentsOf(live, 'venue_b')
  await live.goLive()
  live.fault('venue_b', 'hang', PREPARATION, { count: 1_000 })
  const { id } = await create()
  await untilRunning(live, ticks)
  const [status] = await live.put({ executionMode: 'halted' })
  expect(status).toBe(200)
  live.sim.stopFaults()
  await settle()
  expect(orders()).toEqual([])
  expect(await one(id)).toMatchObject({
    status: 'triggered',
    statusReason: 'execution is halted',
    filledQuantity: 0,
  })
  expect((await ticks()).map((tick) => tick.status)).toEqual(['completed'])
})

it('[portfolio.live.attempts] an order whose preparation outlasts its intent is not sent', async () => {
  const live = await openLive()
  const { create, one, orders, settle, ticks } = intentsOf(live, 'venue_b')
  await live.goLive()
  live.fault('venue_b', 'hang', PREPARATION, { count: 1 })
  const { id } = await create({ expireAt: isoOf((live.clock.now() + 5_000) as never) })
  await untilRunning(live, ticks)
  expect(live.clock.now()).toBeLessThan(Date.parse((await one(id)).expireAt))
  await settle()
  expect(orders()).toEqual([])
  expect(await one(id)).toMatchObject({ status: 'expired', filledQuantity: 0 })
})

it('[portfolio.live.attempts] what is decided for one account is refused once another is traded', async () => {
  const live = await openLive()
  const { market, orders, settle, send } = intentsOf(live)
  await live.put(OPEN_LIMITS)
  const { strategies } = live.pilot()
  const { mode } = await strategies.progress('usr_autopilot')
  expect(mode).toBe('paper')
  await live.goLive()
  const body = {
    marketId: market.id,
    action: 'buy',
    direction: 'yes',
    targetQuantity: 3,
    autoExecute: true,
    source: 'strategy',
    thesisId: 't1',
    strategyId: `str_${market.id}`,
  }
  await expect(strategies.createIntent('usr_autopilot', { ...body, mode })).rejects.toThrow(
    'trading is live now: review the order and send it again',
  )
  await settle()
  expect(orders()).toEqual([])
  const [, page] = await send('GET', '/api/intents')
  expect(page).toMatchObject({ data: [] })
})

it.each(['DELETE', 'expiry'] as const)(
  '[portfolio.live.attempts] the fills of an order are booked to its intent after its %s',
  async (end) => {
    const live = await openLive()
    const { trade, one, orders, fills, send, passMinutes } = intentsOf(live)
    await live.goLive()
    const expireAt = isoOf((live.clock.now() + 1_800_000) as never)
    // The order is answered, and its fills cannot be read.
    live.fault('venue_a', 'status', FILLS, { status: 500, count: 1_000, afterRequests: 1 })
    const { id } = await trade({ expireAt })
    expect(await one(id)).toMatchObject({ status: 'executing', filledQuantity: 0 })
    expect(orders()).toMatchObject([{ status: 'executed' }])
    if (end === 'DELETE') expect((await send('DELETE', `/api/intents/${id}`))[0]).toBe(200)
    else {
      await live.clock.advance(1_800_000)
      await passMinutes()
    }
    const ended = end === 'DELETE' ? 'cancelled' : 'expired'
    expect(await one(id)).toMatchObject({ status: ended, filledQuantity: 0 })
    live.sim.stopFaults()
    await passMinutes()
    expect(await one(id)).toMatchObject({ status: ended, filledQuantity: 3 })
    expect(await fills()).toMatchObject([{ intentId: id, quantity: 3, confidence: 'exact' }])
    expect(orders()).toHaveLength(1)
  },
)

it.each(['paper', 'live'] as const)(
  '[portfolio.live.attempts] a restart forgets no order of the last minute on %s',
  async (mode) => {
    const live = await openLive()
    const { create, trade, one, settle } = intentsOf(live)
    if (mode === 'live') await live.goLive()
    await live.put({ ...OPEN_LIMITS, maxOrdersPerTick: 1 })
    expect(await trade()).toMatchObject({ status: 'filled', mode })
    await live.restart()
    live.pilot().publish()
    const { id } = await create()
    await settle()
    expect(await one(id)).toMatchObject({
      status: 'triggered',
      statusReason: 'waiting: at most 1 order a minute',
    })
    await live.clock.advance(61_000)
    live.pilot().publish()
    await settle()
    expect(await one(id)).toMatchObject({ status: 'filled', filledQuantity: 3 })
  },
)
