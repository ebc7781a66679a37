import { randomUUID } from 'node:crypto'
import type { HistoryStore } from '../../history/history-store.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, NotFound } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { refuseExisting } from './export-files.ts'
import type { PlaceOf } from './export-places.ts'
import { planExport, type ExportPlan } from './export-plan.ts'
import { exportFailure, type Exporter } from './exporter.ts'
import type { ExportRun, StartExport } from './exports.schema.ts'
import type { ExportRecord, ExportsStore } from './exports.store.ts'

export interface ExportsService {
  /** Checks what is asked and queues the export. Throws InvalidInput, and Conflict for a taken name. */
  start(body: StartExport): Promise<{ id: string }>
  /** Throws NotFound. */
  find(id: string): Promise<ExportRun>
  /** Nothing of its files stays. Throws NotFound, and Conflict when the export has ended. */
  cancel(id: string): Promise<{ ok: true }>
  /** Cancels what waits and what runs; resolves when nothing runs any more. */
  close(): Promise<void>
}

interface Job {
  record: ExportRecord
  readonly plan: ExportPlan
  readonly stop: AbortController
}

/** Exports, one at a time in the order they were asked for. */
export function createExportsService(deps: {
  store: ExportsStore
  exporter: Exporter
  history: HistoryStore
  placeOf: PlaceOf
  clock: Clock
  logger: Logger
}): ExportsService {
  const { store, exporter, history, placeOf, clock, logger } = deps
  const jobs = new Map<string, Job>()
  const tidy = async (): Promise<void> => {
    if ((await store.failUnfinished(clock.now())) > 0) await exporter.clean()
  }
  let last: Promise<void> = tidy().catch((error: unknown) => {
    logger.error({ err: error }, 'exports of the last run could not be closed')
  })

  const save = async (job: Job, change: Partial<ExportRecord>): Promise<void> => {
    job.record = { ...job.record, ...change }
    await store.save(job.record)
  }

  const work = async (job: Job): Promise<void> => {
    const { signal } = job.stop
    try {
      if (signal.aborted) return await save(job, { state: 'cancelled', endedAt: clock.now() })
      await save(job, { state: 'running', startedAt: clock.now() })
      const written = await exporter.write(job.plan, signal, (progress) => {
        job.record = { ...job.record, ...progress }
      })
      await save(job, { ...written, state: 'done', endedAt: clock.now() })
    } catch (error) {
      const isCancelled = wasAborted(signal)
      if (!isCancelled) logger.error({ err: error, export: job.record.id }, 'an export failed')
      await save(job, {
        state: isCancelled ? 'cancelled' : 'failed',
        error: isCancelled ? null : exportFailure(error),
        endedAt: clock.now(),
      }).catch((failure: unknown) => {
        logger.error({ err: failure, export: job.record.id }, 'the end of an export was not kept')
      })
    } finally {
      jobs.delete(job.record.id)
    }
  }

  const recordOf = async (id: string): Promise<ExportRecord> => {
    const record = jobs.get(id)?.record ?? (await store.find(id))
    if (record === null) throw new NotFound('Export not found')
    return record
  }

  return {
    async start(body) {
      const plan = await planExport(body, { history, placeOf, now: clock.now() })
      if (!plan.force) await refuseExisting(plan.parts.map(({ path }) => path))
      const record: ExportRecord = {
        ...{ id: `exp_${randomUUID().replaceAll('-', '')}`, state: 'queued' },
        ...{ rows: 0, bytes: 0, files: [], error: null, startedAt: null, endedAt: null },
      }
      await store.add(record, clock.now())
      const job: Job = { record, plan, stop: new AbortController() }
      jobs.set(record.id, job)
      last = last.then(() => work(job))
      return { id: record.id }
    },
    async find(id) {
      const { files, startedAt, endedAt, ...record } = await recordOf(id)
      return {
        ...record,
        files: [...files],
        startedAt: startedAt === null ? null : isoOf(startedAt),
        endedAt: endedAt === null ? null : isoOf(endedAt),
      }
    },
    async cancel(id) {
      const job = jobs.get(id)
      if (job === undefined) {
        const { state } = await recordOf(id)
        throw new Conflict(`Export is ${state}`)
      }
      job.stop.abort()
      return { ok: true }
    },
    async close() {
      for (const job of jobs.values()) job.stop.abort()
      await last
    },
  }
}

const wasAborted = (signal: AbortSignal): boolean => signal.aborted
