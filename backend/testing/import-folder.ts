import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileReport, ImportRequest } from '../domain/import-report.ts'
import type { Millis } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { WholeHistory } from '../history/history.ts'
import { silentLogger } from '../lib/logger.ts'
import { createImportHost } from '../ingest/import/import-host.ts'
import { openReaderDatabase } from '../ingest/import/reader-database.ts'
import { runImport } from '../ingest/import/run-import.ts'

/** A data folder with a history of its own, for tests of imports. */
export interface ImportFolder {
  readonly path: string
  readonly history: WholeHistory
  /** Writes a file into the folder and returns its path. */
  file(name: string, content: string | Buffer): string
  /** Writes the rows of a query as Parquet. */
  parquet(name: string, sql: string): Promise<string>
  importFiles(paths: readonly string[], request?: Partial<ImportRequest>): Promise<FileReport[]>
  idOf(ticker: string): number
  close(): Promise<void>
}

export const END = 8_640_000_000_000_000 as Millis

/** Imports files into a history like a job; `scratch` holds intermediate files. */
export const importInto = (
  history: WholeHistory,
  scratch: string,
  paths: readonly string[],
  request: Partial<ImportRequest> = {},
): Promise<FileReport[]> =>
  runImport(
    { paths, venue: null, kind: null, dryRun: false, ...request },
    createImportHost(history),
    { stageDir: scratch, tempDir: scratch, memoryLimitMb: 300 },
    new AbortController().signal,
  )

export async function openImportFolder(): Promise<ImportFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-import-'))
  const scratch = join(folder, 'import')
  mkdirSync(scratch)
  const path = join(folder, 'history.duckdb')
  const history = await openHistory({ path, dataDir: folder, logger: silentLogger })
  return {
    path: folder,
    history,
    file(name, content) {
      const target = join(folder, name)
      writeFileSync(target, content)
      return target
    },
    async parquet(name, sql) {
      const target = join(folder, name)
      const engine = await openReaderDatabase({ memoryLimitMb: 300, tempDir: scratch })
      await engine.connection.run(`copy (${sql}) to '${target}' (format parquet)`)
      engine.close()
      return target
    },
    importFiles: (paths, request) => importInto(history, scratch, paths, request),
    idOf(ticker) {
      const found = history.marketIdOf(ticker)
      if (found === null) throw new Error(`${ticker} is unknown`)
      return found.market
    },
    async close() {
      await history.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
