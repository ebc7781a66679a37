import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of blocks that are written and read once. It is unlinked at once, so that nothing remains
 * of it.
 */
export class ScratchFile {
  readonly #fd: number
  readonly #path: string
  #end = 0
  #isClosed = false

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, `events-${randomUUID()}`)
    this.#fd = openSync(this.#path, 'wx+', 0o600)
    this.#unlink()
  }

  /** Appends a block and returns its position. */
  append(block: Uint8Array): number {
    const at = this.#end
    writeFully(this.#fd, block, at)
    this.#end += block.byteLength
    return at
  }

  read(target: Uint8Array, at: number): void {
    for (let position = 0; position < target.byteLength;) {
      const count = readSync(
        this.#fd,
        target,
        position,
        target.byteLength - position,
        at + position,
      )
      if (count === 0) throw new Error('The scratch file is shorter than expected')
      position += count
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    closeSync(this.#fd)
    this.#unlink()
  }

  /** A system that cannot unlink an open file removes it in close(). */
  #unlink(): void {
    try {
      rmSync(this.#path, { force: true })
    } catch {
      // Removed in close(), or with the folder at the next start.
    }
  }
}

/** Writes all bytes at a position of a file. */
export function writeFully(fd: number, bytes: Uint8Array, at: number): void {
  for (let position = 0; position < bytes.byteLength;) {
    position += writeSync(fd, bytes, position, bytes.byteLength - position, at + position)
  }
}
