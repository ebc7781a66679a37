import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { WholeHistory } from '../../history/history.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLogger } from '../../lib/logger.ts'
import { quoteColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { createBacktestRunner, type BacktestRequest } from './backtest-runner.ts'
import { createStrategyFiles } from './strategy-files.ts'
import { STRATEGY_LIMITS } from './strategy-watch.ts'

const T0 = Date.parse('2026-08-03T00:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'augury-strategies-'))
let history: WholeHistory

beforeAll(async () => {
  history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  const keys = [0, 1, 2].map((n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` }))
  const ids = await history.marketIds(keys)
  const facts = ids.map((market, n) => ({
    market,
    knownAt: (T0 - HOUR) as Millis,
    facts: marketFacts({
      ticker: `KX-${n}`,
      eventId: `E${n}`,
      openTime: (T0 - HOUR) as Millis,
      closeTime: (T0 + 40 * HOUR) as Millis,
    }),
  }))
  await history.append({
    facts: [
      ...facts,
      ...facts.slice(0, 2).map((row, n) => ({
        market: row.market,
        knownAt: (T0 + 45 * HOUR) as Millis,
        facts: {
          ...row.facts,
          status: 'settled' as const,
          result: n === 0 ? ('yes' as const) : ('no' as const),
        },
      })),
    ],
    quotes: quoteColumns(
      ids.flatMap((market) =>
        Array.from({ length: 400 }, (_, n) => ({
          market,
          ts: T0 + n * 5 * MINUTE,
          lag: 1_000,
          bid: 4_000 + (n % 10) * 100,
          ask: 4_200 + (n % 10) * 100,
          bidSize: 100_000_000,
          askSize: 100_000_000,
        })),
      ),
    ),
  })
})
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const request = (module: string, change: Partial<BacktestRequest> = {}): BacktestRequest => ({
  module,
  params: {},
  from: T0 as Millis,
  to: (T0 + 48 * HOUR) as Millis,
  tickers: null,
  topic: null,
  seed: 1,
  startCashUsd: 1_000,
  cutsAt: [],
  checkDeterminism: false,
  ...change,
})
const own = (name: string, text: string): string => {
  const path = join(folder, `${name}.ts`)
  writeFileSync(path, text)
  return pathToFileURL(path).href
}
const shipped = (name: string): string => createStrategyFiles(folder).moduleUrl(name, false)
const NEVER = new AbortController().signal
const runner = (limits = STRATEGY_LIMITS) =>
  createBacktestRunner({ history, clock: systemClock, limits })
const failure = async (text: string, limits = STRATEGY_LIMITS): Promise<string> => {
  const module = own(`fault-${text.length}`, text)
  return runner(limits)
    .run(request(module), NEVER)
    .then(
      () => 'no failure',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
}
/** A strategy that runs this at every event. */
const doing = (what: string): string => `export default {
  name: 'own', about: 'a test', feeds: ['quotes'],
  create() {
    return {
      onEvent(event, run) {
        ${what}
      },
    }
  },
}
`

describe('a run in its own process', () => {
  it('[backtest.run.end-to-end] runs over stored events and reports the results', async () => {
    const shares: number[] = []
    const done = await runner().run(
      request(shipped('buy-and-hold'), { cutsAt: [0.5], checkDeterminism: true }),
      NEVER,
      ({ progress }) => shares.push(progress),
    )
    const { report } = done
    expect(report).toMatchObject({
      strategy: 'buy-and-hold',
      trades: 3,
      markets: 3,
      events: 1_200 + 3 + 2,
      closedLots: 2,
      hitRate: 0.5,
      isDeterministic: true,
      startCash: 1_000,
      checks: [{ isEqual: true }],
    })
    // Ten at 43 cents won, ten at 43 lost, ten are marked at the bid; fees on each.
    expect(report.realised).toBeCloseTo(10 - 8.6 - 2 * 0.18, 6)
    expect(report.open).toMatchObject([{ ticker: 'KX-2', contracts: 10, status: 'closed' }])
    expect(report.profit).toBeCloseTo(report.realised + report.unrealised - 0.18, 6)
    expect(report.byMarket.reduce((sum, { profit }) => sum + profit, 0)).toBeCloseTo(
      report.profit,
      6,
    )
    expect(report.returns.totalReturn).toBeCloseTo(report.profit / 1_000, 9)
    expect(report.entries?.n).toBe(2)
    expect(report.intervals).toMatchObject({
      days: 2,
      events: 2,
      daily: null,
      perEvent: null,
      seed: 1,
    })
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(done.fills['price']).toEqual(Float64Array.of(4_300, 4_300, 4_300))
  })

  it('reports the return of the whole range, and which part lies outside of whole days', async () => {
    const within = { from: (T0 - HOUR) as Millis, to: (T0 + 40 * HOUR) as Millis }
    const { report } = await runner().run(request(shipped('buy-and-hold'), within), NEVER)
    expect(report.returns).toMatchObject({ days: 1 })
    expect(report.returns.totalReturn).toBeCloseTo(report.profit / 1_000, 9)
    expect(report.invalidatedBy.join(' ')).toMatch(/points of the return are from partial days/)
  })

  it('[backtest.run.byte-equal] returns the same bytes twice', async () => {
    const twice = await Promise.all(
      [0, 1].map(() =>
        runner().run(request(shipped('wide-book-maker'), { params: { min: 1 } }), NEVER),
      ),
    )
    expect(JSON.stringify(twice[0]?.report)).toBe(JSON.stringify(twice[1]?.report))
    expect(twice[0]?.fills).toEqual(twice[1]?.fills)
  })

  it('[backtest.study.larger] simulates multiples as if its orders and its money were larger', async () => {
    const hold = shipped('buy-and-hold')
    const small = request(hold, { params: { contracts: 30 }, multiples: [2, 8] })
    const { report } = await runner().run(small, NEVER)
    const plain = async (times: number) => {
      const params = { contracts: 30 * times }
      const done = await runner().run(request(hold, { params, startCashUsd: 1_000 * times }), NEVER)
      const { profit, trades, contracts } = done.report
      return { multiple: times, profit, trades, contracts }
    }
    // 240 contracts meet 100 on the book.
    const [one, two, eight] = [await plain(1), await plain(2), await plain(8)]
    expect(eight.contracts).toBe(300)
    for (const [i, expected] of [one, two, eight].entries()) {
      const step = report.capacity?.steps[i]
      expect(step).toMatchObject({ multiple: expected.multiple, trades: expected.trades })
      expect(step?.contracts).toBeCloseTo(expected.contracts, 4)
      expect(step?.profit).toBeCloseTo(expected.profit, 4)
    }
    expect((await runner().run(request(hold), NEVER)).report.capacity).toBeNull()
  })

  it('[backtest.strategy.faults] reports file and line of an error to the author', async () => {
    expect(await failure(doing('run.facts(0).title.missing.length'))).toMatch(
      /^fault-\d+\.ts:6:\d+: TypeError/,
    )
    expect(await failure('export default {\n  name: = 3\n}\n')).toMatch(/^fault-\d+\.ts:2/)
    expect(await failure('export const a = 1\n')).toContain('no default export')
    expect(await failure(doing('run.timer(event.at - 1)'))).toContain('a timer must be after now')
    expect(await failure(doing(`run.candles(event.market, '1h', 5)`))).toContain(
      `declare candles: ['1h']`,
    )
    expect(await failure(doing(`run.buy(event.market, 'yes', NaN)`))).toContain(
      'contracts must be above 0',
    )
  })

  it('[backtest.strategy.walls] denies a strategy files, network, processes, clock and randomness', async () => {
    expect(await failure(`import fs from 'node:fs'\n${doing('fs')}`)).toContain(
      "cannot import 'node:fs'",
    )
    expect(await failure(`import net from 'net'\n${doing('net')}`)).toContain("cannot import 'net'")
    expect(await failure(`import x from '../../etc/x.ts'\n${doing('x')}`)).toContain('cannot')
    for (const gone of ['process', 'fetch', 'WebSocket', 'setTimeout', 'performance']) {
      expect(await failure(doing(`${gone}.toString()`))).toContain(`${gone} is not defined`)
    }
    const clock = own(
      'clock',
      doing(
        `if (Date.now() !== run.now) throw new Error('a clock'); run.note(String(Math.random()))`,
      ),
    )
    const notes = await Promise.all([0, 1].map(() => runner().run(request(clock), NEVER)))
    expect(notes[0]?.report.notes.length).toBeGreaterThan(100)
    expect(notes[0]?.report.notes).toEqual(notes[1]?.report.notes)
  })

  it('[backtest.strategy.endless] ends endless loops and endless allocation', async () => {
    const memory = { heapMb: 128, memoryMb: 400, runMs: STRATEGY_LIMITS.runMs }
    const loop = await failure(doing('for (;;) {}'), { ...memory, silenceMs: 1_500 })
    // On a busy machine the limit on wall time applies before the one on CPU time.
    expect(loop).toMatch(/did not return within 2 s|made no progress for \d+ s/)
    // Memory must be what ends these two, on a slow machine too.
    const limits = { ...memory, silenceMs: 120_000 }
    const heap = doing('const all = []; for (;;) all.push(new Array(1000).fill(1.5))')
    expect(await failure(heap, limits)).toContain('MB of memory')
    const buffers = doing('const all = []; for (;;) all.push(new Float64Array(1e6).fill(1))')
    expect(await failure(buffers, limits)).toContain('MB of memory')
  })

  it('[backtest.run.cancelled] ends at once when it is cancelled', async () => {
    const stop = new AbortController()
    const run = runner().run(
      request(own('slow', doing('for (let i = 0; i < 1e5; i++) run.now'))),
      stop.signal,
      () => stop.abort(new Error('cancelled by the user')),
    )
    await expect(run).rejects.toThrow('cancelled by the user')
  })

  it('[backtest.run.bad-input] refuses unknown markets, strategies, parameters and empty ranges', async () => {
    const hold = shipped('buy-and-hold')
    await expect(runner().run(request(hold, { tickers: ['NOPE'] }), NEVER)).rejects.toThrow(
      'markets: NOPE is not in the history',
    )
    await expect(runner().run(request(hold, { params: { size: 3 } }), NEVER)).rejects.toThrow(
      'unknown parameter size: it has contracts, maxPrice, markets',
    )
    const [from, to] = [(T0 - 90 * 24 * HOUR) as Millis, (T0 - 80 * 24 * HOUR) as Millis]
    await expect(runner().run(request(hold, { from, to }), NEVER)).rejects.toThrow(
      'no market has events',
    )
    expect(() => shipped('no-such')).toThrow('strategy not found: no-such. Available: buy-and-hold')
    expect(() => shipped('/etc/passwd')).toThrow('only administrators may name a path')
  })

  it('[backtest.lookahead.user] reports a strategy that looks ahead', async () => {
    // It stores events across runs, so the first run decides the second.
    const module = own(
      'peeks',
      `let last = 0
export default {
  name: 'peeks', about: 'remembers the last price of the run before', feeds: ['quotes'],
  create() {
    const ahead = last
    return {
      onEvent(event, run) {
        last = event.at
        if (ahead > 0 && run.position(event.market) === null) run.buy(event.market, 'yes', 1)
      },
    }
  },
}
`,
    )
    const { report } = await runner().run(request(module, { cutsAt: [0.5] }), NEVER)
    expect(report.checks).toMatchObject([{ isEqual: false }])
    expect(report.invalidatedBy.join(' ')).toContain('Look-ahead')
  })
})
