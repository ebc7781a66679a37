import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, type Stats } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import { JobQueue, timesOf } from '../../lib/job-queue.ts'
import type { JobRecord, JobStore, JobWork } from '../../lib/job-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { isWithin, outTargetOf, realPathOf } from '../../lib/files/real-path.ts'
import { existsAsBackup } from './backup-manifest.ts'
import type { BackupRun, StartBackup } from '../../contract/operations.ts'
import { publishFolder } from './publish-folder.ts'
import { writeBackup, type CopyStores } from './write-backup.ts'

export interface BackupsService {
  /**
   * Checks the target and starts a backup. @throws InvalidInput; Conflict if a backup is running
   * or the target exists
   */
  start(body: StartBackup): Promise<{ id: string }>
  /** @throws NotFound */
  find(id: string): Promise<BackupRun>
  /** @throws NotFound; Conflict when the backup has ended */
  cancel(id: string): Promise<{ ok: true }>
  /** Cancels the running backup; resolves when none runs. */
  close(): Promise<void>
}

/** A backup, remembered while the service runs. */
interface BackupRecord extends JobRecord {
  readonly out: string
  readonly at: Millis | null
  readonly filesDone: number
  readonly filesAll: number | null
  readonly rows: number
  readonly bytes: number
  readonly error: string | null
}

/** Staging folder of backups in the data folder; emptied when the stores are opened. */
const STAGING = 'backup'
/** Runs kept in memory; a finished backup is described by its manifest. */
const MAX_BACKUPS = 20

/**
 * Backups of a running service, one at a time, written in the data folder and moved out when
 * complete.
 */
export function createBackupsService(deps: {
  dataDir: string
  copyStores: CopyStores
  version: string
  clock: Clock
  logger: Logger
}): BackupsService {
  const { dataDir, clock } = deps
  const staging = join(dataDir, STAGING)
  const queue = new JobQueue({
    ...deps,
    store: newestOf<BackupRecord>(MAX_BACKUPS),
    name: 'Backup',
    tidy: () => Promise.resolve(),
  })

  const workOf = (body: StartBackup): JobWork<BackupRecord> => ({
    async run({ record: { id, out }, signal, update: note }) {
      const stage = join(staging, id)
      try {
        mkdirSync(stage, { recursive: true, mode: 0o700 })
        const { at, files } = await writeBackup(
          { ...deps, stage, withSecrets: body.withSecrets ?? false },
          { signal, onFile: (filesDone, filesAll) => note({ filesDone, filesAll }) },
        )
        signal.throwIfAborted()
        // Links may have been created while the files were written.
        if (targetFor(body, dataDir) !== out) {
          throw new InvalidInput('out points to another folder than when the backup began')
        }
        publishFolder(stage, out)
        const sum = (field: 'rows' | 'bytes') => files.reduce((all, file) => all + file[field], 0)
        return { state: 'done', at: at as Millis, rows: sum('rows'), bytes: sum('bytes') }
      } finally {
        rmSync(staging, { recursive: true, force: true })
      }
    },
    failed: (error, { signal }) => ({
      error: signal.aborted ? null : error instanceof Error ? error.message : String(error),
    }),
  })

  return {
    async start(body) {
      const outPath = targetFor(body, dataDir)
      if (queue.isBusy) throw new Conflict('A backup is running')
      const record: BackupRecord = {
        id: `bak_${randomUUID().replaceAll('-', '')}`,
        state: 'running',
        out: outPath,
        at: null,
        filesDone: 0,
        filesAll: null,
        rows: 0,
        bytes: 0,
        error: null,
        startedAt: clock.now(),
        endedAt: null,
      }
      return queue.add(record, workOf(body))
    },
    async find(id) {
      const { at, ...record } = await queue.recordOf(id)
      return { ...record, ...timesOf(record), at: at === null ? null : isoOf(at) }
    },
    cancel: (id) => queue.cancel(id),
    close: () => queue.close(),
  }
}

/** The newest records, in memory. */
function newestOf<R extends JobRecord>(max: number): JobStore<R> {
  const records = new Map<string, R>()
  const save = (record: R): Promise<void> => {
    records.set(record.id, record)
    for (const old of [...records.keys()].slice(0, -max)) records.delete(old)
    return Promise.resolve()
  }
  return { find: (id) => Promise.resolve(records.get(id) ?? null), add: save, save }
}

/** The real path of the target, if nothing else can be damaged there. */
function targetFor({ out, force = false }: StartBackup, dataDir: string): string {
  if (/\p{Cc}/u.test(out)) throw new InvalidInput('out must not contain control characters')
  if (!isAbsolute(out)) throw new InvalidInput(`out must be an absolute path, was "${out}"`)
  const target = outTargetOf(resolve(out))
  const data = realPathOf(resolve(dataDir))
  if (isWithin(data, target) || isWithin(target, data)) {
    throw new InvalidInput(`out must be outside the data folder, was "${out}"`)
  }
  const targetStats = fileStatusOf(target)
  if (targetStats === undefined) {
    if (!existsSync(join(target, '..'))) {
      throw new InvalidInput(`out must be in an existing folder, was "${out}"`)
    }
    return target
  }
  if (!targetStats.isDirectory()) throw new Conflict(`${out} is a file`)
  if (readdirSync(target).length === 0) return target
  if (!force) throw new Conflict(`folder exists and is not empty: ${out}`)
  if (!existsAsBackup(target))
    throw new Conflict(`${out} is not empty and does not contain a backup`)
  return target
}

/**
 * File status of a path; undefined if nothing exists there. @throws InvalidInput if the path is
 * invalid
 */
function fileStatusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new InvalidInput(`out cannot be written (${code})`)
  }
}
