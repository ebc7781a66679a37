import { commandOf } from './commands.ts'
import { tokenise, type Token } from './tokens.ts'

/** The reader's own words, in capitals, and the line that each stands for. */
export type OwnWords = ReadonlyMap<string, string>
export const NO_WORDS: OwnWords = new Map()

export const withWord = (words: OwnWords, word: string, line: string): OwnWords =>
  new Map(words).set(word.toUpperCase(), line)
export const withoutWord = (words: OwnWords, word: string): OwnWords =>
  new Map([...words].filter(([known]) => known !== word.toUpperCase()))

const isCommandWord = (token: Token | undefined): token is Token =>
  token !== undefined && token.kind === 'word' && !token.quoted

/**
 * Puts the lines of the reader's own words in their place: where a verb may stand, first or after
 * one subject. A word that is a verb stays a verb; a word within itself stays as it is.
 */
export function expandWords(tokens: readonly Token[], words: OwnWords): readonly Token[] {
  if (words.size === 0) return tokens
  return expand(tokens, words, new Set())
}

function expand(
  tokens: readonly Token[],
  words: OwnWords,
  within: ReadonlySet<string>,
): readonly Token[] {
  const expanded: Token[] = []
  let place = 0
  for (const token of tokens) {
    if (token.kind === 'separator') {
      place = 0
      expanded.push(token)
      continue
    }
    const word = token.text.toUpperCase()
    const line = place < 2 && isCommandWord(token) ? words.get(word) : undefined
    const read = line === undefined || within.has(word) ? null : tokenise(line)
    if (read === null || 'message' in read) {
      // What follows a verb is its own affair.
      place = isCommandWord(token) && commandOf(token.text) !== null ? 2 : place + 1
      expanded.push(token)
      continue
    }
    place = 2
    // A problem within is marked at the word that stands for it.
    const inner = read.map((part) => ({ ...part, at: token.at }))
    expanded.push(...expand(inner, words, new Set([...within, word])))
  }
  return expanded
}

/** The own words that stand at a verb's place in a line. */
export function wordsUsedIn(line: string, words: OwnWords): readonly string[] {
  const tokens = tokenise(line)
  if ('message' in tokens) return []
  const used: string[] = []
  let place = 0
  for (const token of tokens) {
    if (token.kind === 'separator') place = 0
    else {
      const word = token.text.toUpperCase()
      if (place < 2 && !token.quoted && words.has(word)) used.push(word)
      place = !token.quoted && commandOf(token.text) !== null ? 2 : place + 1
    }
  }
  return used
}

/** The way by which a word would come back to itself, `A → B → A`; null when it does not. */
export function cycleThrough(
  word: string,
  line: string,
  words: OwnWords,
): readonly string[] | null {
  const next = new Map(words).set(word, line)
  const walk = (from: string, way: readonly string[]): readonly string[] | null => {
    for (const used of wordsUsedIn(next.get(from) ?? '', next)) {
      if (used === word) return [...way, used]
      const found = way.includes(used) ? null : walk(used, [...way, used])
      if (found !== null) return found
    }
    return null
  }
  return walk(word, [word])
}

/** A command that stands after `=`: its words before, and its text as it was typed. */
export interface SplitLine {
  readonly head: readonly Token[]
  /** Null without `=`; empty when nothing follows it. */
  readonly text: string | null
  /** Where the text begins in the line. */
  readonly at: number
}

/** Splits the words of BIND and ALIAS at their first `=`, which may touch either side. */
export function splitAtEquals(tokens: readonly Token[]): SplitLine {
  const index = tokens.findIndex(({ raw, quoted }) => !quoted && equalsIn(raw) >= 0)
  const token = tokens[index]
  if (token === undefined) return { head: tokens, text: null, at: 0 }
  const cut = equalsIn(token.raw)
  const before = token.raw.slice(0, cut)
  const after = token.raw.slice(cut + 1)
  const head = [
    ...tokens.slice(0, index),
    ...(before === '' ? [] : [{ ...token, text: before, raw: before }]),
  ]
  const rest = tokens.slice(index + 1)
  const first = { ...token, raw: after, text: after, at: token.at + cut + 1, quoted: false }
  const tail = after === '' ? rest : [first, ...rest]
  const [only] = tail
  if (only !== undefined && tail.length === 1 && only.raw.startsWith('"')) {
    return { head, text: only.raw.replaceAll('"', ''), at: only.at + 1 }
  }
  return { head, text: textOf(tail), at: only?.at ?? token.at + token.raw.length }
}

/** A key may be `=` itself: the sign that divides stands after the last `+` and its key. */
const equalsIn = (raw: string): number =>
  /\+=/.test(raw) ? raw.indexOf('=', raw.indexOf('+=') + 2) : raw.indexOf('=')

/** Words as they stood in the line, blanks included. */
export function textOf(tokens: readonly Token[]): string {
  let text = ''
  let end: number | null = null
  for (const { at, raw } of tokens) {
    text += `${' '.repeat(end === null ? 0 : Math.max(1, at - end))}${raw}`
    end = at + raw.length
  }
  return text
}
