import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import type { CopyOptions, CopyQuery, HistoryExports } from '../../history/history-copies.ts'
import { failureKindOf, messagesOf } from '../../history/recovery/failure-kind.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { renameFiles, type Move } from './export-files.ts'
import type { TargetOf } from './export-targets.ts'
import type { ExportPlan } from './export-plan.ts'

/** Progress of an export. */
export interface ExportProgress {
  readonly rows: number
  /** Bytes of the files written so far. */
  readonly bytes: number
}

/** Writes planned exports, one at a time. */
export interface Exporter {
  /**
   * Files get their final names when all are written; before that, and after a failure, none
   * exist.
   * @returns what was written, and the names of the files
   * @throws the signal's reason when cancelled
   */
  write(
    plan: ExportPlan,
    signal: AbortSignal,
    onProgress: (progress: ExportProgress) => void,
  ): Promise<ExportProgress & { readonly files: readonly string[] }>
  /** Removes leftovers of an export that was interrupted by the end of its process. */
  clean(): Promise<void>
}

export function createExporter(deps: {
  copyTo: HistoryExports['copyTo']
  targetOf: TargetOf
  dataDir: string
  clock: Clock
}): Exporter {
  const { copyTo, targetOf, clock } = deps
  // The history writes only inside the data folder.
  const folder = join(deps.dataDir, 'export')
  const clean = () => rm(folder, { recursive: true, force: true })
  return {
    clean,
    async write(plan, signal, onProgress) {
      const { format, width } = plan
      const asOf = clock.now()
      const query: CopyQuery = {
        markets: plan.markets,
        venue: plan.venue,
        from: plan.from,
        asOf,
        to: plan.to ?? ((asOf + 1) as Millis),
      }
      let [rows, bytes] = [0, 0]
      const moves: Move[] = []
      const unwritten: string[] = []
      await clean()
      try {
        await mkdir(folder, { recursive: true })
        for (const { kind, path, isOptional } of plan.parts) {
          const previous = rows
          const options: CopyOptions = {
            format,
            signal,
            ...(width !== null && { width }),
            onRows: (rowsWritten) => onProgress({ rows: previous + rowsWritten, bytes }),
          }
          const stagingPath = join(folder, basename(path))
          const copyResult = await copyTo(kind, query, stagingPath, options)
          if (copyResult.rows === 0 && isOptional) {
            unwritten.push(path)
            continue
          }
          rows += copyResult.rows
          bytes += (await stat(stagingPath)).size
          moves.push({ from: stagingPath, to: path })
          onProgress({ rows, bytes })
        }
        // Links may have been created in the meantime.
        if ((await targetOf(plan.out)) !== plan.target) {
          throw new InvalidInput('out points to another folder than when the export began')
        }
        await renameFiles(moves, { force: plan.force, signal })
        // An older file beside the new ones would be mistaken for one of them.
        if (plan.force) for (const path of unwritten) await rm(path, { force: true })
        return { rows, bytes, files: moves.map(({ to }) => to) }
      } finally {
        await clean()
      }
    },
  }
}

/** The reason of a failed export, shown to its owner. */
export const exportFailure = (error: unknown): string =>
  failureKindOf(error) === 'full'
    ? 'The disk is full: nothing was written'
    : (messagesOf(error).split('\n')[0] ?? '')
