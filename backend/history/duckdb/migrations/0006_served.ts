import type { Migration } from './migration.ts'

/**
 * Which snapshots were served from which instant, so that an answer about a past instant uses the
 * same ones; and when readings of the past were computed, since they were not known at their own
 * instant.
 */
export const servedMigration: Migration = {
  number: 6,
  statements: [
    `create table context_served (served_at bigint, is_running boolean, has_day_earlier boolean,
      grid_at bigint, world_at bigint, world_grid_at bigint, published_grid bigint,
      published_world bigint)`,
    'alter table index_reading add column known_at bigint',
  ],
}
