import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
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
import { Conflict, StoreFailed } from '../../lib/errors.ts'
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
 * Checks a backup whole and makes what shall stand in the data folder beside what stands there, which
 * is not touched: the next start of a service takes it over.
 * @param order.force also when the folder holds data, or an earlier restore waits there
 * @throws InvalidInput for a folder that is no backup, Conflict when the place is taken or the backup
 * is newer than this program, StoreFailed when a file is not what was written
 */
export async function stageRestore(
  order: { dataDir: string; folder: string; force: boolean; now: Millis },
  say: (line: string) => void,
): Promise<StagedRestore> {
  const { dataDir, folder, force } = order
  const manifest = readManifest(folder)
  refuseNewer(manifest)
  if (!force && hasPendingRestore(dataDir)) {
    throw new Conflict(`A restore waits in ${dataDir} already; --force takes this one in its place`)
  }
  if (!force && hasContent(dataDir)) {
    throw new Conflict(
      `${dataDir} holds data; --force replaces it, keeping it beside as before-restore-…`,
    )
  }
  say(`checking ${manifest.files.length} files`)
  await verify(folder, manifest)
  const content = pendingContentOf(dataDir)
  rmSync(pendingFolderOf(dataDir), { recursive: true, force: true })
  mkdirSync(content, { recursive: true, mode: 0o700 })
  try {
    for (const { path } of manifest.files) {
      const target = join(content, path)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      copyFileSync(join(folder, path), target)
    }
    // Once more: what counts is what stands in the data folder.
    await verify(content, manifest)
    say('building the history')
    const rows = await restoreHistory(content, {
      at: manifest.at as Millis,
      closedThrough: manifest.closedThrough,
    })
    syncTree(pendingFolderOf(dataDir))
    markReady(dataDir, order.now)
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

const TOLD = 5

async function verify(folder: string, { files }: Manifest): Promise<void> {
  const broken: string[] = []
  for (const { path, bytes, sha256 } of files) {
    const file = join(folder, path)
    const isSound =
      existsSync(file) && statSync(file).size === bytes && (await sha256Of(file)) === sha256
    if (!isSound) broken.push(path)
  }
  const needed = [STATE, `parquet/${CATALOGUE}`, 'parquet/days.jsonl']
  broken.push(...needed.filter((path) => !files.some((file) => file.path === path)))
  const state = broken.includes(STATE) ? null : examineState(join(folder, STATE))
  if (state !== null && state.fault !== null) broken.push(`${STATE} (${state.fault})`)
  if (broken.length === 0) return
  const more = broken.length > TOLD ? ` and ${broken.length - TOLD} more` : ''
  throw new StoreFailed(
    `Files of the backup are missing or not what was written: ${broken.slice(0, TOLD).join(', ')}${more}. Nothing was changed.`,
  )
}
