import type { PathsOf, ResponseBody } from '../contract/routes.ts'
import { segmentOf } from './terminal/segment.ts'

declare const route: unique symbol
declare const shape: unique symbol

/** Path of a route with its parameters filled in. */
export type RoutePath<R extends string> = string & { readonly [route]: R }
/** Path to read: a route without parameters, or one whose parameters are filled in. */
export type ReadPath = PathsOf<'GET'> | RoutePath<PathsOf<'GET'>>
/** JSON as sent, of a value of this type. */
export type JsonText<T> = string & { readonly [shape]: T }
/** The answer of a read. */
export type ReadBody<R extends PathsOf<'GET'>> = JsonText<ResponseBody<`GET ${R}`>>

/** The value of an answer. */
export const parseJson = <T>(body: JsonText<T>): T => JSON.parse(body) as T

/** A value as an answer. */
export const jsonOf = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>

/**
 * Fills in the parameters of a route; `*` takes several segments.
 * @throws CliFailure (usage) for a word that would escape its segment
 */
export const routePath = <R extends string>(
  template: R,
  args: Readonly<Record<string, string>>,
): RoutePath<R> =>
  template.replace(/:(\w+)|\*/g, (part, name: string | undefined) => {
    const argument = args[name ?? part] ?? ''
    return name === undefined
      ? argument
          .split('/')
          .filter((segment) => segment !== '')
          .map(segmentOf)
          .join('/')
      : segmentOf(argument)
  }) as RoutePath<R>
