import { hash } from 'node:crypto'
import { base64url, CompactSign, exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import type { SigningKey } from '../features/access/sessions/signing-key.ts'

const part = (value: object | string): string =>
  base64url.encode(typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Invalid tokens derived from a valid one, by their defect. Some are signed with the real key, so
 * that only their claims are invalid.
 * @param live a token that is accepted
 * @param victim another user than the token's
 */
export async function forgedTokens(
  key: SigningKey,
  live: string,
  victim: string,
): Promise<Record<string, string>> {
  const [head = '', body = '', signature = ''] = live.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as JWTPayload
  const header = { alg: 'EdDSA', typ: 'JWT', kid: key.kid }
  const signed = (more: object, payload: object | string = claims): Promise<string> =>
    new CompactSign(
      new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    )
      .setProtectedHeader({ ...header, ...more })
      .sign(key.privateKey)
  const bySecret = (secret: Uint8Array): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret)
  const other = await generateKeyPair('EdDSA')
  const unsigned = (alg: string): string => `${part({ ...header, alg })}.${part(claims)}.`
  const turned = signature.startsWith('A') ? 'B' : 'A'
  return {
    'alg none': unsigned('none'),
    'alg None': `${unsigned('None')}AA`,
    'alg none, real signature': `${unsigned('none')}${signature}`,
    'HS256 by the public key': await bySecret(base64url.decode(key.publicJwk.x)),
    'HS256 by the public key as PEM': await bySecret(
      new TextEncoder().encode(await exportSPKI(key.publicKey)),
    ),
    'HS256 with an empty key': await bySecret(hash('sha256', '', 'buffer')),
    'ES256 of zeros': `${part({ ...header, alg: 'ES256' })}.${part(claims)}.${'A'.repeat(86)}`,
    'another key pair': await new SignJWT(claims).setProtectedHeader(header).sign(other.privateKey),
    'wrong kid': await signed({ kid: 'x' }),
    'kid with a path traversal': await signed({ kid: '../../../dev/null' }),
    jku: await signed({ jku: 'http://attacker.test/jwks.json' }),
    'key inside': await signed({ jwk: key.publicJwk }),
    'another type': await signed({ typ: 'at+jwt' }),
    expired: await signed({}, { ...claims, exp: (claims.iat ?? 0) - 60 }),
    'not yet': await signed({}, { ...claims, nbf: (claims.iat ?? 0) + 3_600 }),
    'another audience': await signed({}, { ...claims, aud: 'other' }),
    'another issuer': await signed({}, { ...claims, iss: 'http://attacker.test' }),
    'session that does not exist': await signed({}, { ...claims, sid: 'ses_00000000000000000000' }),
    'session of another user': await signed({}, { ...claims, sub: victim }),
    'claim twice': await signed({}, JSON.stringify(claims).replace('{', `{"sub":"${victim}",`)),
    'tampered claims': `${head}.${part({ ...claims, sub: victim })}.${signature}`,
    'tampered signature': `${head}.${body}.${turned}${signature.slice(1)}`,
    'over 8 kB': `${live}${'A'.repeat(8_192)}`,
  }
}
