import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DAY } from '../../../domain/units.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { openState } from '../../../state/open.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { createCredentialRevocations } from '../credential-revocations.ts'
import { sessionCookieOf } from './session-cookie.ts'
import { createSessionTokens } from './session-token.ts'
import { createSessions } from './sessions.service.ts'
import { createSessionsStore } from './sessions.store.ts'
import { openSigningKey } from './signing-key.ts'
import { localOwner } from '../user.ts'
import { createUsersStore } from '../users.store.ts'

// [auth.session.renewal]
it('a session stays valid while its renewal cannot be stored', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-sessions-'))
  const state = await openState(join(dataDir, 'state.sqlite'))
  const clock = new FakeClock()
  const key = await openSigningKey(dataDir, silentLogger)
  const { id } = await createUsersStore(state).owner(localOwner('usr_owner', clock.now()))
  const store = createSessionsStore(state)
  let isFull = true
  const sessions = createSessions({
    store: {
      ...store,
      extend: (...args) =>
        isFull ? Promise.reject(new StoreFailed('disk full')) : store.extend(...args),
    },
    tokens: createSessionTokens(key, 'http://127.0.0.1:4870', clock),
    cookie: sessionCookieOf('http://127.0.0.1:4870'),
    revocations: createCredentialRevocations(silentLogger),
    clock,
    logger: silentLogger,
  })
  const token = (await sessions.begin(id, 'local', null))?.token ?? ''
  await clock.advance(2 * DAY)
  const [proof, again] = [await sessions.proveByCookie(token), await sessions.proveByCookie(token)]
  expect([proof.caller?.userId, proof.setCookie, again.setCookie]).toEqual([id, null, null])
  isFull = false
  expect((await sessions.proveByCookie(token)).setCookie).toContain('augury_session_4870=')
  await state.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})
