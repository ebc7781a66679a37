import type { BoardSnapshot, MarketBoard, MarketView } from '../computed/market-board.ts'
import type { MarketStatus, OrderBook } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import { NOON } from './builders.ts'

const ENDED = new Set(['closed', 'resolving', 'settled'])

/** Markets as a board tells them; past instants know only what was first seen by then. */
export class FakeBoard implements MarketBoard {
  ready = true
  views: MarketView[]
  books = new Map<string, { book: OrderBook; at: Millis }>()
  /** The instant of an answer for now. */
  now: Millis = NOON
  /** How often a snapshot was asked for. */
  reads = 0

  constructor(views: MarketView[] = []) {
    this.views = views
  }

  at(
    asOf: Millis | null,
    options?: { readonly statuses?: readonly MarketStatus[] },
  ): Promise<BoardSnapshot> {
    this.reads += 1
    const known = this.#knownAt(asOf).filter(
      ({ status }) => options?.statuses?.includes(status) ?? !ENDED.has(status),
    )
    return Promise.resolve(snapshotOf(known, asOf ?? this.now))
  }

  live(): BoardSnapshot {
    const trading = this.views.filter(({ status }) => !ENDED.has(status))
    return snapshotOf(trading, this.now)
  }

  market(ticker: string, asOf: Millis | null): Promise<MarketView | null> {
    return Promise.resolve(named(this.#knownAt(asOf), ticker))
  }

  markets(
    tickers: readonly string[],
    asOf: Millis | null,
  ): Promise<ReadonlyMap<string, MarketView>> {
    const known = this.#knownAt(asOf)
    const pairs = tickers.flatMap((ticker) => {
      const view = named(known, ticker)
      return view === null ? [] : [[ticker, view] as const]
    })
    return Promise.resolve(new Map(pairs))
  }

  book(view: MarketView): ReturnType<MarketBoard['book']> {
    return Promise.resolve(this.books.get(view.facts.ticker) ?? null)
  }

  storedBooks(views: readonly MarketView[]): ReturnType<MarketBoard['storedBooks']> {
    const books = views.flatMap(({ facts: { ticker } }) => {
      const known = this.books.get(ticker)
      return known === undefined ? [] : [[ticker, known.book] as const]
    })
    return Promise.resolve(new Map(books))
  }

  #knownAt(asOf: Millis | null): MarketView[] {
    return this.views.filter(({ firstSeenAt }) => asOf === null || firstSeenAt <= asOf)
  }
}

const named = (views: readonly MarketView[], ticker: string): MarketView | null =>
  views.find(({ facts }) => facts.ticker === ticker || facts.aliases.includes(ticker)) ?? null

const snapshotOf = (views: readonly MarketView[], asOf: Millis): BoardSnapshot => ({
  asOf,
  get: (ticker) => named(views, ticker),
  list: (statuses) => views.filter(({ status }) => statuses === null || statuses.has(status)),
  ofEvent: (venue, eventId) =>
    views.filter(({ facts }) => facts.venue === venue && facts.eventId === eventId),
  search(query, scope, limit) {
    const keep = (view: MarketView): boolean =>
      typeof scope === 'function' ? scope(view) : scope === null || view.facts.venue === scope
    const words = query.toLowerCase().split(/\s+/)
    return views
      .filter((view) => view.status === 'active' && keep(view))
      .map((view) => {
        const title = view.facts.title.toLowerCase()
        const matched = words.filter((word) => title.includes(word))
        return { view, score: matched.length / words.length, matched }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  },
})
