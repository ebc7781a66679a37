/** Numbers per page of memory. */
const PAGE = 8_192

type Column = Float64Array | Int32Array

/**
 * Allocates columns of equal length from shared pages: a separate buffer for each of tens of
 * thousands would cost the garbage collector more than filling them. A column that is kept keeps
 * its page.
 */
export function columnPages<T extends Column>(
  kind: new (length: number) => T,
  length: number,
): () => T {
  let page = new kind(0)
  let usedRows = 0
  return () => {
    if (usedRows + length > page.length) {
      page = new kind(length * Math.max(1, Math.floor(PAGE / Math.max(1, length))))
      usedRows = 0
    }
    usedRows += length
    return page.subarray(usedRows - length, usedRows) as T
  }
}
