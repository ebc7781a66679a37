import type { Param } from './params.ts'
import { InvalidInput } from '../lib/errors.ts'

type Params = Readonly<Record<string, Param<unknown>>>
/** Type of the parsed value of a declared query. */
export type QueryOf<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never
}

/** A query declaration: a standard schema for the route, and its parameters for the document. */
export interface QuerySchema<P extends Params> {
  readonly params: P
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'augury'
    readonly validate: (sent: unknown) => { readonly value: QueryOf<P> }
    readonly types?: {
      readonly input: { readonly [K in keyof P]?: string | number | boolean }
      readonly output: QueryOf<P>
    }
  }
}

/** Type of the query that the handler of such a route receives. */
export type ReadQuery<Q> = Q extends QuerySchema<infer P> ? QueryOf<P> : never

/**
 * Declares the query of a route. Unknown names are ignored. Reading throws `InvalidInput` whose message starts with the name of the parameter, in the
 * order of declaration.
 * @param agree refuses values that do not fit each other
 */
export function query<P extends Params>(
  params: P,
  agree: (read: QueryOf<P>) => void = () => {},
): QuerySchema<P> {
  const names = Object.keys(params)
  const validate = (sent: unknown) => {
    const fields: object = typeof sent === 'object' && sent !== null ? sent : {}
    const read: Record<string, unknown> = {}
    for (const name of names) {
      const value: unknown = Object.hasOwn(fields, name) ? Reflect.get(fields, name) : undefined
      read[name] = params[name]?.read(typeof value === 'string' ? value : undefined, name)
    }
    const value = read as QueryOf<P>
    agree(value)
    return { value }
  }
  return { params, '~standard': { version: 1, vendor: 'augury', validate } }
}

/** Refuses a lower filter above its upper filter. */
export function inOrder(name: string, low: number | null, high: number | null): void {
  if (low !== null && high !== null && low > high) {
    throw new InvalidInput(`${name}_min must not be above ${name}_max`)
  }
}

/** The parameters of a route's query, or null when it is not declared by `query`. */
export function paramsOf(schema: unknown): Params | null {
  const declares =
    typeof schema === 'object' && schema !== null && '~standard' in schema && 'params' in schema
  return declares ? (schema.params as Params) : null
}
