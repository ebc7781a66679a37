import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import type { CopyFormat } from '../../history-copies.ts'
import type { Session } from '../engine/connections.ts'
import { quoteText } from '../engine/engine.ts'

/** A file in one format that is written slice by slice. */
export interface CopyFile {
  /** Appends the rows of a query and returns their number; the query is run unchanged. */
  add(write: (target: string, format: string) => Promise<number>): Promise<number>
  /** Completes the file. */
  finish(): Promise<void>
  /** Removes everything except a finished file; safe at any time. */
  discard(): Promise<void>
}

/** Opens a file at `path`; nothing is created before the first rows. */
export const openCopy = (session: Session, format: CopyFormat, path: string): CopyFile =>
  format === 'parquet' ? parquetCopy(session, path) : textCopy(format, path)

const PARQUET = 'format parquet, compression zstd'

/**
 * Parquet files cannot be appended to: slices are separate files, joined in order at the end.
 * Their names differ from those of an earlier copy, whose parts the engine might have cached.
 */
function parquetCopy(session: Session, path: string): CopyFile {
  const parts: string[] = []
  const copy = randomUUID()
  let isFinished = false
  return {
    add(write) {
      const part = `${path}.${copy}.${parts.length}.part`
      parts.push(part)
      return write(part, PARQUET)
    },
    async finish() {
      const from = `read_parquet([${parts.map(quoteText).join(', ')}])`
      await session.connection.run(`copy (from ${from}) to ${quoteText(path)} (${PARQUET})`)
      isFinished = true
      await removeAll(parts)
    },
    async discard() {
      await removeAll(isFinished ? parts : [...parts, path])
    },
  }
}

const READ_BYTES = 1024 * 1024

/** Slices of text are concatenated; each is written by the engine and moved into the file. */
function textCopy(format: 'csv' | 'json', path: string): CopyFile {
  const part = `${path}.part`
  const lineEnds = format === 'csv' ? recordEnds() : arrayEnds()
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
          await file.appendFile(lineEnds.convert(buffer.toString('latin1', 0, bytesRead)), 'latin1')
        }
      } finally {
        await source.close()
      }
      await rm(part)
      return rows
    },
    async finish() {
      file ??= await open(path, 'w')
      await file.appendFile(lineEnds.footer())
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
  /** Bytes, one character each, with the line ends that the format requires. */
  convert(bytes: string): string
  /** The text that closes the file. */
  footer(): string
}

/** CSV records end with CRLF; line breaks within a quoted cell are unchanged. */
export function recordEnds(): LineEnds {
  let isQuoted = false
  return {
    convert(bytes) {
      const quotedParts = bytes.split('"')
      return quotedParts
        .map((piece, index) => {
          if (index > 0) isQuoted = !isQuoted
          return isQuoted ? piece : piece.replaceAll('\n', '\r\n')
        })
        .join('"')
    },
    footer: () => '',
  }
}

/** Lines of one object each become an array, still one object per line. */
export function arrayEnds(): LineEnds {
  let isEmpty = true
  let isAtEnd = false
  return {
    convert(bytes) {
      if (bytes === '') return ''
      const start = isEmpty ? '[\n' : isAtEnd ? ',\n' : ''
      isEmpty = false
      isAtEnd = bytes.endsWith('\n')
      const lines = isAtEnd ? bytes.slice(0, -1) : bytes
      return start + lines.replaceAll('\n', ',\n')
    },
    footer: () => (isEmpty ? '[]\n' : '\n]\n'),
  }
}

const removeAll = async (paths: readonly string[]): Promise<void> => {
  for (const path of paths) await rm(path, { force: true })
}
