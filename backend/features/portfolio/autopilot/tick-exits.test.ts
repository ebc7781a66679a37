import { expect, it, onTestFinished } from 'vitest'
import type { TickFinished } from '../../../contract/orders/ticks.ts'
import type { ServedIntent } from '../../../contract/orders/intents.ts'
import { enable, openAutopilot } from '../../../testing/autopilot.ts'
import { NOON } from '../../../testing/builders.ts'

it('[portfolio.ticks.exits] a stop sells what its strategy bought, of a position that something else opened', async () => {
  let touch: readonly [number, number, number] = [42, 44, 500]
  const autopilot = await openAutopilot(':memory:', NOON, {
    tickers: ['ONE'],
    touchNow: () => touch,
    strategy: { stopLoss: 40 },
  })
  onTestFinished(() => autopilot.close())
  await enable(autopilot)
  const tick = async () => {
    await autopilot.quote()
    const path = '/api/portfolio/trigger?sync=true'
    return (await autopilot.send<TickFinished>('POST', path, {}))[1].tick
  }
  await autopilot.send<ServedIntent>('POST', '/api/intents', {
    marketId: 'ONE',
    action: 'buy',
    direction: 'yes',
    targetQuantity: 5,
    autoExecute: true,
  })
  await autopilot.quote()
  expect((await tick()).actions).toMatchObject([{ kind: 'entry', filledQuantity: 10 }])
  expect(await autopilot.fills()).toEqual(['ONE 5', 'ONE 10'])
  touch = [38, 40, 500]
  expect((await tick()).actions).toMatchObject([
    { kind: 'exit', quantity: 10, filledQuantity: 10, basis: { strategyId: 'str_ONE' } },
  ])
  // Contracts that the user bought are left to the user.
  expect((await tick()).actions).toEqual([])
  expect(await autopilot.fills()).toEqual(['ONE 5', 'ONE 10', 'ONE 10'])
})
