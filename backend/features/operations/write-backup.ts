import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { sha256Of } from '../../history/recovery/day-files.ts'
import { BACKUP_FORMAT, MANIFEST, type BackedUpFile, type Manifest } from './backup-manifest.ts'

/** Abort signal and progress callback of a backup. */
export interface BackupWork {
  readonly signal: AbortSignal
  readonly onFile: (filesDone: number, fileCount: number) => void
}

/** Copies `state.sqlite` and the history's files to a folder. */
export type CopyStores = (
  folder: string,
  work: BackupWork,
) => Promise<{
  readonly stateSchema: string
  readonly history: {
    readonly schema: number
    readonly at: Millis
    readonly closedThrough: number
    readonly files: readonly BackedUpFile[]
  }
}>

/** Copies a whole data folder to an empty folder; writes the manifest last. */
export async function writeBackup(
  from: {
    dataDir: string
    stage: string
    copyStores: CopyStores
    version: string
    withSecrets: boolean
  },
  work: BackupWork,
): Promise<Manifest> {
  const { dataDir, stage, withSecrets } = from
  const { history, stateSchema } = await from.copyStores(stage, work)
  chmodSync(join(stage, 'state.sqlite'), 0o600)
  const others = ['state.sqlite', ...(withSecrets ? copySecrets(dataDir, stage) : [])]
  const files = [...history.files]
  for (const path of others) files.push(await fileAt(stage, path))
  const manifest: Manifest = {
    product: 'augury',
    format: BACKUP_FORMAT,
    version: from.version,
    at: history.at,
    historySchema: history.schema,
    stateSchema,
    closedThrough: history.closedThrough,
    hasSecrets: withSecrets,
    files,
  }
  writeFileSync(join(stage, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

async function fileAt(stage: string, path: string): Promise<BackedUpFile> {
  const file = join(stage, path)
  return { path, rows: 0, bytes: statSync(file).size, sha256: await sha256Of(file) }
}

function copySecrets(dataDir: string, stage: string): string[] {
  const folder = join(dataDir, 'secrets')
  if (!existsSync(folder)) return []
  mkdirSync(join(stage, 'secrets'), { mode: 0o700 })
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => {
      copyFileSync(join(folder, name), join(stage, 'secrets', name))
      chmodSync(join(stage, 'secrets', name), 0o600)
      return `secrets/${name}`
    })
}
