import { readFileSync } from 'node:fs'
import { Backtest } from '../backend/domain/backtest/engine.ts'
import type { EventWindow, FactsVersion } from '../backend/domain/backtest/event-columns.ts'
import { FULL_FILLS } from '../backend/domain/backtest/broker/fill-model.ts'
import type { RunResult } from '../backend/domain/backtest/report/run-result.ts'
import { generalTerms } from '../backend/domain/fees.ts'
import type { Cents, Millis, MoneyE6 } from '../backend/domain/units.ts'
import { createBacktestRunner } from '../backend/jobs/backtest/backtest-runner.ts'
import { systemClock } from '../backend/lib/clock.ts'
import type { WholeHistory } from '../backend/history/history.ts'
import { benchBesideRun } from './backtest-api.ts'
import {
  adoptTicks,
  FROM,
  joined,
  KEYS,
  MARKETS,
  TICKS_PER_MARKET,
  TO,
  versionsOf,
  windowsOf,
} from './backtest-history.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns, type Paired } from './rounds.ts'
import { inScratch, openIn } from './scratch-history.ts'
import smaCross from './sma-strategy.ts'
import { tightLoop, type LoopResult, type Ticks } from './tight-loop.ts'

const SELECTED = 50
const START = 1e12
const CHECK_EVERY_MS = 50
/** The first run's stream is cached: a second run measures the engine without the read. */
const FIRST = 'the first over its range'
const AGAIN = 'over a range that was read before'
const MODEL = { ...FULL_FILLS, latencyMs: 0 as Millis, noBookCents: 0 as Cents }

/** A started run over all markets. */
function started(versions: readonly FactsVersion[]): Backtest {
  const run = new Backtest(
    {
      from: FROM,
      to: TO,
      markets: KEYS,
      versions,
      model: MODEL,
      candles: [],
      seed: 1,
      startCash: START as MoneyE6,
      termsOf: ({ venue }) => generalTerms(venue),
    },
    smaCross.create({ markets: MARKETS }),
  )
  run.start()
  return run
}

/** Compared figures are meaningful only if both computations agree. */
function agree(ours: { fills: number; cash: number }, loop: LoopResult): void {
  if (ours.fills === loop.fills && ours.cash === loop.cash) return
  throw new Error(
    `the engine came to ${ours.fills} fills and ${ours.cash}, the loop to ${loop.fills} and ${loop.cash}`,
  )
}
const cameTo = (result: RunResult) => ({ fills: result.fills.at.length, cash: result.cash })

const timed = async (work: () => unknown): Promise<number> => {
  const started = systemClock.monotonic()
  await work()
  return systemClock.monotonic() - started
}

const ratioRow = (
  name: string,
  { ours, baseline, ratio, spread }: Paired,
  goal: string,
  note: string,
): BenchRow => ({
  name,
  ours,
  baseline,
  unit: 'events/s',
  ratio,
  goal,
  note: `${note}; spread ${spread.toFixed(2)}`,
})

/** Resident memory of a process and of its children; null when the system does not report it. */
function residentMb(): { own: number; children: number } {
  const of = (pid: number | string): number => {
    try {
      const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
      return (pages * 4_096) / 1024 / 1024
    } catch {
      return 0
    }
  }
  let children: string[] = []
  try {
    const path = `/proc/${process.pid}/task/${process.pid}/children`
    children = readFileSync(path, 'utf8').trim().split(' ').filter(Boolean)
  } catch {
    // Not every system reports it.
  }
  return { own: of(process.pid), children: children.reduce((sum, pid) => sum + of(pid), 0) }
}

