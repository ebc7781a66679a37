import type { WebSocket } from 'ws'
import type { Venue } from '../domain/market.ts'
import type { Faults } from './faults.ts'

/** One reader's connection: sends texts unless a fault was ordered for the next message. */
export class LiveLine {
  readonly #socket: WebSocket
  readonly #venue: Venue
  readonly #faults: Faults
  #frozenUntil = 0

  constructor(socket: WebSocket, venue: Venue, faults: Faults) {
    this.#socket = socket
    this.#venue = venue
    this.#faults = faults
  }

  /** Sends market data at an instant; a fault may lose it, repeat it, freeze the line or cut it. */
  data(text: string, now: number): void {
    if (now < this.#frozenUntil) return
    const fault = this.#faults.forMessage(this.#venue)
    switch (fault?.kind) {
      case 'gap':
        return
      case 'drop':
        this.#socket.terminate()
        return
      case 'freeze':
        this.#frozenUntil = now + fault.milliseconds
        return
      case 'duplicate':
        this.reply(text)
        this.reply(text)
        return
      default:
        this.reply(text)
    }
  }

  /** Sends an answer to a command; faults leave these alone. */
  reply(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text)
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping('heartbeat')
  }
}
