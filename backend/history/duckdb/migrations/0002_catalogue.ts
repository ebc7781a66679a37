import type { Migration } from './migration.ts'

/** Markets, versions of their facts, and change events. */
export const catalogue: Migration = {
  number: 2,
  statements: [
    'create table market (id integer, venue varchar, ticker varchar)',
    `create table market_version (market integer, known_at bigint, seq bigint,
      title varchar, subtitle varchar, description varchar, rules_url varchar,
      event_id varchar, event_title varchar, series_id varchar, series_title varchar,
      category varchar, tags varchar, status varchar, result varchar, settlement_price integer,
      open_time bigint, close_time bigint, expiration_time bigint, exclusive boolean,
      price_ranges varchar, volume_unit varchar, aliases varchar, asset_ids varchar)`,
    `create table change_event (id varchar, market integer, type varchar, happened_at bigint,
      before_number double, before_text varchar, after_number double, after_text varchar,
      delta double)`,
  ],
}
