import type { AccessService, Asked } from './access-service.ts'

export const PASSWORD = 'correct horse battery'
/** What Ann signs up and in with. */
export const ANN = { email: 'ann@example.test', password: PASSWORD }

/** What a person asks of their account, of the service that runs when they ask. */
export function accountRequests(running: () => AccessService) {
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    running().ask(path, { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
  const write = (cookie: string, method: string, body?: unknown) =>
    running().ask('/api/auth/me', {
      ...{ method, headers: { cookie, origin: running().url } },
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

/** The session cookie that an answer sets. */
export const cookieOf = ({ headers }: Pick<Asked, 'headers'>): string =>
  (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
/** Headers that show a key or a token. */
export const bearer = (key: unknown) => ({ authorization: `Bearer ${String(key)}` })
export const userIn = ({ body }: Asked) => body['user'] as Record<string, unknown>
export const sessionIn = ({ body }: Asked) => body['session'] as Record<string, string>
export const keyIn = ({ body }: Asked) => body['key'] as Record<string, string>
/** Status, code and words of a refusal. */
export const said = ({ status, body }: Asked) => [status, body['code'], body['error']]
