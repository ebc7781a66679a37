import type { DataAccess } from '../../http/auth/data-access.ts'
import type { Logger } from '../../lib/logger.ts'

/** Notifies owners of open connections when their credential is revoked or expires. */
export interface CredentialRevocations {
  readonly onEnded: DataAccess['onEnded']
  report(callerId: string, credentialId: string): void
}

export function createCredentialRevocations(logger: Logger): CredentialRevocations {
  const listeners = new Set<(callerId: string, credentialId: string) => void>()
  return {
    onEnded(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    report(callerId, credentialId) {
      for (const listener of listeners) {
        try {
          listener(callerId, credentialId)
        } catch (error) {
          logger.error(
            { err: error, credential: credentialId },
            'the listeners of a revoked credential could not be notified',
          )
        }
      }
    },
  }
}
