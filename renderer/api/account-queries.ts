import type { Doctor, Provider } from '../../backend/contract/operations.ts'
import type {
  KeyList,
  Me,
  PageSettings,
  SessionList,
  Usage,
} from '../../backend/contract/accounts.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The session's user. Not cleared with the user's own data, because it identifies the user. */
export const me: PolledQuery<Me> = {
  path: pathOf('/api/auth/me'),
  ...USER_QUERY,
  isOwn: false,
  interval: MINUTE,
}

/** Settings of the terminal, which another machine may have changed. */
export const pageSettings: PolledQuery<PageSettings> = {
  path: pathOf('/api/terminal/settings'),
  ...USER_QUERY,
  cadence: 10 * MINUTE,
  interval: 5 * MINUTE,
}

export const serviceKeys: PolledQuery<KeyList> = {
  path: pathOf('/api/keys'),
  ...USER_QUERY,
  interval: 20 * SECOND,
}
export const dataKeys: PolledQuery<KeyList> = {
  path: pathOf('/api/data-keys'),
  ...USER_QUERY,
  interval: 20 * SECOND,
}
export const sessions: PolledQuery<SessionList> = {
  path: pathOf('/api/auth/sessions'),
  ...USER_QUERY,
  interval: 30 * SECOND,
}

export const usage = (period: string): PolledQuery<Usage> => ({
  path: pathOf('/api/dashboard/usage', { period }),
  ...USER_QUERY,
  interval: 30 * SECOND,
  cadence: 2 * MINUTE,
  timeOf: ({ to }) => to,
})

/** The service reads all stores and the data folder for it, so it is requested rarely. */
export const doctor: PolledQuery<Doctor> = {
  path: pathOf('/api/doctor'),
  ...USER_QUERY,
  interval: 2 * MINUTE,
  cadence: 5 * MINUTE,
}

/** Language model settings, for administrators. */
export const languageModel: PolledQuery<Provider> = {
  path: pathOf('/api/admin/providers/:name', { name: 'llm' }),
  ...USER_QUERY,
  interval: MINUTE,
}
