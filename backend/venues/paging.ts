import type { Venue } from '../domain/market.ts'
import { VenueFailure } from './connector.ts'

/** One page and the cursor of the next; null on the last. */
export interface Page<T> {
  readonly value: T
  readonly cursor: string | null
}

/**
 * Walks pages by cursor. A repeated cursor and an endless walk are failures: the set changes
 * during the walk, or the venue repeats itself.
 * @throws VenueFailure after `maxPages` pages or on a repeated cursor
 */
export async function* walkPages<T>(
  venue: Venue,
  read: (cursor: string | null) => Promise<Page<T>>,
  maxPages: number,
): AsyncGenerator<T> {
  const seenCursors = new Set<string>()
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await read(cursor)
    yield page.value
    if (page.cursor === null) return
    if (seenCursors.has(page.cursor)) {
      throw new VenueFailure(venue, 'the listing repeated a cursor', { retryable: true })
    }
    seenCursors.add(page.cursor)
    cursor = page.cursor
  }
  throw new VenueFailure(venue, `the listing was longer than ${maxPages} pages`, {
    retryable: false,
  })
}

/** Consecutive slices of at most `size`. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size)
    chunks.push(items.slice(start, start + size))
  return chunks
}
