import type { Message } from '../../../backend/contract/forum/forum.ts'
import type { ApiFailure } from '../../api/client.ts'
import type { Live } from '../../api/live.ts'
import { pathOf } from '../../api/path.ts'

const PAGE = 200
/** Messages kept on the page; the oldest are dropped first. */
const MAX_ENTRIES = 1_000

/** The messages of a channel, or of all, read once and then polled with the service's cursor. */
export class ChannelFeed {
  messages = $state.raw<readonly Message[]>([])
  failure = $state.raw<ApiFailure | null>(null)
  /** Whether the first read was answered. */
  isRead = $state(false)
  readonly channel: string | null
  readonly #live: Pick<Live, 'read'>
  #cursor: string | null = null
  #pendingPoll: Promise<void> | null = null

  constructor(live: Pick<Live, 'read'>, channel: string | null) {
    this.#live = live
    this.channel = channel
  }

  /** Reads everything after the cursor. A poll that is running is not repeated. */
  poll(): Promise<void> {
    this.#pendingPoll ??= this.#poll().finally(() => (this.#pendingPoll = null))
    return this.#pendingPoll
  }

  async #poll(): Promise<void> {
    for (;;) {
      const answer = await this.#live.read(
        pathOf('/api/forum/messages', {
          channel: this.channel,
          since: this.#cursor,
          limit: PAGE,
        }),
      )
      if (answer === null) return
      this.isRead = true
      if (!answer.ok) {
        this.failure = answer.failure
        return
      }
      this.failure = null
      const { messages, cursor, hasMore } = answer.body
      this.#cursor = cursor
      if (messages.length > 0) this.messages = [...this.messages, ...messages].slice(-MAX_ENTRIES)
      if (!hasMore) return
    }
  }

  /** Messages that are still served at this time. */
  live(now: number): readonly Message[] {
    return this.messages.filter(({ expiresAt }) => Date.parse(expiresAt) > now)
  }
}
