import type { SqlAnswer } from '../../contract/archive.ts'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseJson } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { CliFailure, EXIT, usageError } from '../failure.ts'
import { progressReporterOf } from './job.ts'
import { amount, text, table } from '../terminal/output.ts'
import { withService } from './private-service.ts'

const FORMATS = ['table', 'csv', 'json'] as const

/** `augury sql TEXT|@FILE|-`: run a SELECT over the views of the history. */
export const sqlCommand: Command = {
  name: 'sql',
  synopsis: 'TEXT|@FILE|- [--format F] [--max-rows N]',
  summary: 'run a SELECT over the views of the history',
  notes: [
    '  TEXT            the statement; @FILE reads it from a file, - from stdin',
    '  --format F      table | csv | json; by default a table',
    '  --max-rows N    1 to 100,000 rows, 10,000 by default; a truncated result is reported on stderr',
    '',
    'Views: markets, trades, quotes, books and more; docs/sql.md lists their columns.',
    'DESCRIBE trades lists those of one.',
    '',
  ],
  flags: { format: 'text', 'max-rows': 'text' },
  choices: { format: FORMATS },
  argumentCount: [1, 1],
  async run(call) {
    const { flags, system } = call
    const format = formatOf(call)
    const maxRows = rowsOf(flags.text('max-rows'))
    const sql = await statementOf(call)
    const reportProgress = progressReporterOf(call)
    const body = await withService(call, reportProgress, (client) =>
      client.send('POST', '/api/sql', { sql, ...(maxRows !== null && { maxRows }) }),
    )
    if (format === 'json') {
      system.print(`${body.trimEnd()}\n`)
      return EXIT.done
    }
    const answer = parseJson(body)
    system.print(`${format === 'csv' ? csvOf(answer) : tableOf(answer)}\n`)
    if (answer.truncated) {
      system.report(
        `There are more rows than these ${amount(answer.rows.length)}. Ask for more with --max-rows, or for fewer with LIMIT.\n`,
      )
    }
    return EXIT.done
  },
}

function formatOf({ flags }: Call): (typeof FORMATS)[number] {
  const formatName = flags.text('format') ?? (flags.has('json') ? 'json' : 'table')
  const format = FORMATS.find((candidate) => candidate === formatName)
  if (format !== undefined) return format
  throw usageError(`--format must be one of ${FORMATS.join(', ')}, was "${formatName}"`)
}

/** The service checks the bounds of the number. */
function rowsOf(text: string | null): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageError(`--max-rows must be a whole number, was "${text}"`)
}

async function statementOf({ args: [argument = ''], system }: Call): Promise<string> {
  const sql = argument === '-' ? await system.input() : await textOf(argument, system.cwd)
  if (sql.trim() !== '') return sql
  throw usageError(
    'No SQL statement was given',
    'Example: augury sql "select count(*) from trades"',
  )
}

async function textOf(argument: string, cwd: string): Promise<string> {
  if (!argument.startsWith('@')) return argument
  const path = resolve(cwd, argument.slice(1))
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new CliFailure(EXIT.usage, 'USAGE', `${path} cannot be read (${code})`, { cause: error })
  }
}

const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

const tableOf = ({ columns, rows }: SqlAnswer): string =>
  table(
    rows,
    columns.map(({ name }, index) => ({
      title: name,
      cell: (row) => text(row[index] === null ? null : cellText(row[index])),
      ...(typeof rows[0]?.[index] === 'number' && { align: 'right' as const }),
    })),
  )

/**
 * RFC 4180; cells that a spreadsheet would interpret as a formula are prefixed with an apostrophe.
 */
function csvOf({ columns, rows }: SqlAnswer): string {
  const cell = (value: unknown): string => {
    const cellValue = cellText(value)
    const safe =
      typeof value === 'string' && /^[=+\-@\t\r]/.test(cellValue) ? `'${cellValue}` : cellValue
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const lines = [columns.map(({ name }) => name), ...rows].map((row) => row.map(cell).join(','))
  return lines.join('\r\n')
}
