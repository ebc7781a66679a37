import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CredentialKey } from '../../../contract/orders/credentials.ts'
import type { ServedConfig, ServedRisk } from '../../../contract/portfolio.ts'
import { fromBase64Url, toBase64Url } from '../../../domain/credentials/base64url.ts'
import { envelopeBody, newPem } from '../../../testing/credentials.ts'
import { startTradingService, type TradingService } from '../../../testing/trading-service.ts'

let service: TradingService
/** Credentials of a second user. */
let other: string
const PEM = newPem()
const CREDENTIALS = { keyId: 'key-of-ann', privateKeyPem: PEM }

beforeAll(async () => {
  service = await startTradingService(null)
  other = await service.signUp()
})
afterAll(() => service.stop())
beforeEach(async () => {
  for (const authorization of [service.authorization, other]) {
    await service.ask('DELETE', SECRETS, undefined, authorization)
  }
})

const SECRETS = '/api/portfolio/secrets'
type Failed = { error: string; code: string }
const send = async <T = object>(
  method: string,
  path: string,
  body?: object,
  authorization = service.authorization,
): Promise<[number, T & Failed]> => {
  const { status, text } = await service.ask(method, path, body, authorization)
  return [status, JSON.parse(text) as T & Failed]
}
const issue = async (venue = 'venue_a', authorization = service.authorization) => {
  const [status, key] = await send<CredentialKey>(
    'POST',
    `${SECRETS}/key`,
    { venue },
    authorization,
  )
  expect([status, key.error]).toEqual([200, undefined])
  return key
}
const upload = async (authorization = service.authorization) =>
  send(
    'POST',
    SECRETS,
    await envelopeBody(await issue('venue_a', authorization), CREDENTIALS),
    authorization,
  )
const presence = async (authorization = service.authorization) =>
  (await send<ServedConfig>('GET', '/api/portfolio/config', undefined, authorization))[1]
    .credentials
const refused = (error: string) => [400, { error, code: 'VALIDATION_ERROR' }]

describe('a key for an upload', () => {
  it('[portfolio.secrets.key] is new each time and lives ten minutes', async () => {
    const [first, second] = [await issue(), await issue()]
    expect(first).toEqual({
      uploadId: expect.stringMatching(/^up_/),
      venue: 'venue_a',
      alg: 'AES-256-GCM',
      salt: expect.stringMatching(/^[\w-]{22}$/),
      key: expect.stringMatching(/^[\w-]{43}$/),
      aad: expect.stringMatching(`^svc-secrets\nv1\nusr_[\\w]+\nvenue_a\n${first.uploadId}$`),
      expiresAt: new Date(service.clock.now() + 600_000).toISOString(),
    })
    expect(second.key).not.toBe(first.key)
    expect(second.salt).not.toBe(first.salt)
  })

  it.each([
    [{}, 'venue is required'],
    [{ venue: 'venue_x' }, 'venue must be venue_a or venue_b'],
    [{ venue: 1 }, 'venue must be venue_a or venue_b'],
  ])('[portfolio.secrets.refused] is not issued for %j', async (body, error) => {
    expect(await send('POST', `${SECRETS}/key`, body)).toEqual(refused(error))
  })
})

