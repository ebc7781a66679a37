import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { StoredCounts, ImportHost, StagedFile } from '../import-host.ts'

/**
 * Passes staged files to the history one at a time, so that one is written while the previous one
 * is adopted, and at most two are on disk.
 */
export interface Stager {
  /** A path for a staged file, unique within this data folder forever. */
  nextPath(): string
  /**
   * Resolves when the previous file has been adopted or has failed; `done` receives the result of
   * this one, or why it could not be adopted.
   */
  submit(
    file: StagedFile,
    onOutcome: (outcome: StoredCounts | { readonly error: string }) => void,
  ): Promise<void>
  /** Resolves when everything submitted has been handled. */
  drain(): Promise<void>
}

export function createStager(host: ImportHost, folder: string): Stager {
  // Engines cache files by name, and an import may follow another within a clock tick.
  const run = randomUUID()
  let count = 0
  let lastTask: Promise<void> = Promise.resolve()
  const adopt = async (
    file: StagedFile,
    onOutcome: Parameters<Stager['submit']>[1],
  ): Promise<void> => {
    try {
      onOutcome(await host.adopt(file))
    } catch (error) {
      onOutcome({ error: error instanceof Error ? error.message : String(error) })
    } finally {
      await rm(file.path, { force: true })
    }
  }
  return {
    nextPath() {
      count += 1
      return `${folder}/${count}-${run}.parquet`
    },
    async submit(file, onOutcome) {
      await lastTask
      lastTask = adopt(file, onOutcome)
    },
    drain: () => lastTask,
  }
}
