import type { Millis } from '../domain/units.ts'
import { isoOf, type Clock } from './clock.ts'
import { Conflict, NotFound } from './errors.ts'
import type { Logger } from './logger.ts'

export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]
/** States that a process leaves behind when it ends before the job does. */
export const UNFINISHED: readonly JobState[] = ['queued', 'running']

/** What every long job is remembered by. */
export interface JobRecord {
  readonly id: string
  readonly state: JobState
  readonly startedAt: Millis | null
  readonly endedAt: Millis | null
}

export interface JobStore<R extends JobRecord> {
  find(id: string): Promise<R | null>
  add(record: R, createdAt: Millis): Promise<void>
  save(record: R): Promise<void>
}

/** A job while it runs. */
export interface RunningJob<R extends JobRecord> {
  readonly record: R
  readonly signal: AbortSignal
  /** Shows progress to those who ask; it is stored with the end. */
  readonly note: (change: Partial<R>) => void
}

/** What to do for a job: `run` answers what its record ends with, `failed` what it ends with instead. */
export interface JobWork<R extends JobRecord> {
  run(job: RunningJob<R>): Promise<Partial<R> & { readonly state: JobState }>
  failed(error: unknown, job: RunningJob<R>): Partial<R>
}

interface QueuedJob<R extends JobRecord> {
  record: R
  readonly stop: AbortController
  readonly work: JobWork<R>
}

/** Long jobs of one kind, one at a time in the order they were asked for. */
export class JobQueue<R extends JobRecord> {
  readonly #store: JobStore<R>
  readonly #name: string
  readonly #clock: Clock
  readonly #log: Logger
  readonly #jobs = new Map<string, QueuedJob<R>>()
  #last: Promise<void>

  /**
   * @param deps.name of the kind, for people, as in `Import`
   * @param deps.tidy what to do about jobs that an earlier process left unfinished, before the first
   */
  constructor(deps: {
    store: JobStore<R>
    name: string
    tidy: () => Promise<void>
    clock: Clock
    logger: Logger
  }) {
    this.#store = deps.store
    this.#name = deps.name
    this.#clock = deps.clock
    this.#log = deps.logger
    this.#last = deps.tidy().catch((error: unknown) => {
      this.#log.error({ err: error }, `${this.#name}: the last run's could not be closed`)
    })
  }

  /** Whether a job waits or runs. */
  get isBusy(): boolean {
    return this.#jobs.size > 0
  }

  /** Stores the record of a job and queues it. */
  async add(record: R, work: JobWork<R>): Promise<{ id: string }> {
    const job: QueuedJob<R> = { record, work, stop: new AbortController() }
    this.#jobs.set(record.id, job)
    try {
      await this.#store.add(record, this.#clock.now())
    } catch (error) {
      this.#jobs.delete(record.id)
      throw error
    }
    this.#last = this.#last.then(() => this.#perform(job))
    return { id: record.id }
  }

  /** Throws NotFound. */
  async recordOf(id: string): Promise<R> {
    const record = this.#jobs.get(id)?.record ?? (await this.#store.find(id))
    if (record === null) throw new NotFound(`${this.#name} not found`)
    return record
  }

  /** Throws NotFound, and Conflict when the job has ended. */
  async cancel(id: string): Promise<{ ok: true }> {
    const job = this.#jobs.get(id)
    if (job === undefined) {
      const { state } = await this.recordOf(id)
      throw new Conflict(`${this.#name} is ${state}`)
    }
    job.stop.abort()
    return { ok: true }
  }

  /** Cancels what waits and what runs; resolves when nothing runs any more. */
  async close(): Promise<void> {
    for (const job of this.#jobs.values()) job.stop.abort()
    await this.#last
  }

  async #perform(job: QueuedJob<R>): Promise<void> {
    const { signal } = job.stop
    const running: RunningJob<R> = {
      get record() {
        return job.record
      },
      signal,
      note: (change) => {
        job.record = { ...job.record, ...change }
      },
    }
    const save = (change: Partial<JobRecord>, more: Partial<R> = {}): Promise<void> => {
      job.record = { ...job.record, ...more, ...change }
      return this.#store.save(job.record)
    }
    try {
      if (signal.aborted) return await save({ state: 'cancelled', endedAt: this.#clock.now() })
      await save({ state: 'running', startedAt: this.#clock.now() })
      const ended = await job.work.run(running)
      await save({ state: ended.state, endedAt: this.#clock.now() }, ended)
    } catch (error) {
      const isCancelled = wasAborted(signal)
      if (!isCancelled) this.#log.error({ err: error, job: job.record.id }, `${this.#name} failed`)
      const state = isCancelled ? 'cancelled' : 'failed'
      const change = job.work.failed(error, running)
      await save({ state, endedAt: this.#clock.now() }, change).catch((failure: unknown) => {
        this.#log.error({ err: failure, job: job.record.id }, `${this.#name}: its end was not kept`)
      })
    } finally {
      this.#jobs.delete(job.record.id)
    }
  }
}

/** When a job began and ended, as answers say it. */
export const timesOf = ({ startedAt, endedAt }: JobRecord) => ({
  startedAt: startedAt === null ? null : isoOf(startedAt),
  endedAt: endedAt === null ? null : isoOf(endedAt),
})

const wasAborted = (signal: AbortSignal): boolean => signal.aborted
