import { commandOf } from './commands.ts'
import { tokenise, type Token } from './tokens.ts'

/** The user's aliases in upper case, and the line of each. */
export type UserCommands = ReadonlyMap<string, string>
export const NO_USER_COMMANDS: UserCommands = new Map()

export const withUserCommand = (commands: UserCommands, word: string, line: string): UserCommands =>
  new Map(commands).set(word.toUpperCase(), line)
export const withoutUserCommand = (commands: UserCommands, word: string): UserCommands =>
  new Map([...commands].filter(([known]) => known !== word.toUpperCase()))

/** A verb is the first word of a command, or follows its subject. */
const MAX_VERB_POSITIONS = 2

const isCommandWord = (token: Token | undefined): token is Token =>
  token !== undefined && token.kind === 'word' && !token.quoted

/**
 * Expands aliases where a verb may occur, first or after one subject. A word that is a verb is
 * never expanded, nor is an alias within itself.
 */
export function expandUserCommands(
  tokens: readonly Token[],
  commands: UserCommands,
): readonly Token[] {
  if (commands.size === 0) return tokens
  return expand(tokens, commands, new Set())
}

function expand(
  tokens: readonly Token[],
  commands: UserCommands,
  expanding: ReadonlySet<string>,
): readonly Token[] {
  const expandedTokens: Token[] = []
  /** Words of the command that may still be its verb. */
  let candidates = MAX_VERB_POSITIONS
  for (const token of tokens) {
    if (token.kind === 'separator') {
      candidates = MAX_VERB_POSITIONS
      expandedTokens.push(token)
      continue
    }
    const word = token.text.toUpperCase()
    const line = candidates > 0 && isCommandWord(token) ? commands.get(word) : undefined
    const read = line === undefined || expanding.has(word) ? null : tokenise(line)
    if (read === null || 'message' in read) {
      // The words after a verb are not expanded.
      candidates = isCommandWord(token) && commandOf(token.text) !== null ? 0 : candidates - 1
      expandedTokens.push(token)
      continue
    }
    candidates = 0
    // An error inside an expansion is marked at the alias.
    const inner = read.map((part) => ({ ...part, at: token.at }))
    expandedTokens.push(...expand(inner, commands, new Set([...expanding, word])))
  }
  return expandedTokens
}

/** The aliases at verb positions of a line. */
export function wordsUsedIn(line: string, commands: UserCommands): readonly string[] {
  const tokens = tokenise(line)
  if ('message' in tokens) return []
  const usedWords: string[] = []
  let candidates = MAX_VERB_POSITIONS
  for (const token of tokens) {
    if (token.kind === 'separator') candidates = MAX_VERB_POSITIONS
    else {
      const word = token.text.toUpperCase()
      if (candidates > 0 && !token.quoted && commands.has(word)) usedWords.push(word)
      candidates = !token.quoted && commandOf(token.text) !== null ? 0 : candidates - 1
    }
  }
  return usedWords
}

/** The cycle by which an alias would expand to itself, `A → B → A`; null without one. */
export function cycleThrough(
  word: string,
  line: string,
  commands: UserCommands,
): readonly string[] | null {
  const next = new Map(commands).set(word, line)
  const findCycle = (from: string, path: readonly string[]): readonly string[] | null => {
    for (const usedWord of wordsUsedIn(next.get(from) ?? '', next)) {
      if (usedWord === word) return [...path, usedWord]
      const cycle = path.includes(usedWord) ? null : findCycle(usedWord, [...path, usedWord])
      if (cycle !== null) return cycle
    }
    return null
  }
  return findCycle(word, [word])
}

/** A command after `=`: its words before, and its text as typed. */
export interface SplitLine {
  readonly head: readonly Token[]
  /** Null without `=`; empty when nothing follows it. */
  readonly text: string | null
  /** Offset of the text in the line. */
  readonly at: number
}

/** Splits the words of BIND and ALIAS at their first `=`, which may touch either side. */
export function splitAtEquals(tokens: readonly Token[]): SplitLine {
  const index = tokens.findIndex(({ raw, quoted }) => !quoted && equalsIn(raw) >= 0)
  const token = tokens[index]
  if (token === undefined) return { head: tokens, text: null, at: 0 }
  const cut = equalsIn(token.raw)
  const textBefore = token.raw.slice(0, cut)
  const after = token.raw.slice(cut + 1)
  const head = [
    ...tokens.slice(0, index),
    ...(textBefore === '' ? [] : [{ ...token, text: textBefore, raw: textBefore }]),
  ]
  const otherTokens = tokens.slice(index + 1)
  const first = { ...token, raw: after, text: after, at: token.at + cut + 1, quoted: false }
  const tail = after === '' ? otherTokens : [first, ...otherTokens]
  const [only] = tail
  if (only !== undefined && tail.length === 1 && only.raw.startsWith('"')) {
    return { head, text: only.raw.replaceAll('"', ''), at: only.at + 1 }
  }
  return { head, text: textOf(tail), at: only?.at ?? token.at + token.raw.length }
}

/** A key may be `=` itself: the separator is the one after the last `+` and its key. */
const equalsIn = (raw: string): number =>
  /\+=/.test(raw) ? raw.indexOf('=', raw.indexOf('+=') + 2) : raw.indexOf('=')

/** The words as typed in the line, including blanks. */
export function textOf(tokens: readonly Token[]): string {
  let text = ''
  let end: number | null = null
  for (const { at, raw } of tokens) {
    text += `${' '.repeat(end === null ? 0 : Math.max(1, at - end))}${raw}`
    end = at + raw.length
  }
  return text
}
