import type { PathsOf, ResponseBody } from '../../contract/routes.ts'
import type { Query } from '../client.ts'
import type { Call } from '../command.ts'
import type { RoutePath, ReadPath } from '../route.ts'
import type { Answer } from './answer.ts'
import type { ReadFlag } from './read-flags.ts'

/** One read of the interface as a command: its words and flags, and the route it requests. */
export interface Read {
  readonly name: string
  readonly summary: string
  /** Words after the name as the usage line shows them; none by default. */
  readonly synopsis?: string
  readonly flags?: Readonly<Record<string, ReadFlag>>
  /**
   * Set when the response is a list, which `--limit` cuts, or whose further pages `--cursor` and
   * `--all` fetch.
   */
  readonly list?: 'limited' | 'paged'
  /** @throws CliFailure (usage) for a combination of words that no route accepts */
  readonly routeOf: (call: Pick<Call, 'args' | 'flags' | 'settings'>) => Route
}

/** The request, besides its flags, and the display of the response. */
export interface Route {
  readonly path: ReadPath
  readonly query?: Query
  readonly answer: Answer<unknown>
}

/** A request and the display of its answer, which has the type of the route. */
export const request = <R extends PathsOf<'GET'>>(
  path: R | RoutePath<R>,
  answer: Answer<ResponseBody<`GET ${R}`>>,
  query: Query = {},
): Route => ({ path, answer, query })
