import { open, stat } from 'node:fs/promises'

/** Format of a file by its bytes; its name is ignored. */
export type FileFormat = 'parquet' | 'json' | 'csv'

/** A file that cannot be read in any format; the message explains why to its owner. */
export class UnreadableFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableFile'
  }
}

const HEAD_BYTES = 4096
const PARQUET = 'PAR1'
const ZIP = Buffer.from('PK\u0003\u0004')

/**
 * The format of a file by its first and last bytes.
 * @throws UnreadableFile when it is empty, cut short, compressed, binary or not readable
 */
export async function formatOf(path: string): Promise<FileFormat> {
  const { head, tail, size } = await endsOf(path)
  if (size === 0) throw new UnreadableFile('the file is empty')
  if (head.subarray(0, 4).toString('latin1') === PARQUET) {
    if (size < 12 || tail.toString('latin1') !== PARQUET) {
      throw new UnreadableFile('the Parquet file is truncated: its footer is missing')
    }
    return 'parquet'
  }
  if (head.subarray(0, 4).equals(ZIP)) {
    throw new UnreadableFile('the file is a zip archive: extract it first')
  }
  if (head.includes(0)) throw new UnreadableFile('the file is binary and not Parquet')
  const first = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()[0]
  if (first === undefined) throw new UnreadableFile('the file is blank')
  return first === '{' || first === '[' ? 'json' : 'csv'
}

async function endsOf(path: string): Promise<{ head: Buffer; tail: Buffer; size: number }> {
  try {
    const { size } = await stat(path)
    const file = await open(path)
    try {
      const head = Buffer.alloc(Math.min(HEAD_BYTES, size))
      await file.read(head, 0, head.length, 0)
      const tail = Buffer.alloc(Math.min(4, size))
      await file.read(tail, 0, tail.length, size - tail.length)
      return { head, tail, size }
    } finally {
      await file.close()
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UnreadableFile(`the file could not be read: ${reason}`, { cause })
  }
}
