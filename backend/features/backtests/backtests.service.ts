import type { Timeframe } from '../../domain/prices/candle.ts'
import type { ReportTrade, RunReport } from '../../domain/backtest/report/report.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import { SIZE_MULTIPLES } from '../../domain/backtest/studies/capacity.ts'
import { boundedText } from '../../domain/text/bounded-text.ts'
import type { Millis } from '../../domain/units.ts'
import { parseInstant } from '../../contract/params.ts'
import type { EventReads } from '../../history/event-streams.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { JobQueue, timesOf } from '../../lib/job-queue.ts'
import { UNFINISHED_STATES } from '../../domain/job-state.ts'
import type { JobWork } from '../../lib/job-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  BacktestPage,
  BacktestRow,
  BacktestRun,
  RangedBacktest,
  StartBacktest,
  StrategyMetadata,
  TradePage,
} from '../../contract/backtests.ts'
import { ERROR_LIMIT, type BacktestRecord, type BacktestsStore } from './backtests.store.ts'
import { studyOf, type StudySpec } from './study-body.ts'
import { byCreation, listPage } from '../../http/request/list-page.ts'

/** A run as it is passed to the player. */
export interface PlayRequest {
  readonly id: string
  readonly module: string
  readonly params: Params
  readonly from: Millis
  readonly to: Millis
  readonly tickers: readonly string[] | null
  readonly topic: string | null
  readonly seed: number
  readonly startCashUsd: number
  readonly cutsAt: readonly number[]
  readonly checkDeterminism: boolean
  /** Size multiples at which the run is repeated. */
  readonly multiples: readonly number[]
  /** Null for a single run with given parameters. */
  readonly study: StudySpec | null
}

/** Metadata of a strategy that has not run. */
export interface PlayedMetadata {
  readonly name: string
  readonly about: string
  readonly feeds: readonly string[]
  readonly candles: readonly Timeframe[]
  readonly params: Params
}

/** Runs backtests and stores their files. */
export interface BacktestPlayer {
  /** Names of the available strategies. */
  strategies(): readonly string[]
  /**
   * @param mayName whether a path may be given instead of a name
   * @throws InvalidInput
   */
  moduleUrl(strategy: string, mayName: boolean): string
  /** A strategy's metadata with its default parameters. @throws InvalidInput */
  metadataOf(module: string): Promise<PlayedMetadata>
  play(
    request: PlayRequest,
    signal: AbortSignal,
    onProgress: (progress: number) => void,
  ): Promise<RunReport>
  /** Trades of a finished run, oldest first. @throws NotFound if its files are gone */
  tradesOf(id: string, page: { first: number; count: number }): Promise<readonly ReportTrade[]>
  /** Files of a finished run. */
  filesOf(id: string): readonly string[]
}

/** The user who makes a request. */
export interface Requester {
  readonly userId: string
  readonly isAdmin: boolean
}

export interface BacktestsService {
  /** @throws InvalidInput; Conflict when too many runs of the user are queued */
  start(requester: Requester, body: StartBacktest): Promise<{ id: string }>
  list(requester: Requester, limit: number, cursor: string | null): Promise<BacktestPage>
  /** @throws NotFound, also for a run of another user */
  find(requester: Requester, id: string): Promise<BacktestRun>
  /** Cancels a run; a finished run stays as it is. @throws NotFound */
  cancel(requester: Requester, id: string): Promise<{ ok: true }>
  /**
   * Trades of a finished run, oldest first. @throws NotFound; Conflict while it runs; InvalidInput
   */
  trades(requester: Requester, id: string, limit: number, cursor: string | null): Promise<TradePage>
  /** Progress until the end, as server-sent events. @throws NotFound */
  follow(requester: Requester, id: string): Promise<ReadableStream<Uint8Array>>
  strategies(): readonly string[]
  /** @throws InvalidInput for a strategy that does not exist or cannot be read */
  strategy(requester: Requester, name: string): Promise<StrategyMetadata>
  close(): Promise<void>
}

