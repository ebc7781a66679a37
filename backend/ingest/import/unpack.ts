import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { UnreadableFile } from './file-format.ts'

/** A small compressed file can expand to any size; a larger one is no recording. */
const MAX_BYTES = 8 * 1024 ** 3

/**
 * The file itself, or the uncompressed copy of a gzip file, in `folder` and under the same name
 * without its suffix.
 * @throws UnreadableFile when the compressed file is truncated, damaged or larger than 8 GB
 * uncompressed
 */
export async function unpack(path: string, folder: string, maxBytes = MAX_BYTES): Promise<string> {
  if (!(await isGzip(path))) return path
  const mark = createHash('sha256').update(path).digest('hex').slice(0, 16)
  const target = join(folder, `${mark}-${basename(path).replace(/\.gz$/i, '')}`)
  let bytes = 0
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes <= maxBytes) callback(null, chunk)
      else callback(new Error(`it expands to more than ${maxBytes} bytes`))
    },
  })
  try {
    await pipeline(createReadStream(path), createGunzip(), limit, createWriteStream(target))
    return target
  } catch (cause) {
    await rm(target, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UnreadableFile(`the gzip file is truncated or damaged: ${reason}`, { cause })
  }
}

async function isGzip(path: string): Promise<boolean> {
  // A file that cannot be opened is reported by its reader.
  const file = await open(path).catch(() => null)
  if (file === null) return false
  try {
    const head = Buffer.alloc(2)
    const { bytesRead } = await file.read(head, 0, 2, 0)
    return bytesRead === 2 && head[0] === 0x1f && head[1] === 0x8b
  } catch {
    return false
  } finally {
    await file.close()
  }
}
