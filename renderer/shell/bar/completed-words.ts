const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}.,'’]*[\p{L}\p{N}])?/gu
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? []

/**
 * A text whose words are beginnings of words of a title, with those words in full: `bitc 90` is
 * `bitcoin 90,000`. Null when no title has them all, or when the text has them in full already.
 */
export function completedWords(text: string, titles: readonly string[]): string | null {
  const typed = wordsOf(text)
  for (const title of titles) {
    const known = wordsOf(title)
    const whole = typed.map((word) =>
      known.includes(word) ? word : known.find((other) => other.startsWith(word)),
    )
    if (whole.includes(undefined)) continue
    const completed = whole.join(' ')
    return completed === typed.join(' ') ? null : completed
  }
  return null
}
