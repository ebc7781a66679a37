import { recall, remember, type Keep } from '../lib/keep.ts'
import { commandOf, TOPICS } from './commands.ts'
import { cycleThrough, NO_WORDS, withoutWord, withWord } from './own-words.ts'

const NAME = 'augury.aliases'
const VERSION = 1
const WORD = /^[A-Z][A-Z_]{1,31}$/

/** Words that mean something in every line. */
const GRAMMAR = ['TO', 'IN']

/** Words of the reader's own, each for a line; kept on this machine. */
export class Aliases {
  readonly #keep: Keep
  words = $state.raw(NO_WORDS)

  constructor(keep: Keep) {
    this.#keep = keep
    this.recall()
  }

  /** Takes what is kept, which another window may have changed. */
  recall(): void {
    this.words = NO_WORDS
    const keep = this.#keep
    const kept = recall(keep, NAME, VERSION, ({ words }) =>
      typeof words === 'object' && words !== null ? Object.entries(words) : null,
    )
    for (const [word, line] of kept ?? []) {
      if (typeof line === 'string' && this.refusal(word, line) === null) this.#set(word, line)
    }
  }

  /** Why a word cannot stand for a line; null when it can. */
  refusal(word: string, line: string): string | null {
    const name = word.toUpperCase()
    const verb = commandOf(name)
    if (verb !== null) return `${name} is a command: ${verb.help}`
    const topics: readonly string[] = TOPICS
    if (topics.includes(word.toLowerCase())) return `${name} is a topic`
    if (GRAMMAR.includes(name)) return `${name} says where an answer goes`
    if (!WORD.test(name)) return 'A word of your own has 2 to 32 letters, with _ between them'
    const cycle = cycleThrough(name, line, this.words)
    return cycle === null ? null : `It would never end: ${cycle.join(' → ')}`
  }

  put(word: string, line: string): void {
    this.#set(word, line)
    this.#remember()
  }

  /** Takes a word away; false when there was none. */
  remove(word: string): boolean {
    const had = this.words.has(word.toUpperCase())
    this.words = withoutWord(this.words, word)
    if (had) this.#remember()
    return had
  }

  #set(word: string, line: string): void {
    this.words = withWord(this.words, word, line)
  }

  #remember(): void {
    remember(this.#keep, NAME, VERSION, { words: Object.fromEntries(this.words) })
  }
}