/** Backtests against a tight time-ordered loop over the same arrays (G5, G6), beside an API (G15), and what they cost. */
export const benchBacktest = (): Promise<BenchRow[]> =>
  inScratch(async (folder) => {
    const opened = await openIn(folder)
    const history = opened.history as WholeHistory
    const markets = await history.marketIds(KEYS)
    await adoptTicks(history, folder, markets[0] ?? 0)
    const rows: BenchRow[] = []
    const facts = async (): Promise<{
      ticks: Ticks
      versions: FactsVersion[]
      windows: EventWindow[]
    }> => {
      const windows = await windowsOf(history, markets)
      const ticks = joined(windows)
      return { ticks, versions: versionsOf(ticks), windows }
    }
    const { ticks, versions, windows } = await facts()
    await history.append({
      facts: versions.map(({ market, ...row }) => ({ ...row, market: markets[market] ?? -1 })),
    })
    const events = ticks.price.length
    const rate = async (work: () => unknown): Promise<number> =>
      (events / (await timed(work))) * 1_000
    const expected = tightLoop(ticks, MARKETS, START)
    const loop = () => tightLoop(ticks, MARKETS, START)
    const engine = await inTurns(
      () =>
        rate(() => {
          const run = started(versions)
          for (const window of windows) run.process(window)
          agree(cameTo(run.finish()), expected)
        }),
      () => rate(loop),
    )
    const same = `${expected.fills} fills and final cash ${(expected.cash / 1e6).toFixed(2)} on both sides`
    rows.push(
      ratioRow(
        `backtest engine, ${(events / 1e6).toFixed(1)} M trades of ${MARKETS} markets`,
        ...([engine, '≥ 0.5 × a tight loop', same] as const),
      ),
    )
    windows.length = 0
    // A millisecond later each time: the same events, but no cached stream.
    let later = 0
    const rerun = (): Millis => (TO + ++later) as Millis
    const streamed = async (to: () => Millis, name: string): Promise<void> => {
      const paired = await inTurns(
        () =>
          rate(async () => {
            const run = started(versions)
            const query = { from: FROM, to: to(), markets, feeds: ['trades'] as const }
            for await (const window of history.eventWindows(query)) run.process(window)
            agree(cameTo(run.finish()), expected)
          }),
        () => rate(loop),
      )
      const loopGoal = ['≥ 0.35 × a tight loop', 'the history is sorted by market'] as const
      rows.push(ratioRow(`backtest from the history, in one process, ${name}`, paired, ...loopGoal))
    }
    await streamed(rerun, FIRST)
    await streamed(() => TO, AGAIN)
    const runner = createBacktestRunner({ history, clock: systemClock })
    const never = new AbortController().signal
    const request = {
      module: new URL('./sma-strategy.ts', import.meta.url).href,
      topic: null,
      tickers: null,
      params: { markets: MARKETS },
      from: FROM,
      to: TO,
      seed: 1,
      startCashUsd: START / 1e6,
      cutsAt: [],
      checkDeterminism: false,
      model: MODEL,
    }
    const apart = async (to: () => Millis, name: string): Promise<void> => {
      const before = residentMb().own
      const peak = { own: 0, children: 0 }
      const look = setInterval(() => {
        const { own, children } = residentMb()
        peak.own = Math.max(peak.own, own - before)
        peak.children = Math.max(peak.children, children)
      }, CHECK_EVERY_MS)
      const paired = await inTurns(
        () =>
          rate(async () => {
            const { report, samples } = await runner.run({ ...request, to: to() }, never)
            agree({ fills: report.trades, cash: samples['cash']?.at(-1) ?? NaN }, expected)
          }),
        () => rate(loop),
      )
      clearInterval(look)
      const figures = [
        '≥ 0.35 × a tight loop',
        'with the start of the process and the report',
      ] as const
      rows.push(
        ratioRow(
          `backtest from the history, strategy in a process of its own, ${name}`,
          paired,
          ...figures,
        ),
        {
          name: `memory of a backtest over all markets, ${name}`,
          ours: peak.own,
          baseline: null,
          unit: 'MB',
          ratio: null,
          goal: '≤ + 300 MB in the service',
          note: `most of ${events / 1e6} M events at once above the process after its other arms; the strategy's own process ${Math.round(peak.children)} MB at most, all of it`,
        },
      )
    }
    await apart(rerun, FIRST)
    await apart(() => TO, AGAIN)
    const each = async (some: readonly number[]): Promise<number> => {
      let count = 0
      const ms = await timed(async () => {
        for await (const { trades } of history.eventWindows({
          from: FROM,
          to: rerun(),
          markets: some,
          feeds: ['trades'],
        }))
          count += trades?.known.length ?? 0
      })
      return (ms / count) * 1e6
    }
    const few = markets.slice(1_000, 1_000 + SELECTED)
    const scoped = await inTurns(
      () => each(few),
      () => each(markets),
    )
    rows.push({
      name: `reading ${SELECTED} of ${MARKETS} markets (${SELECTED * TICKS_PER_MARKET} events) against all`,
      ours: scoped.ours,
      baseline: scoped.baseline,
      unit: 'ns an event',
      ratio: scoped.ratio,
      goal: 'flat in what is not selected: ≤ 2 ×',
      note: `spread ${scoped.spread.toFixed(2)}`,
    })
    await opened.close()
    return [...rows, ...(await benchBesideRun(folder))]
  })
