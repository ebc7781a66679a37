import { MarketSearch } from '../computed/board/market-search.ts'
import type { BoardView, MarketBoard, MarketView } from '../computed/board/market-board.ts'
import type { FinderMarket } from '../domain/finder/find-markets.ts'
import { marketReading } from '../domain/finder/reading.ts'
import type { MarketStatus, OrderBook } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import { marketFacts, NOON } from './builders.ts'

const ENDED = new Set(['closed', 'resolving', 'settled'])

/** Markets as a board returns them; past instants include only what was first seen by then. */
export class FakeBoard implements MarketBoard {
  ready = true
  views: MarketView[]
  books = new Map<string, { book: OrderBook; at: Millis }>()
  /** Books at any past instant, when they differ from the current ones. */
  pastBooks = new Map<string, { book: OrderBook; at: Millis }>()
  /** The instant of a current response. */
  now: Millis = NOON
  /** How often a snapshot was requested. */
  reads = 0

  constructor(views: MarketView[] = []) {
    this.views = views
  }

  at(
    asOf: Millis | null,
    options?: { readonly statuses?: readonly MarketStatus[] },
  ): Promise<BoardView> {
    this.reads += 1
    const known = this.#knownAt(asOf).filter(
      ({ status }) => options?.statuses?.includes(status) ?? !ENDED.has(status),
    )
    return Promise.resolve(snapshotOf(known, asOf ?? this.now))
  }

  live(): BoardView {
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

  book(view: MarketView, asOf: Millis | null): ReturnType<MarketBoard['book']> {
    const past = asOf === null ? undefined : this.pastBooks.get(view.facts.ticker)
    return Promise.resolve(past ?? this.books.get(view.facts.ticker) ?? null)
  }

  storedBooks(views: readonly MarketView[]): ReturnType<MarketBoard['storedBooks']> {
    const books = views.flatMap(({ facts: { ticker } }) => {
      const existing = this.books.get(ticker)
      return existing === undefined ? [] : [[ticker, existing.book] as const]
    })
    return Promise.resolve(new Map(books))
  }

  #knownAt(asOf: Millis | null): MarketView[] {
    return this.views.filter(({ firstSeenAt }) => asOf === null || firstSeenAt <= asOf)
  }
}

const named = (views: readonly MarketView[], ticker: string): MarketView | null =>
  views.find(({ facts }) => facts.ticker === ticker || facts.aliases.includes(ticker)) ?? null

const snapshotOf = (views: readonly MarketView[], asOf: Millis): BoardView => ({
  asOf,
  get: (ticker) => named(views, ticker),
  list: (statuses) => views.filter(({ status }) => statuses === null || statuses.has(status)),
  marketsOfEvent: (venue, eventId) =>
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
  find: (query, scope, limit) => finderOf(views, asOf)(query, scope, limit),
})

/** The finder over these markets. */
const finderOf = (views: readonly MarketView[], asOf: Millis): BoardView['find'] => {
  const search = new MarketSearch(() =>
    views.map((view) => ({ ...view, knownAt: view.firstSeenAt })),
  )
  const byId = new Map(views.map((view) => [view.market, view]))
  return (query, scope, limit) => {
    const isIncluded = (view: MarketView): boolean =>
      view.status === 'active' &&
      (typeof scope === 'function' ? scope(view) : scope === null || view.facts.venue === scope)
    return search.find(
      query,
      named(views, query)?.market ?? null,
      {
        marketOf: (market) => {
          const view = byId.get(market)
          return view === undefined || !isIncluded(view) ? null : searchedOf(view)
        },
        readingOf: (market) => marketReading(byId.get(market)?.facts ?? marketFacts()),
        viewOf: (market) => byId.get(market) ?? null,
      },
      { asOf, limit, venue: null },
    )
  }
}

const searchedOf = (view: MarketView): FinderMarket => ({
  ticker: view.facts.ticker,
  eventKey: `${view.facts.venue}:${view.facts.eventId}`,
  live: true,
  closeTime: view.facts.closeTime,
  volume24hUsd: view.volume24hUsd,
  openInterestUsd: view.openInterest,
  liquidity: view.liquidityScore,
})
