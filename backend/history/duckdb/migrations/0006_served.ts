import type { Migration } from './migration.ts'

/**
 * What was served from which instant on, so that an answer about a past instant is made from the same;
 * and when readings of the past were worked out, which were not known at their own instant.
 */
export const served: Migration = {
  number: 6,
  statements: [
    `create table context_served (served_at bigint, is_running boolean, has_day_earlier boolean,
      grid_at bigint, world_at bigint, world_grid_at bigint, published_grid bigint,
      published_world bigint)`,
    'alter table index_reading add column known_at bigint',
  ],
}
