import type { Query } from '../client.ts'
import type { Flags } from '../flags.ts'
import { cleanLines, table, type Column } from '../terminal/output.ts'
import type { Screen } from './screen.ts'

/** Where a response is shown, and the request's arguments. */
export interface View {
  readonly screen: Screen
  readonly flags: Flags
}

/** What a route returns and how it is shown to a person. */
export interface Answer {
  /** Parameters that request the displayed form, and JSON. */
  readonly forms?: { readonly shown: Query; readonly json: Query }
  /** Key of the list rows in the body, and the maximum page size. */
  readonly rows?: { readonly key: string; readonly mostOfPage: number }
  /** Without a trailing line break. */
  readonly show: (body: string, view: View) => string
}

/** Markdown of the route, unchanged. */
export const markdown: Answer = {
  forms: { shown: { format: 'markdown' }, json: { format: 'json' } },
  show: (body) => cleanLines(body).replace(/\n+$/, ''),
}

/** A list under `key` of the body, as a table; an empty one by its note, if it has one. */
export const list = <Row>(
  key: string,
  columns: readonly Column<Row>[],
  mostOfPage = 0,
): Answer => ({
  rows: { key, mostOfPage },
  show(body, { screen }) {
    const answer = JSON.parse(body) as Record<string, unknown>
    const rows = answer[key] as readonly Row[]
    const { note } = answer
    return rows.length === 0 && typeof note === 'string'
      ? cleanLines(note)
      : table(rows, columns, screen)
  },
})

/** A single object, formatted by its own function. */
export const single = (show: (body: never, view: View) => string): Answer => ({
  show: (body, view) => show(JSON.parse(body) as never, view),
})
