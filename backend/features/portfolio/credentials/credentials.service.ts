import { randomBytes } from 'node:crypto'
import type {
  CredentialKey,
  CredentialsRemoved,
  CredentialsStored,
} from '../../../contract/orders/credentials.ts'
import { toBase64Url } from '../../../domain/credentials/base64url.ts'
import {
  CREDENTIAL_VENUES,
  looksLikePrivateKey,
} from '../../../domain/credentials/credential-fields.ts'
import { envelopeParts, SALT_BYTES, uploadAad } from '../../../domain/credentials/envelope.ts'
import type { Venue } from '../../../domain/market.ts'
import type { LiveOrder } from '../../../domain/portfolio/live-order.ts'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { venueName } from '../../../domain/venue.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { Conflict, Gone, InvalidInput, NotFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import { insertDelivery } from '../../../state/delivery-rows.ts'
import { plainNotice } from '../../../state/event-outbox.ts'
import type { PortfolioRecord, PortfolioStore } from '../portfolio.store.ts'
import type { AccountSecrets } from './account-secrets.ts'
import { removeAccountSecret, removeEnvelopes, type CredentialsStore } from './credentials.store.ts'

/** How long a key may be used. */
const KEY_LIFETIME = 10 * MINUTE
const MAX_LABEL_LENGTH = 64

export interface CredentialsService {
  /** Issues the key of one upload. @throws InvalidInput */
  issueKey(userId: string, body: unknown): Promise<CredentialKey>
  /**
   * Stores an envelope in place of the venue's earlier one.
   * @throws InvalidInput, NotFound for an unknown upload, Gone for one that expired, Conflict for
   * one that was used
   */
  store(userId: string, body: unknown): Promise<CredentialsStored>
  /** @throws NotFound when none of these venues has credentials */
  remove(userId: string, body: unknown, venue: Venue | null): Promise<CredentialsRemoved>
}

