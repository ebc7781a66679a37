import { describe, expect, it } from 'vitest'
import { ask, jsonOf } from '../../testing/asking.ts'
import { closedAfterTest, probe } from '../../testing/probe-service.ts'

describe('credentials', () => {
  // [conventions.errors.unauthorized]
  it('refuses an unknown credential on optional routes and ignores it on open ones', async () => {
    const served = closedAfterTest(await probe().serve({ launchSecret: 'launch-secret' }))
    for (const authorization of ['Bearer svc_live_x', 'Basic Zm9v', '', 'Launch launch-secret']) {
      const answer = await ask(`${served.url}/count`, { headers: { authorization } })
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(jsonOf(answer)).toEqual({
        error: 'Invalid or revoked credentials',
        code: 'AUTH_INVALID',
      })
      expect((await ask(`${served.url}/none`, { headers: { authorization } })).status).toBe(200)
    }
  })

  it('identifies the owner by the launch secret', async () => {
    const served = closedAfterTest(await probe().serve({ launchSecret: 'launch-secret' }))
    const as = (authorization: string) => ask(`${served.url}/owner`, { headers: { authorization } })
    expect(jsonOf(await as('Launch launch-secret'))).toEqual({ owner: true })
    expect((await as('Launch wrong')).status).toBe(401)
    expect(jsonOf(await ask(`${served.url}/owner`))).toMatchObject({ code: 'AUTH_REQUIRED' })
    const without = closedAfterTest(await probe().serve())
    const refused = await ask(`${without.url}/owner`, { headers: { authorization: 'Launch x' } })
    expect(refused.status).toBe(401)
  })
})
