import { readSync } from 'node:fs'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import { windowIn } from '../../history/run-frames.ts'
import type { WindowPlace } from '../../history/run-reads.ts'

/**
 * Reads windows where they lie, each into the memory of the one before: a new one for every window would keep
 * the collector busy for longer than the run takes.
 */
export class WindowReader {
  readonly #fd: number
  #memory = new ArrayBuffer(0)

  /** @param fd of a file that is open */
  constructor(fd: number) {
    this.#fd = fd
  }

  /** The window, whose columns are overwritten by the next. */
  read({ at, bytes }: WindowPlace): EventWindow {
    if (this.#memory.byteLength < bytes) this.#memory = new ArrayBuffer(Math.ceil(bytes * 1.25))
    const target = new Uint8Array(this.#memory, 0, bytes)
    for (let done = 0; done < bytes;) {
      const count = readSync(this.#fd, target, done, bytes - done, at + done)
      if (count === 0) throw new Error('the file of a run’s events is shorter than it was')
      done += count
    }
    return windowIn(this.#memory, bytes)
  }
}
