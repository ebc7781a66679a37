import type { SignedIn, Ticket } from '../../../backend/contract/accounts.ts'
import type { RunningService } from '../running-service.ts'

/** A request without the expected kind of response. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
}

type Headers = Readonly<Record<string, string>>

/** Requests of the owner to one start of the service. */
export interface Client {
  /** With the secret of this start. @throws RequestRefused for every status but 2xx */
  asOwner<T>(method: string, path: string, body?: object, headers?: Headers): Promise<T>
  /** With the cookie of a session, as the page does. @throws RequestRefused */
  asPage<T>(method: string, path: string, body?: object, cookie?: string): Promise<Answer<T>>
  /** Ticker of an active market. */
  readonly ticker: string
}

export interface Answer<T> {
  readonly body: T
  /** The session cookie that the response sets; empty without one. */
  readonly cookie: string
}

/** Opens a session of the owner, as the terminal does. */
export async function clientOf(service: RunningService, ticker: string): Promise<Client> {
  const asOwner: Client['asOwner'] = async <T>(
    method: string,
    path: string,
    body?: object,
    headers: Headers = {},
  ) => {
    const all = { ...service.ownerHeaders(), ...headers }
    return (await send<T>(service, method, path, body, all)).body
  }
  const asPage = <T>(method: string, path: string, body: object | undefined, cookie: string) =>
    send<T>(service, method, path, body, { origin: service.url, ...(cookie !== '' && { cookie }) })
  const { ticket } = await asOwner<Ticket>('POST', '/api/auth/local')
  const { cookie } = await asPage<SignedIn>('POST', '/api/auth/exchange', { ticket }, '')
  return {
    ticker,
    asOwner,
    asPage: (method, path, body, own = cookie) => asPage(method, path, body, own),
  }
}

async function send<T>(
  service: RunningService,
  method: string,
  path: string,
  body: object | undefined,
  headers: Headers,
): Promise<Answer<T>> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new RequestRefused(`${method} ${path}: ${answer.status} ${text}`)
  return {
    body: (text === '' ? null : JSON.parse(text)) as T,
    cookie: (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '',
  }
}
