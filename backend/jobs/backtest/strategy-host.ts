import { fork, type ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunFile, WindowPlace } from '../../history/run-reads.ts'
import type { Clock } from '../../lib/clock.ts'
import { PACKAGE_ROOT } from '../../lib/package-root.ts'
import { keptModules } from './kept-modules.ts'
import type { FromStrategy, StrategyFace, StrategyOrder, ToStrategy } from './messages.ts'
import { useOf } from './process-use.ts'
import { StrategyFailed, StrategyWatch, type StrategyLimits } from './strategy-watch.ts'

const SCRIPT = fileURLToPath(new URL('../workers/backtest-worker.ts', import.meta.url))

export type Done = Extract<FromStrategy, { type: 'done' }>

/** A strategy in a process of its own. */
export interface StrategyHost {
  readonly face: StrategyFace
  tell(message: ToStrategy): void
  /** Has it play a window of its file, or end a run; resolves when it may be told of more. */
  play(place: WindowPlace | null): Promise<void>
  /** What came of all runs. Rejects with StrategyFailed, or with the reason it was ended for. */
  readonly done: Promise<Done>
  /** Ends the process. */
  end(reason: Error): void
}

/**
 * Starts a process for a strategy and loads it. A thread would not do: one that allocates without end
 * takes the whole process with it, and this one must go on. The process may read the engine's own
 * modules and the strategy's folder, and has no permission for anything else. Events reach it through a file
 * that it is handed open, so that none of them passes through this process.
 */
export async function startStrategy(
  order: StrategyOrder,
  deps: {
    readonly clock: Clock
    /** Where the windows lie that it will be told of; null for one that plays nothing. */
    readonly file: RunFile | null
    readonly limits: StrategyLimits
    readonly onBeat: (beat: { events: number; now: number; run: number }) => void
  },
): Promise<StrategyHost> {
  const { clock, limits } = deps
  const readable = [`${PACKAGE_ROOT}/backend/`, `${PACKAGE_ROOT}/dist/`, `${PACKAGE_ROOT}/package.json`, `${dirname(fileURLToPath(order.module))}/`] // prettier-ignore
  const kept = keptModules(SCRIPT)
  const child = fork(SCRIPT, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', deps.file?.fd ?? 'ignore'],
    serialization: 'advanced',
    env: kept.env,
    execArgv: [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      ...kept.execArgv,
      `--max-old-space-size=${limits.heapMb}`,
      '--disable-warning=ExperimentalWarning',
    ],
  })
  standBack(child.pid)
  const watch = new StrategyWatch(limits, clock.monotonic())
  let reason: Error | null = null
  let said = ''
  let [given, answered] = [0, 0]
  let goOn = (): void => {}
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000)
  })
  const end = (why: Error): void => {
    reason ??= why
    child.kill('SIGKILL')
  }
  let loaded: (face: StrategyFace) => void = () => {}
  let refused: (error: Error) => void = () => {}
  const face = new Promise<StrategyFace>((resolve, reject) => {
    loaded = resolve
    refused = reject
  })
  const done = new Promise<Done>((resolve, reject) => {
    child.on('message', (message: FromStrategy) => {
      if ('answered' in message) {
        answered = message.answered
        watch.heard(answered, clock.monotonic())
        goOn()
      }
      if (message.type === 'beat') deps.onBeat(message)
      else if (message.type === 'loaded') loaded(message.face)
      else if (message.type === 'done') resolve(message)
      else if (message.type === 'failed') {
        const failure = new StrategyFailed(message.message)
        refused(failure)
        reject(failure)
      }
    })
    const close = (how: string): void => {
      const failure = reason ?? deathOf(how, said, limits)
      refused(failure)
      reject(failure)
    }
    child.once('error', (error) => close(error.message))
    child.once('close', (code, signal) => close(signal ?? `exit ${code ?? 'nothing'}`))
  })
  // Both may be refused before anybody listens.
  done.catch(() => {})
  face.catch(() => {})
  const watching = new AbortController()
  void lookAfter(child, watch, { clock, end, signal: watching.signal })
  child.once('close', () => watching.abort())
  const tell = (message: ToStrategy): void => {
    watch.gave(clock.monotonic())
    given++
    // What a broken channel means is told by how the process ends.
    if (child.connected) child.send(message, () => {})
  }
  tell({ type: 'load', order })
  return {
    face: await face,
    done,
    end,
    tell,
    async play(place) {
      tell(place === null ? { type: 'end' } : { type: 'window', place })
      while (given - answered > MOST_AHEAD) {
        const room = new Promise<void>((resolve) => (goOn = resolve))
        await Promise.race([room, done])
      }
    },
  }
}

/** Windows that a process is told of ahead of the one it plays: it need not wait for us between two. */
const MOST_AHEAD = 4

/**
 * About a tenth of a processor that others want all of: with a third of it, more than one answer in a hundred
 * of a busy service waited for a slice of a run.
 */
const NICENESS = 10

/** Who asks the service for an answer goes first: a run can wait. */
function standBack(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It is gone already, or the system does not let us.
  }
}

const LOOK_EVERY_MS = 200

/** Looks at a process again and again, and ends it when it may not go on. */
async function lookAfter(
  child: ChildProcess,
  watch: StrategyWatch,
  on: {
    readonly clock: Clock
    readonly end: (why: Error) => void
    readonly signal: AbortSignal
  },
): Promise<void> {
  for (;;) {
    try {
      await on.clock.sleep(LOOK_EVERY_MS, on.signal)
    } catch {
      return
    }
    const why = watch.verdict(await useOf(child.pid), on.clock.monotonic())
    if (why !== null) return on.end(why)
  }
}

function deathOf(how: string, said: string, limits: StrategyLimits): StrategyFailed {
  if (/heap out of memory|heap limit/i.test(said)) {
    return new StrategyFailed(`The strategy took more than ${limits.heapMb} MB of memory`)
  }
  return new StrategyFailed(
    `The strategy’s process ended (${how}) ${said.trim().slice(-300)}`.trim(),
  )
}
