import { stripTypeScriptTypes } from 'node:module'
import { Backtest } from '../../domain/backtest/engine.ts'
import type { FactsVersion } from '../../domain/backtest/event-columns.ts'
import { comparePrefix } from '../../domain/backtest/lookahead.ts'
import { reportOf } from '../../domain/backtest/report/report.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import { sameResult } from '../../domain/backtest/report/same-result.ts'
import { seededRandom } from '../../domain/backtest/seeded.ts'
import { StrategyContext } from '../../domain/backtest/strategy-context.ts'
import { KnownOrder } from '../../domain/backtest/broker/known-order.ts'
import { MarketEvent } from '../../domain/backtest/strategy.ts'
import {
  capacityOf,
  scaledDown,
  scaledDownModel,
  type CapacityStep,
} from '../../domain/backtest/studies/capacity.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { MoneyE6 } from '../../domain/units.ts'
import { cutWindow } from '../../history/cut-window.ts'
import type { FrameLocation } from '../../history/event-streams.ts'
import { WindowReader } from './window-reader.ts'
import { dropWritePermission } from './compile-cache.ts'
import type {
  FromStrategy,
  RunTask,
  StrategyMetadata,
  StrategyTask,
  ToStrategy,
} from './messages.ts'
import { createPromiseGuard } from './promise-guard.ts'
import { runsOf, assignResults, type PlannedRun } from './run-plan.ts'
import { describeFault } from './strategy-fault.ts'
import { checkedModule, type CheckedModule } from './strategy-module.ts'
import { restrictGlobals, restrictImports } from './strategy-sandbox.ts'

/** Descriptor of the file with events, which the parent process opened. */
const EVENTS = 4
/** Minimum time between two progress messages. */
const BEAT_NS = 200_000_000n

