import type { WebSocket } from 'ws'
import type { Caller } from '../../../http/auth/auth.ts'
import type { DataAccess } from '../../../http/auth/data-access.ts'
import type { UpgradedSocket } from '../../../http/upgrade.ts'
import { AuthInvalid, RateLimited } from '../../../lib/errors.ts'
import { readClientFrame, type BadFrame } from './client-frame.ts'
import { frameBytes } from './frame-bytes.ts'
import { FrameBudget } from './frame-budget.ts'
import {
  AUTH_TIMEOUT,
  CLOSE,
  LIMITS,
  PING_INTERVAL,
  SILENCE_TIMEOUT,
  type CloseCode,
} from './limits.ts'
import { Outbox } from './outbox.ts'
import type {
  AckFrame,
  ClientFrame,
  ErrorCode,
  ErrorFrame,
  FrameId,
  ServerFrame,
} from '../../../contract/socket.ts'
import type { TopicTime } from './sources.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Tick } from './tick.ts'
import { answerTopicFrame, type TopicFrame } from './topics/topic-frames.ts'
import type { TopicRegistry } from './topics/topic-registry.ts'

/** The interface of the hub that a connection uses. */
export interface ConnectionHost {
  readonly time: TopicTime
  readonly tick: Tick
  readonly topics: TopicRegistry
  readonly access: Pick<DataAccess, 'callerOfKey'>
  /** Counts a caller's connection; false if the caller has too many. */
  admit(caller: Caller): boolean
  onError(error: unknown, connection: string): void
  /** Terminates the socket if the peer does not answer the close frame. */
  terminateLater(socket: WebSocket): void
}

/** One client connection: authentication, requests, and delivery. */
export class Connection {
  readonly id: string
  readonly subscriptions: Subscriptions
  readonly #socket: WebSocket
  readonly #sockets: UpgradedSocket
  readonly #host: ConnectionHost
  readonly #outbox: Outbox
  readonly #budget: FrameBudget
  readonly #openedAt: number
  #caller: Caller | null
  #isAuthenticating = false
  #arrivedAt: number
  #pingedAt: number
  #isEnding = false
  /** Frames are answered one at a time; the frame budget limits how many are queued. */
  #pendingFrames: (ClientFrame | BadFrame)[] = []
  #isAnswering = false

