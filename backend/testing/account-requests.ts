import type { AccessService, Requested } from './access-service.ts'

export const PASSWORD = 'correct horse battery'
/** Ann's sign-up and sign-in credentials. */
export const ANN = { email: 'ann@example.test', password: PASSWORD }

/** Account requests of a user to the currently running service. */
export function accountRequests(running: () => AccessService) {
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    running().ask(path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
  const write = (cookie: string, method: string, body?: unknown) =>
    running().ask('/api/auth/me', {
      method,
      headers: { cookie, origin: running().url },
      ...(body === undefined ? {} : { body }),
    })
  return {
    post,
    write,
    signUp: (body: unknown = ANN, headers = {}) => post('/api/signup', body, headers),
    signIn: (body: unknown = ANN, headers = {}) => post('/api/auth/signin', body, headers),
    me: (headers: Record<string, string>) => running().ask('/api/auth/me', { headers }),
    change: (cookie: string, body: unknown) => write(cookie, 'PATCH', body),
  }
}

/** The session cookie that a response sets. */
export const cookieOf = ({ headers }: Pick<Requested, 'headers'>): string =>
  (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
/** Headers that carry a key or a token. */
export const bearer = (key: unknown) => ({ authorization: `Bearer ${String(key)}` })
export const userIn = ({ body }: Requested) => body['user'] as Record<string, unknown>
export const sessionIn = ({ body }: Requested) => body['session'] as Record<string, string>
export const keyIn = ({ body }: Requested) => body['key'] as Record<string, string>
/** Status, code and message of an error. */
export const statusAndError = ({ status, body }: Requested) => [status, body['code'], body['error']]
