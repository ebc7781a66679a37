import { open, rm, type FileHandle } from 'node:fs/promises'
import type { CopyFormat } from '../history-copies.ts'
import type { Session } from './connections.ts'
import { quoted } from './engine.ts'

/** A file that grows slice by slice, in one format. */
export interface CopyFile {
  /** Adds the rows of a query and says how many they are; the query runs as it is given. */
  add(write: (target: string, how: string) => Promise<number>): Promise<number>
  /** The file stands whole. */
  finish(): Promise<void>
  /** Removes everything that `finish` did not leave; safe at any time. */
  discard(): Promise<void>
}

/** Opens a file at `path`; nothing stands there before the first rows. */
export const openCopy = (session: Session, format: CopyFormat, path: string): CopyFile =>
  format === 'parquet' ? parquetCopy(session, path) : textCopy(format, path)

const PARQUET = 'format parquet, compression zstd'

/** Parquet cannot grow: slices are files of their own, which are joined in their order at the end. */
function parquetCopy(session: Session, path: string): CopyFile {
  const parts: string[] = []
  let isFinished = false
  return {
    add(write) {
      const part = `${path}.${parts.length}.part`
      parts.push(part)
      return write(part, PARQUET)
    },
    async finish() {
      const from = `read_parquet([${parts.map(quoted).join(', ')}])`
      await session.connection.run(`copy (from ${from}) to ${quoted(path)} (${PARQUET})`)
      isFinished = true
      await removeAll(parts)
    },
    async discard() {
      await removeAll(isFinished ? parts : [...parts, path])
    },
  }
}

const READ_BYTES = 1024 * 1024

/** Slices of text follow each other; each is written by the engine and moved into the file. */
function textCopy(format: 'csv' | 'json', path: string): CopyFile {
  const part = `${path}.part`
  const ends = format === 'csv' ? recordEnds() : arrayEnds()
  let file: FileHandle | null = null
  let isFinished = false
  return {
    async add(write) {
      const header = format === 'csv' ? `, header ${file === null}` : ''
      const rows = await write(part, `format ${format}${header}`)
      file ??= await open(path, 'w')
      const source = await open(part)
      try {
        const buffer = Buffer.alloc(READ_BYTES)
        for (;;) {
          const { bytesRead } = await source.read(buffer, 0, READ_BYTES)
          if (bytesRead === 0) break
          await file.appendFile(ends.turn(buffer.toString('latin1', 0, bytesRead)), 'latin1')
        }
      } finally {
        await source.close()
      }
      await rm(part)
      return rows
    },
    async finish() {
      file ??= await open(path, 'w')
      await file.appendFile(ends.last())
      await file.close()
      isFinished = true
    },
    async discard() {
      if (isFinished) return
      await file?.close().catch(() => {})
      await removeAll([part, path])
    },
  }
}

interface LineEnds {
  /** Bytes, one letter each, with the ends of lines that the format asks for. */
  turn(bytes: string): string
  /** What closes the file. */
  last(): string
}

/** Records of CSV end with CRLF; line breaks within a quoted cell stay as they are. */
export function recordEnds(): LineEnds {
  let isQuoted = false
  return {
    turn(bytes) {
      const between = bytes.split('"')
      return between
        .map((piece, index) => {
          if (index > 0) isQuoted = !isQuoted
          return isQuoted ? piece : piece.replaceAll('\n', '\r\n')
        })
        .join('"')
    },
    last: () => '',
  }
}

/** One object a line becomes an array, still one object a line. */
export function arrayEnds(): LineEnds {
  let isEmpty = true
  let isAtEnd = false
  return {
    turn(bytes) {
      if (bytes === '') return ''
      const start = isEmpty ? '[\n' : isAtEnd ? ',\n' : ''
      isEmpty = false
      isAtEnd = bytes.endsWith('\n')
      const lines = isAtEnd ? bytes.slice(0, -1) : bytes
      return start + lines.replaceAll('\n', ',\n')
    },
    last: () => (isEmpty ? '[]\n' : '\n]\n'),
  }
}

const removeAll = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await rm(path, { force: true })
}
