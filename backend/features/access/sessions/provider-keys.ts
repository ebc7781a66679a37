import { createLocalJWKSet, type CryptoKey, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { MINUTE, SECOND } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { NotReady } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'

const RETENTION = 10 * MINUTE
const RECHECK_INTERVAL = 30 * SECOND
const RETRY_DELAY = 5 * SECOND
const TIMEOUT = 5 * SECOND
const MAX_BYTES = 256_000

/** Public keys of an identity provider. */
export interface ProviderKeys {
  /**
   * The key named in a token's header.
   * @returns null if the provider has no such key
   * @throws NotReady if there is no usable key set
   */
  keyOf(...token: Parameters<JWTVerifyGetKey>): Promise<CryptoKey | null>
}

type KeySet = ReturnType<typeof createLocalJWKSet>

/**
 * Reads the key set on first use and every ten minutes. An unknown key name triggers another read,
 * at most once in thirty seconds, because anyone can send such names. An expired set is not used
 * when a new one cannot be fetched: its keys may have been withdrawn.
 */
export function createProviderKeys(deps: {
  readonly url: string
  readonly clock: Clock
  readonly logger: Logger
}): ProviderKeys {
  const { url, clock, logger } = deps
  let cache: { readonly keys: KeySet; readonly readAt: number } | null = null
  let failedAt: number | null = null
  let checkedAt: number | null = null
  let reading: Promise<void> | null = null

  const isPast = (at: number | null, span: number): boolean =>
    at === null || clock.monotonic() - at >= span
  const read = async (): Promise<void> => {
    try {
      cache = { keys: createLocalJWKSet(await fetchKeySet(url, clock)), readAt: clock.monotonic() }
      failedAt = null
    } catch (error) {
      failedAt = clock.monotonic()
      logger.warn({ err: error, url }, 'the keys of the identity provider could not be read')
    }
  }
  const readOnce = (): Promise<void> => (reading ??= read().finally(() => (reading = null)))
  const usable = async (): Promise<KeySet> => {
    const isFresh = () => cache !== null && !isPast(cache.readAt, RETENTION)
    if (!isFresh() && isPast(failedAt, RETRY_DELAY)) await readOnce()
    if (cache === null || !isFresh()) throw new NotReady('identity provider keys unavailable')
    return cache.keys
  }

  return {
    async keyOf(...token) {
      const matchingKey = await keyIn(await usable(), token)
      if (matchingKey !== null) return matchingKey
      if (reading === null && !isPast(checkedAt, RECHECK_INTERVAL)) return null
      if (reading === null) checkedAt = clock.monotonic()
      await readOnce()
      return keyIn(await usable(), token)
    },
  }
}

/** The key of a set that a token names; null if several match or the key is unusable. */
const keyIn = (keys: KeySet, token: Parameters<JWTVerifyGetKey>): Promise<CryptoKey | null> =>
  keys(...token).catch(() => null)

/**
 * @throws unless a valid response of at most 256 kB arrives within five seconds, without redirects
 */
async function fetchKeySet(url: string, clock: Clock): Promise<JSONWebKeySet> {
  const abortController = new AbortController()
  const answerReceived = new AbortController()
  void clock.sleep(TIMEOUT, answerReceived.signal).then(
    () => abortController.abort(new Error(`no answer within ${TIMEOUT} ms`)),
    () => undefined,
  )
  try {
    const headers = { accept: 'application/json' }
    const response = await fetch(url, {
      headers,
      redirect: 'error',
      signal: abortController.signal,
    })
    if (!response.ok) throw new Error(`the answer was ${response.status}`)
    // The caller validates that it is a key set.
    return JSON.parse(await textOf(response)) as JSONWebKeySet
  } finally {
    answerReceived.abort()
    // Cancels a body that was not read to its end.
    abortController.abort()
  }
}

async function textOf(response: Response): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.length
    if (size > MAX_BYTES) throw new Error(`the answer was over ${MAX_BYTES} bytes`)
  }
  return Buffer.concat(parts).toString()
}