/** Entry point of a strategy's process: loads it, executes its runs and returns the result. */
export function playStrategy(): void {
  dropWritePermission()
  // Saved here, since the sandbox removes it from the globals.
  const machine = process
  const send = (message: FromStrategy, then: () => void = () => {}): void => {
    machine.send?.(message, undefined, undefined, () => then())
  }
  const guard = createPromiseGuard()
  let now: () => number = () => 0
  let random = seededRandom(0)
  let sentAt = 0n
  let answeredCount = 0
  let loadedModule: CheckedModule | null = null
  let address = ''
  const versions: FactsVersion[] = []

  const acknowledge = (): void => {
    answeredCount++
    send({ type: 'taken', answered: answeredCount })
  }
  let isOver = false
  const fail = (error: unknown): void => {
    if (isOver) return
    isOver = true
    send({ type: 'failed', message: describeFault(error, address) }, () => machine.disconnect())
  }
  const windows = new WindowReader(EVENTS)
  let startEvents: (location: FrameLocation | null) => void = () => {}

  const load = async (order: StrategyTask): Promise<void> => {
    address = order.module
    machine.on('uncaughtException', fail).on('unhandledRejection', fail)
    // The TypeScript loader is initialised on first use, with globals that are removed below.
    if (address.endsWith('.ts')) stripTypeScriptTypes('')
    restrictImports(address)
    restrictGlobals({ now: () => now(), random: () => random() }, [
      Backtest,
      StrategyContext,
      MarketEvent,
      KnownOrder,
    ])
    const module = (await import(address)) as { readonly default?: unknown }
    loadedModule = checkedModule(module.default, order.params)
    answeredCount++
    send({ type: 'loaded', metadata: loadedModule.metadata, answered: answeredCount })
  }

  const begin = (order: RunTask): void => {
    if (loadedModule === null) throw new Error('no strategy is loaded')
    const { metadata, create } = loadedModule
    const runs = runsOf(order)
    const results: RunResult[] = []
    const startRun = ({ to, times }: PlannedRun): Backtest => {
      // Every run starts with the same time and the same random numbers, so that runs can be
      // compared.
      now = () => order.from
      random = seededRandom(order.seed)
      const run = new Backtest(
        {
          from: order.from,
          to,
          markets: order.markets,
          versions,
          model: times === 1 ? order.model : scaledDownModel(order.model, times),
          seed: order.seed,
          candles: metadata.candles,
          startCash: Math.round(order.startCashUsd * 1e6) as MoneyE6,
          termsOf: ({ venue }) => generalTerms(venue),
          onHeartbeat(events, at) {
            if (machine.hrtime.bigint() - sentAt < BEAT_NS) return
            sentAt = machine.hrtime.bigint()
            send({ type: 'beat', answered: answeredCount, events, now: at, run: results.length })
          },
        },
        create(),
      )
      now = () => run.now
      run.start()
      return run
    }
    let run = guard.call(() => startRun(runs[0] as PlannedRun))
    startEvents = (location) => {
      if (location !== null) {
        const window = windows.read(location)
        const cutEventWindow = location.cutAt === null ? window : cutWindow(window, location.cutAt)
        const times = runs[results.length]?.times ?? 1
        guard.call(() => run.process(scaledDown(cutEventWindow, times)))
        answeredCount++
        send({
          type: 'beat',
          answered: answeredCount,
          events: run.events,
          now: run.now,
          run: results.length,
        })
        return
      }
      results.push(guard.call(() => run.finish()))
      acknowledge()
      const next = runs[results.length]
      if (next === undefined) return answer(order, metadata, results)
      run = guard.call(() => startRun(next))
    }
  }

  const answer = (
    order: RunTask,
    metadata: StrategyMetadata,
    results: readonly RunResult[],
  ): void => {
    const [wholeResult] = results
    if (wholeResult === undefined) throw new Error('a run ended without a result')
    send({ type: 'reporting', answered: answeredCount })
    const { prefixes, again, larger } = assignResults(order, results)
    const report = reportOf(wholeResult, {
      strategy: metadata.name,
      about: metadata.about,
      params: metadata.params,
      scope: order.scope,
      gaps: order.gaps,
      gapsLeftOut: order.gapsLeftOut,
      checks: prefixes.map((prefix, i) =>
        comparePrefix(wholeResult, prefix, order.cuts[i] ?? order.to),
      ),
      isDeterministic: again === undefined ? null : sameResult(wholeResult, again),
      capacity:
        larger.length === 0
          ? null
          : capacityOf(
              [wholeResult, ...larger].map((result, i) =>
                stepOf(result, order.multiples[i - 1] ?? 1),
              ),
            ),
    })
    const tickers = Object.fromEntries(
      wholeResult.traded.map(({ market, ticker }) => [market, ticker]),
    )
    const { fills, samples, tags } = wholeResult
    const result = order.keepsResult ? wholeResult : null
    isOver = true
    send({ type: 'done', report, result, fills, samples, tickers, tags }, () =>
      machine.disconnect(),
    )
  }

  machine.on('message', (message: ToStrategy) => {
    void (async () => {
      // Messages that were in transit when the run ended.
      if (isOver) return
      try {
        if (message.type === 'load') await load(message.order)
        else if (message.type === 'window') startEvents(message.location)
        else if (message.type === 'end') startEvents(null)
        else {
          if (message.type === 'run') begin(message.order)
          else for (const version of message.versions) versions.push(freezeDeep(version))
          acknowledge()
        }
      } catch (error) {
        fail(error)
      }
    })()
  })
}

/** A run at `times` the size, in money and contracts scaled back to the original size. */
const stepOf = (result: RunResult, times: number): CapacityStep => ({
  multiple: times,
  profit: ((result.equity - result.startCash) / 1e6) * times,
  trades: result.fills.at.length,
  contracts: (result.fills.size.reduce((sum, size) => sum + size, 0) / 1e6) * times,
})

/** Freezes a value deeply: a strategy receives the facts that the engine itself reads. */
function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freezeDeep(part)
  return Object.freeze(value)
}
