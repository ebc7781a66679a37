import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../../domain/coverage-feed.ts'
import { COVERAGE_STATES, resolveCoverage } from '../../coverage.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { CoverageRow, CoverageSpan } from '../../coverage.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { MarketId } from '../../market-key.ts'
import type { TrendQuery } from '../../trend-reads.ts'
import {
  bytes,
  integersOrNull,
  orNull,
  readDoubles,
  readIntegers,
  readTexts,
  texts,
  wholes,
  wholesOrNull,
  type ColumnSource,
} from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import type { MarketRegistry } from '../facts/registry.ts'

const GAP = COVERAGE_STATES.indexOf('gap')
const REPAIRED = COVERAGE_STATES.indexOf('repaired')

const COLUMNS = `venue, coalesce(market, -1), feed::integer, state::integer, from_ts::double,
  coalesce(to_ts::double, 'nan'), known_at::double, reason`

/**
 * Known statements that match a condition on whole spans, without open ones that a later known
 * statement of their span replaced.
 */
const currentStatements = (conditionSql: string): string => `
  select *, rowid as seq from coverage where known_at <= $asOf and from_ts < $to and ${conditionSql}
  qualify to_ts is not null or row_number() over (
    partition by venue, market, feed, state, from_ts order by known_at desc, rowid desc) = 1`

const STATEMENTS = `
  select ${COLUMNS}
    from (${currentStatements('feed = $feed and venue = $venue and (market is null or market = $market::integer)')})
   where to_ts is null or to_ts > $from
   order by seq`

const STATEMENTS_OF_MANY = `
  select ${COLUMNS}
    from (${currentStatements('feed = $feed and (market is null or market in (select unnest($markets)))')})
   where to_ts is null or to_ts > $from
   order by seq`

const gapsSql = (byVenue: boolean): string => `
  select ${COLUMNS}
    from (${currentStatements(`state in (${GAP}, ${REPAIRED}) ${byVenue ? 'and venue = $venue' : ''}`)})
   where coalesce(to_ts, $asOf) > $from
   order by from_ts desc, known_at desc, seq desc limit $limit`

const OPEN = `
  select ${COLUMNS}
    from (select *, rowid as seq from coverage where venue = $venue
          qualify row_number() over (
            partition by market, feed, state, from_ts order by known_at desc, rowid desc) = 1)
   where to_ts is null
   order by seq`

const SOURCE_STATEMENTS = `
  select ${COLUMNS} from coverage
   where state = ${COVERAGE_STATES.indexOf('imported')} and feed = $feed and reason = $source
   order by rowid`

const STATEMENTS_IN_TIME = `
  select ${COLUMNS} from coverage where known_at between $first and $last order by rowid`

const GAP_STATEMENTS = `
  select ${COLUMNS} from coverage where state in (${GAP}, ${REPAIRED}) order by rowid`

/** Coverage of one market's feed; see the port. */
export async function coverageOf(
  session: Session,
  venue: Venue,
  query: Parameters<HistoryStore['coverage']>[0],
): Promise<CoverageSpan[]> {
  const { market, feed, from, to, asOf } = query
  const chunks = await session.read(STATEMENTS, {
    market,
    venue,
    from,
    to,
    asOf,
    feed: COVERAGE_FEEDS.indexOf(feed),
  })
  return resolveCoverage(chunks.flatMap(toRows), query)
}

