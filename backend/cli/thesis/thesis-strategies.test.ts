import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StrategyPage, ThesisStrategy } from '../../contract/theses/holdings.ts'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'
import { TICKER } from '../../testing/trading-service.ts'

let trading: TradingCommandLine
let id: string
const augury = (...words: string[]) => trading.line.run(['thesis', ...words])
beforeAll(async () => {
  trading = await startTradingCommandLine()
  await trading.service.describe({
    title: 'Will the senate pass the shutdown bill by December 31, 2026?',
  })
  await trading.service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
  await augury('create', 'The senate will pass the shutdown bill by December 31, 2026')
  const { out } = await augury('list', '--json')
  id = (JSON.parse(out) as { data: { shortId: string }[] }).data[0]?.shortId ?? ''
})
afterAll(() => trading.stop())

it('[client.cli.strategies] adds, changes, pauses, resumes and removes a strategy', async () => {
  expect((await augury('strategies', id)).err).toContain(`strategy add ${id} TICKER yes --below 60`)
  const prices = ['--below', '75', '--stop', '40', '--target', '90.5', '--size', '10']
  const bounds = ['--max', '60', '--priority', '80']
  const added = await augury(
    'strategy',
    'add',
    id,
    TICKER.toLowerCase(),
    'yes',
    ...prices,
    ...bounds,
  )
  const strategy = /^added: (str_\w+)\n$/.exec(added.out)?.[1] ?? ''
  expect(added.err).toBe('')
  const list = async () =>
    (JSON.parse((await augury('strategies', id, '--json')).out) as StrategyPage).data
  expect(await list()).toMatchObject([
    {
      id: strategy,
      marketId: TICKER,
      entryBelow: 75,
      stopLoss: 40,
      takeProfit: 90.5,
      perOrderQuantity: 10,
      maxQuantity: 60,
      priority: 80,
      createdBy: 'cli',
      status: 'active',
    },
  ])
  const change = ['--stop', 'none', '--wait-for', 'the vote is called', '--json']
  const changed = await augury('strategy', 'set', id, strategy, ...change)
  expect(JSON.parse(changed.out) as ThesisStrategy).toMatchObject({
    stopLoss: null,
    takeProfit: 90.5,
    softConditions: 'the vote is called',
  })
  expect((await augury('strategy', 'pause', id, strategy)).out).toMatch(/yes +paused +≤ 75¢ +–/)
  expect((await augury('strategy', 'resume', id, strategy)).out).toMatch(/yes +active/)
  expect((await augury('strategies', id)).out).toMatch(/the vote is called +str_/)
  expect((await augury('strategy', 'remove', id, strategy)).exit).toBe(2)
  expect((await augury('strategy', 'remove', id, strategy, '--yes')).out).toBe(
    `removed: ${strategy}\n`,
  )
  expect(await list()).toEqual([])
})

it('[client.cli.strategies] refuses what is no strategy, and names what is missing', async () => {
  const refusal = async (...words: string[]) => {
    const { exit, err } = await augury('strategy', ...words)
    return `${exit} ${err}`
  }
  expect(await refusal('add', id, TICKER, 'yes')).toContain('2 augury: a strategy needs --below C')
  expect(await refusal('add', id, TICKER)).toContain('strategy add ID TICKER SIDE')
  expect(await refusal('add', id, TICKER, 'yes', '--below', 'x')).toContain('a price in cents or')
  const above = ['--below', '50', '--stop', '60']
  expect(await refusal('add', id, TICKER, 'yes', ...above)).toContain('stopLoss must be below')
  expect(await refusal('add', id, 'KXNONE', 'yes', '--below', '5')).toMatch(/^5 .*Market not found/)
  expect(await refusal('set', id, 'str_none')).toContain('needs a field such as')
  expect(await refusal('hold', id)).toContain('strategy has the verbs add, set, pause')
})
