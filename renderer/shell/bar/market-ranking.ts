import uFuzzy from '@leeoniya/ufuzzy'
import type { MarketHit } from './market-hit.ts'

/**
 * With more matches than this the insertion order is kept: such a short text ranks none of them.
 */
const MAX_RANKED = 500
/** Limit of cached near matches by word: a day of typing stays below it. */
const MAX_SIMILAR = 64
/** Sample size for estimating how rare a word is. */
const SAMPLE = 500
/** A longer text becomes a pattern that the browser refuses to compile. */
const MAX_TEXT_LENGTH = 200

export interface MarketRanking {
  add(markets: readonly MarketHit[]): void
  /**
   * The best markets for a text; every word has to occur, in any order, or with one edit when few do.
   */
  find(text: string, limit: number): readonly MarketHit[]
}

/** A ranked text search over titles and tickers, added in order of traded volume. */
export function createMarketRanking(): MarketRanking {
  const fuzzy = new uFuzzy({ intraIns: 1 })
  const markets: MarketHit[] = []
  const texts: string[] = []
  /**
   * The lines in lower case: a plain search through these is many times faster than any pattern.
   */
  const lower: string[] = []
  /**
   * The lines joined into one text, because searching one text is many times faster than searching
   * each line.
   */
  let lines = ''
  /** Start offset of each line, and of the next one. */
  const starts = [0]
  /** Cached near matches of a word, with one edit; those of a longer word are a subset. */
  const nearMatches = new Map<string, readonly number[]>()

  const contains = (index: number, word: string) => lower[index]?.includes(word) === true

  /** Sampled document frequency of a word. */
  const documentFrequency = (word: string): number => {
    const step = Math.max(1, Math.floor(lower.length / SAMPLE))
    let count = 0
    for (let index = 0; index < lower.length; index += step) if (contains(index, word)) count += 1
    return count
  }

  /** Rarest first; the longest first among equally rare words. */
  const rarestFirst = (words: readonly string[]): readonly string[] => {
    if (words.length < 2) return words
    const frequencies = words.map((word) => ({ word, count: documentFrequency(word) }))
    return frequencies
      .toSorted((left, right) => left.count - right.count || right.word.length - left.word.length)
      .map(({ word }) => word)
  }

  /** The first `max` lines that contain every word as typed, in any order. */
  const findExact = (words: readonly string[], max: number): readonly number[] => {
    // The rarest word is searched first; the others only in the lines that it matched.
    const [first = '', ...others] = rarestFirst(words)
    const indexes: number[] = []
    let index = 0
    let at = lines.indexOf(first)
    while (at !== -1 && indexes.length < max) {
      index = lineAt(starts, at, index)
      if (others.every((word) => contains(index, word))) indexes.push(index)
      at = lines.indexOf(first, starts[index + 1])
    }
    return indexes
  }

  /** Lines that contain a word with at most one edit. */
  const nearMatchesOf = (word: string): readonly number[] => {
    const existing = nearMatches.get(word)
    if (existing !== undefined) return existing
    const shorter = nearMatches.get(word.slice(0, -1))
    const subset = shorter === undefined ? undefined : [...shorter]
    const matchIndexes = subset?.length === 0 ? [] : fuzzy.filter(texts, word, subset)
    // Punctuation alone has no near matches, and does not narrow those of the letters after it.
    if (matchIndexes === null) return []
    if (nearMatches.size >= MAX_SIMILAR) nearMatches.clear()
    nearMatches.set(word, matchIndexes)
    return matchIndexes
  }

  /**
   * Lines that contain every word; a word with fewer than `limit` exact matches may have one edit.
   */
  const findNear = (words: readonly string[], limit: number): readonly number[] => {
    const [only = ''] = words
    // This is only called when fewer lines contain the word as typed.
    if (words.length === 1) return nearMatchesOf(only)
    let indexes: readonly number[] | null = null
    for (const word of words) {
      const remaining: readonly number[] =
        indexes === null
          ? findExact([word], Number.POSITIVE_INFINITY)
          : indexes.filter((index) => contains(index, word))
      if (remaining.length >= limit) indexes = remaining
      else if (indexes === null) indexes = nearMatchesOf(word)
      else {
        const nearIndexes = new Set(nearMatchesOf(word))
        indexes = indexes.filter((index) => nearIndexes.has(index))
      }
    }
    return indexes ?? []
  }

  /** The first few of these, ranked when they are few enough. */
  const bestMatches = (
    text: string,
    indexes: readonly number[],
    limit: number,
  ): readonly number[] => {
    if (indexes.length > MAX_RANKED) return indexes.slice(0, limit)
    const [, info, order] = fuzzy.search(texts, text, 4, MAX_RANKED, [...indexes])
    const rankedIndexes = order?.flatMap((rank) => info.idx[rank] ?? []) ?? []
    return [...new Set([...rankedIndexes, ...indexes])].slice(0, limit)
  }

  return {
    add(newHits: readonly MarketHit[]): void {
      for (const market of newHits) {
        markets.push(market)
        const text = `${market.title} ${market.ticker}`.replaceAll('\n', ' ')
        texts.push(text)
        const small = text.toLowerCase()
        lower.push(small)
        lines += `${small}\n`
        starts.push(lines.length)
      }
      // Appended text is joined when it is first read, which would delay the next key.
      lines.indexOf('\0')
      nearMatches.clear()
    },
    find(text: string, limit: number): readonly MarketHit[] {
      const searchText = text.trim().toLowerCase()
      if (searchText === '' || text.length > MAX_TEXT_LENGTH) return []
      const words = searchText.split(/\s+/)
      const indexes = bestMatches(searchText, findExact(words, MAX_RANKED + 1), limit)
      const others =
        indexes.length < limit ? bestMatches(searchText, findNear(words, limit), limit) : []
      return [...new Set([...indexes, ...others])]
        .slice(0, limit)
        .flatMap((index) => markets[index] ?? [])
    },
  }
}

/** The line that contains an offset, searched from line `from`. */
function lineAt(starts: readonly number[], offset: number, from: number): number {
  let [low, high] = [from, starts.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
