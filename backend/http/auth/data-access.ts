import type { Caller, Credentials, Sender } from './auth.ts'

/**
 * Authenticates users of the real-time data service: holders of a data key (`svct_live_…`) and the
 * terminal's own session. Routes under `/v1` use an auth policy; sockets use this port.
 */
export interface DataAccess {
  /**
   * The caller of an upgrade request, identified by its `Authorization` header or else its cookie;
   * null if it has neither.
   * @throws AuthInvalid for a header without a valid data key; a stale cookie is treated as absent
   */
  callerOf(credentials: Credentials): Promise<Caller | null>
  /**
   * The caller of a data key sent in a frame.
   * @throws AuthInvalid; RateLimited if the sender has failed too often
   */
  callerOfKey(key: string, sender?: Sender): Promise<Caller>
  /**
   * Notifies the listener of a revoked key or an ended session before the request that ended it is
   * answered; returns the unsubscribe function. `callerId` is the caller's `id` and `credentialId`
   * its `credential.id`: if a user has several sessions, only the ended ones are closed.
   */
  onEnded(listener: (callerId: string, credentialId: string) => void): () => void
}
