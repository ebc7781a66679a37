import type { Call } from './command.ts'
import { EXIT, type ExitCode } from './failure.ts'
import { screenOf } from './reads/screen.ts'
import { parseJson, type JsonText } from './route.ts'
import { table, type Column } from './terminal/output.ts'

/** Prints the body of a route as sent, or as text for people. */
export function printBody<T>(
  { flags, system }: Pick<Call, 'flags' | 'system'>,
  body: JsonText<T>,
  asText: (value: T) => string,
): ExitCode {
  system.print(flags.has('json') ? `${body.trimEnd()}\n` : asText(parseJson(body)))
  return EXIT.done
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly pageInfo: { readonly nextCursor: string | null }
}

/** Prints a page of rows as sent or as a table, and how to read the next page. */
export function printPage<Row>(
  { flags, system }: Pick<Call, 'flags' | 'system'>,
  body: JsonText<Page<Row>>,
  columns: readonly Column<Row>[],
): ExitCode {
  const { data, pageInfo } = parseJson(body)
  if (!flags.has('json') && pageInfo.nextCursor !== null) {
    system.report(`More with: --cursor ${pageInfo.nextCursor}\n`)
  }
  return printBody({ flags, system }, body, () => `${table(data, columns, screenOf(system))}\n`)
}
