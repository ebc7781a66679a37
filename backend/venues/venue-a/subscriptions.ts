import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'

/** Markets per subscription: few enough that one lost message does not invalidate everything. */
export const MARKETS_PER_SUBSCRIPTION = 250

export interface Subscription {
  readonly channel: string
  readonly tickers: Set<Ticker>
  lastSeq: number | null
  arrivedAt: Millis | null
}

export type SequenceVerdict = 'next' | 'repeated' | 'gap'

/**
 * Subscriptions of the session, by the venue's subscription ids. Sequence numbers run per id;
 * messages may arrive before the acknowledgement of their id.
 */
export class Subscriptions {
  readonly #bySid = new Map<number, Subscription>()
  readonly #pending = new Map<number, readonly Ticker[]>()
  readonly #retired = new Set<number>()
  #lastCommand = 0

  /** A command id that was not used in this session. */
  nextCommand(): number {
    this.#lastCommand += 1
    return this.#lastCommand
  }

  expect(command: number, tickers: readonly Ticker[]): void {
    this.#pending.set(command, tickers)
  }

  acknowledge(command: number, sid: number, channel: string): void {
    const subscription = this.#open(sid, channel)
    for (const ticker of this.#pending.get(command) ?? []) subscription.tickers.add(ticker)
  }

  isRetired(sid: number): boolean {
    return this.#retired.has(sid)
  }

  /** Whether this message is the next of its subscription. */
  sequence(sid: number, seq: number, channel: string, now: Millis): SequenceVerdict {
    const subscription = this.#open(sid, channel)
    const last = subscription.lastSeq
    if (last !== null && seq <= last) return 'repeated'
    subscription.lastSeq = seq
    subscription.arrivedAt = now
    return last === null || seq === last + 1 ? 'next' : 'gap'
  }

  /** When the subscription last sent a message in sequence. */
  arrivedAt(sid: number): Millis | null {
    return this.#bySid.get(sid)?.arrivedAt ?? null
  }

  add(sid: number, ticker: Ticker): void {
    this.#bySid.get(sid)?.tickers.add(ticker)
  }

  /** Ends a subscription on our side; returns the markets that need a new one. */
  retire(sid: number): readonly Ticker[] {
    const tickers = [...(this.#bySid.get(sid)?.tickers ?? [])]
    this.#bySid.delete(sid)
    this.#retired.add(sid)
    return tickers
  }

  /** The book subscription of a market. */
  sidOf(ticker: Ticker): number | null {
    for (const [sid, { channel, tickers }] of this.#bySid) {
      if (channel === 'orderbook_delta' && tickers.has(ticker)) return sid
    }
    return null
  }

  remove(sid: number, ticker: Ticker): void {
    this.#bySid.get(sid)?.tickers.delete(ticker)
  }

  #open(sid: number, channel: string): Subscription {
    const existing = this.#bySid.get(sid)
    if (existing !== undefined) return existing
    const subscription: Subscription = {
      channel,
      tickers: new Set(),
      lastSeq: null,
      arrivedAt: null,
    }
    this.#bySid.set(sid, subscription)
    return subscription
  }
}
