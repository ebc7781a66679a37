import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import { silentLogger } from '../../lib/logger.ts'
import { quoteColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'

// Each call starts separate processes.

const AUGURY = fileURLToPath(new URL('../augury.mjs', import.meta.url))
const T0 = Date.parse('2026-01-01T00:00:00Z')

let [home, data] = ['', '']
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'augury-cli-export-')))
  data = join(home, 'data')
  mkdirSync(data)
  const path = join(data, 'history.duckdb')
  const history = await openHistory({ path, logger: silentLogger, memoryLimitMb: 256 })
  const tickers = ['KX-A', 'KX-B', 'KX-C']
  const ids = await history.marketIds(tickers.map((ticker) => ({ venue: 'venue_a', ticker })))
  await history.append({
    facts: ids.map((market, index) => ({
      market,
      knownAt: T0 as Millis,
      facts: marketFacts({ ticker: tickers[index] ?? '' }),
    })),
    quotes: quoteColumns(ids.map((market) => ({ market, ts: T0, bid: 4_000, ask: 4_100 }))),
  })
  await history.close()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** The command as a process in `cwd`. */
function augury(args: string[], cwd = home) {
  const child = spawn(process.execPath, [AUGURY, ...args, '--data', data], {
    cwd,
    env: { ...process.env, HOME: home },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  return new Promise<{ exit: number | null; out: string; err: string }>((resolve) =>
    child.on('close', (exit) => resolve({ exit, out, err })),
  )
}

describe('augury export', () => {
  it('writes below the working folder, and import reads the files back', async () => {
    const markets = ['--market', 'KX-A', 'kx-b']
    const first = await augury(['export', '--out', 'q.csv', '--kind', 'quotes', ...markets])
    const [csv, facts] = [join(home, 'q.csv'), join(home, 'q.markets.csv')]
    // Progress is printed once a second, which a busy machine may need.
    expect(first.err).toMatch(
      /^No service runs on this data folder; starting a private one\.\n(\d+ s: \w+, \d+ rows\n)*$/,
    )
    expect(first.exit).toBe(0)
    const bytes = [csv, facts].reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(first.out).toBe(`rows: 4\nbytes: ${bytes}\nfile: ${facts}\nfile: ${csv}\n`)
    expect(readFileSync(csv, 'utf8').split('\r\n')[1]).toBe(
      `venue_a,KX-A,${T0},${T0},live,4000,,4100,`,
    )
    const again = await augury(['export', '--out', 'q.csv', '--kind', 'quotes', '--quiet'])
    expect(again).toEqual({
      exit: 8,
      out: '',
      err: 'augury: file exists\nUse --force to replace it.\n',
    })

    data = join(home, 'copy')
    const back = await augury(['import', csv, facts, '--json'])
    expect(back.exit).toBe(0)
    expect(JSON.parse(back.out)).toMatchObject({
      state: 'done',
      files: [
        { layout: 'augury_quotes', rowsTaken: 2 },
        { layout: 'augury_markets', rowsTaken: 2 },
      ],
    })
  })

  it('ends with 2 for invalid arguments, and writes nothing', async () => {
    const cases: [string[], string][] = [
      [['--kind', 'quotes'], 'augury: --out is required\nSee: augury export --help\n'],
      [['--out', 'x', '--kind', 'odd'], 'augury: --kind must be one of trades, quotes'],
      [['--out', 'x', '--market', 'NOPE', '--quiet'], 'augury: markets contains an unknown ticker'],
      [['--out', '../x', '--quiet'], 'augury: out must be inside '],
    ]
    for (const [args, message] of cases) {
      const { exit, out, err } = await augury(['export', ...args])
      expect([exit, out, err.slice(0, message.length)]).toEqual([2, '', message])
    }
    expect(readdirSync(home).filter((name) => name !== 'data')).toEqual([])
  })
})
