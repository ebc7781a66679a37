import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { factsOf } from '../backtest/backtest-report.ts'
import type { Client } from '../client.ts'
import { printBody } from '../print-body.ts'
import { parseJson } from '../route.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { lines, text } from '../terminal/output.ts'

/** Folder for reports that outlive their replay, in a data folder. */
const REPORTS = 'replay-reports'

/** Prints the user's trading in a replay so far, and writes it as a page when requested. */
export async function replayReport(call: Call, client: Client): Promise<ExitCode> {
  const { system, flags } = call
  const html = flags.text('html')
  const body = await client.get('/api/replay/report')
  if (html !== null) {
    const page = await client.get('/api/replay/report', { format: 'html' })
    writeNew(resolve(system.cwd, html), page)
  }
  const { state, from, now, files, report } = parseJson(body)
  const facts = [
    ['from', text(from)],
    ['until', `${text(now)} (${text(state)})`],
    ...factsOf(report),
    ...report.invalidatedBy.map((reason) => ['caveat', text(reason)] as const),
    ...files.map((file) => ['file', text(file)] as const),
    ...(html === null ? [] : [['page', text(resolve(system.cwd, html))] as const]),
  ] as const
  return printBody(call, body, lines([...facts]))
}

/** The folder of the last ended replay that left reports; null without one. */
export function newestReport(dataDir: string): string | null {
  const folder = join(dataDir, REPORTS)
  try {
    // Ids start with their time.
    const newest = readdirSync(folder).sort().at(-1)
    return newest === undefined ? null : join(folder, newest)
  } catch {
    return null
  }
}

/** @throws CliFailure for a file that exists or cannot be written */
function writeNew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const reason = code === 'EEXIST' ? 'exists already' : `cannot be written (${String(code)})`
    throw new CliFailure(EXIT.usage, 'FILE', `${path} ${reason}`, {
      advice: 'Name another file with --html FILE.',
    })
  }
}
