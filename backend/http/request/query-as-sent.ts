import { Elysia } from 'elysia'
import { adapter } from '../adapter.ts'

/**
 * Restores the text of every query parameter as sent; of repeated parameters the last. Elysia
 * parses some texts as JSON or lists: `limit=[1]` would become the number 1, and `q={"a":1}` an
 * object.
 */
export const queryAsSent = new Elysia({ name: 'query-as-sent', adapter }).onTransform(
  { as: 'global' },
  ({ query, request }) => {
    const values: Record<string, unknown> = query
    let cachedParams: URLSearchParams | null = null
    for (const name of Object.keys(values)) {
      if (typeof values[name] === 'string') continue
      cachedParams ??= new URL(request.url).searchParams
      values[name] = cachedParams.getAll(name).at(-1)
    }
  },
)
