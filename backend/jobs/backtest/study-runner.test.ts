import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Study } from '../../domain/backtest/studies/study.ts'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { WholeHistory } from '../../history/history.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLogger } from '../../lib/logger.ts'
import { quoteColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { createBacktestRunner, type BacktestRunner } from './backtest-runner.ts'
import { createStrategyMetadataReader } from './strategy-metadata.ts'
import type { StudyRequest } from './study-request.ts'
import { STRATEGY_LIMITS } from './strategy-watch.ts'
import { runStudy } from './study-runner.ts'

const T0 = Date.parse('2026-08-03T00:00:00Z')
const DAYS = 12
const folder = mkdtempSync(join(tmpdir(), 'augury-studies-'))
let history: WholeHistory
let module = ''
/** Of a walk-forward over all days, for the test that shortens them. */
let whole: Study | null = null

/** Buys at the first quote of an hour and sells at the last; a size of 3 throws. */
const STRATEGY = `export default {
  name: 'hours', about: 'a test', feeds: ['quotes'], params: { hour: 1, size: 1, side: 'yes' },
  create({ hour, size, side }) {
    if (size === 3) throw new Error('three is wrong')
    return {
      onStart: (run) => run.every(3600000, 'hour'),
      onTimer({ at }, run) {
        for (const market of run.markets()) {
          const held = run.position(market)
          if (held !== null) run.sell(market, held.side, held.contracts)
          else if ((at / 3600000) % 24 === hour) run.buy(market, side, size)
        }
      },
    }
  },
}
`

beforeAll(async () => {
  module = join(folder, 'hours.ts')
  writeFileSync(module, STRATEGY)
  module = pathToFileURL(module).href
  history = await openHistory({
    path: ':memory:',
    threads: 1,
    memoryLimitMb: 256,
    logger: silentLogger,
  })
  const keys = [0, 1].map((n) => ({ venue: 'venue_a' as const, ticker: `KX-${n}` }))
  const ids = await history.marketIds(keys)
  await history.append({
    facts: ids.map((market, n) => ({
      market,
      knownAt: (T0 - HOUR) as Millis,
      facts: marketFacts({
        ticker: `KX-${n}`,
        eventId: `E${n}`,
        openTime: (T0 - HOUR) as Millis,
        closeTime: (T0 + 40 * DAY) as Millis,
      }),
    })),
    quotes: quoteColumns(
      ids.flatMap((market, n) =>
        Array.from({ length: DAYS * 48 }, (_, i) => {
          // Hours differ, and days a little.
          const bid = 4_000 + 900 * Math.sin((i % 48) / 5 + n) + 90 * Math.sin(i)
          const on = Math.round(bid / 100) * 100
          return {
            market,
            ts: T0 + i * 30 * 60_000 + 60_000,
            lag: 1_000,
            bid: on,
            ask: on + 100,
            bidSize: 100_000_000,
            askSize: 100_000_000,
          }
        }),
      ),
    ),
  })
})
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

const NEVER = new AbortController().signal
const players = () => ({
  runner: createBacktestRunner({ history, clock: systemClock }),
  metadataReader: createStrategyMetadataReader({ clock: systemClock }),
})
const request = (change: Partial<StudyRequest> = {}): StudyRequest => ({
  module,
  params: {},
  from: T0 as Millis,
  to: (T0 + DAYS * DAY) as Millis,
  tickers: null,
  topic: null,
  seed: 1,
  startCashUsd: 1_000,
  cutsAt: [0.5],
  checkDeterminism: false,
  walkForward: null,
  sweep: { ranges: { hour: { from: 2, to: 10, step: 4 } }, method: 'grid', trials: null },
  ...change,
})
const study = (
  change: Partial<StudyRequest> = {},
  onProgress: (progress: number) => void = () => {},
) => runStudy(players(), request(change), NEVER, onProgress)

describe('a study over stored history', () => {
  it('[backtest.sweep.end-to-end] runs every point and reports on the selected one', async () => {
    const shares: number[] = []
    const { report } = await study(
      {
        sweep: {
          ranges: { hour: { from: 2, to: 10, step: 4 }, size: { values: [1, 2, 3] } },
          method: 'grid',
          trials: null,
        },
      },
      (progress) => shares.push(progress),
    )
    const trials = report.study?.trials ?? []
    expect(trials).toHaveLength(9)
    // [backtest.sweep.counted] failed points count as trials.
    const failed = trials.filter(({ state }) => state === 'failed')
    expect(failed.map(({ params }) => params['size'])).toEqual([3, 3, 3])
    expect(failed[0]?.error).toContain('three is wrong')
    expect(report.study?.luck.trials).toBe(9)
    expect(report.study?.overfitting?.why).toBe('6 trials are fewer than 10')
    const chosen = report.study?.chosen?.params ?? {}
    const plain = await players().runner.run(request({ params: chosen }), NEVER)
    const { study: _study, invalidatedBy, ...rest } = report
    const { study: none, invalidatedBy: usual, ...same } = plain.report
    expect(none).toBeNull()
    expect(JSON.stringify(rest)).toBe(JSON.stringify(same))
    expect(invalidatedBy).toEqual([...invalidatedBy.slice(0, -usual.length), ...usual])
    expect(invalidatedBy[0]).toContain(
      'selected on this same range from 9 trials, 3 of them abandoned or failed',
    )
    const of = trials.find(({ params }) => JSON.stringify(params) === JSON.stringify(chosen))
    expect(of?.profit).toBeCloseTo(report.profit, 9)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
  })

  it('[backtest.sweep.abandoned] stores and counts what halving dropped', async () => {
    const ranges = { hour: { from: 0, to: 23, step: 1 } }
    const { report } = await study({ sweep: { ranges, method: 'halving', trials: 8 } })
    const states = report.study?.trials.map(({ state }) => state) ?? []
    expect(states.filter((state) => state === 'whole')).toHaveLength(4)
    expect(states.filter((state) => state === 'abandoned')).toHaveLength(4)
    const abandoned = report.study?.trials.find(({ state }) => state === 'abandoned')
    expect(abandoned).toMatchObject({ until: T0 + (DAYS / 2) * DAY, median: null })
    expect(report.study?.luck.trials).toBe(8)
  })

  it('[backtest.study.byte-equal] returns the same bytes twice, whichever trial ends first', async () => {
    const ranges = { hour: { from: 0, to: 23, step: 1 }, side: { values: ['yes', 'no'] } }
    const sweep = { ranges, method: 'random', trials: 3 } as const
    const [one, two] = [await study({ sweep }), await study({ sweep })]
    expect(JSON.stringify(one.report)).toBe(JSON.stringify(two.report))
    expect(one.fills).toEqual(two.fills)
  })

  it('[backtest.walk.end-to-end] reports the equity of the tests, whose parameters were selected before', async () => {
    const walkForward = { trainDays: 4, testDays: 2, embargoDays: 1 }
    const { report, result } = await study({ walkForward, multiples: [2] })
    whole = report.study
    const folds = report.study?.folds ?? []
    expect(folds.map(({ testFrom }) => (testFrom - T0) / DAY)).toEqual([5, 7, 9])
    expect(report).toMatchObject({ from: T0 + 5 * DAY, to: T0 + 11 * DAY, startCash: 1_000 })
    expect(report.profit).toBeCloseTo(
      folds.reduce((sum, fold) => sum + fold.testProfit, 0),
      9,
    )
    expect(report.trades).toBe(folds.reduce((sum, fold) => sum + fold.testTrades, 0))
    expect(report.byMarket.reduce((sum, { profit }) => sum + profit, 0)).toBeCloseTo(
      report.profit,
      9,
    )
    expect(report.endEquity - report.startCash).toBeCloseTo(report.profit, 9)
    expect(report.returns.days).toBe(6)
    expect(report.checks).toHaveLength(3)
    expect(report.capacity?.steps.map(({ multiple }) => multiple)).toEqual([1, 2])
    expect(report.study?.trials).toHaveLength(9)
    expect(report.study?.stability[0]?.values).toEqual(folds.map(({ params }) => params['hour']))
    // Each instant once, and no jump between folds.
    const at = [...(result?.samples.at ?? [])]
    expect(new Set(at).size).toBe(at.length)
    // A fold is the plain run of its parameters over its test.
    const [first] = folds
    const alone = await players().runner.run(
      request({
        params: first?.params ?? {},
        from: first?.testFrom ?? (0 as Millis),
        to: first?.testTo ?? (0 as Millis),
      }),
      NEVER,
    )
    expect(alone.report.profit).toBeCloseTo(first?.testProfit ?? NaN, 9)
  })

  it('[backtest.walk.blind] selects the same if later data differ', async () => {
    const walkForward = { trainDays: 4, testDays: 2, embargoDays: 1 }
    const short = await study({ walkForward, to: (T0 + 8 * DAY) as Millis })
    expect(short.report.study?.folds[0]?.params).toEqual(whole?.folds[0]?.params)
    expect(short.report.study?.trials).toEqual(whole?.trials.filter(({ fold }) => fold === 0))
  })

  it('[backtest.sweep.ended] ends a sweep once three of its points had to be ended', async () => {
    const path = join(folder, 'endless.ts')
    writeFileSync(
      path,
      STRATEGY.replace('onStart: (run) =>', 'onStart: () => { for (;;) {} }, unused: (run) =>'),
    )
    const limits = { ...STRATEGY_LIMITS, silenceMs: 1_000 }
    const runner = createBacktestRunner({ history, clock: systemClock, limits })
    let runs = 0
    const counting: BacktestRunner = {
      run(...args) {
        runs++
        return runner.run(...args)
      },
    }
    const endless = request({
      module: pathToFileURL(path).href,
      sweep: { ranges: { hour: { from: 0, to: 20, step: 1 } }, method: 'grid', trials: null },
    })
    const played = runStudy({ ...players(), runner: counting }, endless, NEVER, () => {})
    // On a busy machine the limit on wall time is met before the one on CPU time.
    await expect(played).rejects.toThrow(/did not return within 1 s|made no progress for \d+ s/)
    expect(runs).toBeLessThan(6)
  })

  it('[backtest.sweep.bad-input] refuses unknown parameters, and fails if every point fails', async () => {
    const grid = (ranges: StudyRequest['sweep']['ranges']) =>
      ({ sweep: { ranges, method: 'grid', trials: null } }) as const
    await expect(study(grid({ minute: { values: [1] } }))).rejects.toThrow(
      'unknown parameter minute: it has hour, size, side',
    )
    await expect(study(grid({ hour: { values: ['noon'] } }))).rejects.toThrow(
      'parameter hour must be a number, was noon',
    )
    await expect(
      study({ ...grid({ hour: { values: [1] } }), params: { hour: 2 } }),
    ).rejects.toThrow('hour is given a value and a range')
    await expect(
      study({ ...grid({ hour: { values: [1, 2] } }), params: { size: 3 } }),
    ).rejects.toThrow('three is wrong')
    const stop = new AbortController()
    const cancelled = runStudy(players(), request(), stop.signal, () =>
      stop.abort(new Error('cancelled by the user')),
    )
    await expect(cancelled).rejects.toThrow('cancelled by the user')
  })
})
