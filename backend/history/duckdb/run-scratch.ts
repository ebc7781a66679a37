import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where a run's rows lie until they are put in order: blocks of bytes, put down once and read again, in a
 * file that has no name any more, so that nothing is left of it however the process ends.
 */
export class RunScratch {
  readonly #fd: number
  readonly #path: string
  #end = 0
  #isClosed = false

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, `run-${randomUUID()}`)
    this.#fd = openSync(this.#path, 'wx+', 0o600)
    this.#forgetName()
  }

  /** Puts a block down and answers where. */
  put(block: Uint8Array): number {
    const at = this.#end
    for (let done = 0; done < block.byteLength;) {
      done += writeSync(this.#fd, block, done, block.byteLength - done, at + done)
    }
    this.#end += block.byteLength
    return at
  }

  read(target: Uint8Array, at: number): void {
    for (let done = 0; done < target.byteLength;) {
      const count = readSync(this.#fd, target, done, target.byteLength - done, at + done)
      if (count === 0) throw new Error('the scratch file of a run is shorter than it was')
      done += count
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    closeSync(this.#fd)
    this.#forgetName()
  }

  /** Where a name cannot go before its file is closed, it goes then. */
  #forgetName(): void {
    try {
      rmSync(this.#path, { force: true })
    } catch {
      // It goes when the file is closed, or at the next start.
    }
  }
}
