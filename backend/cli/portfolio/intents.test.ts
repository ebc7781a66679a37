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

it('[client.cli.intents] creates, lists and cancels intents', async () => {
  const created = await augury(
    'intents',
    'create',
    'buy',
    'no',
    '5',
    TICKER,
    '--price',
    '60',
    '--below',
    '30',
  )
  expect([created.exit, created.err]).toEqual([0, ''])
  const id = /in_\w+/.exec(created.out)?.[0] ?? ''
  expect(await trading.service.intent(id)).toMatchObject({
    direction: 'no',
    targetQuantity: 5,
    maxPrice: 60,
    triggerPrice: 30,
    status: 'armed',
    source: 'manual',
    autoExecute: false,
  })
  const listed = await augury('intents', 'list', '--active')
  expect(listed.out).toMatch(/Will the test pass\? +buy no +0 of 5 +60¢ +– +armed/)
  expect((await augury('intents', 'cancel', id)).out).toBe(`cancelled: ${id}\n`)
  expect((await augury('intents', 'cancel', id)).exit).toBe(8)
  expect((await augury('intents', 'create', 'buy', 'no', 'five', TICKER)).exit).toBe(2)
  expect((await augury('intents', 'create', 'buy', 'no', '5', 'NOPE')).exit).toBe(5)
})

it('[client.cli.portfolio] configures, shows and halts a portfolio', async () => {
  const set = ['enabled=true', 'minAdjIy=0', 'maxLas=10', 'excludeCategories=["sports"]']
  const configured = await augury('portfolio', 'config', '--set', ...set)
  expect(configured.out).toMatch(/^enabled: true$/m)
  expect((await augury('portfolio', 'config', '--set', 'maxPositions=-1')).exit).toBe(2)
  await trading.service.quote({ bid: 40, ask: 41, askSize: 50 })
  await augury('intents', 'create', 'buy', 'yes', '5', TICKER, '--execute')
  await trading.service.accept([])
  expect((await augury('portfolio', 'positions')).out).toMatch(/yes +paper +5 +41¢ +40¢ +-\$0\.05/)
  expect((await augury('portfolio', 'fills')).out).toMatch(/fill +paper +buy yes +5 +41¢/)
  const state = JSON.parse((await augury('portfolio', 'state', '--json')).out) as object
  expect(state).toMatchObject({ openPositionCount: 1 })
  expect((await augury('portfolio', 'halt')).out).toMatch(/^executionMode: halted$/m)
  expect((await augury('portfolio', 'resume')).exit).toBe(2)
  const resumed = await augury('portfolio', 'config', '--set', 'executionMode=dry-run')
  expect(resumed).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') as string })
  expect((await augury('portfolio', 'resume', '--yes')).out).toMatch(/^executionMode: dry-run$/m)
})
