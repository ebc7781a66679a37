import { VENUES, type Venue } from '../../../domain/market.ts'
import { DAY, type Millis } from '../../../domain/units.ts'
import type { CopyQuery } from '../../history-copies.ts'
import type { MarketId } from '../../market-key.ts'
import { readDoubles } from '../engine/columns.ts'
import type { Session } from '../engine/connections.ts'
import type { Corrections } from '../ticks/corrections.ts'
import type { MarketRegistry } from '../facts/registry.ts'
import { TICK_KINDS, type Spans, type TickKind } from '../ticks/spans.ts'

/** Versions of facts are wide because they include rules texts. */
const SLICE_MARKETS = 2_000

/** Adjacent rows of the file. */
export interface Slice {
  readonly markets: readonly MarketId[]
  readonly from: Millis
  readonly to: Millis
}

export interface CopySources {
  readonly registry: MarketRegistry
  readonly spans: Spans
  readonly corrections: Corrections
}

/** The requested markets among `candidates` in the order of the file. */
function sortedMarkets(
  { registry }: CopySources,
  { markets, venue = null }: CopyQuery,
  candidates: Iterable<MarketId>,
): MarketId[] {
  const marketSet = markets === null ? null : new Set(markets)
  const namedMarkets: { market: MarketId; name: string }[] = []
  for (const market of new Set(candidates)) {
    if (marketSet !== null && !marketSet.has(market)) continue
    const { venue: marketVenue, ticker } = registry.keyOf(market)
    if (venue === null || venue === marketVenue)
      namedMarkets.push({ market, name: `${marketVenue} ${ticker}` })
  }
  return namedMarkets
    .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
    .map(({ market }) => market)
}

const everyMarket = ({ registry }: CopySources): MarketId[] =>
  Array.from({ length: registry.count }, (_, market) => market)

/** Markets in the order of the file, a few thousand at a time. */
export function marketSlices(sources: CopySources, query: CopyQuery): Slice[] {
  const { from, to } = query
  const markets = sortedMarkets(sources, query, everyMarket(sources))
  const slices: Slice[] = []
  for (let start = 0; start < markets.length; start += SLICE_MARKETS) {
    slices.push({ markets: markets.slice(start, start + SLICE_MARKETS), from, to })
  }
  return slices
}

/** Venues requested as a whole, or of one of these markets. */
export const venuesOf = (
  { registry }: CopySources,
  { markets: requestedMarkets, venue = null }: CopyQuery,
  markets: readonly MarketId[],
): Venue[] => {
  const marketVenues = new Set(markets.map((market) => registry.keyOf(market).venue))
  return VENUES.filter((candidateVenue) =>
    requestedMarkets === null
      ? venue === null || venue === candidateVenue
      : marketVenues.has(candidateVenue),
  )
}

/** Markets that may have statements, in the order of the file: all, or those with corrections. */
export const marketsOfStatements = (
  sources: CopySources,
  query: CopyQuery,
  kind: 'coverage' | 'corrections',
): MarketId[] =>
  sortedMarkets(
    sources,
    query,
    kind === 'corrections' ? sources.corrections.markets() : everyMarket(sources),
  )

/** Markets that may have bars, in the order of the file. */
export const marketsOfBars = (sources: CopySources, query: CopyQuery): MarketId[] =>
  sortedMarkets(
    sources,
    query,
    TICK_KINDS.flatMap((kind) => [...sources.spans.all(kind).keys()]),
  )

/**
 * The rows of a kind in pieces of about `max` rows, in the order of the file: whole markets where
 * they are small, days of one market where it is large.
 */
export async function tickSlices(
  session: Session,
  sources: CopySources,
  kind: TickKind,
  query: CopyQuery,
  max: number,
): Promise<Slice[]> {
  const { from, to, asOf } = query
  const spans = sources.spans.all(kind)
  const slices: Slice[] = []
  let [open, rows]: [MarketId[], number] = [[], 0]
  const close = (): void => {
    if (open.length > 0) slices.push({ markets: open, from, to })
    ;[open, rows] = [[], 0]
  }
  for (const market of sortedMarkets(sources, query, spans.keys())) {
    const span = spans.get(market)
    if (span === undefined) continue
    // A corrected trade may have another time than the one it was stored under.
    const mayMove = kind === 'trade' && sources.corrections.touches(market, asOf)
    if (!mayMove && (span.first >= to || span.last < from)) continue
    if (rows + span.rows > max) close()
    if (span.rows > max) slices.push(...(await daysOf(session, kind, market, query, max)))
    else {
      open.push(market)
      rows += span.rows
    }
  }
  close()
  return slices
}

const rowsPerDay = (kind: TickKind): string => `
  select (ts // ${DAY})::double as day, count(*)::double from ${kind}_all
   where market = $market::integer and ts >= $from and ts < $to group by day order by day`

async function daysOf(
  session: Session,
  kind: TickKind,
  market: MarketId,
  { from, to }: CopyQuery,
  max: number,
): Promise<Slice[]> {
  const bounds: Millis[] = [from]
  let rows = 0
  for (const chunk of await session.read(rowsPerDay(kind), { market, from, to })) {
    const [days, counts] = [readDoubles(chunk, 0), readDoubles(chunk, 1)]
    for (let i = 0; i < chunk.rowCount; i++) {
      const [start, count] = [((days[i] ?? 0) * DAY) as Millis, counts[i] ?? 0]
      if (rows > 0 && rows + count > max && start > from) {
        bounds.push(start)
        rows = 0
      }
      rows += count
    }
  }
  return bounds.map((start, index) => ({
    markets: [market],
    from: start,
    to: bounds[index + 1] ?? to,
  }))
}
