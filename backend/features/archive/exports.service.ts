import { randomUUID } from 'node:crypto'
import type { HistoryStore } from '../../history/history-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { JobQueue, timesOf } from '../../lib/job-queue.ts'
import type { JobWork } from '../../lib/job-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { refuseExisting } from './export-files.ts'
import type { TargetOf } from './export-targets.ts'
import { planExport, type ExportPlan } from './export-plan.ts'
import { exportFailure, type Exporter } from './exporter.ts'
import type { ExportRun, StartExport } from '../../contract/archive.ts'
import type { ExportRecord, ExportsStore } from './exports.store.ts'

export interface ExportsService {
  /**
   * Validates the request and queues the export. @throws InvalidInput; Conflict for a taken name
   */
  start(body: StartExport): Promise<{ id: string }>
  /** @throws NotFound */
  find(id: string): Promise<ExportRun>
  /**
   * Cancels an export; none of its files remain. @throws NotFound; Conflict when the export has
   * ended
   */
  cancel(id: string): Promise<{ ok: true }>
  /** Cancels queued and running exports; resolves when none runs. */
  close(): Promise<void>
}

/** Runs exports one at a time in the order of their requests. */
export function createExportsService(deps: {
  store: ExportsStore
  exporter: Exporter
  history: HistoryStore
  targetOf: TargetOf
  clock: Clock
  logger: Logger
}): ExportsService {
  const { store, exporter, history, targetOf, clock } = deps
  const queue = new JobQueue({
    ...deps,
    name: 'Export',
    tidy: async () => {
      if ((await store.failUnfinished(clock.now())) > 0) await exporter.clean()
    },
  })
  const workOf = (plan: ExportPlan): JobWork<ExportRecord> => ({
    run: async ({ signal, update: note }) => ({
      ...(await exporter.write(plan, signal, note)),
      state: 'done',
    }),
    failed: (error, { signal }) => ({ error: signal.aborted ? null : exportFailure(error) }),
  })
  return {
    async start(body) {
      const plan = await planExport(body, { history, targetOf, now: clock.now() })
      if (!plan.force) await refuseExisting(plan.parts.map(({ path }) => path))
      const record: ExportRecord = {
        id: `exp_${randomUUID().replaceAll('-', '')}`,
        state: 'queued',
        rows: 0,
        bytes: 0,
        files: [],
        error: null,
        startedAt: null,
        endedAt: null,
      }
      return queue.add(record, workOf(plan))
    },
    async find(id) {
      const { files, ...record } = await queue.recordOf(id)
      return {
        ...record,
        files: [...files],
        ...timesOf(record),
      }
    },
    cancel: (id) => queue.cancel(id),
    close: () => queue.close(),
  }
}
