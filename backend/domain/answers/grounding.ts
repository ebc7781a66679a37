const NUMERAL = /\d[\d,]*(?:\.\d+)?/g
/** Numbers that texts spell out; "one" is excluded because it is often not a number. */
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
  billion: 1_000_000_000,
}
const SPELLED_WORD = new RegExp(`\\b(?:${Object.keys(NUMBER_WORDS).join('|')})\\b`, 'gi')
/** Venue tickers: capitals with dashes, and condition ids. */
const TICKER = /\b(?:0x[0-9a-f]{6,}|KX[A-Z0-9][A-Z0-9.-]*|[A-Z][A-Z0-9]{2,}(?:-[A-Z0-9.]+)+)\b/g

/** Every number of a text, without sign, unit and separators. */
export function numbersIn(text: string): Set<number> {
  const textWithoutTickers = text.replace(TICKER, ' ')
  const numerals = (textWithoutTickers.match(NUMERAL) ?? []).map((numeral) =>
    Number(numeral.replaceAll(',', '')),
  )
  const spelledNumbers = (textWithoutTickers.match(SPELLED_WORD) ?? []).map(
    (word) => NUMBER_WORDS[word.toLowerCase()] ?? 0,
  )
  return new Set([...numerals, ...spelledNumbers])
}

/** Tickers that occur in a text. */
export const tickersIn = (text: string): Set<string> => new Set(text.match(TICKER) ?? [])

/**
 * Whether a text is supported by its facts: every number in it occurs in them, and every ticker is
 * one of the given ones. A text that fails is not served. Methodology I3.
 */
export function isGrounded(
  text: string,
  facts: readonly string[],
  tickers: ReadonlySet<string>,
): boolean {
  const knownNumbers = numbersIn(facts.join('\n'))
  return (
    [...numbersIn(text)].every((number) => knownNumbers.has(number)) &&
    [...tickersIn(text)].every((ticker) => tickers.has(ticker))
  )
}
