import { WebSocket, type RawData } from 'ws'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { backoffDelay, type RetryPolicy } from '../lib/retry.ts'

export interface SocketOptions {
  readonly url: string
  /** Headers of one connection attempt, created each time. */
  readonly headers?: () => Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: () => number
  /** A connection that is silent, without even a ping, for this long (ms) is replaced. */
  readonly silence: number
  /** Text sent at an interval (ms) to keep the connection alive. */
  readonly heartbeat?: { readonly interval: number; readonly text: string }
  readonly onOpen: () => void
  readonly onText: (text: string) => void
  /** The connection ended or could not be made, and will be retried. */
  readonly onLost: (reason: string) => void
}

const POLICY: RetryPolicy = { attempts: 0, firstDelay: 500, factor: 2, maxDelay: 30_000 }
/** A connection that lasted this long was good: the next backoff starts over. */
const STABLE_AFTER = 30_000
/** Prefix of the close reason of a connection that was dropped because of our own error. */
export const UNHANDLED_MESSAGE = 'a message was not handled'
const MAX_FRAME = 16 * 1024 * 1024

/** A WebSocket that reconnects on its own and is watched for silence, until it is closed. */
export class ReconnectingSocket {
  readonly #options: SocketOptions
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>
  #socket: WebSocket | null = null
  #arrivedAt = 0
  #reason = ''

  constructor(options: SocketOptions) {
    this.#options = options
    this.#watching = this.#run()
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Sends when connected; unsent messages must be sent again in `onOpen`. */
  send(text: string): void {
    if (this.isOpen) this.#socket?.send(text)
  }

  /** Drops the present connection; a new one follows. */
  reconnect(reason: string): void {
    this.#reason = reason
    this.#socket?.terminate()
  }

  /** Closes it permanently; resolves when no task is running. */
  close(): Promise<void> {
    this.#stop.abort()
    this.#socket?.terminate()
    return this.#watching
  }

  async #run(): Promise<void> {
    const { clock, random, onLost } = this.#options
    const stop = this.#stop.signal
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = clock.monotonic()
      const reason = await this.#session()
      if (stop.aborted) return
      onLost(reason)
      if (clock.monotonic() - startedAt > STABLE_AFTER) attempt = 1
      if (!(await sleepUnless(stop, clock, backoffDelay(POLICY, attempt, random())))) return
    }
  }

  async #session(): Promise<string> {
    const { url, headers, clock, onOpen } = this.#options
    const abortController = new AbortController()
    this.#reason = 'closed by the venue'
    const receive = () => {
      this.#arrivedAt = clock.monotonic()
    }
    await new Promise<void>((resolve) => {
      const socket = new WebSocket(url, {
        headers: headers?.() ?? {},
        maxPayload: MAX_FRAME,
        handshakeTimeout: 10_000,
      })
      this.#socket = socket
      receive()
      socket.on('open', () => {
        receive()
        onOpen()
      })
      socket.on('ping', receive)
      socket.on('message', (data: RawData, isBinary: boolean) => {
        receive()
        if (!isBinary) this.#deliver(data)
      })
      socket.on('error', (error) => {
        this.#reason = error.message
      })
      socket.on('close', () => resolve())
      void this.#watch(abortController.signal)
    })
    abortController.abort()
    this.#socket = null
    return this.#reason
  }

  /** A message whose handler throws costs the connection, never the process. */
  #deliver(data: RawData): void {
    try {
      this.#options.onText(textOfFrame(data))
    } catch (error) {
      this.reconnect(`${UNHANDLED_MESSAGE}: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }

  async #watch(endSignal: AbortSignal): Promise<void> {
    const { clock, silence, heartbeat } = this.#options
    const step = Math.min(silence / 4, heartbeat?.interval ?? silence)
    while (await sleepUnless(endSignal, clock, step)) {
      if (clock.monotonic() - this.#arrivedAt > silence) return this.reconnect('silent')
      if (heartbeat !== undefined) this.send(heartbeat.text)
    }
  }
}

const textOfFrame = (data: RawData): string =>
  Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : Buffer.from(data as ArrayBuffer).toString('utf8')