/** Coverage of a feed of many markets; markets without a statement of their own share their venue's. */
export async function coverageOfMany(
  session: Session,
  registry: MarketRegistry,
  query: TrendQuery & { readonly feed: CoverageFeed },
): Promise<ReadonlyMap<MarketId, readonly CoverageSpan[]>> {
  const { markets, feed, from, to, asOf } = query
  if (markets.length === 0) return new Map()
  const chunks = await session.read(STATEMENTS_OF_MANY, {
    markets,
    from,
    to,
    asOf,
    feed: COVERAGE_FEEDS.indexOf(feed),
  })
  const statements = chunks.flatMap(toRows)
  const statedMarkets = new Set(statements.map(({ market }) => market))
  const sharedSpans = new Map<Venue, readonly CoverageSpan[]>()
  const spansByMarket = new Map<MarketId, readonly CoverageSpan[]>()
  for (const market of markets) {
    const { venue } = registry.keyOf(market)
    const existing = statedMarkets.has(market) ? undefined : sharedSpans.get(venue)
    const spans =
      existing ??
      resolveCoverage(
        statements.filter(
          (row) => row.market === market || (row.market === null && row.venue === venue),
        ),
        query,
      )
    if (!statedMarkets.has(market)) sharedSpans.set(venue, spans)
    spansByMarket.set(market, spans)
  }
  return spansByMarket
}

/** Statements of gaps and repairs, newest start first; see the port. */
export async function gapsOf(
  session: Session,
  { venue, ...bounds }: Parameters<HistoryStore['gaps']>[0],
): Promise<CoverageRow[]> {
  const values = venue === null ? bounds : { ...bounds, venue }
  return (await session.read(gapsSql(venue !== null), values)).flatMap(toRows)
}

/** Statements of a venue without an end; see the port. */
export const openCoverageOf = async (session: Session, venue: Venue): Promise<CoverageRow[]> =>
  (await session.read(OPEN, { venue })).flatMap(toRows)

/** All statements of gaps and repairs, in the order appended. */
export const readGapStatements = async (session: Session): Promise<CoverageRow[]> =>
  (await session.read(GAP_STATEMENTS)).flatMap(toRows)

/** Statements known within [first, last], in the order appended. */
export const statementsKnown = async (
  session: Session,
  span: { readonly first: Millis; readonly last: Millis },
): Promise<CoverageRow[]> => (await session.read(STATEMENTS_IN_TIME, span)).flatMap(toRows)

/** Statements about a feed made by an import of this file name, in the order appended. */
export const statementsOfSource = async (
  session: Session,
  feed: CoverageFeed,
  source: string,
): Promise<CoverageRow[]> => {
  const values = { feed: COVERAGE_FEEDS.indexOf(feed), source }
  return (await session.read(SOURCE_STATEMENTS, values)).flatMap(toRows)
}

export const coverageColumns = (rows: readonly CoverageRow[]): ColumnSource[] => [
  texts(rows.map((row) => row.venue)),
  integersOrNull(rows.map((row) => row.market)),
  bytes(Uint8Array.from(rows, (row) => COVERAGE_FEEDS.indexOf(row.feed))),
  bytes(Uint8Array.from(rows, (row) => COVERAGE_STATES.indexOf(row.state))),
  wholes(Float64Array.from(rows, (row) => row.from)),
  wholesOrNull(rows.map((row) => row.to)),
  wholes(Float64Array.from(rows, (row) => row.knownAt)),
  texts(rows.map((row) => row.reason)),
]

function toRows(chunk: DuckDBDataChunk): CoverageRow[] {
  const [venue, reason] = [readTexts(chunk, 0), readTexts(chunk, 7)]
  const [market, feed, state] = [
    readIntegers(chunk, 1),
    readIntegers(chunk, 2),
    readIntegers(chunk, 3),
  ]
  const [from, to, knownAt] = [readDoubles(chunk, 4), readDoubles(chunk, 5), readDoubles(chunk, 6)]
  return Array.from({ length: chunk.rowCount }, (_, i) => ({
    venue: venue[i] as Venue,
    market: (market[i] ?? -1) < 0 ? null : (market[i] ?? null),
    feed: COVERAGE_FEEDS[feed[i] ?? 0] ?? 'trades',
    state: COVERAGE_STATES[state[i] ?? 0] ?? 'gap',
    from: from[i] as Millis,
    to: orNull(to[i]) as Millis | null,
    knownAt: knownAt[i] as Millis,
    reason: reason[i] ?? null,
  }))
}
