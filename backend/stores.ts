import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openHistory } from './history/duckdb/open.ts'
import type { HistoryImports, HistoryStore } from './history/history-store.ts'
import { readLaunch } from './lib/launch-file.ts'
import type { Logger } from './lib/logger.ts'
import { openState, type State } from './state/open.ts'

/** Keeps the whole process under 2 GB while a hundred million rows are imported and sorted. */
const HISTORY_MEMORY_MB = 1_024

/** Everything on disk, opened. */
export interface Stores {
  readonly history: HistoryStore & HistoryImports
  readonly state: State
  close(): Promise<void>
}

/** The data folder cannot be used; the message says why and what to do. */
export class DataFolderProblem extends Error {
  readonly heldByOther: boolean
  constructor(message: string, options: { heldByOther: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'DataFolderProblem'
    this.heldByOther = options.heldByOther
  }
}

/**
 * Opens the stores of a data folder, creating what is missing. The history's file lock makes this
 * process the folder's only user.
 * @throws DataFolderProblem when the folder cannot be written or another process holds it
 */
export async function openStores(dataDir: string, log: Logger): Promise<Stores> {
  makeFolder(dataDir)
  const history = await openHistory({
    path: join(dataDir, 'history.duckdb'),
    memoryLimitMb: HISTORY_MEMORY_MB,
    dataDir,
    logger: log.child({ part: 'history' }),
  }).catch((cause: unknown) => {
    throw folderProblem(dataDir, cause)
  })
  try {
    const state = await openState(join(dataDir, 'state.sqlite'))
    return {
      history,
      state,
      async close() {
        await state.destroy()
        await history.close()
      },
    }
  } catch (error) {
    await history.close()
    throw error
  }
}

/**
 * Makes a folder and those above it. Node's own recursive form tries for ever where the system
 * keeps answering that the folder above is missing, as under /proc.
 */
function makePath(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  const above = dirname(folder)
  if (above !== folder) makePath(above)
  mkdirSync(folder, { mode: 0o700 })
}

function makeFolder(dataDir: string): void {
  try {
    for (const folder of [dataDir, join(dataDir, 'run'), join(dataDir, 'import')]) {
      makePath(folder)
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DataFolderProblem(
      `The data folder ${dataDir} cannot be written (${reason}). Choose another with --data DIR.`,
      { heldByOther: false, cause },
    )
  }
}

function folderProblem(dataDir: string, cause: unknown): unknown {
  const text = cause instanceof Error ? `${cause.message} ${messageOf(cause.cause)}` : String(cause)
  if (!/lock/i.test(text)) return cause
  const launch = readLaunch(dataDir)
  const pid = /PID (\d+)/.exec(text)?.[1] ?? launch?.pid
  const where = launch === null ? '' : ` and answers at ${launch.url}`
  const holder = pid === undefined ? 'Another process' : `Process ${pid}`
  return new DataFolderProblem(
    `${holder} holds the data folder ${dataDir}${where}. Stop it, or choose another folder with --data DIR.`,
    { heldByOther: true, cause },
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')
