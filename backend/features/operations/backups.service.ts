import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { existsAsBackup } from './backup-manifest.ts'
import type { BackupRun, StartBackup } from './backups.schema.ts'
import { publishFolder } from './publish-folder.ts'
import { writeBackup, type CopyStores } from './write-backup.ts'

export interface BackupsService {
  /** Checks the place and begins. Throws InvalidInput, and Conflict when a backup runs or the place is taken. */
  start(body: StartBackup): { id: string }
  /** Throws NotFound. */
  find(id: string): BackupRun
  /** Throws NotFound, and Conflict when the backup has ended. */
  cancel(id: string): { ok: true }
  /** Cancels what runs; resolves when nothing runs any more. */
  close(): Promise<void>
}

interface Job {
  run: BackupRun
  readonly stop: AbortController
}

/** Where a backup is made, inside the data folder; emptied when the stores are opened. */
export const WORKSHOP = 'backup'
/** Runs kept in memory; a backup that is done speaks for itself by its manifest. */
const KEPT = 20

/** Backups of a running service, one at a time. They are made inside the data folder and moved out when whole. */
export function createBackupsService(deps: {
  dataDir: string
  copyStores: CopyStores
  version: string
  clock: Clock
  logger: Logger
}): BackupsService {
  const { dataDir, clock, logger } = deps
  const workshop = join(dataDir, WORKSHOP)
  const jobs = new Map<string, Job>()
  let running: Promise<void> | null = null

  const work = async (job: Job, { out, withSecrets = false }: StartBackup): Promise<void> => {
    const { signal } = job.stop
    const stage = join(workshop, job.run.id)
    const note = (change: Partial<BackupRun>): void => {
      job.run = { ...job.run, ...change }
    }
    try {
      mkdirSync(stage, { recursive: true, mode: 0o700 })
      const manifest = await writeBackup(
        { ...deps, stage, withSecrets },
        {
          signal,
          onFile: (filesDone, filesAll) => note({ filesDone, filesAll }),
        },
      )
      signal.throwIfAborted()
      publishFolder(stage, out)
      const sum = (of: 'rows' | 'bytes') => manifest.files.reduce((all, file) => all + file[of], 0)
      note({ state: 'done', rows: sum('rows'), bytes: sum('bytes') })
      note({ at: isoOf(manifest.at as Millis) })
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, backup: job.run.id }, 'a backup failed')
      const message = error instanceof Error ? error.message : String(error)
      note(signal.aborted ? { state: 'cancelled' } : { state: 'failed', error: message })
    } finally {
      note({ endedAt: isoOf(clock.now()) })
      rmSync(workshop, { recursive: true, force: true })
    }
  }

  const jobOf = (id: string): Job => {
    const job = jobs.get(id)
    if (job === undefined) throw new NotFound('Backup not found')
    return job
  }

  return {
    start(body) {
      const out = placeFor(body, dataDir)
      if (running !== null) throw new Conflict('A backup is running')
      const id = `bak_${randomUUID().replaceAll('-', '')}`
      const job: Job = {
        run: {
          ...{ id, state: 'running', out, at: null, filesDone: 0, filesAll: null },
          ...{ rows: 0, bytes: 0, error: null, startedAt: isoOf(clock.now()), endedAt: null },
        },
        stop: new AbortController(),
      }
      jobs.set(id, job)
      for (const old of [...jobs.keys()].slice(0, -KEPT)) jobs.delete(old)
      running = work(job, { ...body, out }).finally(() => {
        running = null
      })
      return { id }
    },
    find: (id) => jobOf(id).run,
    cancel(id) {
      const { run, stop } = jobOf(id)
      if (run.state !== 'running') throw new Conflict(`Backup is ${run.state}`)
      stop.abort()
      return { ok: true }
    },
    async close() {
      for (const { stop } of jobs.values()) stop.abort()
      await running
    },
  }
}

/** Where the backup goes, once nothing else can be harmed there. */
function placeFor({ out, force = false }: StartBackup, dataDir: string): string {
  if (!isAbsolute(out)) throw new InvalidInput(`out must be absolute, was "${out}"`)
  const place = resolve(out)
  if (isWithin(resolve(dataDir), place) || isWithin(place, resolve(dataDir))) {
    throw new InvalidInput(`out must lie outside the data folder, was "${out}"`)
  }
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) {
    if (!existsSync(join(place, '..'))) {
      throw new InvalidInput(`out must lie in a folder that exists, was "${out}"`)
    }
    return place
  }
  if (!found.isDirectory()) throw new Conflict(`${out} is a file`)
  if (readdirSync(place).length === 0) return place
  if (!force) throw new Conflict(`folder exists and is not empty: ${out}`)
  if (!existsAsBackup(place)) throw new Conflict(`${out} is not empty and holds no backup`)
  return place
}

/** Whether `path` is `folder` or lies below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way))
}
