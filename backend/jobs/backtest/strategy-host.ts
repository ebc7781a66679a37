import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import type { Clock } from '../../lib/clock.ts'
import { PACKAGE_ROOT } from '../../lib/package-root.ts'
import { encodeFrame } from './frames.ts'
import type { FromStrategy, StrategyFace, StrategyOrder, ToStrategy } from './messages.ts'

const SCRIPT = fileURLToPath(new URL('../workers/backtest-worker.ts', import.meta.url))

/** What a strategy may use of the machine. */
export interface StrategyLimits {
  /** Longest time without a word while it has something to do. */
  readonly silenceMs: number
  /** Of its heap, as the engine counts it. */
  readonly heapMb: number
  /** Of its whole process, typed arrays too, where the system tells. */
  readonly memoryMb: number
}
export const STRATEGY_LIMITS: StrategyLimits = { silenceMs: 10_000, heapMb: 512, memoryMb: 1_024 }

/** A strategy failed, in words for its author; whoever asked for the run is told. */
export class StrategyFailed extends Error {}

export type Done = Extract<FromStrategy, { type: 'done' }>

/** A strategy in a process of its own. */
export interface StrategyHost {
  readonly face: StrategyFace
  tell(message: ToStrategy): void
  /** Resolves when the process has room for more. @param run of which the window is */
  play(window: EventWindow | null, run: number): Promise<void>
  /** What came of all runs. Rejects with StrategyFailed, or with the reason it was ended for. */
  readonly done: Promise<Done>
  /** Ends the process. */
  end(reason: Error): void
}

/**
 * Starts a process for a strategy and loads it. A thread would not do: one that allocates without end
 * takes the whole process with it, and this one must go on. The process may read the engine's own
 * modules and the strategy's folder, and has no permission for anything else.
 */
export async function startStrategy(
  order: StrategyOrder,
  deps: {
    readonly clock: Clock
    readonly limits: StrategyLimits
    readonly onBeat: (beat: { events: number; now: number; run: number }) => void
  },
): Promise<StrategyHost> {
  const { clock, limits } = deps
  const readable = [`${PACKAGE_ROOT}/backend/`, `${PACKAGE_ROOT}/dist/`, `${PACKAGE_ROOT}/package.json`, `${dirname(fileURLToPath(order.module))}/`] // prettier-ignore
  const child = fork(SCRIPT, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    serialization: 'advanced',
    env: {},
    execArgv: [
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${limits.heapMb}`,
      '--disable-warning=ExperimentalWarning',
    ],
  })
  const pipe = child.stdio[4] as Writable
  let heardAt = clock.monotonic()
  /** Bytes are on their way, or an answer is due. */
  let isBusy = true
  let reason: Error | null = null
  let said = ''
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
      heardAt = clock.monotonic()
      if (message.type === 'beat') deps.onBeat(message)
      else if (message.type === 'loaded') {
        isBusy = false
        loaded(message.face)
      } else if (message.type === 'done') resolve(message)
      else {
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
  pipe.on('error', () => {})
  const watching = new AbortController()
  void watch(child, watching.signal, { clock, limits, end, silentSince: () => (isBusy ? heardAt : null) }) // prettier-ignore
  child.once('close', () => watching.abort())
  child.send({ type: 'load', order } satisfies ToStrategy, () => {})
  return {
    face: await face,
    done,
    end,
    tell(message) {
      isBusy = true
      heardAt = clock.monotonic()
      child.send(message, () => {})
    },
    async play(window, run) {
      if (!isBusy) heardAt = clock.monotonic()
      isBusy = true
      let hasRoom = true
      for (const piece of encodeFrame(window, run)) hasRoom = pipe.write(piece)
      if (hasRoom || pipe.destroyed) return
      await Promise.race([once(pipe, 'drain'), once(pipe, 'close'), done.catch(() => {})])
    },
  }
}

const LOOK_EVERY_MS = 200

/** Ends a process that says nothing or takes too much. */
async function watch(
  child: ChildProcess,
  signal: AbortSignal,
  {
    clock,
    limits,
    end,
    silentSince,
  }: {
    clock: Clock
    limits: StrategyLimits
    end: (why: Error) => void
    silentSince: () => number | null
  },
): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(LOOK_EVERY_MS, signal)
    } catch {
      return
    }
    const since = silentSince()
    if (since !== null && clock.monotonic() - since > limits.silenceMs) {
      const seconds = Math.round(limits.silenceMs / 1_000)
      return end(new StrategyFailed(`The strategy did not come back within ${seconds} s: an endless loop, or too much work for one event`)) // prettier-ignore
    }
    const memory = await residentMb(child.pid)
    if (memory !== null && memory > limits.memoryMb) {
      return end(new StrategyFailed(`The strategy took more than ${limits.memoryMb} MB of memory`))
    }
  }
}

const PAGE_BYTES = 4_096

/** Memory that a process holds; null where the system does not tell. */
async function residentMb(pid: number | undefined): Promise<number | null> {
  try {
    const pages = (await readFile(`/proc/${pid ?? 0}/statm`, 'utf8')).split(' ')[1]
    return pages === undefined ? null : (Number(pages) * PAGE_BYTES) / 1024 / 1024
  } catch {
    return null
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
