import { readSync } from 'node:fs'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import { windowIn } from '../../history/event-frames.ts'
import type { FrameLocation } from '../../history/event-streams.ts'

/**
 * Reads windows from a file, each into the memory of the previous one: new memory for every window
 * would keep the garbage collector busy for longer than the run takes.
 */
export class WindowReader {
  readonly #fd: number
  #memory = new ArrayBuffer(0)

  /** @param fd of an open file */
  constructor(fd: number) {
    this.#fd = fd
  }

  /** Returns the window; the next call overwrites its columns. */
  read({ at, bytes }: FrameLocation): EventWindow {
    if (this.#memory.byteLength < bytes) this.#memory = new ArrayBuffer(Math.ceil(bytes * 1.25))
    const target = new Uint8Array(this.#memory, 0, bytes)
    for (let position = 0; position < bytes;) {
      const count = readSync(this.#fd, target, position, bytes - position, at + position)
      if (count === 0) throw new Error('the file of a run’s events was truncated')
      position += count
    }
    return windowIn(this.#memory, bytes)
  }
}
