import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'

/** Markets per subscription: few enough that one lost message does not invalidate everything. */
export const MARKETS_PER_SUBSCRIPTION = 250

interface Subscription {
  lastSeq: number | null
  arrivedAt: Millis | null
}

export type SequenceVerdict = 'next' | 'repeated' | 'gap'

/**
 * Subscriptions of the session, by the venue's subscription ids. Sequence numbers run per id;
 * messages may arrive before the acknowledgement of their id. A book has one source: a market that
 * is followed again before an acknowledgement may be in two subscriptions for a moment.
 */
export class Subscriptions {
  readonly #bySid = new Map<number, Subscription>()
  /** The subscription that each book comes from. */
  readonly #sources = new Map<Ticker, number>()
  readonly #pending = new Map<number, readonly Ticker[]>()
  readonly #retiredSids = new Set<number>()
  #lastCommand = 0

  /** A command id that was not used in this session. */
  nextCommand(): number {
    this.#lastCommand += 1
    return this.#lastCommand
  }

  expect(command: number, tickers: readonly Ticker[]): void {
    this.#pending.set(command, tickers)
  }

  /** Returns the markets that the command requested. */
  acknowledge(command: number, sid: number): readonly Ticker[] {
    const tickers = this.#pending.get(command) ?? []
    this.#pending.delete(command)
    if (this.isRetired(sid)) return []
    this.#open(sid)
    for (const ticker of tickers) if (!this.#sources.has(ticker)) this.#sources.set(ticker, sid)
    return tickers
  }

  isRetired(sid: number): boolean {
    return this.#retiredSids.has(sid)
  }

  /** Whether this message is the next of its subscription. */
  sequence(sid: number, seq: number, now: Millis): SequenceVerdict {
    const subscription = this.#open(sid)
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

  /** Ends a subscription on our side; returns the markets that need a new one. */
  retire(sid: number): readonly Ticker[] {
    const tickers = [...this.#sources].filter(([, source]) => source === sid).map(([key]) => key)
    for (const ticker of tickers) this.#sources.delete(ticker)
    this.#bySid.delete(sid)
    this.#retiredSids.add(sid)
    return tickers
  }

  /** The subscription that a book comes from; null before its first message. */
  sourceOf(ticker: Ticker): number | null {
    return this.#sources.get(ticker) ?? null
  }

  setSource(ticker: Ticker, sid: number): void {
    this.#sources.set(ticker, sid)
  }

  removeSource(ticker: Ticker): void {
    this.#sources.delete(ticker)
  }

  #open(sid: number): Subscription {
    const existing = this.#bySid.get(sid)
    if (existing !== undefined) return existing
    const subscription: Subscription = { lastSeq: null, arrivedAt: null }
    this.#bySid.set(sid, subscription)
    return subscription
  }
}
