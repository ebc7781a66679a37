import type { Migration } from './migration.ts'

/**
 * Computed results by instant: readings of the index, compressed world snapshots, market labels,
 * and published items to be judged later. There is one row per key and instant.
 */
export const context: Migration = {
  number: 5,
  statements: [
    `create table index_reading (scope varchar, computed_at bigint, value double,
      disagreement double, geo_risk double, breadth double, activity double, body varchar)`,
    'create table world_snapshot (region varchar, computed_at bigint, body blob)',
    `create table regime_label (market integer, computed_at bigint, score double, label utinyint,
      alpha double, trades integer, spread double, bid_depth_usd double, ask_depth_usd double,
      volume_24h double)`,
    'create table judgement (kind varchar, id varchar, computed_at bigint, body varchar)',
  ],
}
