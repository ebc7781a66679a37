/**
 * Frames that one or more connections get in one tick, in order. Connections with the same frames
 * share a batch, so that its bytes are joined once for all of them: a tick costs one write per
 * connection, not one per frame.
 */
export class FrameBatch {
  readonly length: number
  readonly #previous: FrameBatch | null
  readonly #frame: Buffer
  /** Most batches have a single successor; the map holds further ones. */
  #next: FrameBatch | null = null
  #others: Map<Buffer, FrameBatch> | null = null
  #joinedBuffer: Buffer | null = null

  constructor(previousBatch: FrameBatch | null, frame: Buffer) {
    this.#previous = previousBatch
    this.#frame = frame
    this.length = (previousBatch?.length ?? 0) + frame.length
  }

  /** This batch with one more frame appended. */
  append(frame: Buffer): FrameBatch {
    if (this.#next !== null && this.#next.#frame === frame) return this.#next
    const existing = this.#others?.get(frame)
    if (existing !== undefined) return existing
    const next = new FrameBatch(this, frame)
    if (this.#next === null) this.#next = next
    else (this.#others ??= new Map()).set(frame, next)
    return next
  }

  get bytes(): Buffer {
    return (this.#joinedBuffer ??= this.#join())
  }

  #writeInto(bytes: Buffer): void {
    if (this.#previous !== null) this.#previous.#writeInto(bytes)
    bytes.set(this.#frame, this.length - this.#frame.length)
  }

  #join(): Buffer {
    if (this.#previous === null) return this.#frame
    const bytes = Buffer.allocUnsafe(this.length)
    this.#writeInto(bytes)
    return bytes
  }
}
