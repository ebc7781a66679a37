import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const CHUNK = 4 * 1024 * 1024

/** Number of occurrences of bytes in the writable memory of a process; Linux only. */
export function occurrencesInMemory(pid: number, pattern: Buffer): number {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  // Chunks overlap, so that no occurrence is cut in two.
  const buffer = Buffer.alloc(CHUNK + pattern.length - 1)
  let count = 0
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === '') continue
      const end = Number.parseInt(to, 16)
      for (let address = Number.parseInt(from, 16); address < end; address += CHUNK) {
        const length = Math.min(buffer.length, end - address)
        const read = readRegion(memory, buffer, length, address)
        count += occurrences(buffer.subarray(0, read), pattern)
      }
    }
  } finally {
    closeSync(memory)
  }
  return count
}

/** Bytes of a region; none when the kernel does not show it. */
function readRegion(memory: number, into: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, into, 0, length, at)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EIO') return 0
    throw error
  }
}

/** Number of occurrences of bytes in others. */
export function occurrences(bytes: Buffer, pattern: Buffer): number {
  let count = 0
  for (let index = bytes.indexOf(pattern); index !== -1; index = bytes.indexOf(pattern, index + 1))
    count++
  return count
}
