import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { MarketFacts, MarketResult, MarketStatus, VolumeUnit } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../market-key.ts'
import type { MarketRecord } from '../../market-rows.ts'
import { orNull, priceOrNull, readDoubles, readIntegers, readTexts } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import type { FactsCache, FactsVersionKey } from './facts-cache.ts'
import type { MarketRegistry } from './registry.ts'

/** Index of the column that orders two versions of one instant by when they were appended. */
const SEQ_COLUMN = 24
const COLUMNS = `market, known_at::double, first_seen::double, coalesce(settlement_price, -1),
  coalesce(open_time::double, 'nan'), coalesce(close_time::double, 'nan'),
  coalesce(expiration_time::double, 'nan'), exclusive::integer,
  title, subtitle, description, rules_url, event_id, event_title, series_id, series_title, category,
  tags, status, result, price_ranges, volume_unit, aliases, asset_ids, seq::double`

/** Versions known by then; of two of one instant the one appended later counts. */
const versions = (markets: string) => `
  select *, min(known_at) over (partition by market) as first_seen
    from market_version where known_at <= $asOf ${markets}`
const NEWEST =
  'qualify row_number() over (partition by market order by known_at desc, seq desc) = 1'

const recordsSql = (markets: string, statuses: string): string =>
  `select ${COLUMNS} from (${versions(markets)} ${NEWEST}) ${statuses} order by market`
const KEYS = `select market, known_at::double, seq::double, first_seen::double
  from (${versions('')} ${NEWEST}) where status in (select unnest($statuses)) order by market`
const RECORDS_BETWEEN = `select ${COLUMNS} from (${versions('')})
  where known_at > $since order by known_at, seq`
const VERSIONS_OF = `select ${COLUMNS} from (${versions('and market = $market::integer')})
  order by known_at, seq`

const VERSIONS_OF_MANY = `select ${COLUMNS} from (${versions('and market in (select unnest($markets))')})
  order by known_at, market, seq`

/**
 * Newest known version of each market (null: all), ascending by id; of these, the ones whose stated
 * status is among `statuses` (null: any).
 */
export async function recordsAt(
  session: Session,
  registry: MarketRegistry,
  query: {
    asOf: Millis
    markets: readonly MarketId[] | null
    statuses: readonly MarketStatus[] | null
  },
): Promise<MarketRecord[]> {
  const { asOf, markets, statuses } = query
  if (markets?.length === 0 || statuses?.length === 0) return []
  const [marketId] = markets ?? []
  const one = markets?.length === 1
  const marketFilter = one
    ? 'and market = $market::integer'
    : markets === null
      ? ''
      : 'and market in (select unnest($markets))'
  const sql = recordsSql(
    marketFilter,
    statuses === null ? '' : 'where status in (select unnest($statuses))',
  )
  const chunks = await session.read(sql, {
    asOf,
    ...(markets === null ? {} : one ? { market: marketId ?? -1 } : { markets }),
    ...(statuses === null ? {} : { statuses }),
  })
  return chunks.flatMap((chunk) => toRecords(chunk, registry))
}

/**
 * The same for all markets whose stated status is among `statuses`; versions that were read before
 * are returned as the same record objects.
 */
export async function allRecordsAt(
  session: Session,
  registry: MarketRegistry,
  cache: FactsCache,
  query: { asOf: Millis; statuses: readonly MarketStatus[] },
): Promise<MarketRecord[]> {
  const { asOf, statuses } = query
  if (statuses.length === 0) return []
  const keys = (await session.read(KEYS, { asOf, statuses })).flatMap(keysIn)
  const records = keys.map((key) => cache.get(key))
  const missing = keys.flatMap(({ market }, i) => (records[i] === null ? [market] : []))
  if (missing.length === 0) return records.filter((record) => record !== null)
  const filter =
    missing.length * 2 > keys.length
      ? { sql: recordsSql('', 'where status in (select unnest($statuses))'), values: { statuses } }
      : {
          sql: recordsSql('and market in (select unnest($markets))', ''),
          values: { markets: missing },
        }
  const isMissing = new Set(missing)
  const read = new Map<MarketId, MarketRecord>()
  for (const chunk of await session.read(filter.sql, { asOf, ...filter.values })) {
    const seq = readDoubles(chunk, SEQ_COLUMN)
    for (const [row, record] of toRecords(chunk, registry).entries()) {
      const { market, knownAt, firstSeenAt } = record
      if (!isMissing.has(market)) continue
      read.set(market, record)
      cache.put({ market, knownAt, firstSeenAt, seq: seq[row] ?? -1 }, record)
    }
  }
  return keys.flatMap(({ market }, i) => records[i] ?? read.get(market) ?? [])
}

