import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { MINUTE } from '../domain/units.ts'
import type { AccessService, Requested } from './access-service.ts'

/** Lifetime of a login of the command line. */
export const LIFE = 5 * MINUTE

/** A session token as the command line generates it. */
export const newToken = (): string => randomBytes(32).toString('base64url')
/** Percent-encoded like `encodeURIComponent`, except for `+`, which may stay unencoded. */
export const encoded = (token: string): string => encodeURIComponent(token).replaceAll('%2B', '+')

/** Requests of command line and browser, and the session that exists at the time. */
export function cliLogins(running: () => { service: AccessService; cookie: string }) {
  const begin = (sessionToken: unknown): Promise<Requested> =>
    running().service.ask('/api/auth/cli', { method: 'POST', body: { sessionToken } })
  const poll = (token: string): Promise<Requested> =>
    running().service.ask(`/api/auth/cli/poll?token=${encoded(token)}`)
  const complete = (
    sessionToken: unknown,
    headers: Record<string, string> = {},
  ): Promise<Requested> =>
    running().service.ask('/api/auth/cli/complete', {
      method: 'POST',
      headers: { cookie: running().cookie, origin: running().service.url, ...headers },
      body: { sessionToken },
    })
  const keys = async () => {
    const { body } = await running().service.ask('/api/keys', {
      headers: { cookie: running().cookie },
    })
    return body['keys'] as { id: string; name: string; revokedAt: string | null }[]
  }

  /** A token whose login has been brought to a state. */
  const reached = {
    none: () => Promise.resolve(newToken()),
    async pending() {
      const token = newToken()
      expect((await begin(token)).status).toBe(200)
      return token
    },
    async ready() {
      const token = await reached.pending()
      expect((await complete(token)).status).toBe(200)
      return token
    },
    async consumed() {
      const token = await reached.ready()
      expect((await poll(token)).body['status']).toBe('ready')
      return token
    },
    async 'expired while pending'() {
      const token = await reached.pending()
      await running().service.clock.advance(LIFE)
      return token
    },
    async 'expired while ready'() {
      const token = await reached.ready()
      await running().service.clock.advance(LIFE)
      return token
    },
  }
  return { begin, poll, complete, keys, reached }
}

/** Status and body of a response. */
export const statusAndBody = ({ status, body }: Requested) => [status, body]

export const EXPIRED = [410, { status: 'expired' }]
export const OVER = [410, { error: 'Session expired or already used', code: 'EXPIRED' }]
export const EXISTS = [409, { error: 'Session already exists', code: 'CONFLICT' }]
export const STARTED = [200, { ok: true, expiresAt: expect.stringMatching(/^2026-.*Z$/) as string }]
export const READY = [
  200,
  { status: 'ready', apiKey: expect.stringMatching(/^svc_live_/) as string },
]
