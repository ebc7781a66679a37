import { Elysia } from 'elysia'
import { adapter } from './adapter.ts'

/**
 * Gives every parameter of a query its text as it was sent, of several the last. Elysia reads some
 * texts as JSON and as lists: `limit=[1]` would be the number 1, `q={"a":1}` no text at all.
 */
export const queryAsSent = new Elysia({ name: 'query-as-sent', adapter }).onTransform(
  { as: 'global' },
  ({ query, request }) => {
    const values: Record<string, unknown> = query
    let sent: URLSearchParams | null = null
    for (const name of Object.keys(values)) {
      if (typeof values[name] === 'string') continue
      sent ??= new URL(request.url).searchParams
      values[name] = sent.getAll(name).at(-1)
    }
  },
)
