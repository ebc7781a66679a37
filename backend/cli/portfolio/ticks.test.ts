import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServedTick, TickPage } from '../../contract/orders/ticks.ts'
import type { RowCreated } from '../../contract/theses/holdings.ts'
import type { ThesisFormed } from '../../contract/theses/thesis.ts'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'
import { OPEN_LIMITS, TICKER } from '../../testing/trading-service.ts'

let trading: TradingCommandLine
beforeAll(async () => {
  trading = await startTradingCommandLine()
  await trading.service.describe({
    title: 'Will the senate pass the shutdown bill by December 31, 2026?',
  })
  await trading.service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
})
afterAll(() => trading.stop())
const augury = (...words: string[]) => trading.line.run(['portfolio', ...words])

it('[client.cli.ticks] names the command that enables or resumes an autopilot', async () => {
  expect((await augury('ticks')).out).toBe('No tick ran. Run one with: augury portfolio trigger\n')
  expect(await augury('trigger')).toEqual({
    exit: 8,
    out: '',
    err: 'augury: the portfolio is not enabled\nEnable it with: augury portfolio config --set enabled=true\n',
  })
  // The end of a halt counts as a loss.
  const limits = { ...OPEN_LIMITS, cooldownAfterLossTicks: 0 }
  await trading.service.send('PUT', '/api/portfolio/config', { ...limits, executionMode: 'halted' })
  expect(await augury('trigger')).toEqual({
    exit: 8,
    out: '',
    err: 'augury: execution is halted\nResume trading with: augury portfolio resume\n',
  })
  expect((await augury('resume', '--yes')).exit).toBe(0)
})

it('[client.cli.ticks] runs a tick and shows its decisions, gates and trades', async () => {
  const rawThesis = 'The senate will pass the shutdown bill by December 31, 2026'
  const path = '/api/thesis/create?sync=true'
  const [, { id }] = await trading.service.send<ThesisFormed>('POST', path, { rawThesis })
  await trading.service.send<RowCreated>('POST', `/api/thesis/${id}/strategies`, {
    marketId: TICKER,
    direction: 'yes',
    entryBelow: 50,
    perOrderQuantity: 10,
    maxQuantity: 10,
  })
  await trading.service.quote({ bid: 42, ask: 44, bidSize: 500, askSize: 500 })
  const ran = await augury('trigger', '--reason', 'a test')
  expect(ran.exit).toBe(0)
  const tickId = /^Running (pt_\w+)\.\n$/.exec(ran.err)?.[1] ?? ''
  expect(ran.out).toMatch(/^status: completed$/m)
  expect(ran.out).toMatch(/1 +entry +buy yes +10 of 10 +44¢ +44¢ +filled/)
  expect(ran.out).not.toContain('single_order')

  const listed = await augury('ticks')
  expect(listed.out).toMatch(
    new RegExp(`manual +completed +1 +1 +\\$[\\d,.]+ +Orders: 1.* ${tickId}$`, 'm'),
  )
  const one = await augury('ticks', tickId)
  expect(one.out).toContain(`\n\n1. buy yes 10 ${TICKER}\n`)
  expect(one.out).toMatch(/^single_order +passed +440 +10,000,000/m)
  expect((await augury('trades')).out).toMatch(/buy yes +paper +10 +44¢ +– +– +open/)
  expect((await augury('trades', '--status', 'closed')).out).toBe('No trades\n')

  expect((await augury('ticks', 'pt_unknown')).exit).toBe(5)
  expect((await augury('ticks', '--status', 'asleep')).exit).toBe(2)
  expect((await augury('trades', 'trd_1')).exit).toBe(2)
})

it('[client.cli.ticks] prints documents as served with --json, page by page', async () => {
  const ran = await augury('trigger', '--json', '--quiet')
  expect([ran.exit, ran.err]).toEqual([0, ''])
  const tick = JSON.parse(ran.out) as ServedTick
  expect(tick).toMatchObject({ status: 'completed', actionsCount: 0 })
  expect((await augury('trigger', '--quiet')).out).toMatch(/hold +yes .* held: no exit/)
  const first = JSON.parse((await augury('ticks', '--json', '--limit', '2')).out) as TickPage
  expect(first.data[1]).toEqual(tick)
  const cursor = first.pageInfo.nextCursor ?? ''
  const more = await augury('ticks', '--limit', '2')
  expect(more.err).toBe(`More with: --cursor ${cursor}\n`)
  const next = JSON.parse((await augury('ticks', '--json', '--cursor', cursor)).out) as TickPage
  expect(next.data).toHaveLength(1)
})
