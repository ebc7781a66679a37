import uFuzzy from '@leeoniya/ufuzzy'
import type { MarketHit } from './suggest.ts'

/** Ranks beyond this many matches would cost more than they help; the order of adding stands. */
const MOST_RANKED = 2000
/** A longer text becomes a pattern that the browser refuses to build. */
const LONGEST_TEXT = 200

/** What a text was found in, so that the next letter looks no further. */
interface Found {
  readonly text: string
  readonly indexes: readonly number[]
}

/** A ranked text search over titles and tickers, added in order of traded volume. */
export function createMarketRanking() {
  const fuzzy = new uFuzzy({ intraIns: 1 })
  const markets: MarketHit[] = []
  const texts: string[] = []
  /** The same in small letters: a look through these is many times faster than any pattern. */
  const lower: string[] = []
  let all: number[] = []
  let before: Found | null = null

  const within = (indexes: readonly number[], word: string): number[] => {
    const found: number[] = []
    for (const index of indexes) if (lower[index]?.includes(word) === true) found.push(index)
    return found
  }

  /** Where every word stands as it was typed, in any order. */
  const exact = (text: string): readonly number[] => {
    const words = text.split(/\s+/)
    const goesOn = before !== null && text.startsWith(before.text)
    // All words but the last of the text before are known to stand there.
    const known = before !== null && goesOn ? before.text.split(/\s+/).length - 1 : 0
    let indexes = before !== null && goesOn ? before.indexes : all
    for (const word of words.slice(known)) indexes = within(indexes, word)
    before = { text, indexes }
    return indexes
  }

  /** Where every word stands, give or take a letter where it stands as typed in fewer than `limit`. */
  const near = (text: string, limit: number): readonly number[] => {
    let indexes = all
    for (const word of text.split(/\s+/)) {
      const standing = within(indexes, word)
      indexes = standing.length >= limit ? standing : (fuzzy.filter(texts, word, indexes) ?? [])
    }
    return indexes
  }

  /** The first few of these, best first where they are few enough to be told apart. */
  const best = (text: string, indexes: readonly number[], limit: number): readonly number[] => {
    if (indexes.length > MOST_RANKED) return indexes.slice(0, limit)
    const [, info, order] = fuzzy.search(texts, text, 4, MOST_RANKED, [...indexes])
    const ranked = order?.flatMap((rank) => info.idx[rank] ?? []) ?? []
    return [...new Set([...ranked, ...indexes])].slice(0, limit)
  }

  return {
    add(more: readonly MarketHit[]): void {
      for (const market of more) {
        markets.push(market)
        const text = `${market.title} ${market.ticker}`
        texts.push(text)
        lower.push(text.toLowerCase())
      }
      all = texts.map((_, index) => index)
      before = null
    },
    /** The best markets for a text; every word has to occur, in any order, or nearly when few do. */
    find(text: string, limit: number): readonly MarketHit[] {
      const sought = text.trim().toLowerCase()
      if (sought === '' || text.length > LONGEST_TEXT) return []
      const standing = exact(sought)
      const indexes = best(sought, standing, limit)
      const others = indexes.length < limit ? best(sought, near(sought, limit), limit) : []
      return [...new Set([...indexes, ...others])]
        .slice(0, limit)
        .flatMap((index) => markets[index] ?? [])
    },
  }
}
