/** Cursors name the last sent row, so that added or removed rows elsewhere shift nothing. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

/** The parts of a cursor; null when it was not issued here. */
export function decodeCursor(text: string): (string | number)[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) &&
      parts.every((part) => typeof part === 'string' || typeof part === 'number')
      ? parts
      : null
  } catch {
    return null
  }
}

/**
 * One page of rows sorted by `order` ascending.
 * @param order comparison key of a row: number first, then text
 */
export function pageOf<Row>(
  rows: readonly Row[],
  order: (row: Row) => readonly [number, string],
  limit: number,
  cursor: string | null,
): { page: Row[]; next: string } | null {
  let from = 0
  if (cursor !== null && cursor !== '') {
    const [number, text] = decodeCursor(cursor) ?? []
    if (typeof number !== 'number' || typeof text !== 'string') return null
    from = rows.findIndex((row) => {
      const [rowNumber, rowText] = order(row)
      return rowNumber > number || (rowNumber === number && rowText > text)
    })
    if (from === -1) return { page: [], next: '' }
  }
  const page = rows.slice(from, from + limit)
  const last = page.at(-1)
  const isEnd = last === undefined || from + limit >= rows.length
  return { page, next: isEnd ? '' : encodeCursor(order(last)) }
}
