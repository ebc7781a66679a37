import { randomUUID } from 'node:crypto'
import { unreadReport, type FileReport, type ImportRequest } from '../../domain/import-report.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { expandPaths } from './import-paths.ts'
import type { ImportRun, StartImport } from './imports.schema.ts'
import type { ImportRecord, ImportsStore } from './imports.store.ts'

/** Reads files into the history; `onReport` hears of every change of a file's report. */
export type RunImport = (
  request: ImportRequest,
  signal: AbortSignal,
  onReport: (index: number, report: FileReport) => void,
) => Promise<readonly FileReport[]>

export interface ImportsService {
  /** Checks the paths and queues the import. Throws InvalidInput. */
  start(body: StartImport): Promise<{ id: string }>
  /** Throws NotFound. */
  find(id: string): Promise<ImportRun>
  /** What was taken stays. Throws NotFound, and Conflict when the import has ended. */
  cancel(id: string): Promise<{ ok: true }>
  /** Cancels what waits and what runs; resolves when nothing runs any more. */
  close(): Promise<void>
}

interface Job {
  record: ImportRecord
  readonly request: ImportRequest
  readonly stop: AbortController
}

/** Imports, one at a time in the order they were asked for. */
export function createImportsService(deps: {
  store: ImportsStore
  run: RunImport
  /** Names that `kind` may have. */
  layouts: readonly string[]
  clock: Clock
  logger: Logger
}): ImportsService {
  const { store, run, layouts, clock, logger } = deps
  const jobs = new Map<string, Job>()
  let last: Promise<void> = store.failUnfinished(clock.now()).catch((error: unknown) => {
    logger.error({ err: error }, 'imports of the last run could not be closed')
  })

  const save = async (job: Job, change: Partial<ImportRecord>): Promise<void> => {
    job.record = { ...job.record, ...change }
    await store.save(job.record)
  }

  const work = async (job: Job): Promise<void> => {
    const { stop } = job
    try {
      if (stop.signal.aborted) return await save(job, { state: 'cancelled', endedAt: clock.now() })
      await save(job, { state: 'running', startedAt: clock.now() })
      const files = await run(job.request, stop.signal, (index, report) => {
        job.record = { ...job.record, files: job.record.files.with(index, report) }
      })
      const state = wasCancelled(stop) ? 'cancelled' : stateOf(files)
      await save(job, { state, files, endedAt: clock.now() })
    } catch (error) {
      logger.error({ err: error, import: job.record.id }, 'an import broke down')
      const message = error instanceof Error ? error.message : String(error)
      const files = job.record.files.map((file) => ({ ...file, error: file.error ?? message }))
      await save(job, { state: 'failed', files, endedAt: clock.now() }).catch(() => {})
    } finally {
      jobs.delete(job.record.id)
    }
  }

  const recordOf = async (id: string): Promise<ImportRecord> => {
    const record = jobs.get(id)?.record ?? (await store.find(id))
    if (record === null) throw new NotFound('Import not found')
    return record
  }

  return {
    async start({ paths, venue = null, kind = null, dryRun = false, strict = false }) {
      if (kind !== null && !layouts.includes(kind)) {
        throw new InvalidInput(`kind must be one of ${layouts.join(', ')}, was "${kind}"`)
      }
      const files = await expandPaths(paths)
      const record: ImportRecord = {
        ...{ id: `imp_${randomUUID().replaceAll('-', '')}`, state: 'queued' },
        ...{ files: files.map(unreadReport), startedAt: null, endedAt: null },
      }
      await store.add(record, clock.now())
      const request = { paths: files, venue, kind, dryRun, ...(strict && { strict }) }
      const job: Job = { record, request, stop: new AbortController() }
      jobs.set(record.id, job)
      last = last.then(() => work(job))
      return { id: record.id }
    },
    async find(id) {
      const { files, startedAt, endedAt, ...record } = await recordOf(id)
      return {
        ...record,
        files: files.map((file) => ({ ...file, reasons: [...file.reasons] })),
        startedAt: startedAt === null ? null : isoOf(startedAt),
        endedAt: endedAt === null ? null : isoOf(endedAt),
      }
    },
    async cancel(id) {
      const job = jobs.get(id)
      if (job === undefined) {
        const { state } = await recordOf(id)
        throw new Conflict(`Import is ${state}`)
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

/** An import is done when at least one of its files could be read. */
const stateOf = (files: readonly FileReport[]): 'done' | 'failed' =>
  files.every((file) => file.error !== null) ? 'failed' : 'done'

const wasCancelled = (stop: AbortController): boolean => stop.signal.aborted
