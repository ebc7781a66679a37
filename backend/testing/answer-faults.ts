import type { Route } from '../http/routes/route-table.ts'
import { violationOf } from './json-schema.ts'
import { operationOf, type Answer, type WholeService } from './whole-service.ts'

/** Text that reveals the inside of a program, to any requester. */
const INSIDE =
  /\n\s+at |node_modules|node:internal|\.ts:\d+|SQLITE_|SqliteError|\b(?:Binder|Catalog|Parser|Conversion|Invalid Input|Out of Range) Error\b|TypeError|RangeError|SyntaxError|Maximum call stack/
/** Content of files that must never appear in a response. */
const FOREIGN_FILE = /root:[^:\s]*:0:0:/
/** A slower response counts as a hang, however busy the machine is. */
const MAX_MS = 30_000

const COMMON: Readonly<Record<number, string>> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * The fault of a response to arbitrary input, as one line; null for a response that the contract
 * allows: no internal error except a missing provider, no internal details, a documented status,
 * and the body documented for it.
 * @param tookMs duration of the request
 */
export function faultOf(
  { status, code, text, headers }: Answer,
  route: Route,
  { document, dataDir }: WholeService,
  tookMs: number,
): string | null {
  if (tookMs > MAX_MS) return `took ${Math.round(tookMs)} ms`
  if (status >= 500 && code !== 'NOT_CONFIGURED') return `${status} ${text.slice(0, 200)}`
  const inside = INSIDE.exec(text) ?? FOREIGN_FILE.exec(text)
  if (inside !== null) return `${status} reveals internals: ${inside[0]}`
  // Operators may see paths of the service's machine.
  const isOperators = route.auth === 'operator' || route.auth === 'owner'
  const place = [dataDir, process.cwd()].find((one) => text.includes(one))
  if (!isOperators && place !== undefined) return `${status} reveals its location: ${place}`
  if (status < 400) return violationOfBody(status, text, headers['content-type'] ?? '')
  if (headers['cache-control'] !== 'no-store') return `${status} may be kept`
  if (headers['x-request-id'] === undefined) return `${status} without a request id`
  return violationOfBody(status, text, headers['content-type'] ?? '')

  function violationOfBody(of: number, body: string, type: string): string | null {
    const operation = operationOf(document, route)
    if (operation === null) return null
    const content = operation.responses[String(of)]?.['content'] as
      Readonly<Record<string, { readonly schema: unknown }>> | undefined
    const described = content?.[type.replace(/;.*/, '')]
    if (described === undefined) {
      return code !== null && COMMON[of] === code
        ? violationOf(ENVELOPE, JSON.parse(body))
        : odd(of, type)
    }
    if (!type.startsWith('application/json') || route.path === '/openapi.json') return null
    if (type !== 'application/json; charset=utf-8') return odd(of, type)
    const violation = violationOf(described.schema, JSON.parse(body))
    return violation === null ? null : `${of}: ${violation}`
  }
  function odd(of: number, type: string): string {
    return `${of} ${type} is not described: ${text.slice(0, 200)}`
  }
}

const ENVELOPE = {
  type: 'object',
  required: ['error', 'code'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
}
