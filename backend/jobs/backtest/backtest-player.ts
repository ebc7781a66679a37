import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportTrade, RunReport } from '../../domain/backtest/report/report.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { createBacktestRunner, type BacktestRequest } from './backtest-runner.ts'
import { readTrades, RESULT_FILES, writeResult } from './result-files.ts'
import type { StrategyMetadata } from './messages.ts'
import { createStrategyMetadataReader } from './strategy-metadata.ts'
import { createStrategyFiles } from './strategy-files.ts'
import type { StudyRequest } from './study-request.ts'
import { runStudy } from './study-runner.ts'
import { StrategyFailed, type StrategyLimits } from './strategy-watch.ts'

/** Null for a single run with given parameters. */
interface PlayedStudy {
  readonly study: Pick<StudyRequest, 'sweep' | 'walkForward'> | null
}

/** Executes runs and stores their results in the data folder's `backtests`, one folder per run. */
export function createBacktestPlayer(deps: {
  readonly history: Parameters<typeof createBacktestRunner>[0]['history']
  readonly dataDir: string
  readonly clock: Clock
  readonly limits?: StrategyLimits
}) {
  const { dataDir } = deps
  const files = createStrategyFiles(dataDir)
  const metadataReader = createStrategyMetadataReader(deps)
  const runner = createBacktestRunner(deps)
  const folderOf = (id: string): string => join(dataDir, 'backtests', id)
  return {
    strategies: () => files.list(),
    moduleUrl: (strategy: string, mayName: boolean) => files.moduleUrl(strategy, mayName),
    async metadataOf(module: string): Promise<StrategyMetadata> {
      return metadataReader.read(module).catch((error: unknown) => {
        if (error instanceof StrategyFailed) throw new InvalidInput(`strategy: ${error.message}`)
        throw error
      })
    },
    async play(
      { id, study, ...request }: BacktestRequest & PlayedStudy & { readonly id: string },
      signal: AbortSignal,
      onProgress: (progress: number) => void,
    ): Promise<RunReport> {
      const result =
        study === null
          ? await runner.run(request, signal, ({ progress }) => onProgress(progress))
          : await runStudy({ runner, metadataReader }, { ...request, ...study }, signal, onProgress)
      await writeResult(folderOf(id), result)
      return result.report
    },
    tradesOf: (id: string, page: { first: number; count: number }): Promise<ReportTrade[]> =>
      readTrades(folderOf(id), page),
    filesOf: (id: string): readonly string[] =>
      RESULT_FILES.map((name) => join(folderOf(id), name)).filter(existsSync),
  }
}
