import type { ApiClient } from '../api/client.ts'

/** The writes of a service that takes none. */
export const refuseWrites: ApiClient['send'] = async () => ({
  ok: false,
  failure: { kind: 'refused', status: 405, code: null, message: 'No writes', retryAfter: null },
})
