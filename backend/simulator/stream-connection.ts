import type { WebSocket } from 'ws'
import type { Venue } from '../domain/market.ts'
import type { Clock } from '../lib/clock.ts'
import type { Fault, Topic } from './faults/fault.ts'
import { MESSAGE_KINDS } from './faults/fault.ts'
import type { ActiveFault, Faults } from './faults/faults.ts'
import { withCrossedBook, withWrongHash } from './faults/hostile-frames.ts'
import type { SimTrade } from './tape/sim-trade.ts'

/** One message of market data before it is sent. */
export interface StreamMessage {
  readonly text: string
  readonly about: Topic
  /** Names of its markets: tickers, condition ids and token ids. */
  readonly markets: readonly string[]
  /** The print in the message, if any. */
  readonly trade?: SimTrade
}

export interface StreamConnectionOptions {
  readonly socket: WebSocket
  readonly venue: Venue
  readonly faults: Faults
  /** True time; the venue's own may be wrong. */
  readonly clock: Clock
  /** Removes a dropped print from REST too. */
  readonly forget: (trade: SimTrade) => void
}

/** One reader's connection: sends texts, unless a fault affects the message or the connection. */
export class StreamConnection {
  readonly #options: StreamConnectionOptions
  /** Delayed messages in order, each with the true time at which it is sent. */
  #delayedMessages: { readonly due: number; readonly text: string }[] = []
  /** Messages queued until there are enough to send in reverse. */
  #withheldTexts: string[] = []
  #width = 0
  readonly #openedAt: number

  constructor(options: StreamConnectionOptions) {
    this.#options = options
    this.#openedAt = options.clock.now()
  }

  /** Sends market data; a fault may drop it, corrupt it, delay it or close the connection. */
  data(message: StreamMessage): void {
    if (!this.#isOpen) return
    const now = this.#options.clock.now()
    const active = this.#activeFault(message)
    if (active === null) return this.#send(message.text, now)
    switch (active.fault.kind) {
      case 'gap':
      case 'freeze':
        return this.#dropMessage(active, message)
      case 'drop':
        recordFault(active, message, 0)
        return this.#options.socket.terminate()
      case 'duplicate':
        recordFault(active, message, 0)
        this.#send(message.text, now)
        return this.#send(message.text, now)
      case 'reorder':
        return this.#reorder(active, message)
      case 'lag':
        recordFault(active, message, 0)
        return this.#delay(message.text, now + (now - active.from) * active.fault.growth)
      case 'oversized-frame':
        recordFault(active, message, 0)
        this.#send(JSON.stringify('x'.repeat(active.fault.bytes)), now)
        return this.#send(message.text, now)
      case 'malformed-frame':
        recordFault(active, message)
        return this.#send(message.text.slice(0, message.text.length / 2), now)
      case 'binary-frame':
        recordFault(active, message)
        return this.#options.socket.send(Buffer.from(message.text).map((byte) => byte ^ 0xff))
      default:
        return this.#corrupt(active, message, now)
    }
  }

  /** Sends the response to a command; faults do not affect these. */
  reply(text: string): void {
    if (this.#isOpen) this.#options.socket.send(text)
  }

  ping(): void {
    if (this.#isOpen) this.#options.socket.ping('heartbeat')
  }

  /** Sends messages whose delay has passed; closes the connection during a reconnect storm. */
  tick(): void {
    const now = this.#options.clock.now()
    const dueMessages = this.#delayedMessages.filter((message) => message.due <= now)
    this.#delayedMessages = this.#delayedMessages.slice(dueMessages.length)
    for (const { text } of dueMessages) this.reply(text)
    this.#releaseWithheld()
    const { faults, venue, socket } = this.#options
    const storm = faults.firstActive(
      venue,
      ['reconnect-storm'],
      ({ milliseconds }) => now - this.#openedAt >= milliseconds,
    )
    if (storm === null || !this.#isOpen) return
    storm.record('connection')
    socket.terminate()
  }

  /** Whether the venue is silent about a topic, so that not even a sequence number is used up. */
  isSilentAbout(topic: Topic, market: string): boolean {
    if (topic !== 'lifecycle') return false
    const { faults, venue } = this.#options
    const silent = faults.firstActive(venue, ['silent-lifecycle'], (fault) =>
      concerns(fault, [market]),
    )
    silent?.record('lifecycle', [market])
    return silent !== null
  }

  /** Whether the venue drops a subscription to these markets (none: all) now. */
  dropsSubscription(topic: Topic, markets: readonly string[]): boolean {
    const { faults, venue } = this.#options
    const overflow = faults.firstActive(
      venue,
      ['error-frame'],
      (fault) =>
        (fault.about === null || fault.about.has(topic)) &&
        (markets.length === 0 || concerns(fault, markets)),
    )
    overflow?.record(topic, markets)
    return overflow !== null
  }

  get #isOpen(): boolean {
    const { socket } = this.#options
    return socket.readyState === socket.OPEN
  }

  #activeFault(message: StreamMessage): ActiveFault | null {
    const { faults, venue } = this.#options
    return faults.firstActive(
      venue,
      MESSAGE_KINDS,
      (fault) =>
        (fault.about === null || fault.about.has(message.about)) &&
        concerns(fault, message.markets),
    )
  }

  /** Sends now, or after all delayed messages. */
  #send(text: string, now: number): void {
    if (this.#delayedMessages.length > 0) this.#delay(text, now)
    else if (this.#withheldTexts.length > 0) this.#holdText(text)
    else this.reply(text)
  }

  #dropMessage(active: ActiveFault, message: StreamMessage): void {
    recordFault(active, message)
    if (active.fault.alsoRest && message.trade !== undefined) this.#options.forget(message.trade)
  }

  #delay(text: string, dueAt: number): void {
    this.#delayedMessages.push({
      due: Math.max(dueAt, this.#delayedMessages.at(-1)?.due ?? 0),
      text,
    })
  }

  #reorder(active: ActiveFault, message: StreamMessage): void {
    recordFault(active, message, 0)
    this.#width = active.fault.width
    this.#holdText(message.text)
  }

  #holdText(text: string): void {
    this.#withheldTexts.push(text)
    if (this.#withheldTexts.length >= this.#width) this.#releaseWithheld()
  }

  #releaseWithheld(): void {
    for (const text of this.#withheldTexts.splice(0).reverse()) this.reply(text)
  }

  /** A message with impossible values; the fault stays pending if it has none to corrupt. */
  #corrupt(active: ActiveFault, message: StreamMessage, now: number): void {
    const corrupt = active.fault.kind === 'crossed-book' ? withCrossedBook : withWrongHash
    const corruption = message.about === 'book' ? corrupt(message.text) : null
    if (corruption !== null) recordFault(active, message)
    this.#send(corruption ?? message.text, now)
  }
}

const concerns = (fault: Fault, markets: readonly string[]): boolean =>
  fault.markets === null || markets.some((market) => fault.markets?.has(market))

/** Records an affected message, with its content lost or corrupted unless `corrupted` is 0. */
const recordFault = (
  active: ActiveFault,
  { about, markets }: StreamMessage,
  corruptedRows = 1,
): void => active.record(about, markets.slice(0, 1), corruptedRows)
