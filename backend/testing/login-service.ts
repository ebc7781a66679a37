import { createHash, randomBytes } from 'node:crypto'
import { json, startScriptServer, type Reply } from './script-server.ts'

/** Response to a poll in addition to the state of its login. */
type Failure = 'limited' | 'lost' | null

interface Login {
  state: 'pending' | 'ready' | 'consumed' | 'expired'
  key: string | null
}

const refusal = (status: number, error: string, code: string): Reply =>
  json({ error, code }, status)
const LIMITED = json(
  { ok: false, error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' } },
  429,
  { 'retry-after': '3' },
)
const USER = {
  id: 'usr_1',
  email: null,
  name: 'Owner',
  tier: 'institutional',
  isOwner: true,
  isAdmin: true,
  provider: 'local',
  hasPassword: false,
  createdAt: '2026-11-20T14:00:00.000Z',
}

/**
 * The login of the command line over real HTTP with the states of its contract: started, polled,
 * completed by `approve`, delivered once; and the keys it creates, which identify their user and
 * can be revoked.
 */
export async function startLoginService() {
  const logins = new Map<string, Login>()
  const keys = new Map<string, { id: string; revoked: boolean }>()
  const failures: Failure[] = []
  let onPoll: (nth: number) => void = () => {}
  let polls = 0
  let isBusy = false

  const start = (body: string): Reply => {
    const { sessionToken: token } = JSON.parse(body) as { sessionToken?: unknown }
    if (typeof token !== 'string' || token.length < 32 || token.length > 4096) {
      return refusal(400, 'Invalid session token', 'VALIDATION_ERROR')
    }
    if (logins.has(token)) return refusal(409, 'Session already exists', 'CONFLICT')
    logins.set(token, { state: 'pending', key: null })
    return json({ ok: true, expiresAt: '2026-11-20T14:05:00.000Z' })
  }

  const poll = (token: string | null): Reply => {
    polls += 1
    onPoll(polls)
    const failure = failures.shift() ?? null
    if (failure === 'lost') return (request) => void request.socket.destroy()
    if (failure === 'limited') return LIMITED
    if (token === null || token.trim() === '') {
      return refusal(400, 'token required', 'VALIDATION_ERROR')
    }
    const login = logins.get(token)
    if (login === undefined || login.state === 'consumed' || login.state === 'expired') {
      return json({ status: 'expired' }, 410)
    }
    if (login.state === 'pending') return json({ status: 'pending' })
    login.state = 'consumed'
    return json({ status: 'ready', apiKey: login.key })
  }

  const server = await startScriptServer((line) => (request, response, body) => {
    const [method = '', path = ''] = line.split(' ')
    const url = new URL(path, 'http://localhost')
    const key = keys.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    const caller = key?.revoked === false ? key : null
    const unknown = refusal(401, 'Invalid or revoked credentials', 'AUTH_INVALID')
    const answer = (): Reply => {
      if (line === 'POST /api/auth/cli') return start(body)
      if (url.pathname === '/api/auth/cli/poll') return poll(url.searchParams.get('token'))
      if (caller === null) return unknown
      if (url.pathname === '/api/auth/me' && isBusy) return LIMITED
      if (url.pathname === '/api/auth/me') {
        return json({
          user: USER,
          auth: { kind: 'key', sessionId: null, keyId: caller.id, expiresAt: null },
          tier: {},
        })
      }
      if (method === 'DELETE' && url.pathname === `/api/keys/${caller.id}`) {
        caller.revoked = true
        return json({ success: true })
      }
      return refusal(404, 'Not found', 'NOT_FOUND')
    }
    answer()(request, response, body)
  })

  return {
    url: server.url,
    requests: server.requests,
    /** Responses to the next polls in place of their states, one each. */
    failures,
    polls: () => polls,
    /** Called with each poll before its response. */
    set onPoll(listener: (nth: number) => void) {
      onPoll = listener
    },
    /** From now on the user of a key is returned only later. */
    set isBusy(busy: boolean) {
      isBusy = busy
    },
    /** SHA-256 of the token of the newest login, in hex. */
    hashOfLast: () =>
      createHash('sha256')
        .update([...logins.keys()].at(-1) ?? '')
        .digest('hex'),
    /** The approval in the terminal, for every waiting login; returns the key. */
    approve(): string {
      const key = `svc_live_${randomBytes(32).toString('base64url')}`
      keys.set(key, { id: `key_${keys.size + 1}`, revoked: false })
      for (const login of logins.values()) {
        if (login.state === 'pending') Object.assign(login, { state: 'ready', key })
      }
      return key
    },
    /** Five minutes pass. */
    expire(): void {
      for (const login of logins.values()) login.state = 'expired'
    },
    isRevoked: (key: string): boolean | undefined => keys.get(key)?.revoked,
    close: () => server.close(),
  }
}
export type LoginService = Awaited<ReturnType<typeof startLoginService>>
