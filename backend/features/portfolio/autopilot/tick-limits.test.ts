import { afterEach, describe, expect, it } from 'vitest'
import type { TickFinished, TickStarted } from '../../../contract/orders/ticks.ts'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import {
  enable,
  openAutopilot,
  type Autopilot,
  type AutopilotMarkets,
} from '../../../testing/autopilot.ts'

const ALL = ['ONE 10', 'TWO 10', 'THREE 10']
let autopilot: Autopilot
const open = async (
  path = ':memory:',
  start?: Millis,
  markets?: AutopilotMarkets,
): Promise<void> => {
  autopilot = await openAutopilot(path, start, markets)
}
afterEach(() => autopilot.close())

const trigger = <T = TickStarted>(query = '') =>
  autopilot.send<T>('POST', `/api/portfolio/trigger${query}`)
const outcomes = async (): Promise<string[]> => {
  const [newest] = await autopilot.ticks()
  return (newest?.actions ?? []).map(({ outcome, error }) =>
    error === null ? outcome : `${outcome}: ${error}`,
  )
}
/** A tick now, with fresh quotes, that runs to its end. */
async function runsAgain(): Promise<void> {
  autopilot.hooks = {}
  await autopilot.quote()
  const [status, { tick }] = await trigger<TickFinished>('?sync=true')
  expect([status, tick.status]).toEqual([200, 'completed'])
}
/** A promise that a test settles. */
function createLatch(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('a tick that runs', () => {
  it('[portfolio.trigger.running] is the only one; another trigger is answered with its id', async () => {
    await open()
    await enable(autopilot)
    const [reached, go] = [createLatch(), createLatch()]
    autopilot.hooks = {
      onDecide() {
        reached.open()
        return go.opened
      },
    }
    const [, { tickId }] = await trigger()
    await reached.opened
    const refused = { code: 'TICK_RUNNING', error: 'a tick is running', tickId }
    expect(await trigger()).toMatchObject([409, refused])
    expect(await trigger('?sync=true')).toMatchObject([409, refused])
    go.open()
    await autopilot.settled()
    expect(await autopilot.ticks()).toMatchObject([{ id: tickId, status: 'completed' }])
    expect(await autopilot.fills()).toEqual(ALL)
    await runsAgain()
  })

  it.each([
    ['a halt', { executionMode: 'halted' }, 'none: execution is halted'],
    ['enabled: false', { enabled: false }, 'none: the portfolio was disabled'],
  ])('[portfolio.ticks.stopped] sends nothing after %s', async (_name, change, expected) => {
    await open()
    await enable(autopilot)
    let changed: Promise<unknown> = Promise.resolve()
    autopilot.hooks = {
      onSend(ticker) {
        // The write waits behind this order, in front of the next one.
        if (ticker === 'ONE') changed = autopilot.send('PUT', '/api/portfolio/config', change)
        return Promise.resolve()
      },
    }
    const [status, { tick }] = await trigger<TickFinished>('?sync=true')
    expect([status, tick.status]).toEqual([200, 'completed'])
    expect(await changed).toMatchObject([200, change])
    expect(await outcomes()).toEqual(['filled', expected, expected])
    expect(await autopilot.fills()).toEqual(['ONE 10'])
    const restore = { enabled: true, executionMode: 'dry-run', cooldownAfterLossTicks: 0 }
    await autopilot.send('PUT', '/api/portfolio/config', restore)
    await runsAgain()
    expect(await autopilot.fills()).toEqual(ALL)
  })

  it('[portfolio.ticks.stopped] keeps the other limits that it started with', async () => {
    await open()
    await enable(autopilot)
    autopilot.hooks = {
      onSend(ticker) {
        if (ticker === 'ONE')
          void autopilot.send('PUT', '/api/portfolio/config', { maxSingleOrderCents: 400 })
        return Promise.resolve()
      },
    }
    await trigger('?sync=true')
    expect(await outcomes()).toEqual(['filled', 'filled', 'filled'])
  })
})

describe('a tick that takes too long', () => {
  it('[portfolio.ticks.late] fails after its 5 minutes; what it sent stays and the next one runs', async () => {
    await open()
    await enable(autopilot)
    // Its decision and two of its orders take almost two minutes each.
    const almost = 2 * MINUTE - 1
    const slowed = new Set<string>()
    autopilot.hooks = {
      onDecide: () => autopilot.clock.advance(almost),
      async onSend(ticker) {
        if (slowed.has(ticker)) return
        slowed.add(ticker)
        await autopilot.clock.advance(almost)
        autopilot.publish()
      },
    }
    const [, { tickId }] = await trigger()
    await autopilot.settled()
    expect(await autopilot.ticks()).toMatchObject([
      {
        id: tickId,
        status: 'failed',
        phase: 'done',
        error: 'tick timed out',
        openPositionCount: 2,
      },
    ])
    expect(await outcomes()).toEqual(['filled', 'filled', 'none'])
    expect(await autopilot.fills()).toEqual(['ONE 10', 'TWO 10'])
    await runsAgain()
    expect(await autopilot.fills()).toEqual(ALL)
  })

  it('[portfolio.ticks.late] fails when it has not decided in 2 minutes, and does nothing later', async () => {
    await open()
    await enable(autopilot)
    const [reached, go] = [createLatch(), createLatch()]
    autopilot.hooks = {
      onDecide() {
        reached.open()
        return go.opened
      },
    }
    const [, { tickId }] = await trigger()
    await reached.opened
    await autopilot.clock.advance(2 * MINUTE)
    await autopilot.settled()
    const late = { id: tickId, status: 'failed', phase: 'done', error: 'tick timed out' }
    expect(await autopilot.ticks()).toMatchObject([{ ...late, decisions: [] }])
    await runsAgain()
    const after = await autopilot.ticks()
    go.open()
    await autopilot.clock.advance(1)
    await autopilot.settled()
    expect(await autopilot.ticks()).toEqual(after)
    expect(await autopilot.fills()).toEqual(ALL)
  })
})

describe('an order that the broker does not answer', () => {
  it('[portfolio.ticks.stuck] is given up after 2 minutes, is named, and books nothing later', async () => {
    await open()
    await enable(autopilot)
    const [reached, go] = [createLatch(), createLatch()]
    let isStuck = false
    autopilot.hooks = {
      onSend(ticker) {
        if (ticker !== 'ONE' || isStuck) return Promise.resolve()
        isStuck = true
        reached.open()
        return go.opened
      },
    }
    await trigger()
    await reached.opened
    await autopilot.clock.advance(2 * MINUTE)
    await autopilot.settled()
    const [none, ...others] = await outcomes()
    expect(none).toBe('none: the paper broker did not answer in 2 minutes: nothing was booked')
    // Their quotes are older than a minute by then.
    expect(others).toEqual(Array(2).fill('rejected_by_gate: STALE_PRICE'))
    go.open()
    await autopilot.settled()
    expect(await autopilot.fills()).toEqual([])
    await runsAgain()
    expect(await autopilot.fills()).toEqual(ALL)
  })
})

describe('[portfolio.ticks.pairs] both legs of a pair of venues', () => {
  const PAIR = { id: 'p1', a: 'ONE', b: 'TWO', inverted: false, confidence: 0.9 }
  const paired = async (change: object = {}): Promise<void> => {
    await open(':memory:', undefined, { pairs: [PAIR], hasStrategies: false, touch: BOTH })
    await enable(autopilot)
    const config = { crossVenuePairsEnabled: true, ...change }
    expect((await autopilot.send('PUT', '/api/portfolio/config', config))[0]).toBe(200)
    expect((await trigger<TickFinished>('?sync=true'))[0]).toBe(200)
  }
  const BOTH = { ONE: [42, 44, 500], TWO: [54, 56, 500] } as const

  it('are bought, and their trades are in the ledger', async () => {
    await paired()
    expect(await outcomes()).toEqual(['filled', 'filled'])
    expect(await autopilot.fills()).toEqual(['ONE 50', 'TWO 50'])
    // Nothing more is entered while they are held.
    await runsAgain()
    expect(await outcomes()).toEqual([])
  })

  it('are rejected when a gate refuses one of them', async () => {
    await paired({ maxOrdersPerTick: 1 })
    expect(await outcomes()).toEqual([
      'rejected_by_gate: the other leg of the pair was rejected: both are traded or none',
      'rejected_by_gate: RISK_GATE_FAIL:orders_per_tick',
    ])
    expect(await autopilot.fills()).toEqual([])
  })

  it('are not traded when the feature is off', async () => {
    await paired({ crossVenuePairsEnabled: false })
    expect(await outcomes()).toEqual([])
  })

  it('are taken back when one of them is not filled whole', async () => {
    await open(':memory:', undefined, { pairs: [PAIR], hasStrategies: false, touch: BOTH })
    await enable(autopilot)
    // An intent takes most of the contracts that TWO offers.
    const intent = { action: 'buy', marketId: 'TWO', direction: 'no', targetQuantity: 470 }
    const limits = {
      crossVenuePairsEnabled: true,
      cooldownAfterLossTicks: 0,
      maxSingleOrderCents: 1e7,
      maxPerMarketCents: 1e7,
    }
    await autopilot.send('PUT', '/api/portfolio/config', { ...limits, maxTotalExposureCents: 1e7 })
    await autopilot.send('POST', '/api/intents', { ...intent, autoExecute: true })
    await autopilot.settled()
    expect(await autopilot.fills()).toEqual(['TWO 470'])
    const sale = { ...intent, action: 'sell', autoExecute: true }
    await autopilot.send('POST', '/api/intents', sale)
    await autopilot.settled()
    expect(await autopilot.fills()).toEqual(['TWO 470', 'TWO 470'])
    await trigger('?sync=true')
    expect(await outcomes()).toEqual(
      Array(2).fill('not_filled: both legs of the pair could not be filled whole: none was traded'),
    )
    expect(await autopilot.fills()).toEqual(['TWO 470', 'TWO 470'])
  })
})
