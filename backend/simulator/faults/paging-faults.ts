import type { Fault } from './fault.ts'

type Body = Record<string, unknown>

const CURSOR_PARAMETERS = ['cursor', 'after_cursor', 'next_cursor']

/** The cursor that a request carries; null on a first page. */
export function cursorOf(query: URLSearchParams): string | null {
  const cursors = CURSOR_PARAMETERS.map((name) => query.get(name))
  return cursors.find((cursor) => cursor !== null && cursor !== '') ?? null
}

/**
 * A page with a paging error: the cursor of its own request; a claim that there is more without a
 * cursor; or a row of the previous page, as if the set had changed in between. Null when the
 * response is not paged, so that the fault waits for one that is.
 */
export function withPagingError(body: string, query: URLSearchParams, fault: Fault): string | null {
  const page = JSON.parse(body) as unknown
  if (typeof page !== 'object' || page === null || Array.isArray(page)) return null
  const cursor = cursorOf(query)
  const answer = page as Body
  switch (fault.kind) {
    case 'repeated-cursor':
      return cursor === null ? null : withCursor(answer, cursor)
    case 'lost-cursor':
      return withoutCursor(answer)
    default:
      return cursor === null ? null : withRepeatedRow(answer)
  }
}

function withCursor(answer: Body, cursor: string): string {
  const pagination = answer['pagination']
  if (typeof pagination === 'object' && pagination !== null)
    return JSON.stringify({
      ...answer,
      pagination: { ...pagination, has_more: true, next_cursor: cursor },
    })
  return JSON.stringify({
    ...answer,
    [Object.hasOwn(answer, 'cursor') ? 'cursor' : 'next_cursor']: cursor,
  })
}

function withoutCursor(answer: Body): string | null {
  const pagination = answer['pagination']
  if (typeof pagination !== 'object' || pagination === null) return null
  return JSON.stringify({
    ...answer,
    pagination: { ...pagination, has_more: true, next_cursor: null },
  })
}

function withRepeatedRow(answer: Body): string | null {
  const list = Object.entries(answer).find(([, value]) => Array.isArray(value) && value.length > 0)
  if (list === undefined) return null
  const [name, rows] = list as [string, unknown[]]
  return JSON.stringify({ ...answer, [name]: [...rows.slice(-1), ...rows] })
}
