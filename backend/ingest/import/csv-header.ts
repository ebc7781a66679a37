import { open } from 'node:fs/promises'
import { UnreadableFile } from './file-format.ts'

/** Header of a CSV file: its separator, and its columns in order. */
export interface CsvHeader {
  readonly separator: string
  readonly columns: readonly string[]
}

const HEAD_BYTES = 256 * 1024
const SEPARATORS = [',', ';', '\t', '|']

/**
 * Reads the first line of a CSV file. The engine could guess it from the rows, but malformed rows
 * mislead it, and one malformed row must not lose the others.
 * @throws UnreadableFile when the first line has no end within 256 kB
 */
export async function csvHeader(path: string): Promise<CsvHeader> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read(buffer, 0, HEAD_BYTES, 0)
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '')
    const [line = ''] = text.split(/\r\n|\n|\r/, 1)
    if (line.length === text.length && bytesRead === HEAD_BYTES) {
      throw new UnreadableFile('the first line of the CSV file is not a line of column names')
    }
    return headerOf(line)
  } finally {
    await file.close()
  }
}

/** The separator that yields the most columns of a line; repeated names get a number. */
export function headerOf(line: string): CsvHeader {
  const [separator = ','] = SEPARATORS.toSorted(
    (a, b) => cellsOf(line, b).length - cellsOf(line, a).length,
  )
  const nameCounts = new Map<string, number>()
  const columns = cellsOf(line, separator).map((cell, index) => {
    const name = cell.trim() === '' ? `column${index}` : cell.trim()
    const key = name.toLowerCase()
    const count = (nameCounts.get(key) ?? 0) + 1
    nameCounts.set(key, count)
    return count === 1 ? name : `${name}_${count}`
  })
  return { separator, columns }
}

function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let index = 0; index < line.length; index++) {
    const sign = line[index] ?? ''
    if (sign === '"' && isQuoted && line[index + 1] === '"') {
      cell += '"'
      index += 1
    } else if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...cells, cell]
}
