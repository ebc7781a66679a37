import type { Duplex } from 'node:stream'
import { BACKPRESSURE_FROM, MAX_WAITING, PROGRESS_TIMEOUT } from './limits.ts'
import type { FrameBatch } from './frame-batch.ts'
import type { Tick } from './tick.ts'

/**
 * The send queue of one connection: encoded frames, joined per tick and written to the raw socket
 * in one piece. The WebSocket library never queues here (no compression), so its control frames
 * and ours keep their order.
 */
export class Outbox {
  readonly #socket: Duplex
  readonly #tick: Tick
  readonly #isOpen: () => boolean
  readonly #onTooMuch: () => void
  #batch: FrameBatch | null = null
  #awaitsTick = false
  #writtenBytes = 0
  #sentBytes = 0
  #stuckSince: number | null = null

  constructor(options: {
    socket: Duplex
    tick: Tick
    /** Whether data may still be sent. */
    isOpen: () => boolean
    /** Called when more bytes are queued than a connection may hold. */
    onTooMuch: () => void
  }) {
    this.#socket = options.socket
    this.#tick = options.tick
    this.#isOpen = options.isOpen
    this.#onTooMuch = options.onTooMuch
  }

  /** Bytes the peer has not read yet. */
  get waiting(): number {
    return this.#socket.writableLength + (this.#batch?.length ?? 0)
  }

  /** Whether so much is queued that changes are conflated instead of queued. */
  get isCrowded(): boolean {
    return this.waiting >= BACKPRESSURE_FROM
  }

  /** Queues an encoded frame for this tick. */
  send(frame: Buffer): void {
    if (!this.#tick.joins) {
      this.#write(frame)
      return
    }
    this.#batch = this.#batch === null ? this.#tick.batchOf(frame) : this.#batch.append(frame)
    if (this.#batch.length >= BACKPRESSURE_FROM) this.flush()
    else if (!this.#awaitsTick) {
      this.#awaitsTick = true
      this.#tick.writeLater(this)
    }
  }

  flush(): void {
    this.#awaitsTick = false
    const batch = this.#batch
    this.#batch = null
    if (batch !== null) this.#write(batch.bytes)
  }

  /** Checks whether a crowded socket makes progress; true if it has not for too long. */
  isStuck(now: number): boolean {
    const sentBytes = this.#writtenBytes - this.#socket.writableLength
    const hasProgressed = sentBytes > this.#sentBytes
    this.#sentBytes = sentBytes
    if (!this.isCrowded) this.#stuckSince = null
    else if (hasProgressed || this.#stuckSince === null) this.#stuckSince = now
    return this.#stuckSince !== null && now - this.#stuckSince >= PROGRESS_TIMEOUT
  }

  #write(bytes: Buffer): void {
    if (!this.#isOpen()) return
    this.#writtenBytes += bytes.length
    this.#socket.write(bytes)
    if (this.#socket.writableLength > MAX_WAITING) this.#onTooMuch()
  }
}
