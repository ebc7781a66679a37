import { fork, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FrameSource, FrameLocation } from '../../history/event-streams.ts'
import type { Clock } from '../../lib/clock.ts'
import { boundedText } from '../../domain/text/bounded-text.ts'
import { PACKAGE_ROOT } from '../../lib/files/package-root.ts'
import { compileCacheOptions } from './compile-cache.ts'
import {
  FAULT_LIMIT,
  type FromStrategy,
  type StrategyMetadata,
  type StrategyTask,
  type ToStrategy,
} from './messages.ts'
import { useOf } from './process-use.ts'
import {
  StrategyEnded,
  StrategyFailed,
  StrategyWatch,
  type StrategyLimits,
} from './strategy-watch.ts'

const SCRIPT = fileURLToPath(new URL('../workers/backtest-worker.ts', import.meta.url))

/** Time zone and locale of texts that a strategy formats, independent of the machine. */
const SAME_EVERYWHERE = { TZ: 'UTC', LC_ALL: 'en_US.UTF-8' }

export type RunDone = Extract<FromStrategy, { type: 'done' }>

/** A strategy in a process of its own. */
export interface StrategyHost {
  readonly metadata: StrategyMetadata
  sendMessage(message: ToStrategy): void
  /**
   * Runs a window of its file, or ends a run with null; resolves when it accepts the next
   * message.
   */
  play(location: FrameLocation | null): Promise<void>
  /** Result of all runs. Rejects with StrategyFailed, or with the reason passed to `end`. */
  readonly done: Promise<RunDone>
  /**
   * Returns the result after the end of the last run was sent. From then on a response is pending,
   * whatever the process has acknowledged: a silent process is ended. Rejects as `done` does.
   */
  result(): Promise<RunDone>
  /** Ends the process. */
  end(reason: Error): void
}

/**
 * Starts a process for a strategy and loads it. A thread would not do: one that allocates without
 * bound takes down the whole process, and this one must survive. The process may read the engine's
 * own modules and the strategy's folder, and has no other permission. It reads events from an open
 * file that it inherits, so that they do not pass through this process.
 */
export async function startStrategy(
  order: StrategyTask,
  deps: {
    readonly clock: Clock
    /** File of its windows; null for a process without runs. */
    readonly file: FrameSource | null
    readonly limits: StrategyLimits
    readonly onBeat: (heartbeat: { events: number; now: number; run: number }) => void
  },
): Promise<StrategyHost> {
  const { clock, limits } = deps
  const readable = [
    `${PACKAGE_ROOT}/backend/`,
    `${PACKAGE_ROOT}/dist/`,
    `${PACKAGE_ROOT}/package.json`,
    `${dirname(fileURLToPath(order.module))}/`,
  ]
  const cacheOptions = compileCacheOptions(SCRIPT)
  const child = fork(SCRIPT, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', deps.file?.fd ?? 'ignore'],
    serialization: 'advanced',
    env: { ...cacheOptions.env, ...SAME_EVERYWHERE },
    execArgv: [
      '--permission',
      // Blocks `eval` and function constructors; the sandbox refuses imports of code in a text.
      '--disallow-code-generation-from-strings',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...cacheOptions.execArgv,
      `--max-old-space-size=${limits.heapMb}`,
      '--disable-warning=ExperimentalWarning',
    ],
  })
  lowerPriority(child.pid)
  const watch = new StrategyWatch(limits, clock.monotonic())
  let reason: Error | null = null
  let output = ''
  let [sentCount, answeredCount] = [0, 0]
  let goOn = (): void => {}
  let isOver = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2_000)
  })
  const end = (error: Error): void => {
    reason ??= error
    child.kill('SIGKILL')
  }
  const metadata = Promise.withResolvers<StrategyMetadata>()
  const runResult = new Promise<RunDone>((resolve, reject) => {
    child.on('message', (message: FromStrategy) => {
      if ('answered' in message) {
        answeredCount = message.answered
        watch.recordMessage(answeredCount, clock.monotonic())
        goOn()
      }
      if (message.type === 'beat') deps.onBeat(message)
      else if (message.type === 'loaded') metadata.resolve(message.metadata)
      else if (message.type === 'reporting') watch.reporting()
      else if (message.type === 'done') {
        isOver = true
        watch.recordMessage(sentCount, clock.monotonic())
        resolve(message)
      } else if (message.type === 'failed') {
        const failure = new StrategyFailed(boundedText(message.message, FAULT_LIMIT))
        metadata.reject(failure)
        reject(failure)
        end(failure)
      }
    })
    const close = (exitText: string): void => {
      const failure = reason ?? exitFailure(exitText, output, limits)
      metadata.reject(failure)
      reject(failure)
    }
    child.once('error', (error) => close(error.message))
    child.once('close', (code, signal) => close(signal ?? `exit ${code ?? 'nothing'}`))
  })
  // Both may reject before a handler is attached.
  runResult.catch(() => {})
  metadata.promise.catch(() => {})
  const watching = new AbortController()
  void supervise(child, watch, { clock, end, signal: watching.signal })
  child.once('close', () => watching.abort())
  const sendMessage = (message: ToStrategy): void => {
    watch.gave(clock.monotonic())
    sentCount++
    // A broken channel is reported by the exit of the process.
    if (child.connected) child.send(message, () => {})
  }
  sendMessage({ type: 'load', order })
  return {
    metadata: await metadata.promise,
    done: runResult,
    end,
    sendMessage,
    result() {
      sentCount++
      watch.gave(clock.monotonic())
      return runResult
    },
    async play(location) {
      sendMessage(location === null ? { type: 'end' } : { type: 'window', location })
      while (!isOver && sentCount - answeredCount > MAX_AHEAD) {
        const capacityFree = new Promise<void>((resolve) => (goOn = resolve))
        await Promise.race([capacityFree, runResult])
      }
    },
  }
}

/** Windows announced ahead of the current one, so that the process need not wait between two. */
const MAX_AHEAD = 4

/**
 * Gets about a tenth of a contended CPU. With a third of it, more than one response in a hundred
 * of a busy service waited for a time slice of a run.
 */
const NICENESS = 10

/** Lowers the priority of a run: requests to the service go first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

const CHECK_EVERY_MS = 200

/** Checks a process periodically, and ends it when it exceeds its limits. */
async function supervise(
  child: ChildProcess,
  watch: StrategyWatch,
  deps: {
    readonly clock: Clock
    readonly end: (error: Error) => void
    readonly signal: AbortSignal
  },
): Promise<void> {
  for (;;) {
    try {
      await deps.clock.sleep(CHECK_EVERY_MS, deps.signal)
    } catch {
      return
    }
    const verdict = watch.verdict(await useOf(child.pid), deps.clock.monotonic())
    if (verdict !== null) return deps.end(verdict)
  }
}

function exitFailure(exitText: string, output: string, limits: StrategyLimits): StrategyFailed {
  if (/heap out of memory|heap limit/i.test(output)) {
    return new StrategyEnded(`The strategy took more than ${limits.heapMb} MB of memory`)
  }
  return new StrategyFailed(
    `The strategy’s process ended (${exitText}) ${output.trim().slice(-300)}`.trim(),
  )
}
