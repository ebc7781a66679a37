import type { FillModel } from '../../domain/backtest/fill-model.ts'
import { FULL_FILLS } from '../../domain/backtest/fill-model.ts'
import type { CrossedGap } from '../../domain/backtest/report.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import type { FactsVersion } from '../../domain/backtest/event-columns.ts'
import { themeOf, topicsOf } from '../../domain/topics.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { RunFile, RunReading, RunReads } from '../../history/run-reads.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInput, StoreFailed } from '../../lib/errors.ts'
import type { StrategyFace } from './messages.ts'
import { runsOf, type PlannedRun, type RunPlan } from './run-plan.ts'
import { startStrategy, type Done, type StrategyHost } from './strategy-host.ts'
import { STRATEGY_LIMITS, type StrategyLimits } from './strategy-watch.ts'

/** What is asked for. */
export interface BacktestRequest {
  /** Address of the strategy's module. */
  readonly module: string
  readonly params: Params
  readonly from: Millis
  readonly to: Millis
  /** Null: all. */
  readonly tickers: readonly string[] | null
  /** A topic, category or venue word; null: all. */
  readonly topic: string | null
  readonly seed: number
  readonly startCashUsd: number
  readonly model?: FillModel
  /** Compares the run with runs that know nothing later than these shares of its range. */
  readonly cutsAt: readonly number[]
  readonly checkDeterminism: boolean
  /** Times the size at which it is played again; none by default. */
  readonly multiples?: readonly number[]
  /** Whether `result` comes along. */
  readonly keepsResult?: boolean
}

export interface BacktestProgress {
  /** From 0 to 1. */
  readonly progress: number
  readonly events: number
}

/** Runs backtests; one run is one process beside this one. */
export interface BacktestRunner {
  /** Rejects with StrategyFailed, InvalidInput, or the signal's reason. */
  run(
    request: BacktestRequest,
    signal: AbortSignal,
    onProgress?: (progress: BacktestProgress) => void,
  ): Promise<Done>
}

type RunHistory = RunReads & Pick<HistoryStore, 'marketIdOf' | 'keyOf' | 'gaps'>

const VERSIONS_A_MESSAGE = 5_000
const MOST_GAPS = 200

export function createBacktestRunner(deps: {
  readonly history: RunHistory
  readonly clock: Clock
  readonly limits?: StrategyLimits
}): BacktestRunner {
  const { history, clock, limits = STRATEGY_LIMITS } = deps
  return {
    async run(request, signal, onProgress = () => {}) {
      signal.throwIfAborted()
      const runs = runsOf(planOf(request))
      const spanOf = (some: readonly PlannedRun[]): number =>
        some.reduce((sum, { to }) => sum + (to - request.from), 0)
      const whole = spanOf(runs)
      const file = await history.runFile()
      const host = await startStrategy(
        { module: request.module, params: request.params },
        {
          ...{ clock, limits, file },
          onBeat: ({ events, now, run }) => {
            const played = spanOf(runs.slice(0, run)) + now - request.from
            onProgress({ events, progress: Math.min(1, played / whole) })
          },
        },
      )
      const stop = (): void => host.end(reasonOf(signal))
      signal.addEventListener('abort', stop, { once: true })
      try {
        const scope = await scopeOf(history, request, host.face)
        tellRun(host, request, scope)
        const { from, to } = request
        const query = { from, to, markets: scope.markets, feeds: host.face.feeds }
        const reading = await history.openReading(query)
        await playAll(reading, host, runs, { file, signal })
        const done = await host.done
        onProgress({ events: done.report.events, progress: 1 })
        return done
      } finally {
        signal.removeEventListener('abort', stop)
        host.end(new Error('the run is over'))
      }
    },
  }
}

/**
 * Tells a strategy's process where the events of each run lie. Rejects with its fault as soon as it has one.
 * @param file that the process was handed
 */
async function playAll(
  reading: RunReading,
  host: StrategyHost,
  runs: readonly PlannedRun[],
  { file, signal }: { readonly file: RunFile; readonly signal: AbortSignal },
): Promise<void> {
  const play = async (): Promise<void> => {
    if (reading.file !== file) throw new StoreFailed('The history was opened again: run it again')
    for (const { to } of runs) {
      for await (const place of reading.places(to)) {
        signal.throwIfAborted()
        await host.play(place)
      }
      await host.play(null)
    }
  }
  const played = play()
  try {
    await Promise.race([played, host.done])
    await played
  } finally {
    // Whatever ended the play first is what is told.
    played.catch(() => {})
    await reading.close()
  }
}

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('cancelled')

