import type { FillModel } from '../../domain/backtest/broker/fill-model.ts'
import { FULL_FILLS } from '../../domain/backtest/broker/fill-model.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import { FEEDS, type Feed } from '../../domain/backtest/event-columns.ts'
import type { Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { FrameSource, EventStream } from '../../history/event-streams.ts'
import type { Clock } from '../../lib/clock.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { runsOf, type PlannedRun, type RunPlan } from './run-plan.ts'
import { scopeOf, type RunHistory, type RunScope, type Scope } from './run-scope.ts'
import { startStrategy, type RunDone, type StrategyHost } from './strategy-host.ts'
import { STRATEGY_LIMITS, type StrategyLimits } from './strategy-watch.ts'

/** Parameters of a run. */
export interface BacktestRequest extends RunScope {
  /** Address of the strategy's module. */
  readonly module: string
  readonly params: Params
  readonly seed: number
  readonly startCashUsd: number
  readonly model?: FillModel
  /** Compares the run with runs whose data ends at these fractions of its range. */
  readonly cutsAt: readonly number[]
  readonly checkDeterminism: boolean
  /** Multiples of the order size at which the run is repeated; none by default. */
  readonly multiples?: readonly number[]
  /** Whether `result` is returned. */
  readonly keepsResult?: boolean
}

export interface BacktestProgress {
  /** From 0 to 1. */
  readonly progress: number
  readonly events: number
}

/** Runs backtests, each in a process of its own. */
export interface BacktestRunner {
  /** Rejects with StrategyFailed, InvalidInput, or the signal's reason. */
  run(
    request: BacktestRequest,
    signal: AbortSignal,
    onProgress?: (progress: BacktestProgress) => void,
  ): Promise<RunDone>
}

const VERSIONS_A_MESSAGE = 5_000

export function createBacktestRunner(deps: {
  readonly history: RunHistory
  readonly clock: Clock
  readonly limits?: StrategyLimits
}): BacktestRunner {
  const { history, clock, limits = STRATEGY_LIMITS } = deps
  /** Feeds that each strategy requested in its last run, by module. */
  const lastFeeds = new Map<string, readonly Feed[]>()
  return {
    async run(request, signal, onProgress = () => {}) {
      signal.throwIfAborted()
      const runs = runsOf(planOf(request))
      const spanOf = (some: readonly PlannedRun[]): number =>
        some.reduce((sum, { to }) => sum + (to - request.from), 0)
      const span = spanOf(runs)
      const file = await history.frameFile()
      // Starting a process takes as long as finding its markets: both run at once.
      const preparation = prepare(history, request, lastFeeds.get(request.module) ?? null)
      const host = await startStrategy(
        { module: request.module, params: request.params },
        {
          clock,
          limits,
          file,
          onBeat: ({ events, now, run }) => {
            const elapsedSpan = spanOf(runs.slice(0, run)) + now - request.from
            onProgress({ events, progress: Math.min(1, elapsedSpan / span) })
          },
        },
      ).catch(async (error: unknown) => {
        await release(preparation)
        throw error
      })
      const stop = (): void => host.end(reasonOf(signal))
      signal.addEventListener('abort', stop, { once: true })
      try {
        const { feeds } = host.metadata
        lastFeeds.set(request.module, feeds)
        const { scope, reading } = await prepareFor(history, request, feeds, preparation)
        reportRun(host, request, scope)
        await playAll(reading, host, runs, { file, signal })
        const runResult = await host.result()
        onProgress({ events: runResult.report.events, progress: 1 })
        return runResult
      } finally {
        signal.removeEventListener('abort', stop)
        host.end(new Error('the run is over'))
      }
    },
  }
}

/** Data of a run, prepared before its strategy is loaded. */
interface PreparedRun {
  /** Markets with events of the assumed feeds. */
  readonly withRows: readonly MarketId[]
  readonly scope: Scope
  /** Null when the feeds of the strategy are unknown. */
  readonly reading: EventStream | null
  readonly feeds: readonly Feed[]
}

/** @param knownFeeds feeds of the strategy in its last run */
async function prepare(
  history: RunHistory,
  request: BacktestRequest,
  knownFeeds: readonly Feed[] | null,
): Promise<PreparedRun | Error> {
  try {
    const { from, to } = request
    const feeds = knownFeeds ?? FEEDS
    const withRows = history.marketsWithRows({ feeds, from, to })
    const scope = await scopeOf(history, request, withRows)
    const query = { from, to, markets: scope.markets, feeds }
    const reading = knownFeeds === null ? null : await history.openEventStream(query)
    return { withRows, scope, reading, feeds }
  } catch (error) {
    // Reported only once the strategy turns out to need it.
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function release(preparation: Promise<PreparedRun | Error>): Promise<void> {
  const preparedData = await preparation
  if (!(preparedData instanceof Error)) await preparedData.reading?.close()
}

/** Returns the prepared data where it fits the strategy's feeds, and prepares the rest. */
async function prepareFor(
  history: RunHistory,
  request: BacktestRequest,
  feeds: readonly Feed[],
  preparation: Promise<PreparedRun | Error>,
): Promise<{ readonly scope: Scope; readonly reading: EventStream }> {
  const { from, to } = request
  const preparedData = await preparation
  const withRows = history.marketsWithRows({ feeds, from, to })
  const isThat = !(preparedData instanceof Error) && areEqual(preparedData.withRows, withRows)
  if (isThat && preparedData.reading !== null && areEqual(preparedData.feeds, feeds)) {
    return { scope: preparedData.scope, reading: preparedData.reading }
  }
  await release(preparation)
  const scope = isThat ? preparedData.scope : await scopeOf(history, request, withRows)
  return {
    scope,
    reading: await history.openEventStream({ from, to, markets: scope.markets, feeds }),
  }
}

const areEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])

/**
 * Sends a strategy's process the file positions of each run's events. Rejects with the process's
 * failure as soon as there is one.
 * @param file the file that the process received
 */
async function playAll(
  reading: EventStream,
  host: StrategyHost,
  runs: readonly PlannedRun[],
  { file, signal }: { readonly file: FrameSource; readonly signal: AbortSignal },
): Promise<void> {
  const runPlayer = async (): Promise<void> => {
    if (reading.file !== file)
      throw new StoreFailed('The history was reopened during the run: start it again')
    for (const { to } of runs) {
      for await (const location of reading.frames(to)) {
        signal.throwIfAborted()
        await host.play(location)
      }
      await host.play(null)
    }
  }
  const playback = runPlayer()
  try {
    await Promise.race([playback, host.done])
    await playback
  } finally {
    // The first failure is reported.
    playback.catch(() => {})
    await reading.close()
  }
}

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error('cancelled')

const cutsOf = ({ from, to, cutsAt }: BacktestRequest): Millis[] =>
  cutsAt.map((share) => Math.floor(from + (to - from) * share) as Millis)

const planOf = (request: BacktestRequest): RunPlan => ({
  to: request.to,
  cuts: cutsOf(request),
  checkDeterminism: request.checkDeterminism,
  multiples: request.multiples ?? [],
})

function reportRun(host: StrategyHost, request: BacktestRequest, scope: Scope): void {
  for (let index = 0; index < scope.versions.length; index += VERSIONS_A_MESSAGE) {
    host.sendMessage({
      type: 'versions',
      versions: scope.versions.slice(index, index + VERSIONS_A_MESSAGE),
    })
  }
  const { from, startCashUsd, seed } = request
  host.sendMessage({
    type: 'run',
    order: {
      ...planOf(request),
      from,
      startCashUsd,
      seed,
      model: request.model ?? FULL_FILLS,
      scope: scope.words,
      markets: scope.keys,
      gaps: scope.gaps,
      gapsLeftOut: scope.gapsLeftOut,
      keepsResult: request.keepsResult ?? false,
    },
  })
}
