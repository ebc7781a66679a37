import type { MarketRow } from '../../../backend/contract/market.ts'
import type { MarketHit } from './market-hit.ts'
import type { MarketRanking } from './market-ranking.ts'

/**
 * Finds markets by title or ticker, in the page itself: the ranking takes a fraction of a millisecond, and a browser
 * delivers a worker's answer to a key only after the next frame.
 */
export class MarketFinder {
  readonly #hitsByTicker = new Map<string, MarketHit>()
  /** Resolves once texts are found. */
  readonly loaded: Promise<void>
  #ranking: MarketRanking | null = null
  /** Called when markets were added. */
  onadded: () => void = () => {}

  /** @param ranking is loaded after the page's first scripts; until then nothing is found */
  constructor(ranking: Promise<MarketRanking>) {
    this.loaded = ranking.then((loadedRanking) => {
      loadedRanking.add([...this.#hitsByTicker.values()])
      this.#ranking = loadedRanking
    })
  }

  /** The number of searchable markets. */
  get size(): number {
    return this.#hitsByTicker.size
  }

  has(ticker: string): boolean {
    return this.#hitsByTicker.has(ticker)
  }

  /** Adds markets to the search; the figures of known ones are replaced. */
  add(rows: readonly MarketRow[]): void {
    const newRows = rows.filter(({ ticker }) => !this.#hitsByTicker.has(ticker))
    for (const row of rows) {
      this.#hitsByTicker.set(row.ticker, { ticker: row.ticker, title: row.title, row })
    }
    this.#ranking?.add(newRows)
    if (newRows.length > 0) this.onadded()
  }

  find(text: string, limit: number): readonly MarketHit[] {
    const rankedHits = this.#ranking?.find(text, limit) ?? []
    return rankedHits.map((hit) => this.#hitsByTicker.get(hit.ticker) ?? hit)
  }
}
