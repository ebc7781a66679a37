import { randomBytes } from 'node:crypto'
import type { Millis } from '../../domain/units.ts'
import type { SealedSecret, WebhookEndpoint } from '../../domain/webhooks/endpoint.ts'
import { openSealed, sealText } from '../../lib/sealed-text.ts'

const PURPOSE = 'augury webhook secret'

/** A new signing secret, in clear for its owner and encrypted for the store. */
export function newSecret(installationKey: string): {
  readonly secret: string
  readonly sealed: SealedSecret
} {
  const secret = `whsec_${randomBytes(32).toString('base64url')}`
  return { secret, sealed: { sealed: sealText(secret, installationKey, PURPOSE), endsAt: null } }
}

/** The secrets that sign at an instant, the current one first. @throws Error if they are lost */
export const secretsOf =
  (installationKey: () => string) =>
  (endpoint: WebhookEndpoint, now: Millis): readonly string[] =>
    valid(endpoint, now).map(({ sealed }) => openSealed(sealed, installationKey(), PURPOSE))

/** The secrets of an endpoint that have not ended. */
export const valid = ({ secrets }: WebhookEndpoint, now: Millis): readonly SealedSecret[] =>
  secrets.filter(({ endsAt }) => endsAt === null || endsAt > now)
