import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createService, type Service } from '../service.ts'
import type { Config } from '../config.ts'
import type { Millis } from '../../domain/units.ts'
import type { ReplayControl, ReplayPosition } from '../../features/replay/replay.control.ts'
import { openTape } from '../../history/duckdb/point-in-time/tape.ts'
import type { WholeHistory } from '../../history/history.ts'
import type { MarketId } from '../../history/market-key.ts'
import { messagesOf } from '../../history/recovery/failure-kind.ts'
import type { HistoryTape } from '../../history/tape.ts'
import type { BoundAddress } from '../../http/server.ts'
import { REPLAY_FEEDS } from '../../ingest/collect/feeds.ts'
import { HistoryReplaySource } from '../../ingest/replay-source.ts'
import { RESULT_FILES, writeResult } from '../../jobs/backtest/result-files.ts'
import { LaggingJobs } from '../../jobs/replay/lagging-jobs.ts'
import { openRecorder } from '../../jobs/replay/recorder.ts'
import type { Recording } from '../../jobs/replay/recording.ts'
import { ReplayPlayer } from '../../jobs/replay/replay-player.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import { readLaunch } from '../../lib/files/launch-file.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Random } from '../../lib/random.ts'
import { DataFolderProblem } from '../../lib/process/start-problems.ts'
import { VirtualClock } from '../../lib/virtual-clock.ts'
import type { ReplayOptions } from './replay-options.ts'
import { answerInReplay, repeatRequest, type TimeOfReplay } from './replay-requests.ts'
import { copyAccess } from '../../state/copy-access.ts'
import { openScratchState } from '../../state/open.ts'

const HISTORY_FILE = 'history.duckdb'
const STATE_FILE = 'state.sqlite'
/** Memory of the engine that reads the past and stores the replayed events. */
const MEMORY_MB = 1_408

/** The whole service on the clock of a replay, and the controls that drive it. */
export interface ReplayService {
  readonly control: ReplayControl
  /** The current service; each seek replaces it. */
  readonly service: Service
  /** Number of events emitted since the last seek. */
  events(): number
  /**
   * Runs a recording that begins where this replay is.
   * @throws InvalidInput for a request that is not accepted this time
   */
  playRecording(recording: Recording): Promise<void>
  stop(): Promise<void>
}

/** One composed service from the instant at which it was started. */
interface Interval {
  readonly service: Service
  readonly player: ReplayPlayer
  readonly feed: HistoryReplaySource
  readonly time: TimeOfReplay
  readonly end: () => Promise<void>
}

/**
 * Opens the history of a data folder for a replay.
 * @throws DataFolderProblem when a service holds the folder, or it is empty
 */
export async function openReplayHistory(dataDir: string): Promise<HistoryTape> {
  const path = join(dataDir, HISTORY_FILE)
  if (!existsSync(path)) {
    throw new DataFolderProblem(
      `There is no history in ${dataDir} to replay. Choose another folder with --data DIR.`,
      { heldByOther: false },
    )
  }
  try {
    return await openTape(path, MEMORY_MB)
  } catch (cause) {
    const text = messagesOf(cause)
    if (!/conflicting lock|could not set lock|being used by another process/i.test(text)) {
      throw cause
    }
    const holder = /PID (\d+)/.exec(text)?.[1] ?? readLaunch(dataDir)?.pid
    throw new DataFolderProblem(
      `${holder === undefined ? 'Another process' : `Process ${holder}`} holds the data folder ${dataDir}, and a history that is being written cannot be replayed. Stop it, or replay a restored backup with --data DIR.`,
      { heldByOther: true, cause },
    )
  }
}

/**
 * The span to replay: to the last record by default; after it time passes without events.
 * @throws InvalidInput for a range in which nothing is stored
 */
export function spanOf(
  tape: Pick<HistoryTape, 'span'>,
  { from, to }: Pick<ReplayOptions, 'from' | 'to'>,
): { readonly from: Millis; readonly to: Millis } {
  const { span } = tape
  if (span === null) throw new InvalidInput('The history is empty: there is nothing to replay')
  const coverageText = `The history covers ${isoOf(span.first)} to ${isoOf(span.last)}`
  if (from < span.first)
    throw new InvalidInput(`--from is before the first record. ${coverageText}.`)
  if (from >= span.last) throw new InvalidInput(`--from is after the last record. ${coverageText}.`)
  return { from, to: to ?? span.last }
}

