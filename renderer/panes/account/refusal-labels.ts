import type { ApiFailure } from '../../api/client.ts'

const BY_CODE: Readonly<Record<string, string>> = {
  KEY_LIMIT: 'You have 20 active keys of this kind, which is the limit. Revoke one first.',
  ORIGIN_REFUSED:
    'The service does not accept changes from this address. Open the address that the service printed.',
  NOT_READY: 'The service is busy checking passwords and keys. Try again in a few seconds.',
  SIGNUP_CLOSED: 'This service does not accept new accounts.',
  PORTFOLIO_DISABLED: 'The autopilot is off. Turn it on in RISK first.',
  EXECUTION_HALTED: 'Trading is halted. Resume it in RISK first.',
  EMAIL_TAKEN: 'An account with this email exists. Sign in instead.',
}

/** Why a write was rejected, and what to do about it, as a sentence. */
export function refusalLabel({ kind, code, status, message, retryAfter }: ApiFailure): string {
  if (kind === 'unreachable') return `${message}. Try again when it is running.`
  if (kind === 'timeout')
    return `${message}, but may still complete the request. Check before you try again.`
  if (kind === 'limited') {
    const wait = retryAfter === null ? 'a minute' : `${Math.ceil(retryAfter / 1_000)} s`
    return `Too many attempts. Try again in ${wait}.`
  }
  const sentence = code === null ? undefined : BY_CODE[code]
  if (sentence !== undefined) return sentence
  if (status === 404 && code === null) return 'This service does not offer this function.'
  const description = message.replace(/\.$/, '')
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}.`
}
