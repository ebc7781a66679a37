import { VENUES } from '../domain/market.ts'
import type { Venue } from '../domain/market.ts'
import { documentOf, rankMarkets } from '../domain/search-ranking.ts'
import type { SearchedMarket } from '../domain/search-ranking.ts'
import { atOnce } from '../domain/steps.ts'
import type { Steps } from '../domain/steps.ts'
import { TextIndex } from '../domain/text-search.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketRecord } from '../history/market-rows.ts'
import type { MarketView, SearchHit } from './market-board.ts'

const groupOf = (venue: Venue): number => VENUES.indexOf(venue)

/**
 * Text search over the markets of a table. The index is built by `prepare`, or when first asked, and
 * then kept current.
 */
export class MarketSearch {
  readonly #records: () => Iterable<MarketRecord>
  #index: TextIndex | null = null
  #building: Steps<void> | null = null

  /**
   * @param records all markets of the table, read while the index is built; those put or removed
   * meanwhile may occur or not
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

  /** Builds the index step by step; a search that comes in between does what is left. */
  *prepare(): Steps<void> {
    this.#begin()
    while (this.#building !== null && this.#building.next().done !== true) yield
    this.#building = null
  }

  /**
   * Markets that answer `query`, best first, by methodology I1.
   * @param exact the market that the query names by its ticker, if any
   * @param marketOf what ranking asks of a market; null leaves it out
   * @param viewOf view of a market that is among the answers
   * @param venue whose markets alone are looked at; of the others `marketOf` is asked for `exact` only
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
    const ranked = rankMarkets(this.#built(), query, marketOf, { exact, limit, group })
    return ranked.flatMap(({ key, score, matched }) => {
      const view = viewOf(key)
      return view === null ? [] : [{ view, score, matched }]
    })
  }

  #begin(): TextIndex {
    if (this.#index !== null) return this.#index
    const index = new TextIndex()
    this.#index = index
    this.#building = indexing(index, this.#records())
    return index
  }

  #built(): TextIndex {
    const index = this.#begin()
    if (this.#building !== null) atOnce(this.#building)
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
