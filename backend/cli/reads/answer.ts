import type { Query } from '../client.ts'
import type { Flags } from '../flags.ts'
import { cleanLines, table, type Column } from '../output.ts'
import type { Screen } from '../screen.ts'

/** Where an answer is shown, and what was asked for. */
export interface View {
  readonly screen: Screen
  readonly flags: Flags
}

/** What a route answers and how it is shown to a person. */
export interface Answer {
  /** Parameters that ask for the form that is shown, and for JSON. */
  readonly forms?: { readonly shown: Query; readonly json: Query }
  /** Where the rows of a list are in the body, and how many a page has at most. */
  readonly rows?: { readonly key: string; readonly mostOfPage: number }
  /** Without a line break at its end. */
  readonly show: (body: string, view: View) => string
}

/** Markdown of the route, as it comes. */
export const markdown: Answer = {
  forms: { shown: { format: 'markdown' }, json: { format: 'json' } },
  show: (body) => cleanLines(body).replace(/\n+$/, ''),
}

/** A list under `key` of the body, as a table. */
export const list = <Row>(
  key: string,
  columns: readonly Column<Row>[],
  mostOfPage = 0,
): Answer => ({
  rows: { key, mostOfPage },
  show(body, { screen }) {
    const rows = (JSON.parse(body) as Record<string, unknown>)[key] as readonly Row[]
    return table(rows, columns, screen)
  },
})

/** One thing, shown by a function of its own. */
export const single = (show: (body: never, view: View) => string): Answer => ({
  show: (body, view) => show(JSON.parse(body) as never, view),
})