const START_CASH_USD = 10_000
const MAX_BACKTESTS = 200
/** Most unfinished runs of one user: all users wait in one queue. */
const MAX_UNFINISHED = 50
const CHECK_INTERVAL_MS = 250
/** A user's strategy is always compared with a run on truncated data, to detect look-ahead. */
const DEFAULT_CUTS = [0.5]
const REQUESTED_CUTS = [0.25, 0.5, 0.75]

/** Runs backtests one at a time in the order of their requests. */
export function createBacktestsService(deps: {
  readonly store: BacktestsStore
  readonly player: BacktestPlayer
  readonly history: Pick<EventReads, 'storedSpan'>
  readonly clock: Clock
  readonly logger: Logger
}): BacktestsService {
  const { store, player, clock } = deps
  const queue = new JobQueue<BacktestRecord>({
    ...deps,
    name: 'Backtest',
    tidy: async () => {
      await store.failUnfinished(clock.now())
    },
  })
  const workOf = (request: PlayRequest): JobWork<BacktestRecord> => ({
    async run({ signal, update: note }) {
      const report = await player.play(request, signal, (progress) => note({ progress }))
      return { report: JSON.stringify(report), progress: 1, state: 'done' }
    },
    failed: (error, { signal }) => ({
      error: signal.aborted
        ? null
        : boundedText(error instanceof Error ? error.message : String(error), ERROR_LIMIT),
    }),
  })
  const findOwnRun = async ({ userId }: Requester, id: string): Promise<BacktestRecord> => {
    const record = await queue.recordOf(id)
    if (record.userId !== userId) throw new NotFound('Backtest not found')
    return record
  }
  return {
    async start(requester, requestBody) {
      const body = await withRange(requestBody, deps.history)
      const request = planOf(body, player, requester, clock.now())
      if ((await store.countUnfinished(requester.userId)) >= MAX_UNFINISHED) {
        throw new Conflict(`at most ${MAX_UNFINISHED} backtests may be queued at once`)
      }
      const record: BacktestRecord = {
        id: request.id,
        userId: requester.userId,
        strategy: body.strategy,
        request: body,
        state: 'queued',
        progress: 0,
        report: null,
        error: null,
        createdAt: clock.now(),
        startedAt: null,
        endedAt: null,
      }
      return queue.add(record, workOf(request))
    },
    async list(requester, limit, cursor) {
      const { rows, pageInfo } = await listPage(
        { limit: Math.min(MAX_BACKTESTS, Math.max(1, limit)), cursor },
        { backtests: true },
        (after, max) => store.runsOfUser(requester.userId, after, max),
        byCreation,
      )
      // The progress of a run is in memory until it ends.
      const current = rows.map(async (row) =>
        UNFINISHED_STATES.includes(row.state) ? await queue.recordOf(row.id) : row,
      )
      const data = (await Promise.all(current)).map(rowOf)
      return { data, pageInfo }
    },
    find: async (requester, id) => runOf(await findOwnRun(requester, id), player),
    async cancel(requester, id) {
      const { state } = await findOwnRun(requester, id)
      return UNFINISHED_STATES.includes(state) ? queue.cancel(id) : { ok: true }
    },
    async follow(requester, id) {
      await findOwnRun(requester, id)
      const disconnection = new AbortController()
      const encoder = new TextEncoder()
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { state, progress, error } = await queue.recordOf(id)
          const isOver = !UNFINISHED_STATES.includes(state)
          const event = isOver ? 'end' : 'progress'
          const message = JSON.stringify({ id, state, progress, error })
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${message}\n\n`))
          if (isOver) return controller.close()
          await clock.sleep(CHECK_INTERVAL_MS, disconnection.signal).catch(() => {})
        },
        cancel: () => disconnection.abort(),
      })
    },
    async trades(requester, id, limit, cursor) {
      const first = rowIn(cursor)
      const { state } = await findOwnRun(requester, id)
      if (state !== 'done') {
        throw new Conflict(`The backtest is ${state}: trades are available once it is done`)
      }
      const tradePage = await player.tradesOf(id, { first, count: limit + 1 })
      const page = tradePage.slice(0, limit)
      const hasMore = tradePage.length > limit
      return {
        data: page.map(({ at, ...trade }) => ({ at: isoOf(at), ...trade })),
        pageInfo: { limit, hasMore, nextCursor: hasMore ? rowCursor(first + limit) : null },
      }
    },
    strategies: () => player.strategies(),
    async strategy({ isAdmin }, name) {
      const { params, ...metadata } = await player.metadataOf(player.moduleUrl(name, isAdmin))
      const { feeds, candles } = metadata
      return { ...metadata, feeds: [...feeds], candles: [...candles], params: paramRows(params) }
    },
    close: () => queue.close(),
  }
}

const KINDS = ['number', 'string', 'boolean'] as const

const paramRows = (params: Params): StrategyMetadata['params'] =>
  Object.entries(params).flatMap(([name, usual]) => {
    const kind = KINDS.find((candidate) => candidate === typeof usual)
    return kind === undefined ? [] : [{ name, kind, default: usual }]
  })

/** The request with the stored range where it names no start or no end. @throws InvalidInput */
async function withRange(
  body: StartBacktest,
  history: Pick<EventReads, 'storedSpan'>,
): Promise<RangedBacktest> {
  if (body.from !== undefined && body.to !== undefined) {
    return { ...body, from: body.from, to: body.to }
  }
  const span = await history.storedSpan()
  if (span === null) {
    throw new InvalidInput('from: the history is empty; collect or import data first')
  }
  return { ...body, from: body.from ?? isoOf(span.first), to: body.to ?? isoOf(span.last) }
}

function planOf(
  body: RangedBacktest,
  player: BacktestPlayer,
  requester: Requester,
  now: Millis,
): PlayRequest {
  const [from, to] = [instantOf('from', body.from), instantOf('to', body.to)]
  if (to <= from) throw new InvalidInput('to: must be after from')
  if (to > now) throw new InvalidInput('to: must not be in the future')
  const module = player.moduleUrl(body.strategy, requester.isAdmin)
  const checks = body.checks ?? []
  return {
    id: newId('bt', now),
    module,
    from,
    to,
    params: body.params ?? {},
    tickers: body.markets ?? null,
    topic: body.topic ?? null,
    seed: body.seed ?? 1,
    startCashUsd: body.startCashUsd ?? START_CASH_USD,
    cutsAt: checks.includes('lookahead') ? REQUESTED_CUTS : DEFAULT_CUTS,
    checkDeterminism: checks.includes('determinism'),
    study: studyOf(body, { from, to }),
    multiples: body.capacity === true ? SIZE_MULTIPLES : [],
  }
}

/** @throws InvalidInput */
function instantOf(name: string, text: string): Millis {
  const at = parseInstant(text)
  if (at === null) throw new InvalidInput(`${name}: must be an ISO 8601 time`)
  return at
}

const rowCursor = (row: number): string =>
  Buffer.from(JSON.stringify({ row })).toString('base64url')

/** Row index that a cursor holds. @throws InvalidInput */
function rowIn(cursor: string | null): number {
  if (cursor === null) return 0
  const text = Buffer.from(cursor, 'base64url').toString()
  const row = /^\{"row":(\d{1,9})\}$/.exec(text)?.[1]
  if (row === undefined) throw new InvalidInput('cursor is invalid')
  return Number(row)
}

const runOf = (record: BacktestRecord, player: BacktestPlayer): BacktestRun => ({
  id: record.id,
  state: record.state,
  progress: record.progress,
  error: record.error,
  strategy: record.strategy,
  request: record.request,
  report: record.report === null ? null : (JSON.parse(record.report) as RunReport),
  files: record.state === 'done' ? [...player.filesOf(record.id)] : [],
  createdAt: isoOf(record.createdAt),
  ...timesOf(record),
})

function rowOf(record: BacktestRecord): BacktestRow {
  const report = record.report === null ? null : (JSON.parse(record.report) as RunReport)
  return {
    id: record.id,
    state: record.state,
    progress: record.progress,
    error: record.error,
    strategy: record.strategy,
    profit: report?.profit ?? null,
    trades: report?.trades ?? null,
    from: isoOf(Date.parse(record.request.from) as Millis),
    to: isoOf(Date.parse(record.request.to) as Millis),
    createdAt: isoOf(record.createdAt),
    ...timesOf(record),
  }
}
