import type { Query } from '../client.ts'
import type { Call } from '../command.ts'
import type { Answer } from './answer.ts'
import type { ReadFlag } from './read-flags.ts'

/** One read of the interface as a command: the words and flags it takes, and the route they ask. */
export interface Read {
  readonly name: string
  readonly summary: string
  /** Words after the name as the usage line shows them; none unless given. */
  readonly words?: string
  readonly flags?: Readonly<Record<string, ReadFlag>>
  /** It answers with a list, which `--limit` cuts, or of which `--cursor` and `--all` get the rest. */
  readonly list?: 'limited' | 'paged'
  /** @throws CliFailure (usage) for words that go together with no route */
  readonly ask: (given: Pick<Call, 'words' | 'flags' | 'settings'>) => Route
}

/** What is asked, besides what the flags say, and what the answer looks like. */
export interface Route {
  readonly path: string
  readonly query?: Query
  readonly answer: Answer
}
