import { crc32 } from 'node:zlib'

/** Formats a record as a line with its own checksum, for append-only files. */
export function signedLine(record: object): string {
  const text = JSON.stringify(record)
  return `${text}\t${crc32(text).toString(16)}\n`
}

/** Parses the records of such lines; a truncated or changed line is skipped. */
export function recordsIn<T>(content: string): T[] {
  return content.split('\n').flatMap((line) => {
    const [text = '', sum = ''] = line.split('\t')
    if (text === '' || crc32(text).toString(16) !== sum) return []
    try {
      return [JSON.parse(text) as T]
    } catch {
      return []
    }
  })
}
