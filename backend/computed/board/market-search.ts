import { VENUES } from '../../domain/market.ts'
import type { Venue } from '../../domain/market.ts'
import { documentOf, rankMarkets } from '../../domain/text/market-ranking.ts'
import type { SearchedMarket } from '../../domain/text/market-ranking.ts'
import { findMarkets } from '../../domain/finder/find-markets.ts'
import type { FinderMarket } from '../../domain/finder/find-markets.ts'
import type { MarketReading } from '../../domain/finder/reading.ts'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import type { Steps } from '../../domain/cooperative-steps.ts'
import { TextIndex } from '../../domain/text/index-search.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { Millis } from '../../domain/units.ts'
import type { FoundHits, MarketView, SearchHit } from './market-board.ts'

const groupOf = (venue: Venue): number => VENUES.indexOf(venue)

/**
 * Text search over the markets of a table. The index is built by `prepare` or on first use, and
 * then kept current.
 */
export class MarketSearch {
  readonly #records: () => Iterable<MarketRecord>
  #index: TextIndex | null = null
  #building: Steps<void> | null = null

  /**
   * @param records all markets of the table, read while the index is built; those added or removed
   * meanwhile may or may not be included
   */
  constructor(records: () => Iterable<MarketRecord>) {
    this.#records = records
  }

  put({ market, facts }: MarketRecord): void {
    this.#index?.put(market, documentOf(facts), groupOf(facts.venue))
  }

  remove(market: MarketId): void {
    this.#index?.remove(market)
  }

  /** Builds the index step by step; a search in between completes it. */
  *prepare(): Steps<void> {
    this.#begin()
    while (this.#building !== null && this.#building.next().done !== true) yield
    this.#building = null
  }

  /**
   * Markets that match `query`, best first, by methodology I1.
   * @param exact the market that the query names by its ticker, if any
   * @param marketOf ranking inputs of a market; null leaves it out
   * @param viewOf view of a market that is among the results
   * @param venue limits the search to a venue; for other venues `marketOf` is called for `exact`
   * only
   */
  rank(
    query: string,
    exact: MarketId | null,
    marketOf: (market: MarketId) => SearchedMarket | null,
    viewOf: (market: MarketId) => MarketView | null,
    limit: number,
    venue: Venue | null = null,
  ): SearchHit[] {
    const group = venue === null ? null : groupOf(venue)
    const ranking = rankMarkets(this.#builtIndex(), query, marketOf, { exact, limit, group })
    return ranking.flatMap(({ key, score, matched }) => {
      const view = viewOf(key)
      return view === null ? [] : [{ view, score, matched }]
    })
  }

  /**
   * Markets that ask a question, by event; see `findMarkets`.
   * @param candidates ranking inputs, reading and view of a market, as for `rank`
   */
  find(
    query: string,
    exact: MarketId | null,
    candidates: {
      readonly marketOf: (market: MarketId) => FinderMarket | null
      readonly readingOf: (market: MarketId) => MarketReading
      readonly viewOf: (market: MarketId) => MarketView | null
    },
    options: { readonly asOf: Millis; readonly limit: number; readonly venue: Venue | null },
  ): FoundHits {
    const { asOf, limit, venue } = options
    const group = venue === null ? null : groupOf(venue)
    const { marketOf, readingOf, viewOf } = candidates
    const searchResult = findMarkets(this.#builtIndex(), query, marketOf, readingOf, {
      asOf,
      exact,
      limit,
      group,
    })
    const withView = <Found extends { readonly key: number }>({ key, ...rest }: Found) => {
      const view = viewOf(key)
      return view === null ? [] : [{ view, ...rest }]
    }
    return {
      hits: searchResult.markets.flatMap(withView),
      nearest: searchResult.nearest.flatMap(withView),
      matchesQuestion: ({ market }) => searchResult.matchesQuestion(readingOf(market)),
    }
  }

  #begin(): TextIndex {
    if (this.#index !== null) return this.#index
    const index = new TextIndex()
    this.#index = index
    this.#building = indexing(index, this.#records())
    return index
  }

  #builtIndex(): TextIndex {
    const index = this.#begin()
    if (this.#building !== null) runToCompletion(this.#building)
    this.#building = null
    return index
  }
}

function* indexing(index: TextIndex, records: Iterable<MarketRecord>): Steps<void> {
  for (const { market, facts } of records) {
    index.put(market, documentOf(facts), groupOf(facts.venue))
    yield
  }
}
