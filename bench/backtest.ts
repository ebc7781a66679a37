import { Backtest } from '../backend/domain/backtest/engine.ts'
import type {
  EventWindow,
  FactsVersion,
  TradeRows,
} from '../backend/domain/backtest/event-columns.ts'
import { FULL_FILLS } from '../backend/domain/backtest/fill-model.ts'
import { generalTerms } from '../backend/domain/fees.ts'
import { DAY, type Cents, type Millis, type MoneyE6 } from '../backend/domain/units.ts'
import { createBacktestRunner } from '../backend/jobs/backtest/backtest-runner.ts'
import { systemClock } from '../backend/lib/clock.ts'
import type { WholeHistory } from '../backend/history/history.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns } from './rounds.ts'
import { adoptTrades, inScratch, openIn, T0, TICKS_PER_MARKET } from './scratch-history.ts'
import smaCross from './sma-strategy.ts'
import { tightLoop, type Ticks } from './tight-loop.ts'

const MARKETS = 400
const SELECTED = 4
const START = 1e12
const FROM = (T0 - 1) as Millis
const TO = (T0 + 3 * DAY) as Millis
const MODEL = { ...FULL_FILLS, latencyMs: 0 as Millis, noBookCents: 0 as Cents }
const KEYS = Array.from({ length: MARKETS }, (_, n) => ({
  venue: 'venue_a' as const,
  ticker: `KXB-${String(n).padStart(6, '0')}`,
}))

/** Versions of markets that open before the range; they are settled in its last second. */
function versionsOf(ticks: Ticks, count: number): FactsVersion[] {
  const last = new Float64Array(count)
  for (let i = 0; i < ticks.price.length; i++) last[ticks.market[i] as number] = ticks.price[i] ?? 0
  const facts = (n: number) =>
    marketFacts({ ...KEYS[n], openTime: (T0 - DAY) as Millis, closeTime: null })
  return [
    ...Array.from({ length: count }, (_, market) => ({
      market,
      knownAt: FROM,
      facts: facts(market),
    })),
    ...Array.from({ length: count }, (_, market) => ({
      ...{ market, knownAt: TO },
      facts: { ...facts(market), status: 'settled' as const, result: (last[market] ?? 0) >= 5_000 ? ('yes' as const) : ('no' as const) }, // prettier-ignore
    })),
  ]
}

/** A run of the first `count` markets that has begun. */
function begun(versions: readonly FactsVersion[], count: number): Backtest {
  const run = new Backtest(
    {
      ...{ from: FROM, to: TO, markets: KEYS.slice(0, count), versions, model: MODEL, candles: [] },
      ...{ seed: 1, startCash: START as MoneyE6, termsOf: ({ venue }) => generalTerms(venue) },
    },
    smaCross.create({ markets: count }),
  )
  run.start()
  return run
}

/** The engine over windows that lie in memory. */
function engineRun(
  windows: readonly EventWindow[],
  versions: readonly FactsVersion[],
  count: number,
) {
  const run = begun(versions, count)
  for (const window of windows) run.take(window)
  return run.finish()
}

const joined = (windows: readonly EventWindow[]): Ticks & Pick<TradeRows, 'ts'> => {
  const rows = windows.flatMap(({ trades }) => (trades === null ? [] : [trades]))
  const count = rows.reduce((sum, { known }) => sum + known.length, 0)
  const all = {
    ...{ known: new Float64Array(count), ts: new Float64Array(count) },
    ...{ market: new Int32Array(count), price: new Int32Array(count) },
  }
  let at = 0
  for (const part of rows) {
    all.known.set(part.known, at)
    all.ts.set(part.ts, at)
    all.market.set(part.market, at)
    all.price.set(part.price, at)
    at += part.known.length
  }
  return all
}

async function windowsOf(
  history: WholeHistory,
  markets: readonly number[],
): Promise<EventWindow[]> {
  const windows: EventWindow[] = []
  for await (const window of history.eventWindows({ from: FROM, to: TO, markets, feeds: ['trades'] })) windows.push(window) // prettier-ignore
  return windows
}

