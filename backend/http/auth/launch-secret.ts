import { sameSecret } from '../../lib/files/launch-file.ts'
import { ANONYMOUS, createAuthenticate } from './auth.ts'
import type { Authenticate, Caller } from './auth.ts'

/** The owner of a data folder, identified by the secret in `launch.json`. */
export const launchCaller = (userId: string): Caller => ({
  id: userId,
  userId,
  isAdmin: true,
  tier: 'institutional',
  credential: { kind: 'launch', id: null },
})

/**
 * Implements the auth policies where only the launch secret exists: no keys, no sessions.
 * @param launchSecret the secret of `launch.json`; null if there is none
 */
export function authenticateByLaunchSecret(launchSecret: string | null): Authenticate {
  const owner = launchCaller('owner')
  return createAuthenticate({
    launch: (secret) => (launchSecret !== null && sameSecret(secret, launchSecret) ? owner : null),
    serviceKey: () => null,
    dataKey: () => null,
    sessionToken: () => null,
    cookie: () => ANONYMOUS,
  })
}
