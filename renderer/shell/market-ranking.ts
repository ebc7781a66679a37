import uFuzzy from '@leeoniya/ufuzzy'
import type { MarketHit } from './suggest.ts'

/** Ranks beyond this many matches would cost more than they help; the order of adding stands. */
const MOST_RANKED = 2000
/** A longer text becomes a pattern that the browser refuses to build. */
const LONGEST_TEXT = 200

/** A ranked text search over titles and tickers, added in order of traded volume. */
export function createMarketRanking() {
  const fuzzy = new uFuzzy({ intraIns: 1 })
  const markets: MarketHit[] = []
  const texts: string[] = []
  return {
    add(more: readonly MarketHit[]): void {
      for (const market of more) {
        markets.push(market)
        texts.push(`${market.title} ${market.ticker}`)
      }
    },
    /** The best markets for a text; every word has to occur, in any order. */
    find(text: string, limit: number): readonly MarketHit[] {
      if (text.trim() === '' || text.length > LONGEST_TEXT) return []
      const [found, info, order] = fuzzy.search(texts, text, 4, MOST_RANKED)
      const indexes = order === null ? (found ?? []) : order.map((rank) => info.idx[rank])
      return indexes
        .slice(0, limit)
        .flatMap((index) => (index === undefined ? [] : (markets[index] ?? [])))
    },
  }
}
