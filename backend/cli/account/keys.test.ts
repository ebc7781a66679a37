import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunch } from '../../lib/files/launch-file.ts'
import { accessService, LAUNCH_SECRET, type AccessService } from '../../testing/access-service.ts'
import { environmentOf, runIn } from '../../testing/command-line.ts'
import type { CliEnvironment } from '../command.ts'

let service: AccessService
let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'augury-keys-'))
  service = await accessService()
  writeLaunch(join(home, 'data'), {
    url: service.url,
    pid: 1,
    startedAt: '',
    secret: LAUNCH_SECRET,
  })
})
afterEach(async () => {
  await service.close()
  rmSync(home, { recursive: true, force: true })
})

const augury = (...args: string[]) => runAt({}, args)
augury.at =
  (more: Partial<CliEnvironment>) =>
  (...args: string[]) =>
    runAt(more, args)

const runAt = (more: Partial<CliEnvironment>, args: string[]) =>
  runIn({ ...environmentOf(home), ...more }, args)

describe('augury keys --data-service', () => {
  // [keys.data.cli]
  it('creates a key that works, alone on stdout, and revokes it', async () => {
    const created = await augury('keys', 'create', 'my feed', '--data-service')
    expect([created.exit, created.out]).toEqual([
      0,
      expect.stringMatching(/^svct_live_[\w-]{43}\n$/),
    ])
    expect(created.err).toContain('It will not be shown again.')
    const headers = { authorization: `Bearer ${created.out.trim()}` }
    expect((await service.ask('/policy/data', { headers })).status).toBe(200)

    const listed = await augury('keys', '--data-service')
    const id = /dkey_\w+/.exec(listed.out)?.[0] ?? ''
    expect(listed.out).toMatch(
      /^Name +Begins with +Created +Last used +Revoked +Id\nmy feed +svct_live_/,
    )
    expect(listed.out).not.toContain(created.out.trim())

    const revoked = await augury('keys', 'revoke', id, '--data-service', '--yes')
    expect([revoked.exit, revoked.out]).toEqual([0, `revoked: ${id}\n`])
    expect((await service.ask('/policy/data', { headers })).status).toBe(401)
    const again = await augury('keys', 'revoke', id, '--data-service', '--yes')
    expect([again.exit, again.err]).toEqual([5, 'augury: Key not found or already revoked\n'])
  })

  it('prints the route’s body with --json', async () => {
    const { out } = await augury('keys', 'create', '--data-service', '--json', '--quiet')
    expect(JSON.parse(out)).toMatchObject({
      name: 'Unnamed Data Key',
      message: expect.any(String) as string,
    })
  })

  it.each([
    [['keys', 'revoke', 'dkey_1', '--data-service'], 2, /cannot be undone.\nConfirm it with --yes/],
    [['keys', 'revoke', '..', '--yes'], 2, /is not a valid name/],
    [['keys', 'mend', '--data-service'], 2, /keys has the verbs list, create and revoke/],
    [
      ['keys', 'revoke', '--data-service'],
      2,
      /arguments after keys revoke\nUsage: augury keys revoke ID/,
    ],
    [['keys', 'list', 'x', 'y', 'z'], 2, /arguments after keys list\nUsage: augury keys list \[/],
    [['keys', '--limit', '0'], 2, /--limit must be a whole number above 0, was "0"/],
    [['keys', 'list', '--limit', '1.5'], 2, /--limit must be a whole number above 0/],
    [['keys', 'create', 'x', '--limit', '1'], 2, /--limit is only for keys list/],
    [['keys', '--data-service', '--data', 'elsewhere'], 7, /No service at /],
    [['keys', '--data-service', '--api-url', 'http://127.0.0.1:1'], 4, /is not the service of/],
  ])('%j ends with %d', async (args, exit, pattern) => {
    const ran = await augury(...args)
    expect([ran.exit, ran.out]).toEqual([exit, ''])
    expect(ran.err).toMatch(pattern)
  })
})

describe('augury keys', () => {
  // [client.cli.keys]
  it('creates a service key as the owner of the folder, and uses it once it is stored', async () => {
    const created = await augury('keys', 'create', 'mine')
    expect([created.exit, created.out]).toEqual([
      0,
      expect.stringMatching(/^svc_live_[\w-]{43}\n$/),
    ])
    await augury('config', 'set', 'apiUrl', service.url)
    await augury('config', 'set', 'apiKey', created.out.trim())
    rmSync(join(home, 'data'), { recursive: true })
    const listed = await augury('keys')
    const id = /key_\w+/.exec(listed.out)?.[0] ?? ''
    expect([listed.exit, listed.out.split('\n')[1]]).toEqual([0, expect.stringMatching(/^mine /)])
    const revoked = await augury('keys', 'revoke', id, '--yes')
    expect([revoked.exit, revoked.out]).toEqual([0, `revoked: ${id}\n`])
    const after = await augury('keys')
    expect([after.exit, after.err]).toEqual([
      4,
      'augury: Invalid or revoked credentials\nThe key was not accepted. Create another with: augury login\n',
    ])
  })

  it.each(['/api/keys', '/api/data-keys'] as const)(
    'lists the requested number of %s',
    async (route) => {
      for (const name of ['one', 'two', 'three']) await service.makeKey(name, route)
      const more = route === '/api/data-keys' ? ['--data-service'] : []
      const { keys } = JSON.parse((await augury('keys', '--json', ...more)).out) as {
        keys: unknown[]
      }
      expect(keys).toHaveLength(3)
      const cut = await augury('keys', 'list', '--limit', '2', '--json', ...more)
      expect(JSON.parse(cut.out)).toEqual({ keys: keys.slice(0, 2) })
      const { out } = await augury('keys', '--limit', '2', ...more)
      expect(out.trimEnd().split('\n')).toHaveLength(3)
      expect(
        (await augury('keys', '--limit', '9', ...more)).out.trimEnd().split('\n'),
      ).toHaveLength(4)
    },
  )

  it('asks for a typed confirmation before it revokes a key', async () => {
    const { id } = await service.makeKey('mine', '/api/keys')
    const typing = async (word: string) => {
      requested = []
      return augury.at({
        isInteractive: true,
        ask: (question) => {
          requested.push(question)
          return Promise.resolve(word)
        },
      })('keys', 'revoke', id)
    }
    let requested: string[] = []
    const refused = await typing('yes')
    expect([refused.exit, refused.err]).toEqual([2, 'augury: not confirmed; nothing was changed\n'])
    expect(requested).toEqual([`Revoking ${id} cannot be undone. Type "revoke" to continue: `])
    expect((await typing('revoke\n')).exit).toBe(0)
  })
})

describe('augury open', () => {
  // [auth.ticket.open]
  it('prints a one-time address of the terminal when there is no desktop', async () => {
    const { exit, out } = await augury('open', 'chart', 'KX A')
    expect(exit).toBe(0)
    const address = new URL(out.trim())
    expect(address.origin).toBe(service.url)
    const fragment = new URLSearchParams(address.hash.slice(1))
    expect(fragment.get('c')).toBe('chart KX A')
    const body = { ticket: fragment.get('ticket') }
    expect((await service.ask('/api/auth/exchange', { method: 'POST', body })).status).toBe(200)
  })

  it('prints the ticket with --json', async () => {
    const { out } = await augury('open', '--json')
    const { url, ticket } = JSON.parse(out) as { url: string; ticket: string }
    expect(url).toBe(`${service.url}/#ticket=${ticket}`)
  })
})