/**
 * Starts the whole service at an instant of a stored history, in a scratch folder of its own. A
 * seek ends it and starts another at the new instant, so that nothing known later remains.
 */
export async function startReplay(deps: {
  config: Config
  tape: HistoryTape
  span: { readonly from: Millis; readonly to: Millis }
  speed: ReplayOptions['speed']
  /** Empty folder; the replay writes everything except reports there. */
  scratch: string
  /**
   * Where reports of the users' trading are written at the end, a folder for each user; none by
   * default.
   */
  reportsFolder?: string
  /** File for the recording; none by default. */
  record?: string
  bound: BoundAddress
  launchSecret: string
  wallClock: Clock
  random: Random
  log: Logger
  /**
   * Whether the gauges of the month before are computed before the first answer; true by default.
   */
  loadsHistory?: boolean
}): Promise<ReplayService> {
  const {
    tape,
    span,
    scratch,
    reportsFolder,
    bound,
    wallClock,
    random,
    log,
    loadsHistory = true,
  } = deps
  const recorder = deps.record === undefined ? null : openRecorder(deps.record, span)
  const config: Config = {
    ...deps.config,
    dataDir: scratch,
    source: 'none',
    fairUse: 'off',
    // Nothing leaves the machine.
    languageModel: null,
    identityProvider: null,
    venueKeys: {},
    roles: new Set(['api', 'ingest', 'worker'] as const),
  }
  const statePath = join(scratch, STATE_FILE)
  await copyAccess(join(deps.config.dataDir, STATE_FILE), statePath)

  const begin = async (
    at: Millis,
    speed: ReplayOptions['speed'],
    isRunning: boolean,
  ): Promise<Interval> => {
    const clock = new VirtualClock(at, wallClock)
    const path = join(scratch, HISTORY_FILE)
    for (const file of [path, `${path}.wal`]) rmSync(file, { force: true })
    const replayHistory = await tape.historyAt(at, { path, dataDir: scratch, logger: log })
    const markets = new Set((await replayHistory.recordsAt(at, null)).map(({ market }) => market))
    const history = limitToMarkets(replayHistory, markets)
    const addMarket = (market: MarketId): void => void markets.add(market)
    let pendingIntents: () => Promise<void> | null = () => null
    let isFollowed = (): boolean => true
    let settleTick = (): Promise<void> => Promise.resolve()
    const laggingJobs = new LaggingJobs({
      start: at,
      wallClock,
      settled: () => settleTick(),
      isFollowed: () => isFollowed(),
    })
    const feed = new HistoryReplaySource({
      tape,
      from: at,
      to: span.to,
      clock,
      store: replayHistory,
      listed: addMarket,
      effects: () => pendingIntents(),
    })
    const state = await openScratchState(statePath)
    const catchUp = async (): Promise<void> => {
      if (laggingJobs.isBehind(clock.now())) await laggingJobs.catchUp(clock.now())
    }
    const startBeforeContext = async (): Promise<void> => {
      if (laggingJobs.isBehind(clock.now())) await player.whilePaused(catchUp)
    }
    const time: TimeOfReplay = {
      now: () => clock.now(),
      beforeContext: startBeforeContext,
      catchUp,
      whilePaused: (work) => player.whilePaused(work),
      settled: () => service.intentsSettled(),
    }
    const service: Service = createService({
      config,
      clock,
      random,
      log,
      boundUrl: bound.url,
      stores: {
        history,
        state,
        async close() {
          await state.destroy()
          await replayHistory.close()
        },
      },
      openSource: () => Promise.resolve(REPLAY_FEEDS),
      replay: {
        wallClock,
        replaySource: feed,
        control,
        loadsHistory,
        contextClock: laggingJobs.clock,
        beforeContext: startBeforeContext,
        answer: (request, handle) => answerInReplay(request, handle, time, recorder),
      },
    })
    pendingIntents = service.pendingIntents
    isFollowed = service.isContextFollowed
    settleTick = () => service.settle()
    // A seek drops the sockets of the previous service.
    bound.server.removeAllListeners('upgrade')
    service.serveOn(bound, deps.launchSecret)
    await service.start()
    await service.pastRead
    await service.settle()
    const player: ReplayPlayer = new ReplayPlayer({
      clock,
      wallClock,
      ...span,
      speed,
      isRunning,
      lagging: laggingJobs,
      emitUntil: (until) => feed.emitUntil(until),
      settled: () => service.settle(),
      ended: () => keepReports(service, span.to),
    })
    const stopController = new AbortController()
    const playback = player.run(stopController.signal).catch((error: unknown) => {
      log.error({ err: error }, 'the replay cannot continue')
    })
    return {
      service,
      player,
      feed,
      time,
      async end() {
        stopController.abort()
        await playback
        await service.stop()
        await feed.close()
      },
    }
  }

  /** Keeps the reports of every user's trading after the replay. */
  const keepReports = async ({ paperReports }: Service, now: Millis): Promise<void> => {
    if (reportsFolder === undefined) return
    try {
      for (const userId of await paperReports.users()) {
        const report = await paperReports.read(userId, { from: span.from, now })
        await writeResult(join(reportsFolder, userId), report)
      }
    } catch (error) {
      log.error(
        { err: error, folder: reportsFolder },
        'the reports of the replay could not be written',
      )
    }
  }

  let seeking: Promise<unknown> = Promise.resolve()
  let isFollowing = false
  /** While a recording runs, only it controls the clock. */
  const requirePlayer = (): ReplayPlayer => {
    if (!isFollowing) return current.player
    throw new Conflict('This replay runs a recording, which controls its clock')
  }
  let current: Interval
  const seek = (to: Millis): Promise<ReplayPosition> => {
    const { from, to: end } = span
    if (to < from || to > end) {
      return Promise.reject(
        new InvalidInput(`to must lie within the replay, from ${isoOf(from)} to ${isoOf(end)}`),
      )
    }
    const position = seeking.then(async () => {
      const { speed, state } = current.player.state()
      const { now } = await current.player.pause()
      recorder?.append({ kind: 'seek', at: now, to })
      await current.end()
      current = await begin(to, speed, state === 'running')
      return current.player.state()
    })
    seeking = position.catch(() => {})
    return position
  }
  const control: ReplayControl = {
    position: () => current.player.state(),
    pause: async () => requirePlayer().pause(),
    resume: () => requirePlayer().resume(),
    async step(seconds) {
      const { service } = current
      const position = await requirePlayer().step(seconds)
      service.invalidateAnswers()
      return position
    },
    setSpeed: async (speed) => requirePlayer().setSpeed(speed),
    reportFiles: (userId) => {
      if (reportsFolder === undefined) return []
      return RESULT_FILES.map((name) => join(reportsFolder, userId, name)).filter(existsSync)
    },
    seek: async (to) => {
      requirePlayer()
      return seek(to)
    },
  }
  current = await begin(span.from, deps.speed, true)
  return {
    control,
    get service() {
      return current.service
    },
    events: () => current.feed.events,
    async playRecording({ lines }) {
      isFollowing = true
      const ids = new Map<string, string>()
      for (const line of lines) {
        const stepTo = async (at: Millis): Promise<void> => {
          const { now } = current.player.state()
          if (at > now) await current.player.step((at - now) / 1_000)
        }
        await stepTo(line.at)
        if (line.kind === 'seek') await seek(line.to)
        if (line.kind !== 'request') continue
        const { service, player, time } = current
        await player.whilePaused(async () => {
          await repeatRequest(line, (request) => service.app.handle(request), ids, time)
          await time.settled()
        })
      }
    },
    async stop() {
      await seeking
      const { now } = await current.player.pause()
      recorder?.append({ kind: 'end', at: now })
      recorder?.close()
      await keepReports(current.service, now)
      await current.end()
    },
  }
}

/** A history that lists a market only once its facts were known. */
const limitToMarkets = (history: WholeHistory, markets: ReadonlySet<MarketId>): WholeHistory => ({
  ...history,
  marketIdOf(ticker) {
    const marketId = history.marketIdOf(ticker)
    return marketId !== null && markets.has(marketId.market) ? marketId : null
  },
  size: async () => ({ ...(await history.size()), markets: markets.size }),
})
