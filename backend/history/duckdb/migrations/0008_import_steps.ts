import type { Migration } from './migration.ts'

/**
 * Result of each step of the running import, written in the transaction of its rows, so that an
 * import resumed after a kill counts every row once. Holds the steps of one import at most.
 */
export const importSteps: Migration = {
  number: 8,
  statements: ['create table import_step (import_id varchar, key varchar, result varchar)'],
}
