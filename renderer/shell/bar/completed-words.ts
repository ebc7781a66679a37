const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}.,'’]*[\p{L}\p{N}])?/gu
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? []

/**
 * A text whose words are beginnings of words of a title, with those words in full: `bitc 90` is
 * `bitcoin 90,000`. Null when no title has them all, or when the text has them in full already.
 */
export function completedWords(text: string, titles: readonly string[]): string | null {
  const typedWords = wordsOf(text)
  for (const title of titles) {
    const titleWords = wordsOf(title)
    const completedWordList = typedWords.map((word) =>
      titleWords.includes(word) ? word : titleWords.find((other) => other.startsWith(word)),
    )
    if (completedWordList.includes(undefined)) continue
    const completedText = completedWordList.join(' ')
    return completedText === typedWords.join(' ') ? null : completedText
  }
  return null
}
