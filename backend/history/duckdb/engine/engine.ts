import { mkdirSync, realpathSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { StoreFailed } from '../../../lib/errors.ts'
import { dropPartialCommit, hasPartialCommit } from './wal.ts'

export const IN_MEMORY = ':memory:'

export interface EngineOptions {
  /** The file, or ':memory:'. */
  readonly path: string
  /** The only folder the engine may read and spill to; by default the folder of the file. */
  readonly dataDir?: string
  /** Default: a quarter of the machine's memory. */
  readonly memoryLimitMb?: number
  /** Default: chosen by the engine; 1 in memory, where tables are small and threads cost more. */
  readonly threads?: number
  /**
   * Whether the engine checkpoints a long log by itself within a commit (the default). On a full
   * disk this makes the database fail, and it is unknown whether the commit succeeded.
   */
  readonly checkpointsAutomatically?: boolean
}

export interface Engine {
  readonly writer: DuckDBConnection
  readonly readers: readonly DuckDBConnection[]
  /** For copies of days, which take a long time. */
  readonly copier: DuckDBConnection
  /** For reads of many markets. */
  readonly bulk: DuckDBConnection
  /** For the rows that users' SQL statements read. */
  readonly statements: readonly DuckDBConnection[]
  /** For backtests, which read one window after another. */
  readonly runs: DuckDBConnection
  /** Opens another connection, which the caller closes. */
  connect(): Promise<DuckDBConnection>
  /** Closes the connections above and releases the file. */
  close(): void
}

const READERS = 4
/** Equal to the number of statements that run at once. */
const STATEMENT_READERS = 2
/** Rows that the engine prefetches for chunk-by-chunk reads. */
const STREAMED_MB = 8

/**
 * Files open in this process. The engine locks a file against other processes only: a second open
 * in the same process would overwrite the work of the first.
 */
const openPaths = new Set<string>()

/**
 * Opens the engine and locks it down: no file outside the data folder, no network, no extensions,
 * and the settings cannot be changed again. Throws StoreFailed when the file is open elsewhere or
 * cannot be read.
 */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const path = options.path === IN_MEMORY ? IN_MEMORY : canonicalPath(options.path)
  if (openPaths.has(path)) throw new StoreFailed(`The history ${path} is already open`)
  if (path !== IN_MEMORY) openPaths.add(path)
  let instance: DuckDBInstance | null = null
  const connections: DuckDBConnection[] = []
  // The engine lives as long as any connection to it. If the garbage collector closed one later, it
  // would release the lock of a file that was reopened in the meantime.
  const close = (): void => {
    for (const connection of connections) connection.closeSync()
    instance?.closeSync()
    openPaths.delete(path)
  }
  try {
    if (hasPartialCommit(path)) {
      await expectClosed(path)
      dropPartialCommit(path)
    }
    const database = await DuckDBInstance.create(path)
    instance = database
    const openConnection = async (): Promise<DuckDBConnection> => {
      const connection = await database.connect()
      connections.push(connection)
      return connection
    }
    const writer = await openConnection()
    for (const setting of settingsOf(path, options)) await writer.run(setting)
    const others = await openRelatedConnections(openConnection)
    return { writer, ...others, connect: () => database.connect(), close }
  } catch (error) {
    close()
    throw openFailure(path, error)
  }
}

/** Throws when another process has the file open, which may be writing to its log right now. */
async function expectClosed(path: string): Promise<void> {
  try {
    const reader = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
    reader.closeSync()
  } catch (error) {
    if (isLocked(error)) throw error
  }
}

/** The connections of an engine other than its writer's. */
export async function openRelatedConnections(
  connect: () => Promise<DuckDBConnection>,
): Promise<Omit<Engine, 'writer' | 'connect' | 'close'>> {
  const readers = await Promise.all(Array.from({ length: READERS }, connect))
  const [copier, bulk] = [await connect(), await connect()]
  const statements = await Promise.all(Array.from({ length: STATEMENT_READERS }, connect))
  return { readers, copier, bulk, statements, runs: await connect() }
}

/** Statements that limit an engine and lock it down; the last ones make the settings final. */
export function settingsOf(path: string, options: EngineOptions): string[] {
  const folder = options.dataDir ?? (path === IN_MEMORY ? null : dirname(path))
  const allowedFolders = folder === null ? [] : [realpathSync(resolve(folder))]
  const threads = options.threads ?? (path === IN_MEMORY ? 1 : undefined)
  const memory = options.memoryLimitMb ?? Math.floor(totalmem() / 4 / 1024 / 1024)
  return [
    `set memory_limit = '${memory}MiB'`,
    ...(threads === undefined ? [] : [`set threads = ${threads}`]),
    ...(options.checkpointsAutomatically === false ? ["set checkpoint_threshold = '1TiB'"] : []),
    // Without a folder nothing is spilled; otherwise the engine would use the working directory.
    `set temp_directory = ${quoteText(allowedFolders[0] === undefined ? '' : join(allowedFolders[0], 'tmp'))}`,
    // With a small buffer the engine spends more time on wake-ups than on reading.
    `set streaming_buffer_size = '${STREAMED_MB}MiB'`,
    // Prepared statements would read from this cache the bytes of an earlier file of the same name.
    'set enable_external_file_cache = false',
    'set autoinstall_known_extensions = false',
    'set autoload_known_extensions = false',
    `set allowed_directories = [${allowedFolders.map(quoteText).join(', ')}]`,
    'set enable_external_access = false',
    'set lock_configuration = true',
  ]
}

/** A quoted text for statements that accept no parameters: settings, ATTACH, the target of COPY. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

function canonicalPath(path: string): string {
  const folder = dirname(resolve(path))
  mkdirSync(folder, { recursive: true })
  return join(realpathSync(folder), resolve(path).slice(dirname(resolve(path)).length + 1))
}

function openFailure(path: string, error: unknown): StoreFailed {
  if (error instanceof StoreFailed) return error
  if (isLocked(error)) {
    const holder = /PID (\d+)/.exec(textOf(error))?.[1]
    const by = holder === undefined ? 'another process' : `process ${holder}`
    return new StoreFailed(`The history ${path} is already open in ${by}`, { cause: error })
  }
  return new StoreFailed(`The history ${path} could not be opened`, { cause: error })
}

const isLocked = (error: unknown): boolean =>
  /conflicting lock|could not set lock|being used by another process/i.test(textOf(error))

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
