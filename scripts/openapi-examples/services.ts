import type { OpenApiDocument } from '../../backend/http/routes/openapi.ts'
import { accessService } from '../../backend/testing/access-service.ts'
import { identityProvider, providerKey, tokenOf } from '../../backend/testing/identity-provider.ts'
import { startReplayOf } from '../../backend/testing/replayed-folder.ts'
import type { WholeService } from '../../backend/testing/whole-service.ts'
import { recorder } from './recorder.ts'

const AUDIENCE = 'augury-desk'

/** A replay of the demo's own history. */
export async function recordReplay({ dataDir, document }: WholeService): Promise<void> {
  const replay = await startReplayOf(dataDir, {
    from: Date.parse('2026-11-20T12:00:00.000Z'),
    to: Date.parse('2026-11-20T13:30:00.000Z'),
  })
  const launch = { authorization: `Launch ${replay.secret}` }
  const record = recorder(
    document,
    async (path, sending) => {
      const headers = { ...sending.headers, 'content-type': 'application/json' }
      const response = await fetch(`${replay.url}${path}`, { ...sending, headers })
      return { status: response.status, text: await response.text() }
    },
    { launch, cookie: launch, data: launch },
  )
  await record('replay.get')
  await record('replay.step', { request: { n: 900 } })
  await record('replay.speed', { request: { speed: 60 } })
  await record('replay.pause')
  await record('replay.resume')
  await record('replay.seek', { request: { to: '2026-11-20T13:00:00.000Z' } })
  await record('replay.report')
  await replay.stop()
}

/** Sign-in with a token of an identity provider. */
export async function recordIdentityProvider(document: OpenApiDocument): Promise<void> {
  const provider = await identityProvider()
  const key = await providerKey('EdDSA', 'ed-1')
  provider.list(key)
  const { issuer, jwksUrl } = provider
  const service = await accessService({ provider: { issuer, audience: AUDIENCE, jwksUrl } })
  const record = recorder(
    document,
    async (path, { method, headers, body }) => {
      const sent = body === undefined ? {} : { body: JSON.parse(body) as unknown }
      const answer = await service.ask(path, { method, headers, ...sent })
      return { status: answer.status, text: JSON.stringify(answer.body) }
    },
    { launch: {}, cookie: {}, data: {} },
  )
  const token = await tokenOf(
    key,
    JSON.stringify({
      iss: issuer,
      aud: AUDIENCE,
      sub: 'u-1',
      exp: Math.floor(service.clock.now() / 1_000) + 3_600,
      email: 'mary@example.com',
      name: 'Mary',
    }),
  )
  await record('auth.provider')
  await record('auth.external', { request: { token } })
  await service.close()
  await provider.close()
}
