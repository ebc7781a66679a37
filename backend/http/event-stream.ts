/**
 * Limits of the events and bytes queued for one client; a client that exceeds them is
 * disconnected.
 */
const MAX_WAITING = 256
const MAX_BYTES = 1_000_000

/** One event of a stream; `data` is sent as one line of JSON. */
export interface StreamEvent {
  readonly event: string
  readonly id?: string
  readonly data: object
}

const encoder = new TextEncoder()

const frameOf = ({ event, id, data }: StreamEvent): Uint8Array =>
  encoder.encode(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  )

/**
 * A stream of server-sent events for one client. Events are queued until the client reads them, up
 * to 256 events or 1 MB; beyond that the connection ends and the client reconnects.
 */
export class EventStream {
  readonly #pendingChunks: Uint8Array[] = []
  readonly #onEnd: () => void
  #bytes = 0
  #ended = false
  #closing = false
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #wanted = false
  readonly body: ReadableStream<Uint8Array>

  /** @param onEnd called once when the stream ends, whichever side ended it */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#wanted = true
          this.#deliver()
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    )
  }

  get isOver(): boolean {
    return this.#ended
  }

  send(event: StreamEvent): void {
    this.#push(frameOf(event))
  }

  /** Sends one line: a comment that keeps the connection alive, or `retry: …`. */
  line(text: string): void {
    this.#push(encoder.encode(`${text}\n\n`))
  }

  /** Ends the stream after the queued events. */
  close(): void {
    this.#closing = true
    if (this.#pendingChunks.length === 0) this.#finish()
  }

  #push(frame: Uint8Array): void {
    if (this.#ended || this.#closing) return
    this.#pendingChunks.push(frame)
    this.#bytes += frame.length
    this.#deliver()
    if (this.#pendingChunks.length <= MAX_WAITING && this.#bytes <= MAX_BYTES) return
    this.#controller?.error(new Error('the reader is too slow'))
    this.#end()
  }

  #deliver(): void {
    if (!this.#wanted || this.#ended) return
    const frame = this.#pendingChunks.shift()
    if (frame === undefined) return
    this.#wanted = false
    this.#bytes -= frame.length
    this.#controller?.enqueue(frame)
    if (this.#closing && this.#pendingChunks.length === 0) this.#finish()
  }

  #finish(): void {
    if (this.#ended) return
    this.#controller?.close()
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#pendingChunks.length = 0
    this.#bytes = 0
    this.#onEnd()
  }
}
