import type { ApiFailure } from '../../api/client.ts'

const BY_CODE: Readonly<Record<string, string>> = {
  KEY_LIMIT: 'You have 20 active keys of this kind, the most there may be. Revoke one first.',
  ORIGIN_REFUSED:
    'The service takes no writes from the address in this window. Open it by the address that the service printed.',
  NOT_READY: 'The service is busy checking passwords and keys. Try again in a few seconds.',
  SIGNUP_CLOSED: 'This service takes no new accounts.',
  EMAIL_TAKEN: 'An account with this email exists. Sign in instead.',
}

/** Why a write was refused, and what can be done about it, as a sentence. */
export function refusalWords({ kind, code, status, message, retryAfter }: ApiFailure): string {
  if (kind === 'unreachable') return `${message}. Try again when it runs.`
  if (kind === 'timeout') return `${message}, and may still do it. Look before you try again.`
  if (kind === 'limited') {
    const wait = retryAfter === null ? 'a minute' : `${Math.ceil(retryAfter / 1_000)} s`
    return `Too many tries. Try again in ${wait}.`
  }
  const known = code === null ? undefined : BY_CODE[code]
  if (known !== undefined) return known
  if (status === 404 && code === null) return 'This service has no such function.'
  const words = message.replace(/\.$/, '')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
