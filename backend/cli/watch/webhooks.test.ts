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

it('[client.cli.webhooks] adds, lists, pauses and deletes endpoints, and lists deliveries', async () => {
  const url = 'https://93.184.215.14/hook'
  const events = 'alert.fired, alert.paused'
  const added = await augury('webhooks', 'add', url, '--label', 'desk', '--events', events)
  expect(added.err).toBe('')
  expect(added.out).toMatch(/^endpoint added: we_\w+\nsecret, shown once: whsec_[\w-]{43}\n$/)
  const id = /we_\w+/.exec(added.out)?.[0] ?? ''
  // A paused endpoint keeps its deliveries, so that nothing leaves the machine.
  expect((await augury('webhooks', 'pause', id)).out).toBe(`paused: ${id}\n`)
  const listed = await augury('webhooks')
  expect(listed.out).toMatch(/desk +https:\/\/93\.184\.215\.14\/hook +paused +0 +0 +–/)
  expect(listed.out).not.toContain('whsec_')
  await trading.service.quote({ bid: 80, ask: 81, bidSize: 100, askSize: 100 })
  await augury('alerts', 'add', TICKER, '--above', '70', '--channel', 'webhook', '--endpoint', id)
  const sent = await augury('webhooks', 'deliveries')
  expect(sent.out).toMatch(/alert\.fired +failed +0 +endpoint_paused +Will the test pass\?/)
  const delivery = /del_\w+/.exec(sent.out)?.[0] ?? ''
  const refused = await augury('webhooks', 'replay', delivery)
  expect([refused.exit, refused.err]).toEqual([8, expect.stringContaining('endpoint is paused')])
  expect((await augury('webhooks', 'replay', 'del_none')).exit).toBe(5)
  expect((await augury('webhooks', 'delete', id)).exit).toBe(2)
  expect((await augury('webhooks', 'delete', id, '--yes')).out).toBe(`deleted: ${id}\n`)
  expect((await augury('webhooks', 'delete', id, '--yes')).exit).toBe(5)
  const insecure = await augury('webhooks', 'add', 'http://example.com/')
  expect([insecure.exit, insecure.err]).toEqual([2, expect.stringContaining('must use https')])
})
