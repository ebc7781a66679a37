import type { ReportTrade, RunReport } from '../../domain/backtest/report.ts'
import type { Params } from '../../domain/backtest/strategy.ts'
import { SIZE_MULTIPLES } from '../../domain/backtest/studies/capacity.ts'
import type { Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { JobQueue, timesOf, UNFINISHED, type JobWork } from '../../lib/job-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BacktestPage, BacktestRow, BacktestRun, StartBacktest, StrategyFace, TradePage } from './backtests.schema.ts' // prettier-ignore
import type { BacktestRecord, BacktestsStore } from './backtests.store.ts'
import { studyOf, type StudyOrder } from './study-body.ts'

/** A run as it is asked of whoever plays it. */
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
  /** Times the size at which it is played again. */
  readonly multiples: readonly number[]
  /** Null for one run of given parameters. */
  readonly study: StudyOrder | null
}

/** A strategy before it plays. */
export interface PlayedFace {
  readonly name: string
  readonly about: string
  readonly feeds: readonly string[]
  readonly params: Params
}

/** What plays runs and keeps their files. */
export interface BacktestPlayer {
  /** Names of the strategies that can be asked for. */
  strategies(): readonly string[]
  /** Throws InvalidInput. @param mayName whether a path may be given in place of a name */
  addressOf(strategy: string, mayName: boolean): string
  /** What a strategy says of itself, with its defaults. Throws InvalidInput. */
  faceOf(module: string): Promise<PlayedFace>
  play(
    request: PlayRequest,
    signal: AbortSignal,
    onProgress: (progress: number) => void,
  ): Promise<RunReport>
  /** Trades of a run that is done, oldest first. Throws NotFound where its files are gone. */
  tradesOf(id: string, page: { first: number; count: number }): Promise<readonly ReportTrade[]>
  /** Files of a run that is done. */
  filesOf(id: string): readonly string[]
}

/** Who asks. */
export interface Asker {
  readonly userId: string
  readonly isAdmin: boolean
}

export interface BacktestsService {
  /** Throws InvalidInput. */
  start(asker: Asker, body: StartBacktest): Promise<{ id: string }>
  list(asker: Asker, limit: number, cursor: string | null): Promise<BacktestPage>
  /** Throws NotFound, also for a run of somebody else. */
  find(asker: Asker, id: string): Promise<BacktestRun>
  /** Leaves a run that has ended as it is. Throws NotFound. */
  cancel(asker: Asker, id: string): Promise<{ ok: true }>
  /** Trades of a run that is done, oldest first. Throws NotFound, Conflict while it goes on, InvalidInput. */
  trades(asker: Asker, id: string, limit: number, cursor: string | null): Promise<TradePage>
  /** Progress until the end, as server-sent events. Throws NotFound. */
  follow(asker: Asker, id: string): Promise<ReadableStream<Uint8Array>>
  strategies(): readonly string[]
  /** Throws InvalidInput for a strategy that there is not, or that cannot be read. */
  strategy(asker: Asker, name: string): Promise<StrategyFace>
  close(): Promise<void>
}

const START_CASH_USD = 10_000
const MOST = 200
const LOOK_EVERY_MS = 250
/** A user's strategy is compared with a run that knows nothing of the second half, always. */
const USUAL_CUTS = [0.5]
const ASKED_CUTS = [0.25, 0.5, 0.75]

