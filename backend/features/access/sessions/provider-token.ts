import { jwtVerify, type JWTPayload } from 'jose'
import type { Millis } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { NotReady } from '../../../lib/errors.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { repeatsNames } from '../repeated-names.ts'

/** Verified claims of a token of the identity provider. */
export interface ProviderClaims {
  /** The provider's id of the user. */
  readonly subject: string
  readonly payload: JWTPayload
  readonly expiresAt: Millis
}

const MAX_TOKEN_LENGTH = 8_192
const MAX_SUBJECT_LENGTH = 255
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const TOLERANCE_S = 60
/** The last instant a `Date` can hold. */
const LATEST = 8_640_000_000_000_000

/** The issuer claimed by an unverified token; null if there is none. */
export function issuerIn(token: string): string | null {
  const issuer = partOf(token, 1)?.['iss']
  return typeof issuer === 'string' ? issuer : null
}

/**
 * Verifies a token of the provider.
 * @returns null if it is invalid
 * @throws NotReady if the provider's keys are unavailable
 */
export async function readProviderToken(
  token: string,
  provider: { readonly issuer: string; readonly audience: string },
  keys: ProviderKeys,
  clock: Clock,
): Promise<ProviderClaims | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null
  const header = partOf(token, 0)
  if (header === null || partOf(token, 1) === null || Object.hasOwn(header, 'crit')) return null
  const keyOf: typeof keys.keyOf = async (...keyArgs) => {
    const key = await keys.keyOf(...keyArgs)
    if (key === null) throw new Error('the provider has no such key')
    return key
  }
  try {
    const { payload } = await jwtVerify(token, keyOf as Parameters<typeof jwtVerify>[1], {
      algorithms: ALGORITHMS,
      issuer: provider.issuer,
      audience: provider.audience,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: TOLERANCE_S,
      currentDate: new Date(clock.now()),
    })
    const { exp = 0 } = payload
    // Declared as a string, but the token can contain any JSON value.
    const subject: unknown = payload.sub
    if (typeof subject !== 'string' || subject === '') return null
    if (subject.length > MAX_SUBJECT_LENGTH) return null
    return { subject, payload, expiresAt: Math.min(exp * 1_000, LATEST) as Millis }
  } catch (error) {
    if (error instanceof NotReady) throw error
    return null
  }
}

/** Header or payload of a token as an object; null if it is not one or repeats a name. */
function partOf(token: string, index: 0 | 1): Readonly<Record<string, unknown>> | null {
  try {
    const json = Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()
    const value: unknown = JSON.parse(json)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !repeatsNames(json) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
