import type { OpenApiDocument, Operation, Parameter } from '../../../backend/http/routes/openapi.ts'
import type { Chance } from '../chance.ts'

/** Values for the parameters of a read. */
export interface Names {
  readonly tickers: readonly string[]
  /** Instants for parameters that take one, ISO. */
  readonly instants: readonly string[]
}

/** Every read with `asOf`, as listed by the OpenAPI document. */
export function readsOf(document: OpenApiDocument): { path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    get?.parameters.some(({ name }) => name === 'asOf') === true ? [{ path, operation: get }] : [],
  )
}

/** Values for each parameter whose schema does not define its meaning. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  q: ['will', 'bitcoin', 'fed', 'rain', 'election', 'above'],
  keyword: ['will', 'above', 'the'],
  topic: ['bitcoin', 'fed-rate', 'oil', 'crypto', 'election-2026'],
  category: ['crypto', 'politics', 'economics', 'sports'],
  since: ['15m', '1h', '24h', '7d', '30d'],
  type: ['price_move', 'status_change', 'new_market', 'resolved,price_move'],
  nextActions: ['true', 'false'],
}
/** Cursors come from responses, and a fresh venue read does not exist for the past. */
const NOT_ASKED = new Set(['asOf', 'cursor', 'refresh'])
const MAX_ROWS = 300
const MAX_NUMBER = 50
/** One in so many optional parameters is sent. */
const ONE_IN = 4
const NAMED = 3

/** Path parameters without a list of values. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/api/public/topic/{slug}': ['bitcoin', 'fed-rate', 'oil', 'election-2026'],
  '/api/agent/world/{path}': ['oil', 'crypto', 'iran'],
  '/api/agent/feed/{topic}': ['oil', 'crypto', 'fed-rate'],
}

/** Reads that list the values of a path parameter, when it is not the path without it. */
const LISTS: Readonly<Record<string, string>> = {
  '/api/public/answer/{slug}': '/api/public/odds',
  '/api/public/technicals/{slug}': '/api/public/markets?limit=20',
}

/**
 * The path with its parameters filled in, except tickers; null when there is no value.
 * @param list responds to a read, here the one that lists a parameter's values
 */
export async function placeOf(
  path: string,
  list: (path: string) => Promise<string>,
  chance: Chance,
): Promise<string | null> {
  const part = /\{(?!ticker)\w+\}/.exec(path)?.[0]
  if (part === undefined) return path
  const listed = /"(?:slug|id|eventBase)":"([^"]+)"/g
  const found =
    PARTS[path] ??
    [...(await list(LISTS[path] ?? path.replace(`/${part}`, ''))).matchAll(listed)].flatMap(
      ([, name]) => name ?? [],
    )
  return found.length === 0 ? null : path.replace(part, encodeURIComponent(chance.among(found)))
}

/** A random address without `asOf`. */
export function questionOf(
  { path, operation }: { path: string; operation: Operation },
  names: Names,
  chance: Chance,
): string {
  const sent = new URLSearchParams()
  for (const parameter of operation.parameters) {
    if (parameter.in !== 'query' || NOT_ASKED.has(parameter.name)) continue
    if (parameter.required || chance.integer(ONE_IN) === 0)
      sent.set(parameter.name, valueOf(parameter, names, chance))
  }
  const concrete = path.replace('{ticker}', encodeURIComponent(chance.among(names.tickers)))
  return sent.size === 0 ? concrete : `${concrete}?${sent.toString()}`
}

function valueOf({ name, schema }: Parameter, names: Names, chance: Chance): string {
  const words = schema['enum']
  if (Array.isArray(words)) return String(chance.among(words))
  if (schema['type'] === 'boolean') return chance.among(['true', 'false'])
  if (schema['type'] === 'integer') return String(1 + chance.integer(MAX_ROWS))
  if (schema['type'] === 'number') {
    const max = typeof schema['maximum'] === 'number' ? schema['maximum'] : MAX_NUMBER
    return String(chance.integer(max + 1))
  }
  if (schema['format'] === 'date-time') return chance.among(names.instants)
  if (name === 'ticker') return chance.among(names.tickers)
  if (name === 'tickers')
    return Array.from({ length: NAMED }, () => chance.among(names.tickers)).join()
  return chance.among(TEXTS[name] ?? ['will'])
}

/** The same read at an instant. */
export const at = (question: string, instant: number): string =>
  `${question}${question.includes('?') ? '&' : '?'}asOf=${new Date(instant).toISOString()}`

/**
 * Fields that may differ: a cursor contains the requested instant and its own time, and durations
 * depend on the machine.
 */
export const withoutRequestFields = (answer: string): string =>
  answer.replaceAll(
    /"(nextCursor|servedAt|generatedInMs|latencyMs)":(?:"[^"]*"|[\d.]+)/g,
    '"$1":"…"',
  )
