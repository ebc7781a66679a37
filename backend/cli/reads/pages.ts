import type { Client, Query } from '../client.ts'

interface Page extends Readonly<Record<string, unknown>> {
  readonly nextCursor?: string | null
}

/**
 * A page of a list as it came, or with `all` every page as one body: the first one with the rows of
 * all of them. Pages are then as large as the route has them, unless the limit was given.
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
    // A cursor that comes again would never end.
    if (nextCursor === null || nextCursor === cursor) {
      const whole = { ...first, [key]: rows, count: rows.length, nextCursor: null, hasMore: false }
      return { body: JSON.stringify(whole), nextCursor: null }
    }
    cursor = nextCursor
  }
}
