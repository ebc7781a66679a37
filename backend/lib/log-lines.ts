import { write, writeSync } from 'node:fs'

/** Buffered bytes for a slow reader; later lines are dropped. */
const MAX_WAIT = 8 * 1024 * 1024
/** Milliseconds before a write to a full pipe is retried. */
const PAUSE = 100

/**
 * Writes lines to a file descriptor, in order and in the background. Lines that cannot be written
 * (full disk, closed pipe) are dropped: neither this process nor its exit waits for them. Pino's
 * own destination retries forever at exit when the disk is full.
 */
export class LogLines {
  readonly #fd: number
  #pendingLines: string[] = []
  #bytes = 0
  #isWriting = false

  constructor(fd: number) {
    this.#fd = fd
    process.once('exit', () => this.#writeLast())
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > MAX_WAIT) return
    this.#pendingLines.push(line)
    this.#bytes += bytes
    if (!this.#isWriting) this.#scheduleWrite()
  }

  #scheduleWrite(): void {
    this.#isWriting = this.#pendingLines.length > 0
    if (this.#isWriting) this.#writeRest(this.#drain())
  }

  #drain(): Buffer {
    const all = Buffer.from(this.#pendingLines.join(''))
    this.#pendingLines = []
    this.#bytes = 0
    return all
  }

  #writeRest(rest: Buffer): void {
    write(this.#fd, rest, (error, bytesWritten) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#writeRest(rest), PAUSE).unref()
      else if (error === null && bytesWritten < rest.length)
        this.#writeRest(rest.subarray(bytesWritten))
      else this.#scheduleWrite()
    })
  }

  #writeLast(): void {
    let rest = this.#drain()
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#fd, rest))
    } catch {
      // There is no reader left to notify.
    }
  }
}
