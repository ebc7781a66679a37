import type { Query } from '../client.ts'
import type { Flags } from '../flags.ts'
import { parseJson, type JsonText } from '../route.ts'
import { cleanLines, table, type Column } from '../terminal/output.ts'
import type { Screen } from './screen.ts'

/** Where a response is shown, and the request's arguments. */
export interface View {
  readonly screen: Screen
  readonly flags: Flags
}

/** The answer of a route, and its display for a person. */
export interface Answer<T> {
  /** Parameters that request the displayed form, and JSON. */
  readonly forms?: { readonly terminal: Query; readonly json: Query }
  /** Key of the list rows in the body, and the maximum page size. */
  readonly rows?: { readonly key: string; readonly maxPageSize: number }
  /** Without a trailing line break. */
  show(body: JsonText<T>, view: View): string
}

/** Markdown of the route, unchanged. */
export const markdown: Answer<unknown> = {
  forms: { terminal: { format: 'markdown' }, json: { format: 'json' } },
  show: (body) => cleanLines(body).replace(/\n+$/, ''),
}

/** A list under `key` of the body, as a table; an empty one by its note, if it has one. */
export const list = <K extends string, Row>(
  key: K,
  columns: readonly Column<Row>[],
  maxPageSize = 0,
): Answer<Readonly<Record<K, readonly Row[]>>> => ({
  rows: { key, maxPageSize },
  show(body, { screen }) {
    const answer = parseJson(body)
    const rows = answer[key]
    return rows.length === 0 && 'note' in answer && typeof answer.note === 'string'
      ? cleanLines(answer.note)
      : table(rows, columns, screen)
  },
})

/** A single object, formatted by its own function. */
export const single = <T>(show: (value: T, view: View) => string): Answer<T> => ({
  show: (body, view) => show(parseJson(body), view),
})
