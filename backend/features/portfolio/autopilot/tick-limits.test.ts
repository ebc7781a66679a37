import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import type { TickRan, TickStarted } from '../../../contract/orders/ticks.ts'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { enable, openAutopilot, type Autopilot } from '../../../testing/autopilot.ts'
import { NOON } from '../../../testing/builders.ts'

const UNTIL_KILLED = join(import.meta.dirname, '../../../testing/tick-until-killed.ts')
const ALL = ['ONE 10', 'TWO 10', 'THREE 10']
let autopilot: Autopilot
const open = async (path = ':memory:', start?: Millis): Promise<void> => {
  autopilot = await openAutopilot(path, start)
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
  const [status, { tick }] = await trigger<TickRan>('?sync=true')
  expect([status, tick.status]).toEqual([200, 'completed'])
}
/** A promise that a test settles. */
function latch(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('a tick that runs', () => {
  it('[portfolio.trigger.running] is the only one; another trigger is answered with its id', async () => {
    await open()
    await enable(autopilot)
    const [reached, go] = [latch(), latch()]
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
    const [status, { tick }] = await trigger<TickRan>('?sync=true')
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
    autopilot.hooks = {
      onSend: (ticker) =>
        ticker === 'ONE' ? autopilot.clock.advance(5 * MINUTE + 1) : Promise.resolve(),
    }
    const [, { tickId }] = await trigger()
    await autopilot.settled()
    expect(await autopilot.ticks()).toMatchObject([
      {
        id: tickId,
        status: 'failed',
        phase: 'done',
        error: 'tick timed out',
        openPositionCount: 1,
      },
    ])
    expect(await outcomes()).toEqual(['filled', 'none', 'none'])
    expect(await autopilot.fills()).toEqual(['ONE 10'])
    await runsAgain()
    expect(await autopilot.fills()).toEqual(ALL)
  })

  it('[portfolio.ticks.late] fails when it has not decided in 2 minutes, and does nothing later', async () => {
    await open()
    await enable(autopilot)
    const [reached, go] = [latch(), latch()]
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

describe('kill -9 in the middle of a tick', () => {
  it('[portfolio.ticks.killed] interrupts it at the next start; fills stay and no order is doubled', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'augury-tick-'))
    const child = spawn(process.execPath, [UNTIL_KILLED], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const ended = once(child, 'exit')
      const [second] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      expect(second).toBe('TWO')
      child.kill('SIGKILL')
      await ended
      await open(join(folder, 'state.sqlite'), (NOON + MINUTE) as Millis)
      expect(await autopilot.ticks()).toMatchObject([
        { status: 'interrupted', phase: 'done', error: null, openPositionCount: 1 },
      ])
      expect(await outcomes()).toEqual(['filled', 'none', 'none'])
      expect(await autopilot.fills()).toEqual(['ONE 10'])
      await runsAgain()
      expect(await autopilot.fills()).toEqual(ALL)
    } finally {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
