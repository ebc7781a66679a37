import type { DataAccess } from '../../http/data-access.ts'
import type { Logger } from '../../lib/logger.ts'

/** Tells those who hold something open for a caller that the credential behind it ended. */
export interface Endings {
  readonly onEnded: DataAccess['onEnded']
  tell(callerId: string, credentialId: string): void
}

export function createEndings(logger: Logger): Endings {
  const listeners = new Set<(callerId: string, credentialId: string) => void>()
  return {
    onEnded(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(callerId, credentialId) {
      for (const listener of listeners) {
        try {
          listener(callerId, credentialId)
        } catch (error) {
          logger.error(
            { err: error, credential: credentialId },
            'an ended credential was not let go',
          )
        }
      }
    },
  }
}
