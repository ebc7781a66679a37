import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base64url, CompactSign, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { createSessionTokens, type SessionTokens } from './session-token.ts'
import { openSigningKey, type SigningKey } from './signing-key.ts'

const ISSUER = 'http://127.0.0.1:4870'
let folder: string
let key: SigningKey
let tokens: SessionTokens
const clock = new FakeClock()
const now = clock.now()
const iat = Math.floor(now / 1_000)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-token-'))
  key = await openSigningKey(folder, silentLogger)
  tokens = createSessionTokens(key, ISSUER, clock)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const claims = {
  sid: 'ses_1',
  amr: ['local'],
  iss: ISSUER,
  aud: 'augury',
  sub: 'usr_1',
  iat,
  exp: iat + 600,
}
const header = () => ({ alg: 'EdDSA', typ: 'JWT', kid: key.kid })
const part = (value: object | string) =>
  base64url.encode(typeof value === 'string' ? value : JSON.stringify(value))
/** A token signed with the right key, with any content. */
const signed = (head: object, payload: string) =>
  new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: 'EdDSA', ...head })
    .sign(key.privateKey)
const withClaims = (more: object) => signed(header(), JSON.stringify({ ...claims, ...more }))

describe('session tokens', () => {
  it('are verified until they expire', async () => {
    const expiresAt = (now + 7 * DAY) as Millis
    const claims = { userId: 'usr_1', sessionId: 'ses_1', issuedAt: now, expiresAt }
    const token = await tokens.sign(claims, 'local')
    expect(await tokens.read(token)).toEqual(claims)
    expect(await tokens.read(await withClaims({}))).not.toBeNull()
    await clock.advance(7 * DAY + 5_001)
    expect(await tokens.read(token)).toBeNull()
    await clock.advance(now - clock.now())
  })

  // [auth.session.token]
  it.each<[string, () => Promise<string> | string]>([
    ['no algorithm', () => `${part({ alg: 'none', typ: 'JWT', kid: key.kid })}.${part(claims)}.`],
    ['no algorithm, other case', () => `${part({ ...header(), alg: 'None' })}.${part(claims)}.AA`],
    [
      'the public key as a shared secret',
      async () =>
        new SignJWT(claims)
          .setProtectedHeader({ ...header(), alg: 'HS256' })
          .sign(new TextEncoder().encode(await exportSPKI(key.publicKey))),
    ],
    [
      'another key pair under our name',
      async () => {
        const { privateKey } = await generateKeyPair('EdDSA')
        return new SignJWT(claims).setProtectedHeader(header()).sign(privateKey)
      },
    ],
    [
      'an elliptic curve with r = s = 0',
      () => `${part({ ...header(), alg: 'ES256' })}.${part(claims)}.${'A'.repeat(86)}`,
    ],
    [
      'a key name that climbs',
      () => signed({ ...header(), kid: '../../dev/null' }, JSON.stringify(claims)),
    ],
    [
      'a key by address',
      () => signed({ ...header(), jku: 'http://x.test/k' }, JSON.stringify(claims)),
    ],
    [
      'a key of its own',
      () => signed({ ...header(), jwk: { kty: 'OKP' } }, JSON.stringify(claims)),
    ],
    ['another type', () => signed({ ...header(), typ: 'at+jwt' }, JSON.stringify(claims))],
    ['another audience', () => withClaims({ aud: 'other' })],
    ['another issuer', () => withClaims({ iss: 'http://127.0.0.1:4871' })],
    ['no session', () => withClaims({ sid: undefined })],
    ['no user', () => withClaims({ sub: undefined })],
    ['no end', () => withClaims({ exp: undefined })],
    ['an end that has passed', () => withClaims({ exp: iat - 6 })],
    ['a beginning to come', () => withClaims({ nbf: iat + 60 })],
    ['an end in words', () => withClaims({ exp: 'tomorrow' })],
    ['a session that is no text', () => withClaims({ sid: 5 })],
    [
      'a claim twice',
      () => signed(header(), JSON.stringify(claims).replace('{', '{"sub":"usr_other",')),
    ],
    ['a payload that is none', () => signed(header(), 'no json')],
    ['three empty parts', () => '..'],
    ['one part', () => 'x'],
  ])('with %s are invalid', async (_what, token) => {
    expect(await tokens.read(await token())).toBeNull()
  })

  it('with a changed payload or signature are invalid', async () => {
    const token = await withClaims({})
    const [head = '', body = '', signature = ''] = token.split('.')
    const other = part({ ...claims, sub: 'usr_2' })
    expect(await tokens.read(`${head}.${other}.${signature}`)).toBeNull()
    const turned = signature.startsWith('A') ? 'B' : 'A'
    expect(await tokens.read(`${head}.${body}.${turned}${signature.slice(1)}`)).toBeNull()
  })
})
