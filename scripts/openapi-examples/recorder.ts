import type { Example, OpenApiDocument, Operation } from '../../backend/http/routes/openapi.ts'

const MAX_TEXT_LENGTH = 240

interface Request {
  /** Values of the parameters in path and query. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly request?: object
  /** Headers of the credential; by default one that the operation accepts. */
  readonly headers?: Readonly<Record<string, string>>
}
export type Body = Readonly<Record<string, unknown>>
interface Sent {
  readonly status: number
  readonly text: string
}
type Send = (
  path: string,
  sending: { method: string; headers: Readonly<Record<string, string>>; body?: string },
) => Promise<Sent>

/** Examples by the id of their operation. */
export const recorded = new Map<string, Example>()
/** Texts that examples do not show, with what they show instead. */
export const replaced: [hidden: string | RegExp, shown: string][] = [
  [/svct?_live_[\w-]{20,}/g, 'svc_live_0000000000000000000000000000000000000000000'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmF0dXJl'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://login.example.com'],
]

/** An answer as an example. */
function shortenAnswer(value: unknown): unknown {
  if (typeof value === 'string') {
    const shown = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), value)
    return shown.length <= MAX_TEXT_LENGTH ? shown : `${shown.slice(0, MAX_TEXT_LENGTH - 1)}…`
  }
  if (Array.isArray(value)) {
    const isTuple = value.every((item) => typeof item === 'number')
    return value.slice(0, isTuple ? 2 : 1).map(shortenAnswer)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as Body).map(([name, part]) => [name, shortenAnswer(part)]),
  )
}

/** Sends requests by the id of their operation, and records them. */
export function recorder(document: OpenApiDocument, send: Send, credentials: Credentials) {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { path, method: method.toUpperCase(), operation },
      ]),
    ),
  )
  /** @throws Error for an answer that is no success */
  return async function record(
    operationId: string,
    { parameters = {}, request, headers }: Request = {},
  ): Promise<Body> {
    const found = operations.get(operationId)
    if (found === undefined) throw new Error(`no operation ${operationId}`)
    const { path, method, operation } = found
    const query = new URLSearchParams(
      Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`)),
    )
    const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = parameters[name] ?? ''
      return name === 'path' ? value : encodeURIComponent(value)
    })
    const answer = await send(query.size === 0 ? filled : `${filled}?${query.toString()}`, {
      method,
      headers: headers ?? credentialFor(operation, credentials),
      ...(request !== undefined && { body: JSON.stringify(request) }),
    })
    if (answer.status >= 300) {
      throw new Error(`${method} ${filled}: ${answer.status} ${answer.text.slice(0, 300)}`)
    }
    const isJson = /^\s*[[{n]/.test(answer.text) && operationId !== 'openapi.read'
    const body = isJson ? (JSON.parse(answer.text) as Body) : {}
    recorded.set(operationId, {
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(request !== undefined && { request: shortenAnswer(request) }),
      ...(isJson && { response: shortenAnswer(body) }),
    })
    return body
  }
}

/** Sends a request by the id of its operation, and records it. */
export type RecordExample = ReturnType<typeof recorder>

interface Credentials {
  readonly launch: Readonly<Record<string, string>>
  readonly cookie: Readonly<Record<string, string>>
  readonly data: Readonly<Record<string, string>>
}

function credentialFor({ security }: Operation, credentials: Credentials) {
  const accepted = JSON.stringify(security)
  if (accepted.includes('launchSecret')) return credentials.launch
  if (accepted.includes('dataKey')) return credentials.data
  const isOptional = accepted.includes('{}')
  return accepted.includes('"session"') && !isOptional ? credentials.cookie : {}
}

/** The first entry of a list. @throws Error for an empty one */
export const firstOf = (body: Body, list: string): Body => {
  const [first] = body[list] as Body[]
  if (first === undefined) throw new Error(`${list} is empty: the demo lacks an example`)
  return first
}
