import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Logger } from '../../lib/logger.ts'
import { accessService, LAUNCH_SECRET, type AccessService } from '../../testing/access-service.ts'

let service: AccessService | null = null
afterEach(() => service?.close())

/** A logger that keeps its lines, errors with their messages and causes. */
function recorder(): { logger: Logger; lines: string[] } {
  const lines: string[] = []
  const note = (details: object, message: string): void => {
    const shown = JSON.stringify(details, (_name, value: unknown) =>
      value instanceof Error ? `${value.stack ?? ''} ${String(value.cause)}` : value,
    )
    lines.push(`${message} ${shown}`)
  }
  const logger: Logger = {
    debug: note,
    info: note,
    warn: note,
    error: note,
    child: () => logger,
  }
  return { logger, lines }
}

describe('secrets', () => {
  // [auth.secrets.unlogged] [keys.data.shown-once]
  it('are only in the response that issues them, and in no log, store or later response', async () => {
    const { logger, lines } = recorder()
    const running = await accessService({ logger })
    service = running
    const ask: AccessService['ask'] = (path, asking) => running.ask(path, asking)
    const owner = { authorization: `Launch ${LAUNCH_SECRET}` }
    const cookie = await running.signIn()
    const { key } = await running.makeKey('canary')
    const token = cookie.slice(cookie.indexOf('=') + 1)
    const { ticket } = (await ask('/api/auth/local', { method: 'POST', headers: owner })).body
    const account = { email: 'ann@example.test', password: 'a password that stays secret' }
    const signedUp = await ask('/api/signup', { method: 'POST', body: account })
    const { accessToken } = signedUp.body['session'] as { accessToken: string }
    const { key: starter } = signedUp.body['key'] as { key: string }
    const secrets = [
      LAUNCH_SECRET,
      key,
      token,
      String(ticket),
      accessToken,
      starter,
      account.password,
    ]

    const answerTexts: string[] = []
    const request = async (...requested: Parameters<typeof ask>) =>
      answerTexts.push((await ask(...requested)).text)
    await request('/api/data-keys', { headers: owner })
    await request('/api/auth/me', { headers: { cookie } })
    await request('/policy/data', { headers: { authorization: `Bearer ${key}` } })
    await request('/api/auth/sessions', { headers: { authorization: `Bearer ${accessToken}` } })
    await request('/api/admin/users', { headers: { cookie } })
    await request('/api/auth/signin', {
      method: 'POST',
      body: { ...account, password: `${account.password}!` },
    })
    for (const secret of secrets.map((text) => encodeURIComponent(text))) {
      await request(`/policy/data?key=${secret}`)
      await request('/policy/owner', { headers: { authorization: `Launch ${secret}x` } })
      await request('/policy/optional', { headers: { authorization: `Bearer ${secret}` } })
      await request('/api/auth/exchange', { method: 'POST', body: { ticket: `${secret}x` } })
    }
    // The store is broken under the service: every failure is logged as a bug now.
    await running.state.schema.dropTable('access_key').execute()
    await running.state.schema.dropTable('session').execute()
    await request(`/policy/data?key=${key}`, {
      headers: { authorization: `Bearer ${key.slice(0, -4)}AAAA` },
    })
    await request('/api/auth/exchange', { method: 'POST', body: { ticket } })
    await request('/api/auth/signin', { method: 'POST', body: account })
    await request('/api/signup', {
      method: 'POST',
      body: { ...account, email: 'lee@example.test' },
    })
    await request('/api/data-keys', { method: 'POST', headers: owner })

    expect(lines.length).toBeGreaterThan(1)
    const kept = ['state.sqlite', 'state.sqlite-wal']
      .map((name) => readFileSync(join(running.dataDir, name), 'latin1'))
      .join('')
    expect(kept).toContain('canary')
    for (const secret of secrets) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
      expect(answerTexts.filter((text) => text.includes(secret))).toEqual([])
      expect(kept.includes(secret)).toBe(false)
    }
    expect(lines.filter((line) => line.includes(key.slice(0, 30)))).toEqual([])
  })
})
