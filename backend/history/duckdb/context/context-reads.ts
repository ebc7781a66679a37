import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import { DAY, type Cents, type Millis } from '../../../domain/units.ts'
import type {
  ContextStore,
  IndexRow,
  IndexRowBack,
  JudgementRow,
  RegimeLabelRow,
  ServedRow,
  SnapshotRow,
} from '../../context-store.ts'
import {
  orNull,
  readBlobs,
  readBytes,
  readDoubles,
  readIntegers,
  readTexts,
} from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import { REGIME_SIDES } from './context-append.ts'

type Query<Read extends 'indexBetween' | 'indexBack' | 'snapshots' | 'regimesOf' | 'judgements'> =
  Parameters<ContextStore[Read]>[0]

const unpack = promisify(inflate)

const orNan = (names: readonly string[]): string =>
  names.map((name) => `coalesce(${name}, 'nan'::double)`).join(', ')

const INDEX_COLUMNS = `scope, computed_at::double,
  ${orNan(['value', 'disagreement', 'geo_risk', 'breadth', 'activity'])}, body,
  ${orNan(['known_at::double'])}`

/**
 * Readings of the past that the first service computed count as known before it started, as ticks
 * do; those of later services are known from when they were computed.
 */
const IS_KNOWN = `(known_at is null or known_at <= $knownBy
  or $knownBy < (
       select coalesce(min(served_at), $knownBy + 1) from context_served)
     and known_at < coalesce((
       select served_at from context_served where is_running and grid_at is null
        order by served_at limit 1 offset 1), known_at + 1))`

const INDEX_AT = `
  select ${INDEX_COLUMNS} from index_reading where scope = $scope and computed_at <= $asOf
     and ${IS_KNOWN}
   order by computed_at desc limit 1`

const INDEX_BETWEEN = `
  select ${INDEX_COLUMNS}
    from index_reading
   where scope = $scope and computed_at in (
     select max(computed_at) from index_reading
      where scope = $scope and computed_at > $from and computed_at <= $to and ${IS_KNOWN}
      group by (computed_at + $step - 1) // $step)
   order by computed_at`

const INDEX_BACK = `
  select ${INDEX_COLUMNS}, back::double
    from (select *, ($at - computed_at) // $step as back from index_reading
           where computed_at between $at - $step * $count - $within and $at
             and ($at - computed_at) % $step <= $within and ${IS_KNOWN})
   qualify row_number() over (partition by scope, back order by computed_at desc) = 1`

/** The newest reading of a scope; see the port. */
export async function indexAt(
  session: Session,
  scope: string,
  asOf: Millis,
  knownBy: Millis,
): Promise<IndexRow | null> {
  const chunks = await session.read(INDEX_AT, { scope, asOf, knownBy })
  return chunks.flatMap(toIndexRows)[0] ?? null
}

/** The last reading of each step, ascending; see the port. */
export const indexBetween = async (
  session: Session,
  query: Query<'indexBetween'>,
): Promise<IndexRow[]> => (await session.read(INDEX_BETWEEN, query)).flatMap(toIndexRows)

/** Readings at equal distances, of all scopes; see the port. */
export const indexBack = async (
  session: Session,
  query: Query<'indexBack'>,
): Promise<IndexRowBack[]> =>
  (await session.read(INDEX_BACK, query)).flatMap((chunk) => {
    const stepsBack = readDoubles(chunk, 9)
    return toIndexRows(chunk).map((row, i) => ({ back: stepsBack[i] ?? NaN, row }))
  })

/** Instant of the first reading; see the port. */
export async function firstIndexAt(session: Session, knownBy: Millis): Promise<Millis | null> {
  const [chunk] = await session.read(
    `select coalesce(min(computed_at)::double, 'nan') from index_reading where ${IS_KNOWN}`,
    { knownBy },
  )
  return orNull(chunk && readDoubles(chunk, 0)[0]) as Millis | null
}

/** Of several rows of one instant the last one written applies. */
const SERVED_AT = `
  select served_at::double, is_running::utinyint, has_day_earlier::utinyint, ${orNan([
    'grid_at::double',
    'world_at::double',
    'world_grid_at::double',
    'published_grid::double',
    'published_world::double',
  ])}
    from context_served where served_at <= $asOf order by served_at desc, rowid desc limit 1`

/** The row in effect at an instant; see the port. */
export async function servedAt(session: Session, asOf: Millis): Promise<ServedRow | null> {
  const [chunk] = await session.read(SERVED_AT, { asOf })
  if (chunk === undefined || chunk.rowCount === 0) return null
  const instantIn = (column: number) => orNull(readDoubles(chunk, column)[0]) as Millis | null
  return {
    at: readDoubles(chunk, 0)[0] as Millis,
    isRunning: readBytes(chunk, 1)[0] === 1,
    hasDayEarlier: readBytes(chunk, 2)[0] === 1,
    contextAt: instantIn(3),
    worldAt: instantIn(4),
    worldContextAt: instantIn(5),
    publishedContextAt: instantIn(6),
    publishedWorldAt: instantIn(7),
  }
}

const SNAPSHOT_AT = `
  select region, computed_at::double, body from world_snapshot
   where region = $region and computed_at <= $asOf order by computed_at desc limit 1`

const snapshotsSql = (isLimited: boolean): string => `
  select region, computed_at::double, body from world_snapshot
   where region = $region and computed_at > $from and computed_at <= $to
   order by computed_at desc ${isLimited ? 'limit $newest' : ''}`

