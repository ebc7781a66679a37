import { readReadyLine, type Ready } from './ready-line.ts'

/** A started backend process, independent of how it was started. */
export interface BackendChild {
  onLine(listener: (line: string) => void): void
  /** `code` is null when a signal ended it. */
  onExit(listener: (code: number | null) => void): void
  /** Requests an orderly shutdown. */
  terminate(): void
  /** Ends it at once. */
  kill(): void
}

export type BackendState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly ready: Ready }
  | { readonly kind: 'restarting'; readonly afterMs: number; readonly code: number | null }
  /** It ended in a way that a restart cannot fix. */
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'stopped' }

export interface Timers {
  monotonic(): number
  /** Runs `task` once after `ms`; returns the function that cancels it. */
  after(ms: number, task: () => void): () => void
}

export interface Backend {
  readonly state: BackendState
  /** Resolves when the process is gone; it is not restarted afterwards. */
  stop(): Promise<void>
}

/** Exit codes of the backend that repeat on every attempt: bad flags, data folder in use. */
export const BAD_FLAGS = 2
export const DATA_IN_USE = 3
/** The backend ends within 5 s of a stop request. */
const STOP_MS = 6_000
const STEADY_MS = 60_000
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** Delay before the n-th start in a row (n from 1): doubling, bounded. */
export const restartDelay = (attempt: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))

/**
 * Whether to restart a backend that ended: one that never became ready would fail the same way,
 * one that did may only have crashed.
 */
export const mayRestart = (code: number | null, wasReady: boolean): boolean =>
  wasReady && code !== BAD_FLAGS && code !== DATA_IN_USE

/**
 * Starts the backend and keeps it running: it is restarted after a crash that follows a good
 * start.
 * @param spawn starts it; receives the number of consecutive starts before this one
 */
export function keepRunning(
  spawn: (attempt: number) => BackendChild,
  timers: Timers,
  onState: (state: BackendState) => void,
): Backend {
  let state: BackendState = { kind: 'starting' }
  let child: BackendChild | null = null
  let wasReady = false
  let attempt = 0
  let forgetRestart: (() => void) | null = null
  let stopping: PromiseWithResolvers<void> | null = null

  const move = (next: BackendState) => {
    state = next
    onState(next)
  }
  const start = () => {
    const startedAt = timers.monotonic()
    const current = spawn(attempt)
    child = current
    move({ kind: 'starting' })
    current.onLine((line) => {
      const ready = readReadyLine(line)
      if (ready === null || stopping !== null) return
      wasReady = true
      move({ kind: 'running', ready })
    })
    current.onExit((code) => {
      child = null
      if (stopping !== null) {
        move({ kind: 'stopped' })
        stopping.resolve()
        return
      }
      if (!mayRestart(code, wasReady)) return move({ kind: 'refused', code: code ?? 1 })
      attempt = timers.monotonic() - startedAt >= STEADY_MS ? 1 : attempt + 1
      const afterMs = restartDelay(attempt)
      move({ kind: 'restarting', afterMs, code })
      forgetRestart = timers.after(afterMs, start)
    })
  }

  start()
  return {
    get state() {
      return state
    },
    stop() {
      if (stopping !== null) return stopping.promise
      stopping = Promise.withResolvers<void>()
      forgetRestart?.()
      if (child === null) {
        move({ kind: 'stopped' })
        stopping.resolve()
        return stopping.promise
      }
      const ending = child
      const forget = timers.after(STOP_MS, () => ending.kill())
      ending.terminate()
      return stopping.promise.finally(forget)
    },
  }
}

export const systemTimers: Timers = {
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}

/** Splits a byte stream into lines and calls `onLine` for each. */
export function linesOf(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}
