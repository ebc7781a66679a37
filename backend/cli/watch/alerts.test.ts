import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'
import { TICKER } from '../../testing/trading-service.ts'

let trading: TradingCommandLine
beforeAll(async () => {
  trading = await startTradingCommandLine()
})
afterAll(() => trading.stop())
const augury = (...words: string[]) => trading.line.run(words)

it('[client.cli.alerts] sets, lists, pauses, tests and deletes alerts', async () => {
  const set = await augury('alerts', 'add', TICKER, '--above', '70')
  expect([set.exit, set.err]).toEqual([0, ''])
  expect(set.out).toMatch(new RegExp(`^alert set: ${TICKER} ≥ 70¢ by desktop \\(ar_\\w+\\)\n$`))
  const id = /ar_\w+/.exec(set.out)?.[0] ?? ''
  expect((await augury('alerts', 'pause', id)).out).toBe(`paused: ${id}\n`)
  expect((await augury('alerts')).out).toMatch(/≥ 70¢ +paused +no +0 +– +desktop/)
  expect((await augury('alerts', 'list', '--state', 'paused')).out).toContain(id)
  expect((await augury('alerts', 'list', '--state', 'active')).out).not.toContain(id)
  expect((await augury('alerts', 'resume', id)).out).toBe(`active: ${id}\n`)
  const tested = await augury('alerts', 'test', id)
  expect(tested.out).toBe(
    'sent by desktop: Test: Will the test pass? price unknown, at or above 70¢\n',
  )
  const unconfirmed = await augury('alerts', 'delete', id)
  expect(unconfirmed).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') as string })
  expect((await augury('alerts', 'delete', id, '--yes')).out).toBe(`deleted: ${id}\n`)
  expect((await augury('alerts', 'delete', id, '--yes')).exit).toBe(5)
  const both = await augury('alerts', 'add', TICKER, '--above', '70', '--below', '10')
  expect(both.exit).toBe(2)
  expect(both.err).toContain('needs --above C or --below C, and not both')
  expect((await augury('alerts', 'add', 'NOPE', '--above', '70')).exit).toBe(5)
})

it('[client.cli.alerts] watches markets with a note', async () => {
  const added = await augury('watch', 'add', TICKER, '--note', 'earnings')
  expect(added.out).toMatch(/^watching: Will the test pass\? \(wo_\w+\)\n$/)
  expect((await augury('watch')).out).toMatch(/market +Will the test pass\? +– +0/)
  const id = /wo_\w+/.exec(added.out)?.[0] ?? ''
  expect((await augury('watch', 'delete', id)).exit).toBe(2)
  expect((await augury('watch', 'delete', id, '--yes')).out).toBe(`deleted: ${id}\n`)
  expect((await augury('watch', 'add')).exit).toBe(2)
})
