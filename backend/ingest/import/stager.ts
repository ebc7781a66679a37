import { rm } from 'node:fs/promises'
import type { StagedKind } from '../../history/history-copies.ts'
import type { Adopted, ImportHost } from './import-host.ts'

/**
 * Hands staged files to the history one at a time, so that one can be written while the one before
 * it is taken over, and never more lie on the disk.
 */
export interface Stager {
  /** A new path for a staged file. */
  nextPath(): string
  /**
   * Resolves when the file before this one is dealt with; `done` hears what became of this one, or
   * why it could not be taken over.
   * @param source name of the file that the rows came from; null where what they cover is stated apart
   */
  submit(
    kind: StagedKind,
    path: string,
    source: string | null,
    done: (outcome: Adopted | { readonly error: string }) => void,
  ): Promise<void>
  /** Resolves when everything submitted is dealt with. */
  drain(): Promise<void>
}

export function createStager(host: ImportHost, folder: string): Stager {
  let count = 0
  let running: Promise<void> = Promise.resolve()
  const adopt = async (
    kind: StagedKind,
    path: string,
    source: string | null,
    done: Parameters<Stager['submit']>[3],
  ): Promise<void> => {
    try {
      done(await host.adopt(kind, path, source))
    } catch (error) {
      done({ error: error instanceof Error ? error.message : String(error) })
    } finally {
      await rm(path, { force: true })
    }
  }
  return {
    nextPath() {
      count += 1
      return `${folder}/${count}.parquet`
    },
    async submit(kind, path, source, done) {
      await running
      running = adopt(kind, path, source, done)
    },
    drain: () => running,
  }
}
