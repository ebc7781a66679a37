import type { Live } from '../../api/live.ts'
import { parseLine } from '../commands/parse.ts'
import { commandOf } from '../commands/commands.ts'
import type { UserCommands } from '../commands/user-commands.ts'
import type { MarketFinder } from './market-finder.ts'
import { lookUp, type Lookup } from './market-lookup.ts'
import type { MarketHit } from './market-hit.ts'

/** Pause in typing after which the service is queried. */
const PAUSE_MS = 120
const MIN_LENGTH = 2
/** Markets offered for a line. */
const MAX_HITS = 10
/** The market that a chart is compared with, as it is typed. */
const COMPARED = /^\+(.+)$/
/** Text of words and figures; anything else is meant as a command's syntax. */
const FREE_TEXT = /^[\p{L}\p{N}\s.,'’$%?&/+-]+$/u

/**
 * Markets that match the typed line: at once those of the page's own list, and after a pause in
 * typing what the service's finder answers.
 */
export class LineSearch {
  /** Matches of the page's own list. */
  hits = $state.raw<readonly MarketHit[]>([])
  #text = ''
  /** Answer of the finder to the line; null before it, or when the line is a command. */
  lookup = $state.raw<Lookup | null>(null)
  readonly #live: Pick<Live, 'read'>
  readonly #finder: MarketFinder
  #pause: ReturnType<typeof setTimeout> | null = null
  #pendingRequest: AbortController | null = null

  constructor(live: Pick<Live, 'read'>, finder: MarketFinder) {
    this.#live = live
    this.#finder = finder
    // A line that was typed before its markets were loaded; the rows of others stay as they are.
    const findLate = () => {
      if (this.hits.length === 0) this.#findText(this.#text)
    }
    finder.onadded = findLate
    void finder.loaded.then(findLate)
  }

  /** Searches for a line; a newer call cancels it. */
  find(line: string, userCommands: UserCommands): void {
    this.cancel()
    const free = freeText(line, userCommands)
    if (free !== null) {
      this.#pause = setTimeout(() => void this.lookUp(free), PAUSE_MS)
    }
    const command = line.slice(line.lastIndexOf(';') + 1).trim()
    const typedWords = command.split(/\s+/)
    const comparedText = COMPARED.exec(typedWords.at(-1) ?? '')?.[1]
    this.#findText(comparedText ?? typedWords.filter((word) => commandOf(word) === null).join(' '))
  }

  /** The finder's answer to a text. Null without an answer, or when a newer line was typed. */
  async lookUp(text: string): Promise<Lookup | null> {
    if (this.lookup?.text === text) return this.lookup
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pendingRequest?.abort()
    const request = new AbortController()
    this.#pendingRequest = request
    const lookup = await lookUp(this.#live, text, request.signal)
    if (request.signal.aborted) return null
    this.lookup = lookup
    return lookup
  }

  #findText(text: string): void {
    this.#text = text
    this.hits = text.length < MIN_LENGTH ? [] : this.#finder.find(text, MAX_HITS)
  }

  /** Drops pending searches and the finder's answer. */
  cancel(): void {
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pendingRequest?.abort()
    this.lookup = null
  }

  /** Drops everything that belongs to the previous line. */
  clear(): void {
    this.cancel()
    this.#findText('')
  }
}

/** The text of a line that is no command but may describe a market; null for a command. */
export function freeText(line: string, userCommands: UserCommands): string | null {
  const text = line.trim()
  if (text.length < MIN_LENGTH || !FREE_TEXT.test(text) || text.startsWith('?')) return null
  return Array.isArray(parseLine(text, userCommands)) ? null : text
}
