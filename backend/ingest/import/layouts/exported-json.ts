import { open } from 'node:fs/promises'

/** Enough for an object with the longest rules text. */
const HEAD_BYTES = 1024 * 1024
const EXPORT_MARKS = ['venue', 'ticker', 'known_at_ms']

/** Whether a file with these columns was written by `augury export`. */
export const isExport = (columns: readonly string[]): boolean =>
  EXPORT_MARKS.every((column) => columns.includes(column))

/**
 * Columns of a JSON file that `augury export` wrote, by its first object; null for other files.
 * Such a file may be of any size, and its texts stay texts even where they look like times or ids.
 */
export async function exportedColumns(path: string): Promise<readonly string[] | null> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0)
    const [start, first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 2)
    if (start?.trim() !== '[') return null
    const row: unknown = JSON.parse(first.trim().replace(/,$/, ''))
    if (typeof row !== 'object' || row === null) return null
    const columns = Object.keys(row)
    return isExport(columns) ? columns : null
  } catch {
    // The first line is not such an object; reading the file reports its faults.
    return null
  } finally {
    await file.close()
  }
}
