import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServedConfig } from '../../contract/portfolio.ts'
import { newPem } from '../../testing/credentials.ts'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'

let trading: TradingCommandLine
const PEM = newPem()
const WALLET_KEY = `0x${'12'.repeat(32)}`
const WALLET = [
  'secrets',
  'put',
  'polymarket',
  '--wallet',
  `0x${'a'.repeat(40)}`,
  '--signature-type',
  '2',
]
let pemFile: string

beforeAll(async () => {
  trading = await startTradingCommandLine()
  pemFile = join(trading.line.home, 'key.pem')
  writeFileSync(pemFile, PEM)
})
afterAll(() => trading.stop())

const run: TradingCommandLine['line']['run'] = (words, more) =>
  trading.line.run(['portfolio', ...words], more)
const present = async () =>
  (await trading.service.send<ServedConfig>('GET', '/api/portfolio/config'))[1].credentials
const KALSHI = ['secrets', 'put', 'kalshi', '--key-id', 'key-1', '--yes']

describe('augury portfolio secrets', () => {
  it('[client.cli.secrets] stores a key from a file, shows it as stored, and deletes it', async () => {
    const stored = await run([...KALSHI, '--private-key', pemFile])
    expect([stored.exit, stored.out, stored.err]).toEqual([
      0,
      'Stored the credentials for Kalshi.\n',
      '',
    ])
    expect((await run(['secrets'])).out).toMatch(
      /^Kalshi: stored 2026-11-20.*\nPolymarket: none stored\n$/,
    )
    const deletion = await run(['secrets', 'delete', 'kalshi', '--yes'])
    expect([deletion.exit, deletion.out]).toEqual([0, 'Deleted the credentials for Kalshi.\n'])
    const again = await run(['secrets', 'delete', '--yes'])
    expect([again.exit, again.err]).toEqual([5, 'augury: no secrets found\n'])
  })

  it('[client.cli.secrets] reads a wallet from stdin and an API key from a file', async () => {
    const apiFile = join(trading.line.home, 'api.json')
    writeFileSync(apiFile, JSON.stringify({ apiKey: 'id', secret: 's3', passphrase: 'pass' }))
    const args = [...WALLET, '--private-key', '-', '--api-file', apiFile, '--yes', '--json']
    const { exit, out } = await run(args, { input: () => Promise.resolve(`${WALLET_KEY}\n`) })
    expect([exit, JSON.parse(out)]).toEqual([
      0,
      { ok: true, venue: 'venue_b', updatedAt: expect.any(String) },
    ])
    expect(await present()).toEqual({ venue_a: false, venue_b: true })
    await run(['secrets', 'delete', '--yes'])
  })

  it('[client.cli.secrets] takes ids and paths of the configuration', async () => {
    const env = {
      AUGURY_VENUE_A_KEY_ID: 'key-of-the-environment',
      AUGURY_VENUE_A_PRIVATE_KEY_PATH: pemFile,
    }
    expect((await run(['secrets', 'put', 'kalshi', '--yes'], { env })).exit).toBe(0)
    await run(['secrets', 'delete', '--yes'])
  })

  it.each([
    ['without a venue', ['secrets', 'put'], 'secrets needs a venue'],
    ['with another verb', ['secrets', 'show', 'kalshi'], 'secrets has no verb "show"'],
    ['without a key', KALSHI, 'Private key (PEM) is required'],
    ['of a missing file', [...KALSHI, '--private-key', 'none.pem'], 'none.pem cannot be read'],
    [
      'of another file',
      [...KALSHI, '--private-key', 'statement.csv'],
      'must be a private key in PEM',
    ],
    ['without a wallet', ['secrets', 'put', 'polymarket', '--yes'], 'Wallet address is required'],
  ])('[client.cli.secrets] is refused %s', async (_name, args, message) => {
    writeFileSync(join(trading.line.home, 'statement.csv'), 'a,b\n')
    const { exit, err } = await run(args)
    expect([exit, err]).toEqual([2, expect.stringContaining(message)])
  })

  it.each([
    ['--private-key', PEM],
    ['--private-key', WALLET_KEY],
    ['--key-id', PEM],
    ['--api-file', WALLET_KEY],
  ])('[client.cli.secrets] never takes a key as %s, and does not repeat it', async (flag, key) => {
    const venue = key === PEM ? KALSHI : [...WALLET, '--yes']
    const { exit, err, out } = await run([...venue, `${flag}=${key}`])
    expect([exit, err]).toEqual([2, expect.stringContaining(`${flag} holds a private key`)])
    expect(err + out).not.toContain(key.slice(30, 60))
  })

  it('[client.cli.secrets] is confirmed by a typed word', async () => {
    const args = ['secrets', 'put', 'kalshi', '--key-id', 'key-1', '--private-key', pemFile]
    expect((await run(args)).exit).toBe(2)
    const typing = (word: string) => ({ isInteractive: true, ask: () => Promise.resolve(word) })
    expect((await run(args, typing('yes'))).exit).toBe(2)
    expect(await present()).toEqual({ venue_a: false, venue_b: false })
    expect((await run(args, typing('send'))).exit).toBe(0)
    expect((await run(['secrets', 'delete'], typing('delete'))).exit).toBe(0)
  })

  it('[client.cli.secrets] sends nothing over http to another machine', async () => {
    const away = [
      '--api-url',
      'http://augury.example:4870',
      '--api-key',
      `svc_live_${'k'.repeat(43)}`,
    ]
    const { exit, err } = await run([...KALSHI, '--private-key', pemFile, ...away])
    expect([exit, err]).toEqual([2, expect.stringContaining('http is not encrypted')])
  })
})
