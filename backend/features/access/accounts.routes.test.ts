import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  accessService,
  countedHash,
  LAUNCH_SECRET,
  type AccessService,
} from '../../testing/access-service.ts'
import {
  accountRequests,
  ANN,
  bearer,
  cookieOf,
  keyIn,
  PASSWORD,
  statusAndError,
  userIn,
} from '../../testing/account-requests.ts'

let service: AccessService
beforeEach(async () => {
  service = await accessService({ keyHash: countedHash() })
})
afterEach(() => service.close())

const { post, signUp, signIn, me, change } = accountRequests(() => service)

describe('the account of the caller', () => {
  // [auth.me.changes]
  it('changes its name, email and password', async () => {
    const cookie = cookieOf(await signUp())
    const renamed = await change(cookie, { name: ' Ann Lee ' })
    expect([renamed.status, userIn(renamed)['name']]).toEqual([200, 'Ann Lee'])
    expect(userIn(await me({ cookie }))['name']).toBe('Ann Lee')
    const body = { email: 'Lee@b', password: 'another password', currentPassword: PASSWORD }
    expect(userIn(await change(cookie, body))['email']).toBe('lee@b')
    expect((await signIn()).status).toBe(401)
    expect((await signIn({ email: 'lee@b', password: 'another password' })).status).toBe(200)
    expect((await change(cookie, {})).status).toBe(200)
  })

  // [auth.me.changes]
  it.each([
    ['a list', [], 400, 'body must be an object'],
    ['nothing', undefined, 400, 'body must be an object'],
    ['no JSON', '{', 400, 'Invalid JSON'],
    ['a bad email', { email: 'x' }, 400, 'email must be an address'],
    ['no email', { email: null }, 400, 'email must be an address'],
    ['a short password', { password: 'x' }, 400, 'password must be 10 to 256 characters'],
    ['a blank name', { name: '' }, 400, 'name must be 1 to 60 characters'],
    ['an email without proof', { email: 'lee@b' }, 401, 'Wrong password'],
    ['a password without proof', { password: 'another password' }, 401, 'Wrong password'],
    ['a wrong proof', { email: 'lee@b', currentPassword: 'wrong password' }, 401, 'Wrong password'],
    ['a proof that is none', { email: 'lee@b', currentPassword: 5 }, 401, 'Wrong password'],
    [
      'an email that is taken',
      { email: 'bob@b', currentPassword: PASSWORD },
      409,
      'An account with this email exists',
    ],
  ])('is unchanged with %s', async (_what, body, status, error) => {
    const cookie = cookieOf(await signUp())
    await signUp({ email: 'bob@b', password: PASSWORD })
    const answer = await change(cookie, body)
    expect([answer.status, answer.body['error']]).toEqual([status, error])
    expect((await signIn()).status).toBe(200)
  })

  it('needs no password if the email is unchanged', async () => {
    const cookie = cookieOf(await signUp())
    expect((await change(cookie, { email: ANN.email, name: 'Ann' })).status).toBe(200)
  })

  it('limits password guesses with a stolen session', async () => {
    const cookie = cookieOf(await signUp())
    const guess = { email: 'lee@b', currentPassword: 'wrong password' }
    for (let i = 0; i < 10; i += 1) expect((await change(cookie, guess)).status).toBe(401)
    expect((await change(cookie, guess)).status).toBe(429)
    // Failures here do not lock the account's sign-in.
    expect((await signIn()).status).toBe(200)
  })

  // [auth.password.ends-others]
  it('ends all other sessions and their sockets when the password changes', async () => {
    const cookie = cookieOf(await signUp())
    const others = [cookieOf(await signIn()), cookieOf(await signIn())]
    const key = keyIn(await signUp({ email: 'bob@b', password: PASSWORD }))['key']
    for (const other of others) expect((await me({ cookie: other })).status).toBe(200)
    const ended: string[] = []
    service.access.dataAccess.onEnded((_caller, credential) => ended.push(credential))
    await change(cookie, { password: 'another password', currentPassword: PASSWORD })
    expect(ended).toHaveLength(2)
    for (const other of others) expect((await me({ cookie: other })).status).toBe(401)
    expect((await me({ cookie })).status).toBe(200)
    expect((await me(bearer(key))).status).toBe(200)
  })

  // [auth.owner.password]
  it('of the owner can get email and password, and then signs in like others', async () => {
    const cookie = await service.signIn()
    const owner = { email: 'owner@example.test', password: PASSWORD }
    expect(userIn(await change(cookie, owner))).toMatchObject({
      email: owner.email,
      hasPassword: true,
      provider: 'local',
      isOwner: true,
    })
    const answer = await signIn(owner)
    expect(userIn(answer)).toMatchObject({ isOwner: true, tier: 'institutional' })
    expect((await change(cookie, { password: 'another password' })).status).toBe(401)
    // The session opened by the ticket shows the owner's current fields.
    const { body } = await service.ask('/api/auth/local', {
      method: 'POST',
      headers: { authorization: `Launch ${LAUNCH_SECRET}` },
    })
    const exchanged = await post('/api/auth/exchange', { ticket: body['ticket'] })
    expect(userIn(exchanged)['email']).toBe(owner.email)
  })

  it('is shown as the owner’s to the launch secret, without a session', async () => {
    const answer = await me({ authorization: `Launch ${LAUNCH_SECRET}` })
    expect(userIn(answer)['isOwner']).toBe(true)
    expect(answer.body['auth']).toEqual({
      kind: 'session',
      sessionId: null,
      keyId: null,
      expiresAt: null,
    })
  })

  it('can be changed with a session only', async () => {
    const key = keyIn(await signUp())['key']
    for (const method of ['PATCH', 'DELETE']) {
      const headers = bearer(key)
      const answer = await service.ask('/api/auth/me', { method, headers, body: { name: 'x' } })
      expect(statusAndError(answer).slice(0, 2)).toEqual([401, 'AUTH_INVALID'])
    }
  })
})
