import { jwtVerify, SignJWT } from 'jose'
import type { Millis } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { SignInMethod } from './sessions.store.ts'
import type { SigningKey } from './signing-key.ts'

/** Claims of a session token. */
export interface SessionClaims {
  readonly userId: string
  readonly sessionId: string
  readonly issuedAt: Millis
  readonly expiresAt: Millis
}

export interface SessionTokens {
  sign(claims: SessionClaims, method: SignInMethod): Promise<string>
  /** Claims of a token, if we signed it and it has not expired; null for any other. */
  read(token: string): Promise<SessionClaims | null>
}

const AUDIENCE = 'augury'
const TOLERANCE_S = 5
const METHODS: Readonly<Record<SignInMethod, string>> = {
  local: 'local',
  password: 'pwd',
  external: 'ext',
}

const seconds = (at: Millis): number => Math.floor(at / 1_000)
const decodePart = (part: string): string => Buffer.from(part, 'base64url').toString()

/**
 * Session tokens: JWT signed with EdDSA.
 * @param issuer the base URL of the service
 */
export function createSessionTokens(key: SigningKey, issuer: string, clock: Clock): SessionTokens {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: key.kid }
  // The only header we issue: tokens with another algorithm, key, type or extension are refused.
  const ourHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
  return {
    sign: ({ userId, sessionId, issuedAt, expiresAt }, method) =>
      new SignJWT({ sid: sessionId, amr: [METHODS[method]] })
        .setProtectedHeader(header)
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(seconds(issuedAt))
        .setExpirationTime(seconds(expiresAt))
        .sign(key.privateKey),
    async read(token) {
      const [head, body] = token.split('.')
      if (head !== ourHeader || body === undefined) return null
      try {
        const { payload } = await jwtVerify(token, key.publicKey, {
          algorithms: ['EdDSA'],
          issuer,
          audience: AUDIENCE,
          typ: 'JWT',
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
          clockTolerance: TOLERANCE_S,
          currentDate: new Date(clock.now()),
        })
        // A payload whose text differs from our own serialization may repeat a claim.
        if (decodePart(body) !== JSON.stringify(payload)) return null
        const { sub, sid, iat = 0, exp = 0 } = payload
        if (sub === undefined || typeof sid !== 'string') return null
        const issuedAt = (iat * 1_000) as Millis
        return { userId: sub, sessionId: sid, issuedAt, expiresAt: (exp * 1_000) as Millis }
      } catch {
        return null
      }
    },
  }
}
