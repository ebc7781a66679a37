import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unreadReport, type FileReport, type ImportRequest } from '../../domain/import-report.ts'
import type { Venue } from '../../domain/market.ts'
import type { ImportStep } from '../../history/history-copies.ts'
import type { MarketKey } from '../../history/market-key.ts'
import type {
  FactsVersion,
  ImportHost,
  ImportStepLog,
  Outcome,
  StagedFile,
  Statements,
} from './import-host.ts'
import type { ImportAttempt } from './resumed-host.ts'
import type { FromReader, HostCalls, ReaderStart, ToReader } from './worker-messages.ts'

const WORKER = new URL('../../jobs/workers/import-worker.ts', import.meta.url)
const MEMORY_LIMIT_MB = 700

/** Imports files into the history in a separate thread. */
export interface Importer {
  /**
   * Runs one import at a time. Files that cannot be read are reported in their reports.
   * @param onReport receives every change of a file's report, with its index in `request.paths`
   * @param job the import that this is an attempt of; a resumed import counts rows that earlier
   * attempts stored as taken
   * @throws when the thread itself failed; what was stored stays stored
   */
  importFiles(
    request: ImportRequest,
    signal: AbortSignal,
    onReport?: (index: number, report: FileReport) => void,
    job?: { readonly id: string; readonly isResumed: boolean },
  ): Promise<FileReport[]>
}

/** @param options.dataDir staged files and spilled memory are below its `import` folder */
export function createImporter(options: {
  host: ImportHost & ImportStepLog
  dataDir: string
  worker?: URL
  memoryLimitMb?: number
}): Importer {
  const { host } = options
  const folder = join(options.dataDir, 'import')
  const settings = {
    stageDir: join(folder, 'staged'),
    tempDir: join(folder, 'spilled'),
    memoryLimitMb: options.memoryLimitMb ?? MEMORY_LIMIT_MB,
  }
  return {
    async importFiles(request, signal, onReport = () => {}, job) {
      // Files left by an interrupted import are of no use to the next one.
      await rm(folder, { recursive: true, force: true })
      await mkdir(settings.stageDir, { recursive: true })
      await mkdir(settings.tempDir, { recursive: true })
      try {
        const attempt = job === undefined ? null : await attemptOf(host, job)
        const start: ReaderStart = { request, settings, attempt }
        return await follow(new Worker(options.worker ?? WORKER, { workerData: start }), {
          request,
          host,
          signal,
          onReport,
        })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function attemptOf(
  host: ImportStepLog,
  { id, isResumed }: { readonly id: string; readonly isResumed: boolean },
): Promise<ImportAttempt> {
  // Only one import runs at a time, and the reports of all others are stored.
  await host.deleteOthers(id)
  return { importId: id, earlier: isResumed ? await host.stepsOf(id) : null }
}

interface WorkerRun {
  readonly request: ImportRequest
  readonly host: ImportHost
  readonly signal: AbortSignal
  readonly onReport: (index: number, report: FileReport) => void
}

function follow(worker: Worker, { request, host, signal, onReport }: WorkerRun) {
  const reports = request.paths.map(unreadReport)
  const send = (message: ToReader): void => worker.postMessage(message)
  const cancel = (): void => send({ type: 'cancel' })
  const handleCall = async ({ id, method, argument }: Extract<FromReader, { type: 'call' }>) => {
    try {
      send({ type: 'result', id, value: await callHost(host, method, argument) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send({ type: 'failed', id, message })
    }
  }
  return new Promise<FileReport[]>((resolve, reject) => {
    let finished = false
    worker.on('message', (message: FromReader) => {
      if (message.type === 'call') return void handleCall(message)
      if (message.type === 'report') {
        reports[message.index] = message.report
        return onReport(message.index, message.report)
      }
      finished = true
      message.reports.forEach((report, index) => {
        reports[index] = report
      })
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', cancel)
      if (finished) resolve(reports)
      else reject(new Error('The import stopped unexpectedly; start it again to resume'))
    })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel)
  })
}

function callHost(host: ImportHost, method: keyof HostCalls, argument: unknown): Promise<unknown> {
  switch (method) {
    case 'marketIds':
      return host.marketIds(argument as MarketKey[])
    case 'adopt': {
      const { file, step } = argument as { file: StagedFile; step?: ImportStep }
      return host.adopt(file, step)
    }
    case 'adoptFacts': {
      const { versions, isCounted, step } = argument as {
        versions: FactsVersion[]
        isCounted?: boolean
        step?: ImportStep
      }
      return host.adoptFacts(versions, isCounted, step)
    }
    case 'storeStatements': {
      const { statements, step } = argument as { statements: Statements; step?: ImportStep }
      return host.storeStatements(statements, step)
    }
    case 'settle': {
      const { outcomes, dryRun, step } = argument as {
        outcomes: Outcome[]
        dryRun: boolean
        step?: ImportStep
      }
      return host.settle(outcomes, dryRun, step)
    }
    case 'tickersByName': {
      const { venue, names } = argument as { venue: Venue; names: string[] }
      return host.tickersByName(venue, names)
    }
    case 'describeByIds': {
      const { versions, dryRun } = argument as { versions: FactsVersion[]; dryRun: boolean }
      return host.describeByIds(versions, dryRun)
    }
    case 'assetsById':
      return host.assetsById(argument as string[])
    case 'nameMarkets': {
      const { titles, dryRun } = argument as {
        titles: Parameters<ImportHost['nameMarkets']>[0]
        dryRun: boolean
      }
      return host.nameMarkets(titles, dryRun)
    }
  }
}
