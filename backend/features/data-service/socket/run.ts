/**
 * Frames that one or more connections get in one tick, in order. Connections with the same frames
 * share a run, so that its bytes are joined once for all of them: a tick costs one write per
 * connection, not one per frame.
 */
export class Run {
  readonly length: number
  readonly #before: Run | null
  readonly #frame: Buffer
  /** Most runs have a single successor; the map holds further ones. */
  #next: Run | null = null
  #others: Map<Buffer, Run> | null = null
  #joined: Buffer | null = null

  constructor(before: Run | null, frame: Buffer) {
    this.#before = before
    this.#frame = frame
    this.length = (before?.length ?? 0) + frame.length
  }

  /** This run with one more frame appended. */
  append(frame: Buffer): Run {
    if (this.#next !== null && this.#next.#frame === frame) return this.#next
    const existing = this.#others?.get(frame)
    if (existing !== undefined) return existing
    const next = new Run(this, frame)
    if (this.#next === null) this.#next = next
    else (this.#others ??= new Map()).set(frame, next)
    return next
  }

  get bytes(): Buffer {
    return (this.#joined ??= this.#join())
  }

  #writeInto(bytes: Buffer): void {
    if (this.#before !== null) this.#before.#writeInto(bytes)
    bytes.set(this.#frame, this.length - this.#frame.length)
  }

  #join(): Buffer {
    if (this.#before === null) return this.#frame
    const bytes = Buffer.allocUnsafe(this.length)
    this.#writeInto(bytes)
    return bytes
  }
}
