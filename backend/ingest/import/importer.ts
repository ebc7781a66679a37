import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { unreadReport, type FileReport, type ImportRequest } from '../../domain/import-report.ts'
import type { Venue } from '../../domain/market.ts'
import type { StagedKind } from '../../history/history-copies.ts'
import type { MarketKey } from '../../history/market-key.ts'
import type { FactsVersion, ImportHost, Outcome, Statements } from './import-host.ts'
import type { FromReader, Questions, ReaderStart, ToReader } from './worker-messages.ts'

const WORKER = new URL('../../jobs/workers/import-worker.ts', import.meta.url)
const MEMORY_LIMIT_MB = 700

/** Reads files into the history, in a thread of its own. */
export interface Importer {
  /**
   * One import at a time. Files that cannot be read are told in their reports.
   * @param onReport hears of every change of a file's report, by its place in `request.paths`
   * @throws when the thread itself broke down; what was taken stays taken
   */
  importFiles(
    request: ImportRequest,
    signal: AbortSignal,
    onReport?: (index: number, report: FileReport) => void,
  ): Promise<FileReport[]>
}

/** @param options.dataDir staged files and spilled memory live below its `import` folder */
export function createImporter(options: {
  host: ImportHost
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
    async importFiles(request, signal, onReport = () => {}) {
      // Whatever an import that broke off left behind is of no use to the next one.
      await rm(folder, { recursive: true, force: true })
      await mkdir(settings.stageDir, { recursive: true })
      await mkdir(settings.tempDir, { recursive: true })
      try {
        const start: ReaderStart = { request, settings }
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

interface Following {
  readonly request: ImportRequest
  readonly host: ImportHost
  readonly signal: AbortSignal
  readonly onReport: (index: number, report: FileReport) => void
}

function follow(worker: Worker, { request, host, signal, onReport }: Following) {
  const reports = request.paths.map(unreadReport)
  const tell = (message: ToReader): void => worker.postMessage(message)
  const cancel = (): void => tell({ type: 'cancel' })
  const answer = async ({ id, question, argument }: Extract<FromReader, { type: 'ask' }>) => {
    try {
      tell({ type: 'answer', id, value: await answerOf(host, question, argument) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      tell({ type: 'failed', id, message })
    }
  }
  return new Promise<FileReport[]>((resolve, reject) => {
    let finished = false
    worker.on('message', (message: FromReader) => {
      if (message.type === 'ask') return void answer(message)
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
      else reject(new Error('The reader of the files stopped before it was done'))
    })
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
  })
}

function answerOf(
  host: ImportHost,
  question: keyof Questions,
  argument: unknown,
): Promise<unknown> {
  switch (question) {
    case 'marketIds':
      return host.marketIds(argument as MarketKey[])
    case 'adopt': {
      const { kind, path, source } = argument as {
        kind: StagedKind
        path: string
        source: string | null
      }
      return host.adopt(kind, path, source)
    }
    case 'adoptFacts':
      return host.adoptFacts(argument as FactsVersion[])
    case 'adoptStated':
      return host.adoptStated(argument as Statements)
    case 'settle': {
      const { outcomes, dryRun } = argument as { outcomes: Outcome[]; dryRun: boolean }
      return host.settle(outcomes, dryRun)
    }
    case 'tickersNamed': {
      const { venue, names } = argument as { venue: Venue; names: string[] }
      return host.tickersNamed(venue, names)
    }
    case 'assetsNamed':
      return host.assetsNamed(argument as string[])
    case 'nameMarkets': {
      const { titles, dryRun } = argument as {
        titles: Parameters<ImportHost['nameMarkets']>[0]
        dryRun: boolean
      }
      return host.nameMarkets(titles, dryRun)
    }
  }
}
