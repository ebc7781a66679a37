import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { MarketResult, Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { NO_PRICE } from '../../history-batch.ts'
import type { PricesQuery, MarketPrices, Settlement } from '../../settlements.ts'
import { orNull, priceOrNull, readDoubles, readIntegers, readTexts } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import { tradesOfMany, type Corrections } from '../ticks/corrections.ts'

const LISTED = [
  'title',
  'event_id',
  'event_title',
  'series_title',
  'category',
  'tags',
  'open_time',
  'close_time',
]

const settlementsSql = (isByVenue: boolean): string => `
  select market, settled_at::double, decided_at::double, first_seen::double,
         coalesce(newest.close_time::double, 'nan'), coalesce(listed.open_time::double, 'nan'),
         coalesce(listed.close_time::double, 'nan'), newest.result, listed.title, listed.event_id,
         listed.event_title, listed.series_title, listed.category, listed.tags
    from (select market, min(known_at) as first_seen,
                 min(known_at) filter (where status = 'settled') as settled_at,
                 min(known_at) filter (where result is not null) as decided_at,
                 arg_max(struct_pack(status, result, close_time), (known_at, seq)) as newest,
                 arg_min(struct_pack(${LISTED.join(', ')}), (known_at, seq)) as listed
            from market_version
           where known_at <= $to
             ${isByVenue ? 'and market in (select id from market where venue = $venue)' : ''}
           group by market)
   where settled_at > $from and newest.status = 'settled' and newest.result is not null
   order by market`

/** Settled markets with their facts at listing; see the port. */
export async function settlementsOf(
  session: Session,
  { from, to, venue }: { from: Millis; to: Millis; venue: Venue | null },
): Promise<Settlement[]> {
  const settlements: Settlement[] = []
  await session.readBulk(
    settlementsSql(venue !== null),
    { from, to, ...(venue === null ? {} : { venue }) },
    () => {},
    (chunk) => settlements.push(...toSettlements(chunk)),
  )
  return settlements
}

function toSettlements(chunk: DuckDBDataChunk): Settlement[] {
  const market = readIntegers(chunk, 0)
  const numbers = [1, 2, 3, 4, 5, 6].map((column) => readDoubles(chunk, column))
  const [settledAt, decidedAt, firstSeenAt, closeTime, listedOpen, listedClose] = numbers
  const textColumns = [7, 8, 9, 10, 11, 12, 13].map((column) => readTexts(chunk, column))
  return Array.from({ length: chunk.rowCount }, (_, i) => {
    const textAt = (column: number): string | null => textColumns[column]?.[i] ?? null
    return {
      market: market[i] ?? -1,
      listing: {
        title: textAt(1) ?? '',
        eventId: textAt(2) ?? '',
        eventTitle: textAt(3),
        seriesTitle: textAt(4),
        category: textAt(5) ?? '',
        tags: JSON.parse(textAt(6) ?? '[]') as string[],
        openTime: orNull(listedOpen?.[i]) as Millis | null,
        closeTime: orNull(listedClose?.[i]) as Millis | null,
        firstSeenAt: firstSeenAt?.[i] as Millis,
      },
      result: textAt(0) as MarketResult,
      closeTime: orNull(closeTime?.[i]) as Millis | null,
      settledKnownAt: settledAt?.[i] as Millis,
      resultKnownAt: decidedAt?.[i] as Millis,
    }
  })
}

/** The newest row of one kind for each requested instant, within its time limit. */
const newestOf = (rows: string, condition: string, value: string, order: string): string => `
  select place, max_by(struct_pack(ts := tick.ts, value := ${value}), ${order}) as newest
    from requested join ${rows} as tick on tick.market = requested.market
   where tick.ts > $first and tick.ts <= $final
     and tick.ts > requested.at - $reach and tick.ts <= requested.at and tick.ts + tick.lag <= requested.known_by
     and ${condition}
   group by place`

const pricesSql = (isCorrected: boolean): string => `
  with requested as (
         select unnest(range(len($markets)))::integer as place, unnest($markets)::integer as market,
                unnest($instants)::bigint as at, unnest($knownBy)::bigint as known_by),
       traded as (${newestOf(
         tradesOfMany(isCorrected),
         'not tick.is_block',
         'tick.price',
         '(tick.ts, tick.trade_id)',
       )}),
       barred as (${newestOf(
         'candle_all',
         'tick.close is not null',
         'tick.close',
         '(tick.ts, -tick.width, tick.lag, tick.part, tick.seq)',
       )}),
       quoted as (${newestOf(
         'quote_all',
         'true',
         'struct_pack(bid := tick.bid, ask := tick.ask)',
         '(tick.ts, tick.lag, tick.part, tick.seq)',
       )})
  select requested.place, coalesce(traded.newest.value, ${NO_PRICE}),
         coalesce(traded.newest.ts::double, 'nan'), coalesce(barred.newest.value, ${NO_PRICE}),
         coalesce(barred.newest.ts::double, 'nan'), coalesce(quoted.newest.value.bid, ${NO_PRICE}),
         coalesce(quoted.newest.value.ask, ${NO_PRICE}), coalesce(quoted.newest.ts::double, 'nan')
    from requested left join traded using (place) left join barred using (place)
         left join quoted using (place)`

/** Prices of many markets at many instants, each table read once; see the port. */
export async function pricesAt(
  session: Session,
  corrections: Corrections,
  { markets, instants, knownBy, reach, asOf }: PricesQuery,
): Promise<MarketPrices[]> {
  const marketPrices: MarketPrices[] = Array.from({ length: markets.length }, () => ({
    last: null,
    quote: null,
  }))
  if (markets.length === 0) return marketPrices
  const correctedMarkets = corrections.marketsCorrectedBy(asOf)
  const isCorrected = correctedMarkets.length > 0
  const [earliest, latest] = boundsOf(instants)
  await session.readBulk(
    pricesSql(isCorrected),
    {
      markets,
      instants,
      knownBy,
      reach,
      first: earliest - reach,
      final: latest,
      ...(isCorrected ? { asOf, touched: correctedMarkets } : {}),
    },
    () => {},
    (chunk) => addPrices(chunk, marketPrices),
  )
  return marketPrices
}

function addPrices(chunk: DuckDBDataChunk, marketPrices: MarketPrices[]): void {
  const [place, trade, bar] = [
    readIntegers(chunk, 0),
    readIntegers(chunk, 1),
    readIntegers(chunk, 3),
  ]
  const [tradeTs, barTs, quoteTs] = [
    readDoubles(chunk, 2),
    readDoubles(chunk, 4),
    readDoubles(chunk, 7),
  ]
  const [bid, ask] = [readIntegers(chunk, 5), readIntegers(chunk, 6)]
  for (let i = 0; i < chunk.rowCount; i++) {
    const [tradedAt, barredAt] = [orNull(tradeTs[i]) ?? -Infinity, orNull(barTs[i]) ?? -Infinity]
    const price = priceOrNull(tradedAt >= barredAt ? trade[i] : bar[i])
    const ts = orNull(quoteTs[i]) as Millis | null
    marketPrices[place[i] ?? 0] = {
      last: price === null ? null : { price, ts: Math.max(tradedAt, barredAt) as Millis },
      quote: ts === null ? null : { bid: priceOrNull(bid[i]), ask: priceOrNull(ask[i]), ts },
    }
  }
}

function boundsOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}