/** The newest snapshot of a region; see the port. */
export async function snapshotAt(
  session: Session,
  region: string,
  asOf: Millis,
): Promise<SnapshotRow | null> {
  const [row] = await readSnapshots(session, SNAPSHOT_AT, { region, asOf })
  return row ?? null
}

/** Snapshots of a region, ascending; see the port. */
export async function snapshotsOf(
  session: Session,
  { newest, ...bounds }: Query<'snapshots'>,
): Promise<SnapshotRow[]> {
  const rows = await readSnapshots(
    session,
    snapshotsSql(newest !== undefined),
    newest === undefined ? bounds : { ...bounds, newest },
  )
  return rows.reverse()
}

async function readSnapshots(
  session: Session,
  sql: string,
  bounds: Bounds,
): Promise<SnapshotRow[]> {
  const rows = (await session.read(sql, bounds)).flatMap((chunk) => {
    const [region, at, body] = [readTexts(chunk, 0), readDoubles(chunk, 1), readBlobs(chunk, 2)]
    return Array.from({ length: chunk.rowCount }, async (_, i) => ({
      region: region[i] ?? '',
      at: at[i] as Millis,
      body: (await unpack(body[i] ?? new Uint8Array())).toString('utf8'),
    }))
  })
  return Promise.all(rows)
}

const REGIME_COLUMNS = `market, computed_at::double, score, label::integer, trades,
  ${orNan(['alpha', 'spread', 'bid_depth_usd', 'ask_depth_usd', 'volume_24h'])}`

const REGIMES_OF = `
  select ${REGIME_COLUMNS} from regime_label
   where market = $market::integer and computed_at > $from and computed_at <= $to
   order by computed_at`

const NEWEST_REGIMES = `
  select ${REGIME_COLUMNS}
    from regime_label
    join (select market, max(computed_at) as computed_at from regime_label
           where computed_at between $oldest and $asOf group by market)
   using (market, computed_at)
   order by market`

/** Labels older than this are outdated. */
const LABEL_LIFETIME = 7 * DAY

/** Labels of one market, ascending; see the port. */
export const regimesOf = async (
  session: Session,
  query: Query<'regimesOf'>,
): Promise<RegimeLabelRow[]> => (await session.read(REGIMES_OF, query)).flatMap(toRegimeRows)

/** The newest label of every market, by market; see the port. */
export const newestRegimes = async (session: Session, asOf: Millis): Promise<RegimeLabelRow[]> =>
  (await session.read(NEWEST_REGIMES, { asOf, oldest: asOf - LABEL_LIFETIME })).flatMap(
    toRegimeRows,
  )

const judgementsSql = (isSingle: boolean): string => `
  select id, computed_at::double, body from judgement
   where kind = $kind and computed_at > $from and computed_at <= $to ${isSingle ? 'and id = $id' : ''}
   order by computed_at, id`

/** Judgements of a kind, ascending; see the port. */
export async function judgementsOf(
  session: Session,
  { id, ...bounds }: Query<'judgements'>,
): Promise<JudgementRow[]> {
  const chunks = await session.read(
    judgementsSql(id !== undefined),
    id === undefined ? bounds : { ...bounds, id },
  )
  return chunks.flatMap((chunk) => {
    const [ids, at, body] = [readTexts(chunk, 0), readDoubles(chunk, 1), readTexts(chunk, 2)]
    return Array.from({ length: chunk.rowCount }, (_, i) => ({
      kind: bounds.kind,
      id: ids[i] ?? '',
      at: at[i] as Millis,
      body: body[i] ?? '',
    }))
  })
}

function toIndexRows(chunk: DuckDBDataChunk): IndexRow[] {
  const [scope, body] = [readTexts(chunk, 0), readTexts(chunk, 7)]
  const [at, value, disagreement, geoRisk, breadth, activity] = [1, 2, 3, 4, 5, 6].map((column) =>
    readDoubles(chunk, column),
  )
  const knownAt = readDoubles(chunk, 8)
  return Array.from({ length: chunk.rowCount }, (_, i) => {
    const knownTime = orNull(knownAt[i]) as Millis | null
    return {
      scope: scope[i] ?? '',
      at: at?.[i] as Millis,
      value: orNull(value?.[i]),
      disagreement: orNull(disagreement?.[i]),
      geoRisk: orNull(geoRisk?.[i]),
      breadth: orNull(breadth?.[i]),
      activity: orNull(activity?.[i]),
      body: body[i] ?? '',
      ...(knownTime === null ? {} : { knownAt: knownTime }),
    }
  })
}

function toRegimeRows(chunk: DuckDBDataChunk): RegimeLabelRow[] {
  const [market, label, trades] = [0, 3, 4].map((column) => readIntegers(chunk, column))
  const [at, score, alpha, spread, bidDepth, askDepth, volume] = [1, 2, 5, 6, 7, 8, 9].map(
    (column) => readDoubles(chunk, column),
  )
  return Array.from({ length: chunk.rowCount }, (_, i) => ({
    market: market?.[i] ?? -1,
    at: at?.[i] as Millis,
    score: score?.[i] ?? NaN,
    label: REGIME_SIDES[label?.[i] ?? 2] ?? 'neutral',
    alpha: orNull(alpha?.[i]),
    trades: trades?.[i] ?? 0,
    spread: orNull(spread?.[i]) as Cents | null,
    bidDepthUsd: orNull(bidDepth?.[i]),
    askDepthUsd: orNull(askDepth?.[i]),
    volume24h: orNull(volume?.[i]),
  }))
}
