import { documentOf, rankMarkets } from '../domain/search-ranking.ts'
import { TextIndex } from '../domain/text-search.ts'
import { isLive } from '../domain/market-status.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId, MarketRecord } from '../history/history-store.ts'
import type { MarketView, SearchHit } from './market-board.ts'

/** Text search over the markets of a table; the index is built when first asked, then kept current. */
export class MarketSearch {
  readonly #records: () => Iterable<MarketRecord>
  #index: TextIndex | null = null

  /** @param records all markets of the table, read when the index is built */
  constructor(records: () => Iterable<MarketRecord>) {
    this.#records = records
  }

  put({ market, facts }: MarketRecord): void {
    this.#index?.put(market, documentOf(facts))
  }

  remove(market: MarketId): void {
    this.#index?.remove(market)
  }

  /**
   * Markets that answer `query`, best first, by methodology I1.
   * @param exact the market that the query names by its ticker, if any
   */
  rank(
    query: string,
    exact: MarketId | null,
    viewOf: (market: MarketId) => MarketView | null,
    keep: (view: MarketView) => boolean,
    asOf: Millis,
    limit: number,
  ): SearchHit[] {
    const views = new Map<MarketId, MarketView>()
    const ranked = rankMarkets(
      this.#built(),
      query,
      (market) => {
        const view = viewOf(market)
        if (view === null || !keep(view)) return null
        views.set(market, view)
        return {
          ticker: view.facts.ticker,
          eventKey: `${view.facts.venue}:${view.facts.eventId}`,
          live: isLive(view.facts, asOf),
          closeTime: view.facts.closeTime,
          volume24hUsd: view.volume24hUsd,
          liquidity: view.liquidityScore,
        }
      },
      { exact, limit },
    )
    return ranked.flatMap(({ key, score, matched }) => {
      const view = views.get(key)
      return view === undefined ? [] : [{ view, score, matched }]
    })
  }

  #built(): TextIndex {
    if (this.#index === null) {
      this.#index = new TextIndex()
      for (const { market, facts } of this.#records()) this.#index.put(market, documentOf(facts))
    }
    return this.#index
  }
}
