import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger, type Logger } from '../../lib/logger.ts'
import { accessService, type AccessService } from '../../testing/access-service.ts'
import { cliLogins, statusAndBody } from '../../testing/cli-logins.ts'

let service: AccessService
let cookie: string
beforeEach(async () => {
  service = await accessService()
  cookie = await service.signIn()
})
afterEach(() => service.close())

const { begin, poll, complete, reached } = cliLogins(() => ({ service, cookie }))

describe('stored data of a login', () => {
  /** A logger that keeps its lines, errors with their messages and causes. */
  const recorder = (lines: string[]): Logger => {
    const note = (details: object, message: string): void => {
      const shown = JSON.stringify(details, (_name, value: unknown) =>
        value instanceof Error ? `${value.stack ?? ''} ${String(value.cause)}` : value,
      )
      lines.push(`${message} ${shown}`)
    }
    return { ...silentLogger, warn: note, error: note }
  }

  // [login.cli.secrets]
  it('contain neither its token nor its key, in the store, in logs or in a later response', async () => {
    await service.close()
    const lines: string[] = []
    service = await accessService({ logger: recorder(lines) })
    cookie = await service.signIn()
    const token = await reached.ready()
    const waiting = await service.state.selectFrom('cli_login').selectAll().execute()
    expect(waiting).toMatchObject([
      { token_hash: hash('sha256', token, 'base64url'), state: 'ready' },
    ])
    const sealed = Buffer.from(waiting[0]?.key_cipher ?? '', 'base64url').toString('latin1')
    expect(sealed).not.toContain('svc_live_')
    const key = String((await poll(token)).body['apiKey'])
    const left = await service.state.selectFrom('cli_login').selectAll().execute()
    expect(left).toMatchObject([{ state: 'consumed', key_id: null, key_cipher: null }])

    const replies = [await poll(token), await complete(token), await begin(token)]
    await service.state.schema.dropTable('cli_login').execute()
    const broken = [await poll(token), await complete(token), await begin(token)]
    expect(broken.map(statusAndBody)).toEqual(
      broken.map(() => [500, { error: 'Internal error', code: 'INTERNAL_ERROR' }]),
    )
    const mistyped = await service.ask(`/api/auth/cli/pol?token=${token}`)
    const files = ['state.sqlite', 'state.sqlite-wal'].map((name) =>
      readFileSync(join(service.dataDir, name), 'latin1'),
    )
    expect(files.join('')).toContain('CLI (browser login)')
    expect(lines).toHaveLength(3)
    const texts = [...lines, ...files, ...[...replies, ...broken, mistyped].map(({ text }) => text)]
    for (const secret of [token, key]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([])
    }
  })
})
