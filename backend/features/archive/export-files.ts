import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Conflict } from '../../lib/errors.ts'

/** A finished file and the name that it gets. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** A file or folder stands under one of these names. @throws Conflict */
export async function refuseExisting(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if ((await lstat(path).catch(() => null)) !== null) throw new Conflict('file exists')
  }
}

/**
 * Gives finished files their names, all of them or none: what needs room is done first, so that the
 * renaming has nothing left to fail on. Content and names are on the disk when it resolves.
 * @throws Conflict when a name is taken and must not be
 */
export async function giveNames(
  moves: readonly Move[],
  { force, signal }: { force: boolean; signal: AbortSignal },
): Promise<void> {
  const ready: Move[] = []
  try {
    for (const { from, to } of moves) {
      await mkdir(dirname(to), { recursive: true })
      const isNear = (await stat(from)).dev === (await stat(dirname(to))).dev
      const near = isNear ? from : join(dirname(to), `.${basename(to)}.part`)
      ready.push({ from: near, to })
      if (!isNear) {
        await rm(near, { force: true })
        await pipeline(createReadStream(from), createWriteStream(near, { flags: 'wx' }), { signal })
      }
      await syncToDisk(near)
    }
    signal.throwIfAborted()
    if (!force) await refuseExisting(moves.map(({ to }) => to))
    for (const { from, to } of ready) await rename(from, to)
    for (const folder of new Set(moves.map(({ to }) => dirname(to)))) await syncToDisk(folder)
  } finally {
    for (const { from } of ready) await rm(from, { force: true })
  }
}

async function syncToDisk(path: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  // Folders cannot be opened on Windows, where a rename is journalled by itself.
  if (isWindows && (await stat(path)).isDirectory()) return
  const handle = await open(path, isWindows ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