export function createCredentialsService(deps: {
  readonly store: CredentialsStore
  readonly secrets: Pick<AccountSecrets, 'newKey'>
  readonly portfolios: PortfolioStore
  /** Called when live trading ended because no credentials are left, in the queue of its user. */
  readonly onLiveEnded: (
    userId: string,
    before: PortfolioRecord,
    after: PortfolioRecord,
  ) => Promise<void>
  /**
   * Cancels the orders at venues before their credentials are deleted, in the queue of the user.
   * Resolves with those that may still trade.
   */
  readonly cancelOrders: (
    userId: string,
    venues: readonly Venue[],
  ) => Promise<readonly Pick<LiveOrder, 'venue'>[]>
  /** Queue of the writes of each user. */
  readonly userQueue: PerUserQueue
  readonly clock: Pick<Clock, 'now'>
}): CredentialsService {
  const { store, secrets, portfolios, onLiveEnded, cancelOrders, userQueue, clock } = deps

  return {
    async issueKey(userId, body) {
      const venue = venueIn(fieldsOf(body))
      return userQueue.run(userId, async () => {
        const now = clock.now()
        const salt = new Uint8Array(randomBytes(SALT_BYTES))
        const id = newId('up', now)
        const expiresAt = (now + KEY_LIFETIME) as Millis
        const key = await secrets.newKey(userId, venue, salt, now)
        const upload = { id, userId, venue, salt: toBase64Url(salt), expiresAt, usedAt: null }
        await store.addUpload(upload, now)
        const issuedKey: CredentialKey = {
          uploadId: id,
          venue,
          alg: 'AES-256-GCM',
          salt: upload.salt,
          key: toBase64Url(key),
          aad: uploadAad(userId, venue, id),
          expiresAt: isoOf(expiresAt),
        }
        key.fill(0)
        return issuedKey
      })
    },

    async store(userId, body) {
      const fields = fieldsOf(body)
      const venue = venueIn(fields)
      const uploadId = fields.text('uploadId', { min: 1, max: 64 })
      if (typeof uploadId !== 'string') throw new InvalidInput('uploadId is required')
      const envelope = fields.raw('envelope')
      if (typeof envelope !== 'string') throw new InvalidInput('envelope must be a string')
      const parts = envelopeParts(envelope)
      if ('problem' in parts) throw new InvalidInput(`envelope ${parts.problem}`)
      const label = fields.text('label', { max: MAX_LABEL_LENGTH }) ?? null
      return userQueue.run(userId, async () => {
        const now = clock.now()
        const upload = await store.upload(userId, uploadId)
        if (upload === null) throw new NotFound('not found')
        if (upload.usedAt !== null) {
          throw new Conflict('the upload was used: get a new key and encrypt again')
        }
        if (upload.expiresAt <= now) {
          throw new Gone('the upload has expired: get a new key and encrypt again', 'EXPIRED')
        }
        if (upload.venue !== venue) {
          throw new InvalidInput('venue must be the one that the key was issued for')
        }
        if (toBase64Url(parts.salt) !== upload.salt) {
          throw new InvalidInput('envelope must have the salt of its upload')
        }
        await store.put({ userId, venue, uploadId, envelope, label, updatedAt: now })
        return { ok: true, venue, updatedAt: isoOf(now) }
      })
    },

    async remove(userId, body, requestedVenue) {
      const bodyVenue =
        body === undefined || body === null ? null : fieldsOf(body).word('venue', CREDENTIAL_VENUES)
      const venues =
        (bodyVenue ?? requestedVenue) === null
          ? CREDENTIAL_VENUES
          : [bodyVenue ?? requestedVenue].filter((venue) => venue !== null)
      return userQueue.run(userId, async () => {
        const storedVenues = [...(await store.updatedAt(userId)).keys()]
        const removedVenues = storedVenues.filter((venue) =>
          venues.some((removedVenue) => removedVenue === venue),
        )
        if (removedVenues.length === 0) throw new NotFound('no secrets found')
        const isLast = removedVenues.length === storedVenues.length
        const openOrders = await cancelOrders(userId, removedVenues)
        const previous = await portfolios.read(userId)
        const endsLive = isLast && previous.config.executionMode === 'live'
        const now = clock.now()
        const change = endsLive
          ? { config: { ...previous.config, executionMode: 'dry-run' as const } }
          : {}
        const after = await portfolios.change(userId, change, now, async (transaction) => {
          await removeEnvelopes(transaction, userId, removedVenues)
          if (isLast) await removeAccountSecret(transaction, userId, now)
          const messages = [
            ...(endsLive
              ? ['Live trading ended: no venue credentials are left. The autopilot is in dry-run']
              : []),
            ...(openOrders.length > 0 ? [openOrdersText(openOrders)] : []),
          ]
          for (const message of messages) {
            const notice = plainNotice({ userId, ruleId: null }, message, now)
            await insertDelivery(transaction, notice, null)
          }
        })
        if (endsLive) await onLiveEnded(userId, previous, after)
        return { ok: true }
      })
    },
  }
}

function openOrdersText(openOrders: readonly Pick<LiveOrder, 'venue'>[]): string {
  const names = [...new Set(openOrders.map(({ venue }) => venueName(venue)))].join(' and ')
  const [orders, them] =
    openOrders.length === 1 ? ['1 order', 'it'] : [`${openOrders.length} orders`, 'them']
  return `${orders} may still rest at ${names} and could not be cancelled before the credentials were deleted: cancel ${them} there`
}

/** The fields of a body that holds no private key in clear. @throws InvalidInput */
function fieldsOf(body: unknown): BodyFields {
  const fields = new BodyFields(body)
  if (holdsPrivateKey(body as Record<string, unknown>)) {
    throw new InvalidInput(
      'the body holds a private key in clear: encrypt it and send it as envelope',
    )
  }
  return fields
}

/** Looks at every text of a body, and at its names, except the envelope. */
function holdsPrivateKey(body: Readonly<Record<string, unknown>>): boolean {
  const rawFields: unknown[] = Object.entries(body).flatMap(([name, value]) =>
    name === 'envelope' ? [] : [name, value],
  )
  while (rawFields.length > 0) {
    const value = rawFields.pop()
    if (typeof value === 'string' && looksLikePrivateKey(value)) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value as Record<string, unknown>))
      rawFields.push(name, inner)
  }
  return false
}

function venueIn(fields: BodyFields): Venue {
  const venue = fields.word('venue', CREDENTIAL_VENUES)
  if (venue === undefined) throw new InvalidInput('venue is required')
  return venue
}
