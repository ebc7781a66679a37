import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../domain/units.ts'
import { Conflict } from '../../lib/errors.ts'
import { accessService, countedHash, type AccessService } from '../../testing/access-service.ts'
import {
  accountRequests,
  bearer,
  cookieOf,
  keyIn,
  statusAndError,
  sessionIn,
} from '../../testing/account-requests.ts'

let service: AccessService
let hash: ReturnType<typeof countedHash>
beforeEach(async () => {
  hash = countedHash()
  service = await accessService({ keyHash: hash })
})
afterEach(() => service.close())

const { write, signUp, signIn, me } = accountRequests(() => service)

describe('deleting an account', () => {
  const confirm = { confirm: 'delete my account' }

  // [auth.me.deletes]
  it('ends sessions, keys and open sockets, and leaves no row', async () => {
    const created = await signUp()
    const cookie = cookieOf(created)
    const key = keyIn(created)['key']
    const data = await service.ask('/api/data-keys', { method: 'POST', headers: bearer(key) })
    expect((await me(bearer(key))).status).toBe(200)
    expect((await service.ask('/policy/data', { headers: bearer(data.body['key']) })).status).toBe(
      200,
    )
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    const answer = await write(cookie, 'DELETE', confirm)
    expect([answer.status, answer.body]).toEqual([200, { ok: true }])
    expect(answer.headers['set-cookie']?.[0]).toMatch(/=; .*Max-Age=0$/)
    expect(ended.toSorted()).toEqual(
      [sessionIn(created)['id'], keyIn(created)['id'], data.body['id']].map(String).toSorted(),
    )
    expect(statusAndError(await me({ cookie })).slice(0, 2)).toEqual([401, 'AUTH_REQUIRED'])
    for (const credential of [key, sessionIn(created)['accessToken']]) {
      expect(statusAndError(await me(bearer(credential))).slice(0, 2)).toEqual([
        401,
        'AUTH_INVALID',
      ])
    }
    expect((await service.ask('/policy/data', { headers: bearer(data.body['key']) })).status).toBe(
      401,
    )
    const tables = ['session', 'access_key', 'usage_day'] as const
    for (const table of tables) {
      expect(await service.state.selectFrom(table).selectAll().execute()).toEqual([])
    }
    expect((await signIn()).status).toBe(401)
    expect((await signUp()).status).toBe(201)
  })

  it('first ends what the user has outside, and is refused while that fails', async () => {
    const created = await signUp()
    const cookie = cookieOf(created)
    let failure: Error | null = new Conflict('1 order may still rest at Kalshi')
    const accounts: number[] = []
    const accountCount = async (): Promise<number> =>
      (await service.state.selectFrom('account').select('id').execute()).length
    service.access.onUserRemoval(async () => {
      accounts.push(await accountCount())
      if (failure !== null) throw failure
    })
    const refused = await write(cookie, 'DELETE', confirm)
    expect(statusAndError(refused)).toEqual([409, 'CONFLICT', '1 order may still rest at Kalshi'])
    failure = new Error('the store is closed')
    expect((await write(cookie, 'DELETE', confirm)).status).toBe(500)
    expect((await me({ cookie })).status).toBe(200)
    failure = null
    expect((await write(cookie, 'DELETE', confirm)).status).toBe(200)
    expect([accounts, await accountCount()]).toEqual([[2, 2, 2], 1])
  })

  it('does not fail for a concurrent key creation', async () => {
    const created = await signUp()
    let finish: (() => void) | null = null
    const real = hash.hash.bind(hash)
    hash.hash = (text) => new Promise((resolve) => (finish = () => void real(text).then(resolve)))
    const requested = service.ask('/api/keys', {
      method: 'POST',
      headers: bearer(keyIn(created)['key']),
    })
    await expect.poll(() => finish).not.toBeNull()
    expect((await write(cookieOf(created), 'DELETE', confirm)).status).toBe(200)
    ;(finish as (() => void) | null)?.()
    expect(statusAndError(await requested).slice(0, 2)).toEqual([401, 'AUTH_INVALID'])
  })

  it('ends a pending command-line login, whose token stays used', async () => {
    const created = await signUp()
    await service.state
      .insertInto('cli_login')
      .values({
        token_hash: 'h',
        state: 'ready',
        expires_at: service.clock.now() + MINUTE,
        key_id: keyIn(created)['id'] ?? null,
        key_cipher: 'c',
      })
      .execute()
    await write(cookieOf(created), 'DELETE', confirm)
    expect(await service.state.selectFrom('cli_login').selectAll().execute()).toEqual([
      {
        token_hash: 'h',
        state: 'consumed',
        key_id: null,
        key_cipher: null,
        expires_at: service.clock.now() + DAY,
      },
    ])
  })

  it('requires the confirmation text', async () => {
    const cookie = cookieOf(await signUp())
    for (const body of [undefined, {}, { confirm: true }, { confirm: 'Delete my account' }]) {
      const answer = await write(cookie, 'DELETE', body)
      expect(statusAndError(answer)).toEqual([
        400,
        'VALIDATION_ERROR',
        'confirm must be "delete my account"',
      ])
    }
    expect((await me({ cookie })).status).toBe(200)
  })

  it('is refused for the owner', async () => {
    const answer = await write(await service.signIn(), 'DELETE', confirm)
    expect(statusAndError(answer)).toEqual([403, 'AUTH_FORBIDDEN', 'The owner cannot be deleted'])
  })
})