/** Backtests, one at a time in the order they were asked for. */
export function createBacktestsService(deps: {
  readonly store: BacktestsStore
  readonly player: BacktestPlayer
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
    async run({ signal, note }) {
      const report = await player.play(request, signal, (progress) => note({ progress }))
      return { report: JSON.stringify(report), progress: 1, state: 'done' }
    },
    failed: (error, { signal }) => ({
      error: signal.aborted ? null : error instanceof Error ? error.message : String(error),
    }),
  })
  const owned = async ({ userId }: Asker, id: string): Promise<BacktestRecord> => {
    const record = await queue.recordOf(id)
    if (record.userId !== userId) throw new NotFound('Backtest not found')
    return record
  }
  return {
    async start(asker, body) {
      const request = planOf(body, player, asker, clock.now())
      const record: BacktestRecord = {
        ...{ id: request.id, userId: asker.userId, strategy: body.strategy, request: body },
        ...{ state: 'queued', progress: 0, report: null, error: null, createdAt: clock.now() },
        ...{ startedAt: null, endedAt: null },
      }
      return queue.add(record, workOf(request))
    },
    async list(asker, limit, cursor) {
      const most = Math.min(MOST, Math.max(1, limit))
      const rows = await store.ofUser(asker.userId, placeIn(cursor), most + 1)
      const shown = rows.slice(0, most)
      const last = shown.at(-1)
      const hasMore = rows.length > most
      return {
        data: await Promise.all(shown.map(async (row) => rowOf(await queue.recordOf(row.id)))),
        pageInfo: {
          ...{ limit: most, hasMore },
          nextCursor: hasMore && last !== undefined ? cursorOf(last) : null,
        },
      }
    },
    find: async (asker, id) => runOf(await owned(asker, id), player),
    async cancel(asker, id) {
      const { state } = await owned(asker, id)
      return UNFINISHED.includes(state) ? queue.cancel(id) : { ok: true }
    },
    async follow(asker, id) {
      await owned(asker, id)
      const gone = new AbortController()
      const encoder = new TextEncoder()
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { state, progress, error } = await queue.recordOf(id)
          const isOver = !UNFINISHED.includes(state)
          const event = isOver ? 'end' : 'progress'
          const told = JSON.stringify({ id, state, progress, error })
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${told}\n\n`))
          if (isOver) return controller.close()
          await clock.sleep(LOOK_EVERY_MS, gone.signal).catch(() => {})
        },
        cancel: () => gone.abort(),
      })
    },
    async trades(asker, id, limit, cursor) {
      const first = rowIn(cursor)
      const { state } = await owned(asker, id)
      if (state !== 'done') {
        throw new Conflict(`The backtest is ${state}: trades are told of one that is done`)
      }
      const found = await player.tradesOf(id, { first, count: limit + 1 })
      const shown = found.slice(0, limit)
      const hasMore = found.length > limit
      return {
        data: shown.map(({ at, ...trade }) => ({ at: isoOf(at), ...trade })),
        pageInfo: { limit, hasMore, nextCursor: hasMore ? rowCursor(first + limit) : null },
      }
    },
    strategies: () => player.strategies(),
    async strategy({ isAdmin }, name) {
      const { params, ...face } = await player.faceOf(player.addressOf(name, isAdmin))
      return { ...face, feeds: [...face.feeds], params: paramRows(params) }
    },
    close: () => queue.close(),
  }
}

const KINDS = ['number', 'string', 'boolean'] as const

const paramRows = (params: Params): StrategyFace['params'] =>
  Object.entries(params).flatMap(([name, usual]) => {
    const kind = KINDS.find((one) => one === typeof usual)
    return kind === undefined ? [] : [{ name, kind, default: usual }]
  })

function planOf(
  body: StartBacktest,
  player: BacktestPlayer,
  asker: Asker,
  now: Millis,
): PlayRequest {
  const [from, to] = [instantOf('from', body.from), instantOf('to', body.to)]
  if (to <= from) throw new InvalidInput('to: must be after from')
  if (to > now) throw new InvalidInput('to: lies in the future, where there is nothing to play')
  const module = player.addressOf(body.strategy, asker.isAdmin)
  const checks = body.checks ?? []
  return {
    ...{ id: newId('bt', now), module, from, to, params: body.params ?? {} },
    ...{ tickers: body.markets ?? null, topic: body.topic ?? null, seed: body.seed ?? 1 },
    startCashUsd: body.startCashUsd ?? START_CASH_USD,
    cutsAt: checks.includes('lookahead') ? ASKED_CUTS : USUAL_CUTS,
    checkDeterminism: checks.includes('determinism'),
    study: studyOf(body, { from, to }),
    multiples: body.capacity === true ? SIZE_MULTIPLES : [],
  }
}

/** Throws InvalidInput. */
function instantOf(name: string, text: string): Millis {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw new InvalidInput(`${name}: must be an ISO 8601 time`)
  return at as Millis
}

const cursorOf = ({ createdAt, id }: BacktestRecord): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')

function placeIn(cursor: string | null): { createdAt: number; id: string } | null {
  if (cursor === null) return null
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(place) && typeof place[0] === 'number' && typeof place[1] === 'string') {
      return { createdAt: place[0], id: place[1] }
    }
  } catch {
    // Told below.
  }
  throw new InvalidInput('cursor is invalid')
}

const rowCursor = (row: number): string =>
  Buffer.from(JSON.stringify({ row })).toString('base64url')

/** Place of a row in the list of trades. Throws InvalidInput. */
function rowIn(cursor: string | null): number {
  if (cursor === null) return 0
  const text = Buffer.from(cursor, 'base64url').toString()
  const row = /^\{"row":(\d{1,9})\}$/.exec(text)?.[1]
  if (row === undefined) throw new InvalidInput('cursor is invalid')
  return Number(row)
}

const runOf = (record: BacktestRecord, player: BacktestPlayer): BacktestRun => ({
  ...{ id: record.id, state: record.state, progress: record.progress, error: record.error },
  strategy: record.strategy,
  request: record.request,
  report: record.report === null ? null : (JSON.parse(record.report) as Record<string, unknown>),
  files: record.state === 'done' ? [...player.filesOf(record.id)] : [],
  createdAt: isoOf(record.createdAt),
  ...timesOf(record),
})

function rowOf(record: BacktestRecord): BacktestRow {
  const report = record.report === null ? null : (JSON.parse(record.report) as RunReport)
  return {
    ...{ id: record.id, state: record.state, progress: record.progress, error: record.error },
    strategy: record.strategy,
    ...{ profit: report?.profit ?? null, trades: report?.trades ?? null },
    from: isoOf(Date.parse(record.request.from) as Millis),
    to: isoOf(Date.parse(record.request.to) as Millis),
    createdAt: isoOf(record.createdAt),
    ...timesOf(record),
  }
}
