import type { MarketRow } from '../../../backend/contract/market.ts'
import type { MarketHit } from './market-hit.ts'
import type { MarketRanking } from './market-ranking.ts'

/**
 * Finds markets by title or ticker, in the page itself: the ranking takes a fraction of a millisecond, and a browser
 * delivers a worker's answer to a key only after the next frame.
 */
export class MarketFinder {
  readonly #known = new Map<string, MarketHit>()
  /** Resolves once texts are found. */
  readonly loaded: Promise<void>
  #ranking: MarketRanking | null = null
  /** Called when markets were added. */
  onadded: () => void = () => {}

  /** @param ranking is loaded after the page's first scripts; until then nothing is found */
  constructor(ranking: Promise<MarketRanking>) {
    this.loaded = ranking.then((found) => {
      found.add([...this.#known.values()])
      this.#ranking = found
    })
  }

  /** The number of searchable markets. */
  get size(): number {
    return this.#known.size
  }

  has(ticker: string): boolean {
    return this.#known.has(ticker)
  }

  /** Adds markets to the search; the figures of known ones are replaced. */
  add(rows: readonly MarketRow[]): void {
    const fresh = rows.filter(({ ticker }) => !this.#known.has(ticker))
    for (const row of rows) {
      this.#known.set(row.ticker, { ticker: row.ticker, title: row.title, row })
    }
    this.#ranking?.add(fresh)
    if (fresh.length > 0) this.onadded()
  }

  find(text: string, limit: number): readonly MarketHit[] {
    const found = this.#ranking?.find(text, limit) ?? []
    return found.map((hit) => this.#known.get(hit.ticker) ?? hit)
  }
}