describe('an upload', () => {
  it('[portfolio.secrets.stored] is stored, shown as present only, and replaced', async () => {
    expect(await presence()).toEqual({ venue_a: false, venue_b: false })
    const [status, stored] = await upload()
    const updatedAt = new Date(service.clock.now()).toISOString()
    expect([status, stored]).toEqual([200, { ok: true, venue: 'venue_a', updatedAt }])
    await service.clock.advance(1_000)
    expect((await upload())[0]).toBe(200)
    const { credentialsUpdatedAt, credentials } = (
      await send<ServedConfig>('GET', '/api/portfolio/config')
    )[1]
    expect(credentials).toEqual({ venue_a: true, venue_b: false })
    expect(credentialsUpdatedAt).toEqual({
      venue_a: new Date(service.clock.now()).toISOString(),
      venue_b: null,
    })
    const [, risk] = await send<ServedRisk>('GET', '/api/portfolio/risk')
    expect(risk.credentials).toEqual(credentials)
    // No route returns credentials, encrypted or not.
    expect((await send('GET', SECRETS))[0]).toBe(405)
  })

  it('[portfolio.secrets.once] uses its key once', async () => {
    const body = await envelopeBody(await issue(), CREDENTIALS)
    expect((await send('POST', SECRETS, body))[0]).toBe(200)
    expect(await send('POST', SECRETS, body)).toEqual([
      409,
      { error: 'the upload was used: get a new key and encrypt again', code: 'CONFLICT' },
    ])
  })

  it('[portfolio.secrets.once] must arrive within ten minutes', async () => {
    const [late, inTime] = [await issue(), await issue()]
    await service.clock.advance(599_999)
    const [status] = await send('POST', SECRETS, await envelopeBody(inTime, CREDENTIALS))
    expect(status).toBe(200)
    await service.clock.advance(1)
    expect(await send('POST', SECRETS, await envelopeBody(late, CREDENTIALS))).toEqual([
      410,
      { error: 'the upload has expired: get a new key and encrypt again', code: 'EXPIRED' },
    ])
  })

  it('[portfolio.secrets.once] is remembered over a restart', async () => {
    const [open, used] = [await issue(), await issue()]
    const body = await envelopeBody(used, CREDENTIALS)
    await send('POST', SECRETS, body)
    await service.restart()
    expect((await send('POST', SECRETS, body))[0]).toBe(409)
    expect((await send('POST', SECRETS, await envelopeBody(open, CREDENTIALS)))[0]).toBe(200)
    expect((await presence()).venue_a).toBe(true)
  })

  it('[portfolio.secrets.owner] needs a key of the caller', async () => {
    const body = await envelopeBody(await issue('venue_a', other), CREDENTIALS)
    const missing = [404, { error: 'not found', code: 'NOT_FOUND' }]
    expect(await send('POST', SECRETS, body)).toEqual(missing)
    expect(await send('POST', SECRETS, { ...body, uploadId: 'up_none' })).toEqual(missing)
    expect(await send('POST', SECRETS, { ...body, userId: 'usr_ann' })).toEqual(missing)
    expect((await send('POST', SECRETS, body, other))[0]).toBe(200)
    expect([await presence(other), await presence()]).toEqual([
      { venue_a: true, venue_b: false },
      { venue_a: false, venue_b: false },
    ])
    expect((await send('DELETE', SECRETS))[0]).toBe(404)
    expect((await presence(other)).venue_a).toBe(true)
  })

  it.each([
    ['no upload', { uploadId: undefined }, 'uploadId is required'],
    ['no envelope', { envelope: undefined }, 'envelope must be a string'],
    ['a number', { envelope: 7 }, 'envelope must be a string'],
    ['padding', { envelope: 'AQ==' }, 'envelope must be base64url without padding'],
    ['a short one', { envelope: 'AQ' }, 'envelope is too short'],
    ['a long one', { envelope: 'A'.repeat(16_385) }, 'envelope must have at most 16 kB'],
    ['the key in clear', { envelope: PEM }, 'envelope must be base64url without padding'],
    ['another venue', { venue: 'venue_b' }, 'venue must be the one that the key was issued for'],
    ['a long label', { label: 'x'.repeat(65) }, 'label must be a string of at most 64 characters'],
  ])('[portfolio.secrets.refused] with %s is refused', async (_name, change, error) => {
    const body = await envelopeBody(await issue(), CREDENTIALS)
    expect(await send('POST', SECRETS, { ...body, ...change })).toEqual(refused(error))
    // A refusal uses no key up.
    expect((await send('POST', SECRETS, body))[0]).toBe(200)
  })

  it('[portfolio.secrets.refused] with another version or salt is refused', async () => {
    const body = await envelopeBody(await issue(), CREDENTIALS)
    const with0 = (at: number): string => {
      const bytes = fromBase64Url(body.envelope) ?? new Uint8Array()
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return toBase64Url(bytes)
    }
    expect(await send('POST', SECRETS, { ...body, envelope: with0(0) })).toEqual(
      refused('envelope must have version 1'),
    )
    expect(await send('POST', SECRETS, { ...body, envelope: with0(16) })).toEqual(
      refused('envelope must have the salt of its upload'),
    )
  })

  it.each([
    ['in a field', { privateKeyPem: PEM }],
    ['in the label', { label: `0x${'1'.repeat(64)}` }],
    ['in a nested field', { more: [{ deep: { key: PEM } }] }],
    ['as a name', { [`0x${'A'.repeat(64)}`]: 1 }],
  ])('[portfolio.secrets.clear] a private key %s is refused and not stored', async (_n, clear) => {
    const key = await issue()
    const body = { ...(await envelopeBody(key, CREDENTIALS)), ...clear }
    const error = 'the body holds a private key in clear: encrypt it and send it as envelope'
    for (const [method, path] of [
      ['POST', SECRETS],
      ['POST', `${SECRETS}/key`],
      ['DELETE', SECRETS],
    ] as const) {
      expect(await send(method, path, body)).toEqual(refused(error))
    }
    expect((await presence()).venue_a).toBe(false)
  })
})

describe('deleting credentials', () => {
  it('[portfolio.secrets.deleted] takes a venue, or all', async () => {
    const put = async () => {
      await upload()
      const wallet = { walletAddress: `0x${'a'.repeat(40)}`, privateKey: 'k', signatureType: 0 }
      await send('POST', SECRETS, await envelopeBody(await issue('venue_b'), wallet))
    }
    await put()
    expect(await send('DELETE', SECRETS, { venue: 'venue_a' })).toEqual([200, { ok: true }])
    expect(await presence()).toEqual({ venue_a: false, venue_b: true })
    const none = [404, { error: 'no secrets found', code: 'NOT_FOUND' }]
    expect(await send('DELETE', `${SECRETS}?venue=venue_a`)).toEqual(none)
    expect((await send('DELETE', `${SECRETS}?venue=venue_b`))[0]).toBe(200)
    expect(await send('DELETE', SECRETS)).toEqual(none)
    await put()
    expect((await send('DELETE', SECRETS))[0]).toBe(200)
    expect(await presence()).toEqual({ venue_a: false, venue_b: false })
    expect(await send('DELETE', SECRETS, { venue: 'nowhere' })).toEqual(
      refused('venue must be venue_a or venue_b'),
    )
  })

  it('[portfolio.secrets.deleted] of the last venue ends the keys that were issued', async () => {
    await upload()
    const early = await issue()
    await send('DELETE', SECRETS)
    expect((await send('POST', SECRETS, await envelopeBody(early, CREDENTIALS)))[0]).toBe(410)
  })
})
