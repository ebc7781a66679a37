import { randomUUID } from 'node:crypto'
import {
  GONE,
  unreadReport,
  type FileReport,
  type ImportRequest,
} from '../../domain/import-report.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { JobQueue, timesOf } from '../../lib/job-queue.ts'
import type { JobWork, UnfinishedJob } from '../../lib/job-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { expandPaths } from './import-paths.ts'
import type { ImportRun, StartImport } from '../../contract/archive.ts'
import type { ImportRecord, ImportsStore } from './imports.store.ts'

/** An import that ends the process each time it runs must not keep the service from starting. */
const MAX_INTERRUPTIONS = 5

/** Reads files into the history; `onReport` receives every change of a file's report. */
export type RunImport = (
  request: ImportRequest,
  signal: AbortSignal,
  onReport: (index: number, report: FileReport) => void,
  job: { readonly id: string; readonly isResumed: boolean },
) => Promise<readonly FileReport[]>

export interface ImportsService {
  /** Validates the paths and queues the import. @throws InvalidInput */
  start(body: StartImport): Promise<{ id: string }>
  /** @throws NotFound */
  find(id: string): Promise<ImportRun>
  /**
   * Cancels an import; imported rows remain. @throws NotFound; Conflict when the import has ended
   */
  cancel(id: string): Promise<{ ok: true }>
  /** Cancels queued and running imports; resolves when none runs. */
  close(): Promise<void>
}

/** Runs imports one at a time in the order of their requests. */
export function createImportsService(deps: {
  store: ImportsStore
  run: RunImport
  /** Data folder whose own files are refused. */
  dataDir: string
  /** Valid values of `kind`. */
  layouts: readonly string[]
  clock: Clock
  logger: Logger
}): ImportsService {
  const { store, run, dataDir, layouts, clock, logger } = deps
  const workOf = (request: ImportRequest): JobWork<ImportRecord> => ({
    async run(job) {
      const { id, interruptions } = job.record
      const files = await run(
        request,
        job.signal,
        (index, report) => job.update({ files: job.record.files.with(index, report) }),
        { id, isResumed: interruptions > 0 },
      )
      return { files, state: job.signal.aborted ? 'cancelled' : stateOf(files) }
    },
    failed(error, { record }) {
      const message = error instanceof Error ? error.message : String(error)
      return { files: record.files.map((file) => ({ ...file, error: file.error ?? message })) }
    },
  })
  const resumeUnfinished = async (): Promise<UnfinishedJob<ImportRecord>[]> => {
    const jobs: UnfinishedJob<ImportRecord>[] = []
    for (const record of await store.unfinishedImports()) {
      const interruptions = record.interruptions + (record.state === 'running' ? 1 : 0)
      const reason = refusalOf(record, interruptions)
      if (reason === null && record.request !== null) {
        const files = record.request.paths.map(unreadReport)
        jobs.push({
          record: { ...record, files, interruptions, state: 'queued' },
          work: workOf(record.request),
        })
        logger.warn({ import: record.id, interruptions }, 'an interrupted import is resumed')
      } else {
        const files = record.files.map((file) => ({ ...file, error: file.error ?? reason }))
        await store.save({ ...record, files, interruptions, state: 'failed', endedAt: clock.now() })
      }
    }
    return jobs
  }
  const queue = new JobQueue({
    ...deps,
    name: 'Import',
    tidy: resumeUnfinished,
  })
  return {
    async start({ paths, venue = null, kind = null, dryRun = false, strict = false }) {
      if (kind !== null && !layouts.includes(kind)) {
        throw new InvalidInput(`kind must be one of ${layouts.join(', ')}, was "${kind}"`)
      }
      const files = await expandPaths(paths, dataDir)
      const request = { paths: files, venue, kind, dryRun, ...(strict && { strict }) }
      const record: ImportRecord = {
        id: `imp_${randomUUID().replaceAll('-', '')}`,
        state: 'queued',
        files: files.map(unreadReport),
        request,
        interruptions: 0,
        startedAt: null,
        endedAt: null,
      }
      return queue.add(record, workOf(request))
    },
    async find(id) {
      const { files, request: _request, ...record } = await queue.recordOf(id)
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

/** An import is done when at least one file could be read, and none vanished while it was interrupted. */
const stateOf = (files: readonly FileReport[]): 'done' | 'failed' =>
  files.every(({ error }) => error !== null) || files.some(({ error }) => error?.startsWith(GONE))
    ? 'failed'
    : 'done'

/** Why an unfinished import is not run again; null when it is. */
function refusalOf({ request }: ImportRecord, interruptions: number): string | null {
  if (request === null) return 'the service was interrupted; start the import again'
  return interruptions > MAX_INTERRUPTIONS
    ? `the service ended ${interruptions} times during this import. Imported rows stay; start it again when the cause is fixed`
    : null
}
