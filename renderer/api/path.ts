import type { PathsOf, ResponseBody } from '../../backend/contract/routes.ts'

declare const body: unique symbol
declare const route: unique symbol
/** An address to read; its type names the body of the response. */
export type Path<T> = string & { readonly [body]: T }
/** An address to write to, of this route. */
export type Target<R extends string> = string & { readonly [route]: R }

type Parameters = Readonly<Record<string, string | number | null | undefined>>

/** The path of a route with its parameters filled in: `:name` is encoded, `*` is a path itself. */
const fillPath = (template: string, parameters: Parameters): string =>
  template.replace(/:(\w+)|\*/g, (part, name: string | undefined) =>
    String(parameters[name ?? part] ?? '')
      .split(name === undefined ? '/' : /(?!)/)
      .map(encodeURIComponent)
      .join('/'),
  )

/** Address of a route that is read; parameters outside its path become the query, absent ones not. */
export function pathOf<R extends PathsOf<'GET'>>(
  template: R,
  parameters: Parameters = {},
): Path<ResponseBody<`GET ${R}`>> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    const isInPath = name === '*' || template.split('/').includes(`:${name}`)
    if (!isInPath && value !== null && value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  const path = fillPath(template, parameters)
  return (text === '' ? path : `${path}?${text}`) as Path<ResponseBody<`GET ${R}`>>
}

/** Address of a route that is written to. */
export const targetOf = <R extends string>(template: R, parameters: Parameters): Target<R> =>
  fillPath(template, parameters) as Target<R>
