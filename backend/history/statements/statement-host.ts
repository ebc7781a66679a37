import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreFailed } from '../../lib/errors.ts'
import type { QueryBounds, QueryOutcome } from '../history-queries.ts'
import type { FromStatement, StatementLimits, ViewFile } from './messages.ts'
import { StatementWorker } from './statement-worker.ts'
import type { ViewScan } from './view-scan.ts'

/** The process itself uses about 100 MB in addition to its engine. */
export const STATEMENT_LIMITS: StatementLimits = {
  engineMb: 512,
  residentMb: 1_024,
  diskMb: 2_048,
}
const CHECK_EVERY_MS = 50
/** A process that is idle for this long ends. */
const IDLE_MS = 60_000
/** A process that holds more memory than this after an answer is not reused. */
const CACHE_MB = 256
const MB = 1024 * 1024

/** Folder for the rows of a statement. */
export interface StatementFolder {
  readonly path: string
  readonly limits: StatementLimits
  readonly signal: AbortSignal
}

/** Writes the rows of scans as files; null when they exceed the limit of a statement. */
export type WriteRows = (
  scans: readonly ViewScan[],
  folder: StatementFolder,
) => Promise<readonly ViewFile[] | null>

/**
 * Runs users' statements in processes of their own. A process is reused for the next statement
 * while it stays within its limits, and killed when a statement is cancelled or exceeds them. One
 * that is still starting then is kept: on a busy machine a start can take longer than a statement
 * may, and no statement would ever be answered if each began with a new start.
 */
export class StatementHost {
  readonly #folder: string
  readonly #limits = STATEMENT_LIMITS
  readonly #startWorker: () => StatementWorker
  readonly #closing = new AbortController()
  readonly #runningStatements = new Set<Promise<unknown>>()
  #idle: { readonly worker: StatementWorker; readonly timer: NodeJS.Timeout }[] = []
  #count = 0

  /** @param folder of the files of statements; leftovers of an earlier process are removed */
  constructor(folder: string, startWorker = () => new StatementWorker()) {
    this.#folder = folder
    this.#startWorker = startWorker
    rmSync(folder, { recursive: true, force: true })
  }

  /**
   * @throws StoreFailed when the rows cannot be read, or a process fails for a reason other than
   *   the statement
   */
  async run(sql: string, bounds: QueryBounds, writeRows: WriteRows): Promise<QueryOutcome> {
    const signal = AbortSignal.any([bounds.signal, this.#closing.signal])
    if (signal.aborted) return { kind: 'stopped' }
    const folder = join(this.#folder, String(this.#count++))
    mkdirSync(folder, { recursive: true })
    const path = realpathSync(folder)
    const worker = this.#acquireWorker()
    const run = this.#runAndClear(worker, sql, { ...bounds, signal }, path, writeRows)
    this.#runningStatements.add(run)
    return run.finally(() => this.#runningStatements.delete(run))
  }

  /** Kills running statements and resolves when every process has ended. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled([...this.#runningStatements])
    const idle = this.#idle.splice(0)
    for (const { timer } of idle) clearTimeout(timer)
    await Promise.all(idle.map(({ worker }) => worker.kill()))
  }

  /** Resolves when the process has been returned and the files of the statement are removed. */
  async #runAndClear(
    worker: StatementWorker,
    sql: string,
    bounds: QueryBounds,
    path: string,
    writeRows: WriteRows,
  ): Promise<QueryOutcome> {
    try {
      return await this.#runIn(worker, sql, bounds, path, writeRows)
    } finally {
      try {
        await this.#returnWorker(worker)
      } finally {
        await rm(path, { recursive: true, force: true })
      }
    }
  }

  async #runIn(
    worker: StatementWorker,
    sql: string,
    { maxRows, maxLength, signal }: QueryBounds,
    path: string,
    writeRows: WriteRows,
  ): Promise<QueryOutcome> {
    const limits = this.#limits
    const tooLarge = { kind: 'too-large', limit: 'memory', limitMb: limits.engineMb } as const
    const pendingOutcome = Promise.withResolvers<QueryOutcome>()
    const fail = (error: unknown): void => pendingOutcome.reject(error)
    const abortController = new AbortController()
    const writeSignal = AbortSignal.any([signal, abortController.signal])
    const write = async (scans: readonly ViewScan[]): Promise<void> => {
      const files = await writeRows(scans, { path, limits, signal: writeSignal })
      if (files !== null) worker.send({ type: 'rows', files: [...files] })
      else pendingOutcome.resolve({ kind: 'too-large', limit: 'rows', limitMb: limits.diskMb })
    }
    let pendingWrite: Promise<void> = Promise.resolve()
    worker.onMessage((message: FromStatement) => {
      if (message.type === 'answered')
        pendingOutcome.resolve({ kind: 'answered', answer: message.answer })
      else if (message.type === 'faulty') pendingOutcome.resolve(faultyOf(message))
      else if (message.type === 'too-large') pendingOutcome.resolve(tooLarge)
      else if (message.type === 'failed') fail(new StoreFailed(message.message))
      else pendingWrite = write(message.scans).catch(fail)
    })
    void worker.ended.then((exitText) => {
      const isMemory = /heap|bad_alloc|SIGKILL|out of memory/i.test(exitText)
      if (isMemory) pendingOutcome.resolve(tooLarge)
      else fail(new StoreFailed(`The process of the statement ended: ${exitText}`))
    })
    const stop = (): void => pendingOutcome.resolve({ kind: 'stopped' })
    signal.addEventListener('abort', stop, { once: true })
    const watch = setInterval(() => {
      void worker.residentBytes().then((bytes) => {
        if (bytes !== null && bytes > limits.residentMb * MB) pendingOutcome.resolve(tooLarge)
      })
    }, CHECK_EVERY_MS)
    void worker.ready.then(() => {
      if (abortController.signal.aborted) return
      worker.send({ type: 'run', sql, maxRows, maxLength, folder: path, limits })
    })
    let outcome: QueryOutcome | null = null
    try {
      outcome = await pendingOutcome.promise
      if (signal.aborted) outcome = { kind: 'stopped' }
      return outcome
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' }
      throw error
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', stop)
      worker.onMessage(() => {})
      abortController.abort()
      const isReusable = outcome?.kind === 'answered' || outcome?.kind === 'faulty'
      if (worker.isReady && !isReusable) await worker.kill()
      await pendingWrite
    }
  }

  #acquireWorker(): StatementWorker {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.worker.isAlive) return idle.worker
    }
    return this.#startWorker()
  }

  /** Keeps a process for the next statement, unless it still holds memory of the last one. */
  async #returnWorker(worker: StatementWorker): Promise<void> {
    const bytes = await worker.residentBytes()
    const isFit = worker.isAlive && (bytes === null || bytes < CACHE_MB * MB)
    if (!isFit || this.#closing.signal.aborted) return worker.kill()
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((idle) => idle.worker !== worker)
      void worker.kill()
    }, IDLE_MS)
    timer.unref()
    this.#idle.push({ worker, timer })
  }
}

const faultyOf = ({ message, at }: Extract<FromStatement, { type: 'faulty' }>): QueryOutcome => ({
  kind: 'faulty',
  message,
  at,
})
