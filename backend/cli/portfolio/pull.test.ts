import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newPem } from '../../testing/credentials.ts'
import { startTradingCommandLine } from '../../testing/trading-command-line.ts'
import { TICKER } from '../../testing/trading-service.ts'
import type { OpenAccountHistory } from '../../venues/trading.ts'

const page = (rows: readonly unknown[]) => Promise.resolve({ rows, next: null })
const account: OpenAccountHistory = () => ({
  fills: () =>
    page([
      {
        fill_id: 'fill-1',
        ticker: TICKER,
        action: 'buy',
        side: 'yes',
        count_fp: '10.00',
        yes_price_dollars: '0.4000',
        fee_cost: '0.1700',
        created_time: '2026-11-19T12:00:00Z',
      },
      { fill_id: 'fill-2', ticker: TICKER, action: 'lend' },
    ]),
  settlements: () => page([]),
})
async function started(history?: OpenAccountHistory) {
  const trading = await startTradingCommandLine(history)
  onTestFinished(() => trading.stop())
  return (...words: string[]) => trading.line.run(['portfolio', ...words])
}

it('[client.cli.pull] books what the account at Kalshi traded, and lists refused rows', async () => {
  const trading = await startTradingCommandLine(account)
  onTestFinished(() => trading.stop())
  const augury = (...words: string[]) => trading.line.run(['portfolio', ...words])
  const key = join(trading.line.home, 'key.pem')
  writeFileSync(key, newPem())
  await augury('secrets', 'put', 'kalshi', '--key-id', 'key-1', '--private-key', key, '--yes')
  const checked = await augury('pull', '--since', '5d', '--dry-run')
  expect([checked.err, checked.out.split('\n')[1]]).toEqual([
    '',
    'Would be booked: 1 fills, 0 settlements',
  ])
  const pulled = await augury('pull')
  expect(pulled.out).toMatch(
    /^Read from Kalshi: 2 fills, 0 settlements\nBooked: 1 fills, 0 settlements\nAlready booked: 0 fills, 0 settlements\nA fill: action must be/,
  )
  expect(await trading.service.ledger('?mode=live')).toMatchObject([{ key: 'a:fill:fill-1' }])
})

it('names what is missing', async () => {
  const sample = await (await started())('pull')
  expect([sample.exit, sample.err]).toEqual([8, expect.stringContaining('--source live')])
  const none = await (await started(account))('pull')
  expect(none.err).toContain('no secrets found')
  expect(none.err).toContain('augury portfolio secrets put kalshi')
})
