import type { Caller, Credentials } from './auth.ts'

/**
 * Who may use the real-time data service: holders of a data key (`svct_live_…`) and the terminal's
 * own session. Routes under `/v1` reach it through their auth word, sockets through this port.
 */
export interface DataAccess {
  /**
   * The caller that an upgrade request proves, by its `Authorization` header or else its cookie;
   * null when it carries neither.
   * @throws AuthInvalid for a header that is no valid data key; a stale cookie counts as absent
   */
  callerOf(credentials: Credentials): Promise<Caller | null>
  /** The caller of a data key sent in a frame. @throws AuthInvalid */
  callerOfKey(key: string): Promise<Caller>
  /**
   * Hears whose key was revoked or session ended, before that is answered; returns how to stop.
   * `callerId` is the caller's `id`, `credentialId` its `credential.id`: of a user with several
   * sessions only those that ended are to be closed.
   */
  onEnded(listener: (callerId: string, credentialId: string) => void): () => void
}
