import type { IncomingMessage } from 'node:http'
import type { Authenticate, Caller, Credentials } from '../auth/auth.ts'
import { refusalOf } from '../errors.ts'

/** Whether a request carries credentials of any kind. */
export const hasCredentials = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined

/**
 * The caller whose allowance a request uses on a route that reads no credentials: a known user
 * spends their own, not that of everyone at the same address. Null for an anonymous request and
 * for one with invalid credentials; those count for the address.
 */
export async function countedCaller(
  authenticate: Authenticate,
  credentials: Credentials,
): Promise<Caller | null> {
  try {
    return (await authenticate('identify', credentials)).caller
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return null
  }
}
