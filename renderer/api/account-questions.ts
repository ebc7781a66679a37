import type { Doctor, KeyList, Me, Provider, SessionList, Usage } from './account-types.ts'
import { pathOf } from './questions.ts'
import type { Question } from './source.svelte.ts'
import type { Iso } from './types.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Answers about the one who asks bear no time of their own: their arrival stands in. */
const arrival = (_body: object, answeredAt: Iso): Iso => answeredAt
const OWN = { isOwn: true, cadence: MINUTE, timeOf: arrival } as const

/** Who the page's requests come from. Not forgotten with what is theirs: it says who that is. */
export const me: Question<Me> = {
  path: '/api/auth/me',
  ...OWN,
  isOwn: false,
  every: MINUTE,
}

export const serviceKeys: Question<KeyList> = { path: '/api/keys', ...OWN, every: 20 * SECOND }
export const dataKeys: Question<KeyList> = { path: '/api/data-keys', ...OWN, every: 20 * SECOND }
export const sessions: Question<SessionList> = {
  path: '/api/auth/sessions',
  ...OWN,
  every: 30 * SECOND,
}

export const usage = (period: string): Question<Usage> => ({
  path: pathOf('/api/dashboard/usage', { period }),
  ...OWN,
  every: 30 * SECOND,
  cadence: 2 * MINUTE,
  timeOf: ({ to }) => to,
})

/** Looks through the stores and the folder, so it is asked seldom. */
export const doctor: Question<Doctor> = {
  path: '/api/doctor',
  ...OWN,
  every: 2 * MINUTE,
  cadence: 5 * MINUTE,
}

/** How the service asks a language model, for administrators. */
export const languageModel: Question<Provider> = {
  path: '/api/admin/providers/llm',
  ...OWN,
  every: MINUTE,
}
