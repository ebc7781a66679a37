import type { JobState } from '../domain/job-state.ts'
import type { Millis } from '../domain/units.ts'
import { isoOf } from './clock.ts'
import type { Clock } from './clock.ts'
import { Conflict, NotFound } from './errors.ts'
import type { Logger } from './logger.ts'

/** The stored record of a long-running job. */
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

/** A running job. */
export interface RunningJob<R extends JobRecord> {
  readonly record: R
  readonly signal: AbortSignal
  /** Publishes progress; it is stored when the job ends. */
  readonly update: (change: Partial<R>) => void
}

/**
 * The work of a job: `run` returns the final fields of its record, `failed` those after a failure.
 */
export interface JobWork<R extends JobRecord> {
  run(job: RunningJob<R>): Promise<Partial<R> & { readonly state: JobState }>
  failed(error: unknown, job: RunningJob<R>): Partial<R>
}

/** A job that an earlier process left unfinished, to be run by this one. */
export interface UnfinishedJob<R extends JobRecord> {
  readonly record: R
  readonly work: JobWork<R>
}

interface QueuedJob<R extends JobRecord> {
  record: R
  readonly stop: AbortController
  readonly work: JobWork<R>
}

/** Long-running jobs of one kind, run one at a time in the order of their requests. */
export class JobQueue<R extends JobRecord> {
  readonly #store: JobStore<R>
  readonly #name: string
  readonly #clock: Clock
  readonly #log: Logger
  readonly #jobs = new Map<string, QueuedJob<R>>()
  #last: Promise<void>
  #isClosed = false

  /**
   * @param deps.name of the kind, for people, as in `Import`
   * @param deps.tidy handles jobs that an earlier process left unfinished, before the first job
   * runs; returns those to run again, in order
   */
  constructor(deps: {
    store: JobStore<R>
    name: string
    tidy: () => Promise<readonly UnfinishedJob<R>[] | void>
    clock: Clock
    logger: Logger
  }) {
    this.#store = deps.store
    this.#name = deps.name
    this.#clock = deps.clock
    this.#log = deps.logger
    this.#last = this.#resume(deps.tidy).catch((error: unknown) => {
      this.#log.error(
        { err: error },
        `${this.#name}: unfinished jobs of the last run could not be closed`,
      )
    })
  }

  /** Whether a job is queued or running. */
  get isBusy(): boolean {
    return this.#jobs.size > 0
  }

  /** Stores the record of a job and queues it; after the close it is cancelled at once. */
  async add(record: R, work: JobWork<R>): Promise<{ id: string }> {
    const job: QueuedJob<R> = { record, work, stop: new AbortController() }
    this.#jobs.set(record.id, job)
    if (this.#isClosed) job.stop.abort()
    try {
      await this.#store.add(record, this.#clock.now())
    } catch (error) {
      this.#jobs.delete(record.id)
      throw error
    }
    this.#last = this.#last.then(() => this.#perform(job))
    return { id: record.id }
  }

  /** @throws NotFound */
  async recordOf(id: string): Promise<R> {
    const record = this.#jobs.get(id)?.record ?? (await this.#store.find(id))
    if (record === null) throw new NotFound(`${this.#name} not found`)
    return record
  }

  /** @throws NotFound, and Conflict when the job has ended */
  async cancel(id: string): Promise<{ ok: true }> {
    const job = this.#jobs.get(id)
    if (job === undefined) {
      const { state } = await this.recordOf(id)
      throw new Conflict(`${this.#name} is ${state}`)
    }
    job.stop.abort()
    return { ok: true }
  }

  /** Cancels queued and running jobs; resolves when none is running. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#jobs.values()) job.stop.abort()
    await this.#last
  }

  async #resume(tidy: () => Promise<readonly UnfinishedJob<R>[] | void>): Promise<void> {
    const unfinishedJobs = (await tidy()) ?? []
    const jobs = unfinishedJobs.map((job): QueuedJob<R> => ({
      ...job,
      stop: new AbortController(),
    }))
    for (const job of jobs) {
      if (this.#isClosed) job.stop.abort()
      this.#jobs.set(job.record.id, job)
    }
    for (const job of jobs) await this.#perform(job)
  }

  async #perform(job: QueuedJob<R>): Promise<void> {
    const { signal } = job.stop
    const runningJob: RunningJob<R> = {
      get record() {
        return job.record
      },
      signal,
      update: (change) => {
        job.record = { ...job.record, ...change }
      },
    }
    const save = (change: Partial<JobRecord>, extraFields: Partial<R> = {}): Promise<void> => {
      job.record = { ...job.record, ...extraFields, ...change }
      return this.#store.save(job.record)
    }
    try {
      if (signal.aborted) return await save({ state: 'cancelled', endedAt: this.#clock.now() })
      await save({ state: 'running', startedAt: this.#clock.now() })
      const outcome = await job.work.run(runningJob)
      await save({ state: outcome.state, endedAt: this.#clock.now() }, outcome)
    } catch (error) {
      const isCancelled = wasAborted(signal)
      if (!isCancelled) this.#log.error({ err: error, job: job.record.id }, `${this.#name} failed`)
      const state = isCancelled ? 'cancelled' : 'failed'
      const change = job.work.failed(error, runningJob)
      await save({ state, endedAt: this.#clock.now() }, change).catch((failure: unknown) => {
        this.#log.error(
          { err: failure, job: job.record.id },
          `${this.#name}: its end was not stored`,
        )
      })
    } finally {
      this.#jobs.delete(job.record.id)
    }
  }
}

/** Start and end of a job, as responses format them. */
export const timesOf = ({ startedAt, endedAt }: JobRecord) => ({
  startedAt: startedAt === null ? null : isoOf(startedAt),
  endedAt: endedAt === null ? null : isoOf(endedAt),
})

const wasAborted = (signal: AbortSignal): boolean => signal.aborted
