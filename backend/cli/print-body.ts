import type { ResponseBody } from '../contract/routes.ts'
import type { Client } from './client.ts'
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
  textOf: string | ((value: T) => string),
): ExitCode {
  const renderBody = (): string => (typeof textOf === 'string' ? textOf : textOf(parseJson(body)))
  const outputText = flags.has('json') ? body.trimEnd() : renderBody()
  if (outputText !== '') system.print(`${outputText}\n`)
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

type ListRoute =
  | `/api/portfolio/${'positions' | 'ledger' | 'fills' | 'activity' | 'views'}`
  | '/api/alert-rules'
  | '/api/watch'
  | '/api/webhook-endpoints'

/** Reads a page of a list by `--limit` and `--cursor`, and by other flags of the same names, and prints it. */
export const printList =
  <R extends ListRoute>(
    path: R,
    columns: readonly Column<ResponseBody<`GET ${R}`>['data'][number]>[],
    others: readonly string[] = [],
  ) =>
  async (client: Client, call: Call): Promise<ExitCode> => {
    const names = ['limit', 'cursor', ...others]
    const query = Object.fromEntries(names.map((name) => [name, call.flags.text(name)]))
    return printPage(call, await client.get(path, query), columns)
  }
