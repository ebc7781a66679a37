import uFuzzy from '@leeoniya/ufuzzy'
import type { MarketHit } from './suggest.ts'

/** Among more matches than these the order of adding stands: a text that fits so many ranks none. */
const MOST_RANKED = 500
/** Words whose near matches are kept while more letters come: a day of typing keeps no more. */
const MOST_ALIKE = 64
/** How many lines tell how rare a word is. */
const SAMPLE = 500
/** A longer text becomes a pattern that the browser refuses to build. */
const LONGEST_TEXT = 200

/** A ranked text search over titles and tickers, added in order of traded volume. */
export function createMarketRanking() {
  const fuzzy = new uFuzzy({ intraIns: 1 })
  const markets: MarketHit[] = []
  const texts: string[] = []
  /** The same in small letters: a look through these is many times faster than any pattern. */
  const lower: string[] = []
  /** The same as lines of one text: to look through one is many times faster than through each. */
  let lines = ''
  /** Where each line begins, and where the next one would. */
  const starts = [0]
  /** What is like a word, give or take a letter; what is like a longer one is among it. */
  const alike = new Map<string, readonly number[]>()

  const holds = (index: number, word: string) => lower[index]?.includes(word) === true

  /** Among every so many lines, in how many of them a word stands. */
  const commonness = (word: string): number => {
    const step = Math.max(1, Math.floor(lower.length / SAMPLE))
    let count = 0
    for (let index = 0; index < lower.length; index += step) if (holds(index, word)) count += 1
    return count
  }

  /** Rarest first; of words as rare as each other the longest. */
  const rarestFirst = (words: readonly string[]): readonly string[] => {
    if (words.length < 2) return words
    const known = words.map((word) => ({ word, count: commonness(word) }))
    return known
      .toSorted((one, other) => one.count - other.count || other.word.length - one.word.length)
      .map(({ word }) => word)
  }

  /** Where every word stands as it was typed, in any order: the first `most` of them. */
  const exact = (words: readonly string[], most: number): readonly number[] => {
    // What is sought first stands in the fewest lines: all others are looked for in these alone.
    const [first = '', ...others] = rarestFirst(words)
    const found: number[] = []
    let index = 0
    let at = lines.indexOf(first)
    while (at !== -1 && found.length < most) {
      index = lineAt(starts, at, index)
      if (others.every((word) => holds(index, word))) found.push(index)
      at = lines.indexOf(first, starts[index + 1])
    }
    return found
  }

  /** Where a word stands, give or take a letter. */
  const like = (word: string): readonly number[] => {
    const known = alike.get(word)
    if (known !== undefined) return known
    const shorter = alike.get(word.slice(0, -1))
    const among = shorter === undefined ? undefined : [...shorter]
    const found = among?.length === 0 ? [] : fuzzy.filter(texts, word, among)
    // Signs alone are like nothing, and say nothing of what letters after them are like.
    if (found === null) return []
    if (alike.size >= MOST_ALIKE) alike.clear()
    alike.set(word, found)
    return found
  }

  /** Where every word stands, give or take a letter where it stands as typed in fewer than `limit`. */
  const near = (words: readonly string[], limit: number): readonly number[] => {
    const [only = ''] = words
    // That it stands as typed in fewer is why this is asked.
    if (words.length === 1) return like(only)
    let indexes: readonly number[] | null = null
    for (const word of words) {
      const standing: readonly number[] =
        indexes === null
          ? exact([word], Number.POSITIVE_INFINITY)
          : indexes.filter((index) => holds(index, word))
      if (standing.length >= limit) indexes = standing
      else if (indexes === null) indexes = like(word)
      else {
        const known = new Set(like(word))
        indexes = indexes.filter((index) => known.has(index))
      }
    }
    return indexes ?? []
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
        const text = `${market.title} ${market.ticker}`.replaceAll('\n', ' ')
        texts.push(text)
        const small = text.toLowerCase()
        lower.push(small)
        lines += `${small}\n`
        starts.push(lines.length)
      }
      alike.clear()
    },
    /** The best markets for a text; every word has to occur, in any order, or nearly when few do. */
    find(text: string, limit: number): readonly MarketHit[] {
      const sought = text.trim().toLowerCase()
      if (sought === '' || text.length > LONGEST_TEXT) return []
      const words = sought.split(/\s+/)
      const indexes = best(sought, exact(words, MOST_RANKED + 1), limit)
      const others = indexes.length < limit ? best(sought, near(words, limit), limit) : []
      return [...new Set([...indexes, ...others])]
        .slice(0, limit)
        .flatMap((index) => markets[index] ?? [])
    },
  }
}

/** Which line an offset lies in; it is not before line `from`. */
function lineAt(starts: readonly number[], offset: number, from: number): number {
  let [low, high] = [from, starts.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
