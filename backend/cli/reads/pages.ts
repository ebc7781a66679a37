import type { Client, Query } from '../client.ts'

interface Page extends Readonly<Record<string, unknown>> {
  readonly nextCursor?: string | null
}

/**
 * Returns one page of a list unchanged, or with `all` every page as one body: the first body with
 * the rows of all pages. Pages then have the maximum size of the route, unless a limit was given.
 */
export async function pagesOf(
  client: Client,
  path: string,
  query: Query,
  { key, mostOfPage }: { readonly key: string; readonly mostOfPage: number },
  all: boolean,
): Promise<{ readonly body: string; readonly nextCursor: string | null }> {
  const limit = all && mostOfPage > 0 ? (query['limit'] ?? mostOfPage) : (query['limit'] ?? null)
  const rows: unknown[] = []
  let first: Page | null = null
  let cursor = query['cursor'] ?? null
  for (;;) {
    const body = await client.get(path, { ...query, limit, cursor })
    const page = JSON.parse(body) as Page
    const { nextCursor = null } = page
    if (first === null && (!all || nextCursor === null)) return { body, nextCursor }
    first ??= page
    for (const row of page[key] as readonly unknown[]) rows.push(row)
    // A repeated cursor would loop forever.
    if (nextCursor === null || nextCursor === cursor) {
      const whole = { ...first, [key]: rows, count: rows.length, nextCursor: null, hasMore: false }
      return { body: JSON.stringify(whole), nextCursor: null }
    }
    cursor = nextCursor
  }
}
