import type { ApiClient } from '../api/client.ts'

/** Writes that the service rejects. */
export const refuseWrites: ApiClient['send'] = async () => ({
  ok: false,
  failure: { kind: 'refused', status: 405, code: null, message: 'No writes', retryAfter: null },
})
