import type { Call } from './command.ts'
import { EXIT, type ExitCode } from './failure.ts'
import { screenOf } from './reads/screen.ts'
import { parseJson, type JsonText } from './route.ts'
import { table, type Column } from './terminal/output.ts'

type Output = Pick<Call, 'flags' | 'system'>

/** Prints the body of a route as sent, or as text for people; nothing for an empty text. */
export function printBody<T>(
  { flags, system }: Output,
  body: JsonText<T>,
  asText: string | ((value: T) => string),
): ExitCode {
  const shown = (): string => (typeof asText === 'string' ? asText : asText(parseJson(body)))
  const printed = flags.has('json') ? body.trimEnd() : shown()
  if (printed !== '') system.print(`${printed}\n`)
  return EXIT.done
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly pageInfo: { readonly nextCursor: string | null }
}

/** Prints a page of rows as sent or as a table, and how to read the next page. */
export function printPage<Row>(
  call: Output,
  body: JsonText<Page<Row>>,
  columns: readonly Column<Row>[],
  whenEmpty?: string,
): ExitCode {
  const { data, pageInfo } = parseJson(body)
  if (!call.flags.has('json') && pageInfo.nextCursor !== null) {
    call.system.report(`More with: --cursor ${pageInfo.nextCursor}\n`)
  }
  const isEmpty = whenEmpty !== undefined && data.length === 0
  return printBody(call, body, isEmpty ? whenEmpty : table(data, columns, screenOf(call.system)))
}