const cutsOf = ({ from, to, cutsAt }: BacktestRequest): Millis[] =>
  cutsAt.map((share) => Math.floor(from + (to - from) * share) as Millis)

const planOf = (request: BacktestRequest): RunPlan => ({
  ...{ to: request.to, cuts: cutsOf(request), checkDeterminism: request.checkDeterminism },
  multiples: request.multiples ?? [],
})

interface Scope {
  /** Ascending by venue, then ticker: their numbers in the run. */
  readonly markets: readonly MarketId[]
  readonly versions: readonly FactsVersion[]
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  readonly words: string
}

function tellRun(
  host: StrategyHost,
  request: BacktestRequest,
  scope: Scope & { keys: readonly { venue: 'venue_a' | 'venue_b'; ticker: string }[] },
): void {
  // prettier-ignore
  for (let at = 0; at < scope.versions.length; at += VERSIONS_A_MESSAGE) {
    host.tell({ type: 'versions', versions: scope.versions.slice(at, at + VERSIONS_A_MESSAGE) })
  }
  const { from, startCashUsd, seed } = request
  host.tell({
    type: 'run',
    order: {
      ...{ ...planOf(request), from, startCashUsd, seed, model: request.model ?? FULL_FILLS },
      ...{ scope: scope.words, markets: scope.keys },
      ...{ gaps: scope.gaps, gapsLeftOut: scope.gapsLeftOut },
      keepsResult: request.keepsResult ?? false,
    },
  })
}

/** Which markets a run hears of: those named, or those with events in its range, of its topic. */
async function scopeOf(history: RunHistory, request: BacktestRequest, face: StrategyFace) {
  const { from, to, tickers, topic } = request
  const withRows = history.marketsWithRows({ feeds: face.feeds, from, to })
  const named = tickers === null ? null : tickers.map((ticker) => numberOf(history, ticker))
  const candidates = named ?? withRows
  const records = await history.versionsOfMany(candidates, to)
  const first = new Map<MarketId, MarketRecord>()
  for (const record of records) if (!first.has(record.market)) first.set(record.market, record)
  const chosen = candidates.filter((market) => {
    const listed = first.get(market)
    return listed !== undefined && (topic === null || isAbout(listed, topic))
  })
  if (chosen.length === 0) {
    throw new InvalidInput(
      topic === null && named === null
        ? 'from: no market has events between from and to'
        : 'markets: none of them has facts or events between from and to',
    )
  }
  const keyed = chosen
    .map((market) => ({ market, ...history.keyOf(market) }))
    .sort((a, b) => compare(a.venue, b.venue) || compare(a.ticker, b.ticker))
  const place = new Map(keyed.map(({ market }, index) => [market, index]))
  const versions = records.flatMap(({ market, facts, knownAt }) => {
    const index = place.get(market)
    return index === undefined ? [] : [{ market: index, facts, knownAt }]
  })
  const gaps = await gapsOf(history, request, new Set(chosen))
  return {
    markets: keyed.map(({ market }) => market),
    keys: keyed.map(({ venue, ticker }) => ({ venue, ticker })),
    versions: versions.sort((a, b) => a.knownAt - b.knownAt || a.market - b.market),
    ...gaps,
    words: `${chosen.length} markets${topic === null ? '' : ` of ${topic}`}${named === null ? '' : ', named'}`,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function numberOf(history: RunHistory, ticker: string): MarketId {
  const found = history.marketIdOf(ticker)
  if (found === null) throw new InvalidInput(`markets: ${ticker} is not in the history`)
  return found.market
}

/** Judged by the texts of its listing, so that a later name lets nothing in. */
const isAbout = ({ facts }: MarketRecord, topic: string): boolean =>
  facts.category === topic ||
  facts.venue === topic ||
  themeOf(facts) === topic ||
  topicsOf(facts).some((one) => one === topic)

async function gapsOf(
  history: RunHistory,
  { from, to }: BacktestRequest,
  markets: ReadonlySet<MarketId>,
) {
  // prettier-ignore
  const rows = await history.gaps({ venue: null, from, to, asOf: to, limit: 10_000 })
  const met = rows.filter(({ market }) => market === null || markets.has(market))
  return {
    gaps: met.slice(0, MOST_GAPS).map((row) => ({
      ticker: row.market === null ? null : history.keyOf(row.market).ticker,
      ...{ venue: row.venue, feed: row.feed, from: row.from, to: row.to, state: row.state },
    })),
    gapsLeftOut: Math.max(0, met.length - MOST_GAPS),
  }
}
