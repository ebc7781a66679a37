import { join } from 'node:path'
import { writeLaunch } from '../lib/files/launch-file.ts'
import type { OpenAccountHistory } from '../venues/trading.ts'
import { commandLine, type CommandLine } from './command-line.ts'
import { startTradingService, type TradingService } from './trading-service.ts'

/** A service that trades on paper, and the command line of its owner. */
export interface TradingCommandLine {
  readonly service: TradingService
  readonly line: CommandLine
  stop(): Promise<void>
}

/** Starts both; the command line finds the service by its launch file, as on a user's machine. */
export async function startTradingCommandLine(
  accountHistory?: OpenAccountHistory,
): Promise<TradingCommandLine> {
  const service = await startTradingService(null, {}, accountHistory)
  const line = commandLine()
  writeLaunch(join(line.home, 'data'), {
    url: service.url,
    pid: 1,
    startedAt: '',
    secret: service.authorization.slice('Launch '.length),
  })
  return {
    service,
    line,
    async stop() {
      line.remove()
      await service.stop()
    },
  }
}
