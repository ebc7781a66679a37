import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Conflict, InvalidInput } from '../../lib/errors.ts'

/** A finished file and its final name. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Refuses paths that exist already. @throws Conflict */
export async function refuseExisting(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if ((await lstat(path).catch(() => null)) !== null) throw new Conflict('file exists')
  }
}

/**
 * Renames finished files to their final names, all or none: what needs disk space is done first,
 * so that the renames cannot fail for lack of it. Content and names are synced to disk when it
 * resolves.
 * @param moves whose folders are real paths
 * @throws Conflict if a name is taken and must not be overwritten, InvalidInput if a link was
 * created in the path
 */
export async function renameFiles(
  moves: readonly Move[],
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<void> {
  const ready: Move[] = []
  try {
    for (const { from, to } of moves) {
      await mkdir(dirname(to), { recursive: true })
      await refuseLinks(dirname(to))
      const isNear = (await stat(from)).dev === (await stat(dirname(to))).dev
      const partPath = isNear ? from : join(dirname(to), `.${basename(to)}.part`)
      ready.push({ from: partPath, to })
      if (!isNear) {
        await rm(partPath, { force: true })
        await pipeline(createReadStream(from), createWriteStream(partPath, { flags: 'wx' }), {
          signal,
        })
      }
      await syncToDisk(partPath)
    }
    signal.throwIfAborted()
    if (!force) await refuseExisting(moves.map(({ to }) => to))
    for (const folder of new Set(moves.map(({ to }) => dirname(to)))) await refuseLinks(folder)
    for (const { from, to } of ready) await rename(from, to)
    for (const folder of new Set(moves.map(({ to }) => dirname(to)))) await syncToDisk(folder)
  } finally {
    for (const { from } of ready) await rm(from, { force: true })
  }
}

/** Refuses a folder that was replaced by a link after its path was checked. @throws InvalidInput */
async function refuseLinks(folder: string): Promise<void> {
  if ((await realpath(folder)) !== folder) {
    throw new InvalidInput('out points to another folder than when the export began')
  }
}

async function syncToDisk(path: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  // Windows cannot open folders; its file system journals renames itself.
  if (isWindows && (await stat(path)).isDirectory()) return
  const handle = await open(path, isWindows ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
