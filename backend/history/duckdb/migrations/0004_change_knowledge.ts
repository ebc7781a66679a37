import type { Migration } from './migration.ts'

/** When a change event was derived, if later than the instant it refers to; else null. */
export const changeKnowledge: Migration = {
  number: 4,
  statements: ['alter table change_event add column known_at bigint'],
}