  constructor(id: string, sockets: UpgradedSocket, caller: Caller | null, host: ConnectionHost) {
    this.id = id
    this.#sockets = sockets
    this.#socket = sockets.ws
    this.#host = host
    this.#caller = caller
    const now = host.time.monotonic()
    this.#openedAt = this.#arrivedAt = this.#pingedAt = now
    this.#budget = new FrameBudget(now)
    this.#outbox = new Outbox({
      socket: sockets.raw,
      tick: host.tick,
      isOpen: () => this.#socket.readyState === this.#socket.OPEN,
      onTooMuch: () => this.end(CLOSE.slow),
    })
    this.subscriptions = new Subscriptions(this.#outbox, (topic) => {
      const message = 'The topic cannot be read now'
      this.#send({
        type: 'error',
        code: 'INTERNAL_ERROR',
        message,
        topic: topic.name,
        fatal: false,
      })
    })
    sockets.raw.on('drain', () => this.subscriptions.beginNext())
    this.#socket.on('close', () => {
      this.#isEnding = true
    })
    this.#socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    this.#socket.on('ping', (data: Buffer) => {
      if (this.#countFrame()) this.#socket.pong(data)
    })
    this.#socket.on('pong', () => this.#countFrame())
    const { connections, topics, frameBytes: max, heartbeatSeconds } = LIMITS
    this.#send({
      type: 'hello',
      connection: id,
      time: host.time.now(),
      authenticated: caller !== null,
      limits: { connections, topics, frameBytes: max, heartbeatSeconds },
    })
  }

  get caller(): Caller | null {
    return this.#caller
  }

  /** Bytes the peer has not read yet. */
  get waiting(): number {
    return this.#outbox.waiting
  }

  /** Periodic check: closes clients that are silent or do not read, and sends what can be sent. */
  check(): void {
    if (this.#isEnding) return
    const now = this.#host.time.monotonic()
    if (this.#caller === null && !this.#isAuthenticating && now - this.#openedAt >= AUTH_TIMEOUT) {
      this.fail(CLOSE.auth, 'AUTH_REQUIRED', 'Authentication required')
    } else if (now - this.#arrivedAt >= SILENCE_TIMEOUT) this.end(CLOSE.silent)
    else if (this.#outbox.isStuck(now)) this.end(CLOSE.slow)
    else {
      if (now - this.#pingedAt >= PING_INTERVAL) {
        this.#pingedAt = now
        this.#send({ type: 'ping', ts: this.#host.time.now() })
      }
      this.subscriptions.catchUp()
    }
  }

  /** Sends an error, then closes. */
  fail(code: CloseCode, error: ErrorCode, message: string, id?: FrameId): void {
    if (this.#isEnding) return
    this.#send(errorFrame(error, message, true, id))
    this.end(code)
  }

  /** Sends what is queued in this tick and closes. */
  end(code: CloseCode): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.subscriptions.dropAll()
    this.#outbox.flush()
    this.#socket.close(code, REASONS[code])
    this.#host.terminateLater(this.#socket)
  }

  /** Sends a frame to this client at once, without waiting for the tick. */
  #send(frame: ServerFrame): void {
    if (this.#isEnding) return
    this.#outbox.send(frameBytes(frame))
    this.#outbox.flush()
  }

  /** Counts a frame against the budget; false if the budget is exceeded. */
  #countFrame(): boolean {
    if (this.#isEnding) return false
    const now = this.#host.time.monotonic()
    this.#arrivedAt = now
    if (this.#budget.consume(now)) return true
    this.fail(CLOSE.tooMany, 'RATE_LIMITED', 'rate limit exceeded')
    return false
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.#countFrame()) return
    if (isBinary) {
      this.end(CLOSE.binary)
      return
    }
    this.#pendingFrames.push(readClientFrame(data.toString('utf8')))
    this.#answerNext()
  }

  #answerNext(): void {
    while (!this.#isAnswering && !this.#isEnding) {
      const frame = this.#pendingFrames.shift()
      if (frame === undefined) return
      const answer = this.#answer(frame)
      if (answer === undefined) continue
      this.#isAnswering = true
      void answer
        .catch((error: unknown) => {
          this.#host.onError(error, this.id)
          this.fail(CLOSE.internal, 'INTERNAL_ERROR', 'Internal error')
        })
        .then(() => {
          this.#isAnswering = false
          this.#answerNext()
        })
    }
  }

  /** Answers a frame; synchronously if no lookup is needed. */
  #answer(frame: ClientFrame | BadFrame): Promise<void> | undefined {
    if (this.#caller === null && (!('op' in frame) || frame.op !== 'auth')) {
      this.fail(CLOSE.auth, 'AUTH_REQUIRED', 'Authentication required', frame.id)
    } else if (!('op' in frame)) this.#refuse(frame)
    else if (frame.op === 'auth') return this.#authenticate(frame.key, frame.id)
    else if (frame.op === 'ping') {
      this.#send({ type: 'pong', ...idOf(frame), ts: this.#host.time.now() })
    } else if (frame.op !== 'pong') return this.#answerTopics(frame)
    return undefined
  }

  #refuse({ code, message, id }: BadFrame): void {
    if (this.#budget.countInvalid(this.#host.time.monotonic())) {
      this.#send(errorFrame(code, message, false, id))
    } else this.fail(CLOSE.badFrames, code, message, id)
  }

  async #authenticate(key: string, id: FrameId | undefined): Promise<void> {
    this.#isAuthenticating = true
    let caller: Caller
    try {
      caller = await this.#host.access.callerOfKey(key, this.#sockets.sender)
    } catch (error) {
      if (error instanceof RateLimited) {
        this.fail(CLOSE.tooMany, 'RATE_LIMITED', 'rate limit exceeded', id)
        return
      }
      if (!(error instanceof AuthInvalid)) throw error
      this.#sockets.onCredentialFailed?.()
      this.fail(CLOSE.auth, 'AUTH_INVALID', 'Invalid or revoked credentials', id)
      return
    } finally {
      this.#isAuthenticating = false
    }
    if (this.#isEnding) return
    const currentCaller = this.#caller
    if (currentCaller !== null && currentCaller.id !== caller.id) {
      this.fail(CLOSE.auth, 'AUTH_INVALID', 'The connection belongs to another key', id)
      return
    }
    if (currentCaller === null) {
      if (!this.#host.admit(caller)) {
        this.fail(CLOSE.tooMany, 'RATE_LIMITED', 'rate limit exceeded', id)
        return
      }
      this.#caller = caller
    }
    this.#ack({ op: 'auth', topics: [], rejected: [], ...(id === undefined ? {} : { id }) })
  }

  async #answerTopics(frame: TopicFrame): Promise<void> {
    const answer = await answerTopicFrame(frame, this.subscriptions, this.#host.topics)
    if (this.#isEnding) {
      this.subscriptions.dropAll()
      return
    }
    this.#ack({ op: frame.op, ...idOf(frame), ...answer.ack })
    this.subscriptions.begin(answer.beginnings)
  }

  #ack(ack: Omit<AckFrame, 'type' | 'subscribed'>): void {
    this.#send({ type: 'ack', ...ack, subscribed: this.subscriptions.size })
  }
}

const REASONS: Readonly<Record<CloseCode, string>> = {
  [CLOSE.normal]: 'normal',
  [CLOSE.stopping]: 'server stopping',
  [CLOSE.binary]: 'binary frame',
  [CLOSE.internal]: 'internal error',
  [CLOSE.badFrames]: 'too many invalid frames',
  [CLOSE.auth]: 'not authenticated',
  [CLOSE.silent]: 'no sign of life',
  [CLOSE.slow]: 'slow consumer',
  [CLOSE.tooMany]: 'too many connections or frames',
}

const idOf = ({ id }: { readonly id?: FrameId }) => (id === undefined ? {} : { id })

const errorFrame = (
  code: ErrorCode,
  message: string,
  fatal: boolean,
  id: FrameId | undefined,
): ErrorFrame => ({ type: 'error', ...(id === undefined ? {} : { id }), code, message, fatal })