function keysIn(chunk: DuckDBDataChunk): FactsVersionKey[] {
  const market = readIntegers(chunk, 0)
  const [knownAt, seq, firstSeenAt] = [1, 2, 3].map((column) => readDoubles(chunk, column))
  return Array.from(market, (id, row) => ({
    market: id,
    knownAt: knownAt?.[row] ?? 0,
    seq: seq?.[row] ?? -1,
    firstSeenAt: firstSeenAt?.[row] ?? 0,
  }))
}

/** All versions known in (since, asOf], in the order they became known. */
export async function recordsBetween(
  session: Session,
  registry: MarketRegistry,
  since: Millis,
  asOf: Millis,
): Promise<MarketRecord[]> {
  const chunks = await session.read(RECORDS_BETWEEN, { since, asOf })
  return chunks.flatMap((chunk) => toRecords(chunk, registry))
}

/** All versions of one market known by then, in the order they became known. */
export async function versionsOf(
  session: Session,
  registry: MarketRegistry,
  market: MarketId,
  asOf: Millis,
): Promise<MarketRecord[]> {
  const chunks = await session.read(VERSIONS_OF, { market, asOf })
  return chunks.flatMap((chunk) => toRecords(chunk, registry))
}

/** All versions of these markets known by then, in the order they became known. */
export async function versionsOfMany(
  session: Session,
  registry: MarketRegistry,
  markets: readonly MarketId[],
  asOf: Millis,
): Promise<MarketRecord[]> {
  const records: MarketRecord[] = []
  if (markets.length === 0) return records
  await session.readBulk(
    VERSIONS_OF_MANY,
    { markets, asOf },
    () => {},
    (chunk) => {
      for (const record of toRecords(chunk, registry)) records.push(record)
    },
  )
  return records
}

function toRecords(chunk: DuckDBDataChunk, registry: MarketRegistry): MarketRecord[] {
  const [market, settlement, exclusive] = [
    readIntegers(chunk, 0),
    readIntegers(chunk, 3),
    readIntegers(chunk, 7),
  ]
  const numbers = [1, 2, 4, 5, 6].map((column) => readDoubles(chunk, column))
  const [knownAt, firstSeenAt, openTime, closeTime, expirationTime] = numbers
  const texts = Array.from({ length: 16 }, (_, index) => readTexts(chunk, 8 + index))
  return Array.from({ length: chunk.rowCount }, (_, i) => {
    const id = market[i] ?? -1
    const text = (column: number): string | null => texts[column]?.[i] ?? null
    const facts: MarketFacts = {
      ...registry.keyOf(id),
      title: text(0) ?? '',
      subtitle: text(1),
      description: text(2) ?? '',
      rulesUrl: text(3),
      eventId: text(4) ?? '',
      eventTitle: text(5),
      seriesId: text(6),
      seriesTitle: text(7),
      category: text(8) ?? '',
      tags: listOf(text(9)),
      status: text(10) as MarketStatus,
      result: text(11) as MarketResult | null,
      settlementPrice: priceOrNull(settlement[i]),
      openTime: orNull(openTime?.[i]) as Millis | null,
      closeTime: orNull(closeTime?.[i]) as Millis | null,
      expirationTime: orNull(expirationTime?.[i]) as Millis | null,
      exclusive: exclusive[i] === 1,
      priceRanges: listOf(text(12)),
      volumeUnit: text(13) as VolumeUnit,
      aliases: listOf(text(14)),
      assetIds: listOf(text(15)),
    }
    return {
      market: id,
      facts,
      firstSeenAt: firstSeenAt?.[i] as Millis,
      knownAt: knownAt?.[i] as Millis,
    }
  })
}

/** Lists are stored as JSON text written by this program. */
const listOf = <T>(text: string | null): T[] => (text === null ? [] : (JSON.parse(text) as T[]))
