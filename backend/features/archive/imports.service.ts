import { randomUUID } from 'node:crypto'
import { unreadReport, type FileReport, type ImportRequest } from '../../domain/import-report.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { JobQueue, timesOf, type JobWork } from '../../lib/job-queue.ts'
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

/** Imports, one at a time in the order they were asked for. */
export function createImportsService(deps: {
  store: ImportsStore
  run: RunImport
  /** Names that `kind` may have. */
  layouts: readonly string[]
  clock: Clock
  logger: Logger
}): ImportsService {
  const { store, run, layouts, clock } = deps
  const queue = new JobQueue({
    ...deps,
    name: 'Import',
    tidy: () => store.failUnfinished(clock.now()),
  })
  const workOf = (request: ImportRequest): JobWork<ImportRecord> => ({
    async run(job) {
      const files = await run(request, job.signal, (index, report) =>
        job.note({ files: job.record.files.with(index, report) }),
      )
      return { files, state: job.signal.aborted ? 'cancelled' : stateOf(files) }
    },
    failed(error, { record }) {
      const message = error instanceof Error ? error.message : String(error)
      return { files: record.files.map((file) => ({ ...file, error: file.error ?? message })) }
    },
  })
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
      const request = { paths: files, venue, kind, dryRun, ...(strict && { strict }) }
      return queue.add(record, workOf(request))
    },
    async find(id) {
      const { files, ...record } = await queue.recordOf(id)
      return {
        ...record,
        files: files.map((file) => ({ ...file, reasons: [...file.reasons] })),
        ...timesOf(record),
      }
    },
    cancel: (id) => queue.cancel(id),
    close: () => queue.close(),
  }
}

/** An import is done when at least one of its files could be read. */
const stateOf = (files: readonly FileReport[]): 'done' | 'failed' =>
  files.every((file) => file.error !== null) ? 'failed' : 'done'
