import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'
import { commandOf, TOPICS } from './commands.ts'
import {
  cycleThrough,
  NO_USER_COMMANDS,
  withoutUserCommand,
  withUserCommand,
} from './user-commands.ts'

const NAME = 'augury.aliases'
const VERSION = 1
const WORD = /^[A-Z][A-Z_]{1,31}$/

/** Words with a meaning in every line. */
const GRAMMAR = ['TO', 'IN']

/** The user's aliases, each for a line; stored on this machine. */
export class Aliases {
  readonly #storage: KeyValueStore
  commands = $state.raw(NO_USER_COMMANDS)

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    this.reload()
  }

  /** Reloads the stored value, which another window may have changed. */
  reload(): void {
    this.commands = NO_USER_COMMANDS
    const storage = this.#storage
    const stored = readStored(storage, NAME, VERSION, ({ words }) =>
      typeof words === 'object' && words !== null ? Object.entries(words) : null,
    )
    for (const [word, line] of stored ?? []) {
      if (typeof line === 'string' && this.refusal(word, line) === null) this.#set(word, line)
    }
  }

  /** Why a word cannot be an alias; null when it can. */
  refusal(word: string, line: string): string | null {
    const name = word.toUpperCase()
    const verb = commandOf(name)
    if (verb !== null) return `${name} is a command: ${verb.help}`
    const topics: readonly string[] = TOPICS
    if (topics.includes(word.toLowerCase())) return `${name} is a topic`
    if (GRAMMAR.includes(name)) return `${name} is an output target`
    if (!WORD.test(name)) return 'An alias must have 2 to 32 letters; _ is allowed between them'
    const cycle = cycleThrough(name, line, this.commands)
    return cycle === null ? null : `The alias would be circular: ${cycle.join(' → ')}`
  }

  define(word: string, line: string): void {
    this.#set(word, line)
    this.#store()
  }

  /** Deletes an alias; false when there was none. */
  remove(word: string): boolean {
    const isDefined = this.commands.has(word.toUpperCase())
    this.commands = withoutUserCommand(this.commands, word)
    if (isDefined) this.#store()
    return isDefined
  }

  #set(word: string, line: string): void {
    this.commands = withUserCommand(this.commands, word, line)
  }

  #store(): void {
    writeStored(this.#storage, NAME, VERSION, { words: Object.fromEntries(this.commands) })
  }
}
