import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { recordingPath } from '../../bench/recordings.ts'
import { openReaderDatabase } from '../ingest/import/reader-database.ts'

/**
 * Copies the rows of recorded Parquet files that satisfy a SQL condition into files of the same
 * names below a folder, in the same order.
 * @param where may name the columns and `file_row_number`, which counts from 0
 * @returns the paths of the copies
 */
export async function sampleRecordings(
  paths: readonly string[],
  { where, folder }: { readonly where: string; readonly folder: string },
): Promise<string[]> {
  const engine = await openReaderDatabase({ memoryLimitMb: 300, tempDir: folder })
  try {
    const copies: string[] = []
    for (const path of paths) {
      const copy = join(folder, path)
      mkdirSync(dirname(copy), { recursive: true })
      const rows = `read_parquet('${recordingPath(path)}', file_row_number = true, hive_partitioning = false)`
      await engine.connection.run(
        `copy (select * exclude file_row_number from ${rows} where ${where}) to '${copy}' (format parquet)`,
      )
      copies.push(copy)
    }
    return copies
  } finally {
    engine.close()
  }
}