/** Backtests against a tight time-ordered loop over the same arrays (G5, G6), and what a scope costs. */
export const benchBacktest = (): Promise<BenchRow[]> =>
  inScratch(async (folder) => {
    const opened = await openIn(folder)
    const history = opened.history as WholeHistory
    const markets = await history.marketIds(KEYS)
    await adoptTrades(history, folder, markets[0] ?? 0, (markets[0] ?? 0) + MARKETS)
    const windows = await windowsOf(history, markets)
    const ticks = joined(windows)
    const events = ticks.price.length
    const versions = versionsOf(ticks, MARKETS)
    const rate = (ms: number): number => (events / ms) * 1_000
    const timed = async (work: () => unknown): Promise<number> => {
      const started = systemClock.monotonic()
      await work()
      return rate(systemClock.monotonic() - started)
    }
    const loop = () => tightLoop(ticks, MARKETS, START)
    const engine = await inTurns(
      () => timed(() => engineRun(windows, versions, MARKETS)),
      () => timed(loop),
    )
    const agreed = engineRun(windows, versions, MARKETS)
    const expected = loop()
    const rows: BenchRow[] = [
      {
        name: `backtest engine, ${(events / 1e6).toFixed(1)} M trades of ${MARKETS} markets`,
        ...{ ours: engine.ours, baseline: engine.baseline, unit: 'events/s', ratio: engine.ratio },
        goal: '≥ 0.5 × a tight loop',
        note: `${agreed.fills.at.length} fills (loop ${expected.fills}), final cash ${Math.round(agreed.cash / 1e6)} (loop ${Math.round(expected.cash / 1e6)}); spread ${engine.spread.toFixed(2)}`,
      },
    ]
    await history.append({ facts: versions.map(({ market, ...row }) => ({ ...row, market: markets[market] ?? -1 })) }) // prettier-ignore
    const streamed = await inTurns(
      () =>
        timed(async () => {
          const run = begun(versions, MARKETS)
          const query = { from: FROM, to: TO, markets, feeds: ['trades'] as const }
          for await (const window of history.eventWindows(query)) run.take(window)
          run.finish()
        }),
      () => timed(loop),
    )
    rows.push({
      name: 'backtest from the history, in one process',
      ...{ ours: streamed.ours, baseline: streamed.baseline, unit: 'events/s' },
      ...{ ratio: streamed.ratio, goal: '≥ 0.35 × a tight loop', note: `spread ${streamed.spread.toFixed(2)}` }, // prettier-ignore
    })
    const runner = createBacktestRunner({ history, clock: systemClock })
    const never = new AbortController().signal
    const request = {
      ...{ module: new URL('./sma-strategy.ts', import.meta.url).href, topic: null, tickers: null },
      ...{ params: { markets: MARKETS }, from: FROM, to: TO, seed: 1, startCashUsd: START / 1e6 },
      ...{ cutsAt: [], checkDeterminism: false, model: MODEL },
    }
    let peakMb = 0
    const before = process.memoryUsage.rss()
    const whole = await inTurns(
      () =>
        timed(() =>
          runner.run(request, never, () => {
            peakMb = Math.max(peakMb, (process.memoryUsage.rss() - before) / 1024 / 1024)
          }),
        ),
      () => timed(loop),
      5,
    )
    rows.push({
      name: 'backtest from the history, strategy in a process of its own',
      ...{ ours: whole.ours, baseline: whole.baseline, unit: 'events/s', ratio: whole.ratio },
      goal: '≥ 0.35 × a tight loop',
      note: `with the start of the process and the report; this process + ${Math.round(peakMb)} MB; spread ${whole.spread.toFixed(2)}`,
    })
    const few = markets.slice(0, SELECTED)
    const scoped = await inTurns(
      async () => {
        const started = systemClock.monotonic()
        await windowsOf(history, few)
        return systemClock.monotonic() - started
      },
      async () => {
        const started = systemClock.monotonic()
        await windowsOf(history, markets)
        return systemClock.monotonic() - started
      },
      5,
    )
    rows.push({
      name: `events of ${SELECTED} markets of ${MARKETS} (${SELECTED * TICKS_PER_MARKET} rows) against all`,
      ...{ ours: scoped.ours, baseline: scoped.baseline, unit: 'ms', ratio: scoped.ratio },
      ...{ goal: 'as their share of rows, 0.01 ×, and what a query costs', note: null },
    })
    await opened.close()
    return rows
  })
