import type { Client, Query } from '../client.ts'
import { jsonOf, parseJson, type JsonText, type ReadPath } from '../route.ts'

type Page = Readonly<Record<string, unknown>>

/**
 * Returns one page of a list unchanged, or with `all` every page as one body: the first body with
 * the rows of all pages. Pages then have the maximum size of the route, unless a limit was given.
 */
export async function pagesOf(
  client: Client,
  path: ReadPath,
  query: Query,
  { key, maxPageSize }: { readonly key: string; readonly maxPageSize: number },
  all: boolean,
): Promise<{ readonly body: JsonText<unknown>; readonly nextCursor: string | null }> {
  const limit = all && maxPageSize > 0 ? (query['limit'] ?? maxPageSize) : (query['limit'] ?? null)
  const rows: unknown[] = []
  let first: Page | null = null
  let cursor = query['cursor'] ?? null
  for (;;) {
    const body: JsonText<unknown> = await client.get(path, { ...query, limit, cursor })
    const page = fieldsOf(parseJson(body))
    const nextCursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : null
    if (first === null && (!all || nextCursor === null)) return { body, nextCursor }
    first ??= page
    const further: unknown = page[key]
    if (Array.isArray(further)) for (const row of further) rows.push(row)
    // A repeated cursor would loop forever.
    if (nextCursor === null || nextCursor === cursor) {
      const combinedPage = {
        ...first,
        [key]: rows,
        count: rows.length,
        nextCursor: null,
        hasMore: false,
      }
      return { body: jsonOf(combinedPage), nextCursor: null }
    }
    cursor = nextCursor
  }
}

const fieldsOf = (value: unknown): Page =>
  typeof value === 'object' && value !== null ? { ...value } : {}
