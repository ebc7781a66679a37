import { write, writeSync } from 'node:fs'

/** Bytes that wait for a reader that does not read; later lines are dropped. */
const LONGEST_WAIT = 8 * 1024 * 1024
/** Milliseconds before a reader that has no room is tried again. */
const PAUSE = 100

/**
 * Lines to a file descriptor, in order and in the background. Where they cannot be written (a full
 * disk, a closed pipe) they are lost and nothing else is: neither this process nor its end waits.
 * Pino's own destination tries for ever at the end of a process whose disk is full.
 */
export class LogLines {
  readonly #fd: number
  #waiting: string[] = []
  #bytes = 0
  #isWriting = false

  constructor(fd: number) {
    this.#fd = fd
    process.once('exit', () => this.#writeLast())
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > LONGEST_WAIT) return
    this.#waiting.push(line)
    this.#bytes += bytes
    if (!this.#isWriting) this.#writeOn()
  }

  #writeOn(): void {
    this.#isWriting = this.#waiting.length > 0
    if (this.#isWriting) this.#writeRest(this.#takeAll())
  }

  #takeAll(): Buffer {
    const all = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#bytes = 0
    return all
  }

  #writeRest(rest: Buffer): void {
    write(this.#fd, rest, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeRest(rest), PAUSE).unref()
      else if (error === null && written < rest.length) this.#writeRest(rest.subarray(written))
      else this.#writeOn()
    })
  }

  #writeLast(): void {
    let rest = this.#takeAll()
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest))
    } catch {
      // There is nobody left to tell.
    }
  }
}
