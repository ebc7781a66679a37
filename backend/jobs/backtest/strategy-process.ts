import { stripTypeScriptTypes } from 'node:module'
import { Backtest } from '../../domain/backtest/engine.ts'
import { FEEDS, type FactsVersion } from '../../domain/backtest/event-columns.ts'
import { comparePrefix } from '../../domain/backtest/lookahead.ts'
import { paramsOf } from '../../domain/backtest/params.ts'
import { reportOf } from '../../domain/backtest/report.ts'
import type { RunResult } from '../../domain/backtest/run-result.ts'
import { sameResult } from '../../domain/backtest/same-result.ts'
import { seededRandom } from '../../domain/backtest/seeded.ts'
import type { StrategyModule } from '../../domain/backtest/strategy.ts'
import { capacityOf, thinned, thinnedModel, type CapacityStep } from '../../domain/backtest/studies/capacity.ts' // prettier-ignore
import { generalTerms } from '../../domain/fees.ts'
import type { MoneyE6 } from '../../domain/units.ts'
import { cutAt } from '../../history/cut-window.ts'
import type { WindowPlace } from '../../history/run-reads.ts'
import { WindowReader } from './window-reader.ts'
import { giveUpWriting } from './kept-modules.ts'
import type { FromStrategy, RunOrder, StrategyFace, ToStrategy } from './messages.ts'
import { runsOf, sortedOut, type PlannedRun } from './run-plan.ts'
import { faultOf, wallGlobals, wallImports } from './strategy-walls.ts'

/** The file that events lie in, as its parent hands it down. */
const EVENTS = 4
/** Least time between two words about how far a run is. */
const BEAT_NS = 200_000_000n

/** The side of a run on which the strategy lives: loads it, plays it, and answers what came of it. */
export function playStrategy(): void {
  giveUpWriting()
  // Kept, since a strategy finds it gone.
  const machine = process
  const say = (message: FromStrategy, then: () => void = () => {}): void => {
    machine.send?.(message, undefined, undefined, () => then())
  }
  let playing: Backtest | null = null
  let saidAt = 0n
  let answered = 0
  let module: StrategyModule | null = null
  let address = ''
  let face: StrategyFace | null = null
  const versions: FactsVersion[] = []

  const taken = (): void => {
    answered++
    say({ type: 'taken', answered })
  }
  let hasFailed = false
  const fail = (error: unknown): void => {
    hasFailed = true
    say({ type: 'failed', message: faultOf(error, address) }, () => machine.disconnect())
  }
  const windows = new WindowReader(EVENTS)
  let play: (place: WindowPlace | null) => void = () => {}

  const load = async (given: Extract<ToStrategy, { type: 'load' }>['order']): Promise<void> => {
    address = given.module
    // What reads TypeScript is made when it is first needed, and needs what is about to be taken away.
    if (address.endsWith('.ts')) stripTypeScriptTypes('')
    wallImports(address)
    wallGlobals(() => playing?.now ?? 0, seededRandom(0))
    const loaded = (await import(address)) as { readonly default?: unknown }
    module = moduleIn(loaded.default)
    face = {
      ...{ name: module.name, about: module.about, feeds: module.feeds ?? FEEDS },
      ...{ candles: module.candles ?? [], params: paramsOf(module.params ?? {}, given.params) },
    }
    answered++
    say({ type: 'loaded', face, answered })
  }

  const begin = (order: RunOrder): void => {
    if (module === null || face === null) throw new Error('no strategy is loaded')
    const [strategyModule, strategyFace] = [module, face]
    const runs = runsOf(order)
    const results: RunResult[] = []
    const startRun = ({ to, times }: PlannedRun): Backtest => {
      const run = new Backtest(
        {
          ...{ from: order.from, to, markets: order.markets, versions },
          model: times === 1 ? order.model : thinnedModel(order.model, times),
          ...{ seed: order.seed, candles: strategyFace.candles },
          startCash: Math.round(order.startCashUsd * 1e6) as MoneyE6,
          termsOf: ({ venue }) => generalTerms(venue),
          beat(events, at) {
            if (machine.hrtime.bigint() - saidAt < BEAT_NS) return
            saidAt = machine.hrtime.bigint()
            say({ type: 'beat', answered, events, now: at, run: results.length })
          },
        },
        strategyModule.create(strategyFace.params),
      )
      playing = run
      run.start()
      return run
    }
    let run = startRun(runs[0] as PlannedRun)
    play = (place) => {
      if (place !== null) {
        const window = windows.read(place)
        const known = place.cutAt === null ? window : cutAt(window, place.cutAt)
        run.take(thinned(known, runs[results.length]?.times ?? 1))
        answered++
        say({ type: 'beat', answered, events: run.events, now: run.now, run: results.length })
        return
      }
      results.push(run.finish())
      taken()
      const next = runs[results.length]
      if (next !== undefined) run = startRun(next)
      else answer(order, strategyFace, results)
    }
  }

  const answer = (order: RunOrder, told: StrategyFace, results: readonly RunResult[]): void => {
    const [whole] = results
    if (whole === undefined) return
    const { prefixes, again, larger } = sortedOut(order, results)
    const report = reportOf(whole, {
      ...{ strategy: told.name, about: told.about, params: told.params, scope: order.scope },
      ...{ gaps: order.gaps, gapsLeftOut: order.gapsLeftOut },
      checks: prefixes.map((prefix, i) => comparePrefix(whole, prefix, order.cuts[i] ?? order.to)),
      isDeterministic: again === undefined ? null : sameResult(whole, again),
      capacity: larger.length === 0 ? null : capacityOf([whole, ...larger].map((result, i) => stepOf(result, order.multiples[i - 1] ?? 1))), // prettier-ignore
    })
    const tickers = Object.fromEntries(whole.traded.map(({ market, ticker }) => [market, ticker]))
    const { fills, samples, tags } = whole
    const result = order.keepsResult ? whole : null
    say({ type: 'done', report, result, fills, samples, tickers, tags }, () => machine.disconnect())
  }

  machine.on('message', (message: ToStrategy) => {
    void (async () => {
      // Notes that were on their way when it failed.
      if (hasFailed) return
      try {
        if (message.type === 'load') await load(message.order)
        else if (message.type === 'window') play(message.place)
        else if (message.type === 'end') play(null)
        else {
          if (message.type === 'run') begin(message.order)
          else for (const one of message.versions) versions.push(one)
          taken()
        }
      } catch (error) {
        fail(error)
      }
    })()
  })
}

/** A run at `times` the size, whose market was thinned as much, in money and contracts of that size. */
const stepOf = (result: RunResult, times: number): CapacityStep => ({
  multiple: times,
  profit: ((result.equity - result.startCash) / 1e6) * times,
  trades: result.fills.at.length,
  contracts: (result.fills.size.reduce((sum, size) => sum + size, 0) / 1e6) * times,
})

/** Throws where the default export of a module is no strategy. */
function moduleIn(found: unknown): StrategyModule {
  if (typeof found !== 'object' || found === null) {
    throw new TypeError('the module has no default export with { name, about, create }')
  }
  const { name, about, create } = found as Partial<StrategyModule>
  if (typeof name !== 'string' || typeof about !== 'string' || typeof create !== 'function') {
    throw new TypeError('the default export needs name, about and create(params)')
  }
  return found as StrategyModule
}
