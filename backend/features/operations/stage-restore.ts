import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { sha256Of } from '../../history/recovery/day-files.ts'
import { HISTORY_SCHEMA } from '../../history/duckdb/migrations/migrations.ts'
import { CATALOGUE } from '../../history/recovery/history-backup.ts'
import {
  hasContent,
  hasPendingRestore,
  markReady,
  pendingContentOf,
  pendingFolderOf,
} from '../../history/recovery/pending-restore.ts'
import { restoreHistory } from '../../history/recovery/restore-history.ts'
import { Conflict, InvalidInput, StoreFailed } from '../../lib/errors.ts'
import { isWithin, realPathOf } from '../../lib/files/real-path.ts'
import { STATE_MIGRATIONS } from '../../state/open.ts'
import { examineState } from '../../state/state-file.ts'
import { BACKUP_FORMAT, readManifest, type Manifest } from './backup-manifest.ts'
import { syncTree } from './publish-folder.ts'

export interface StagedRestore {
  /** The instant of the backup. */
  readonly at: Millis
  readonly rows: number
  readonly files: number
}

const STATE = 'state.sqlite'

/**
 * Verifies a backup and prepares the restored data next to the current data, which is not changed;
 * the next start of the service activates it.
 * @param order.force also if the folder holds data or a pending restore
 * @throws InvalidInput for a folder that is no backup; Conflict if the target is taken or the
 * backup is from a newer version; StoreFailed if a file differs from the manifest
 */
export async function stageRestore(
  task: { dataDir: string; folder: string; force: boolean; now: Millis },
  report: (line: string) => void,
): Promise<StagedRestore> {
  const { dataDir, folder, force } = task
  const manifest = readManifest(folder)
  refuseNewer(manifest)
  if (!force && hasPendingRestore(dataDir)) {
    throw new Conflict(`A restore is already pending in ${dataDir}; --force replaces it`)
  }
  if (!force && hasContent(dataDir)) {
    throw new Conflict(
      `${dataDir} contains data; --force replaces it and keeps the previous content as before-restore-…`,
    )
  }
  report(`checking ${manifest.files.length} files`)
  await verify(folder, manifest)
  const content = pendingContentOf(dataDir)
  if (isWithin(realPathOf(pendingFolderOf(dataDir)), realPathOf(folder))) {
    throw new InvalidInput(
      `${folder} is the folder of a pending restore and would be removed first`,
    )
  }
  rmSync(pendingFolderOf(dataDir), { recursive: true, force: true })
  mkdirSync(content, { recursive: true, mode: 0o700 })
  try {
    for (const { path } of manifest.files) {
      const target = join(content, path)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      copyFileSync(join(folder, path), target)
    }
    // Verified again after copying: only the files in the data folder matter.
    await verify(content, manifest)
    report('building the history')
    const rows = await restoreHistory(content, {
      at: manifest.at as Millis,
      closedThrough: manifest.closedThrough,
    })
    syncTree(pendingFolderOf(dataDir))
    markReady(dataDir, task.now)
    return { at: manifest.at as Millis, rows, files: manifest.files.length }
  } catch (error) {
    rmSync(pendingFolderOf(dataDir), { recursive: true, force: true })
    throw error
  }
}

function refuseNewer({ format, historySchema, stateSchema, version }: Manifest): void {
  const isKnown =
    format <= BACKUP_FORMAT &&
    historySchema <= HISTORY_SCHEMA &&
    STATE_MIGRATIONS.includes(stateSchema)
  if (isKnown) return
  throw new Conflict(
    `The backup was made by Augury ${version} and is newer than this one: its history has schema ${historySchema}, ours is ${HISTORY_SCHEMA}; its operational rows have ${stateSchema}, ours are ${STATE_MIGRATIONS.at(-1)}. Update Augury, then restore.`,
  )
}

const MAX_LISTED = 5

async function verify(folder: string, { files }: Manifest): Promise<void> {
  const brokenFiles: string[] = []
  for (const { path, bytes, sha256 } of files) {
    const file = join(folder, path)
    const fileStats = statSync(file, { throwIfNoEntry: false })
    // Reading a pipe would block forever.
    const isFile = fileStats?.isFile() === true && fileStats.size === bytes
    const isSound = isFile && (await sha256Of(file)) === sha256
    if (!isSound) brokenFiles.push(path)
  }
  const neededFiles = [STATE, `parquet/${CATALOGUE}`, 'parquet/days.jsonl']
  brokenFiles.push(...neededFiles.filter((path) => !files.some((file) => file.path === path)))
  const state = brokenFiles.includes(STATE) ? null : examineState(join(folder, STATE))
  if (state !== null && state.problem !== null) brokenFiles.push(`${STATE} (${state.problem})`)
  if (brokenFiles.length === 0) return
  const hiddenText =
    brokenFiles.length > MAX_LISTED ? ` and ${brokenFiles.length - MAX_LISTED} more` : ''
  throw new StoreFailed(
    `Files of the backup are missing or damaged: ${brokenFiles.slice(0, MAX_LISTED).join(', ')}${hiddenText}. Nothing was changed.`,
  )
}
