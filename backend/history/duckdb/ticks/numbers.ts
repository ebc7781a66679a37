import {
  HOUR,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../../../domain/units.ts'
import type { MarketId } from '../../market-key.ts'
import type { MarketNumbers } from '../../market-rows.ts'
import { orNull, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Bounds, Session } from '../engine/connections.ts'
import type { Corrections } from './corrections.ts'
import {
  lastCarried,
  lastTrade,
  newestCarried,
  newestTrades,
  partialSince,
  type CarriedKind,
} from './newest.ts'
import { windowsBack, type Spans, type TickKind } from './spans.ts'

/** Up to this many markets are looked up one by one; more are read in one pass. */
const ONE_BY_ONE = 12
/** For all markets, only quotes and books that became known within this time are returned. */
const LOOKBACK = HOUR

type Numbers = { -readonly [K in Exclude<keyof MarketNumbers, 'market'>]: MarketNumbers[K] }

/** Numbers by market, created on first use. */
class NumbersCollector {
  readonly byMarket = new Map<MarketId, Numbers>()

  getOrCreate(market: MarketId): Numbers {
    let numbers = this.byMarket.get(market)
    if (numbers === undefined) {
      numbers = { last: null, quote: null, activity: null, depth: null }
      this.byMarket.set(market, numbers)
    }
    return numbers
  }

  clearTrade(market: MarketId): void {
    const numbers = this.byMarket.get(market)
    if (numbers !== undefined) numbers.last = null
  }

  dropEmpty(market: MarketId): void {
    const numbers = this.byMarket.get(market)
    if (numbers === undefined || Object.values(numbers).some((number) => number !== null)) return
    this.byMarket.delete(market)
  }
}

/**
 * Newest numbers at `asOf`, of all markets that have any, or of every listed market. Run it inside
 * one snapshot because it makes several queries.
 */
export async function numbersAt(
  session: Session,
  { spans, corrections }: { readonly spans: Spans; readonly corrections: Corrections },
  asOf: Millis,
  markets: readonly MarketId[] | null,
): Promise<MarketNumbers[]> {
  const collector = new NumbersCollector()
  for (const market of markets ?? []) collector.getOrCreate(market)
  if (markets !== null && markets.length <= ONE_BY_ONE) {
    for (const market of collector.byMarket.keys()) {
      const isCorrected = corrections.touches(market, asOf)
      await readLastTrade(session, spans, collector, { market, asOf, isCorrected })
      await readNewest(session, spans, collector, { market, asOf })
    }
  } else {
    await readMany(session, spans, collector, { asOf, markets })
    await readCorrected(session, spans, corrections, collector, { asOf, markets })
  }
  return [...collector.byMarket].map(([market, numbers]) => ({ market, ...numbers }))
}

async function readMany(
  session: Session,
  spans: Spans,
  collector: NumbersCollector,
  { asOf, markets }: { readonly asOf: Millis; readonly markets: readonly MarketId[] | null },
): Promise<void> {
  const scope = markets === null ? 'all' : 'listed'
  const boundsOf = async (kind: CarriedKind | 'trade'): Promise<Bounds> => {
    const [chunk] = await session.read(partialSince(kind), { asOf })
    const partial = (chunk && orNull(readDoubles(chunk, 0)[0])) ?? Infinity
    return markets === null ? { asOf, partial } : { asOf, partial, markets }
  }
  const oldest = markets === null ? asOf - LOOKBACK : -Infinity
  if (spans.earliest('trade') <= asOf) {
    await readTrades(session, newestTrades(scope), await boundsOf('trade'), collector)
  }
  for (const kind of CARRIED_KINDS) {
    if (spans.earliest(kind) > asOf) continue
    const since = kind === 'activity' ? -Infinity : oldest
    await readCarried(
      session,
      kind,
      newestCarried(kind, scope),
      await boundsOf(kind),
      collector,
      since,
    )
  }
}

const CARRIED_KINDS: readonly CarriedKind[] = ['quote', 'book', 'activity']

/** Day summaries hold trades as printed, so corrected markets are queried again. */
async function readCorrected(
  session: Session,
  spans: Spans,
  corrections: Corrections,
  collector: NumbersCollector,
  { asOf, markets }: { asOf: Millis; markets: readonly MarketId[] | null },
): Promise<void> {
  for (const market of corrections.markets()) {
    const isRequested = markets === null || collector.byMarket.has(market)
    if (!isRequested || !corrections.touches(market, asOf)) continue
    collector.clearTrade(market)
    await readLastTrade(session, spans, collector, { market, asOf, isCorrected: true })
    if (markets === null) collector.dropEmpty(market)
  }
}

interface OneMarket {
  readonly market: MarketId
  readonly asOf: Millis
}

function readLastTrade(
  session: Session,
  spans: Spans,
  collector: NumbersCollector,
  { isCorrected, ...marketQuery }: OneMarket & { readonly isCorrected: boolean },
): Promise<void> {
  const sql = lastTrade(isCorrected)
  return walkBack(spans, 'trade', marketQuery, (bounds) =>
    readTrades(session, sql, bounds, collector),
  )
}

async function readNewest(
  session: Session,
  spans: Spans,
  collector: NumbersCollector,
  marketQuery: OneMarket,
): Promise<void> {
  for (const kind of CARRIED_KINDS) {
    const sql = lastCarried(kind)
    await walkBack(spans, kind, marketQuery, (bounds) =>
      readCarried(session, kind, sql, bounds, collector, -Infinity),
    )
  }
}

/** Reads windows back from `asOf` until one has a row. */
async function walkBack(
  spans: Spans,
  kind: TickKind,
  { market, asOf }: OneMarket,
  read: (bounds: Bounds) => Promise<boolean>,
): Promise<void> {
  const span = spans.get(kind, market)
  if (span === null) return
  for (const window of windowsBack(span, asOf, HOUR)) {
    if (await read({ asOf, market, ...window })) return
  }
}

/** Reads (market, ts, price) rows; returns whether there was any. */
async function readTrades(
  session: Session,
  sql: string,
  bounds: Bounds,
  collector: NumbersCollector,
): Promise<boolean> {
  const chunks = await session.read(sql, bounds)
  for (const chunk of chunks) {
    const [market, price] = [readIntegers(chunk, 0), readIntegers(chunk, 2)]
    const ts = readDoubles(chunk, 1)
    for (let i = 0; i < chunk.rowCount; i++) {
      collector.getOrCreate(market[i] ?? -1).last = {
        price: price[i] as PriceE4,
        ts: ts[i] as Millis,
      }
    }
  }
  return chunks.some((chunk) => chunk.rowCount > 0)
}

/**
 * Reads (market, ts, lag, carried columns) rows known since `since`; returns whether there was
 * any.
 */
async function readCarried(
  session: Session,
  kind: CarriedKind,
  sql: string,
  bounds: Bounds,
  collector: NumbersCollector,
  since: number,
): Promise<boolean> {
  const chunks = await session.read(sql, bounds)
  for (const chunk of chunks) {
    const market = readIntegers(chunk, 0)
    const columns = Array.from({ length: chunk.columnCount - 1 }, (_, i) =>
      readDoubles(chunk, i + 1),
    )
    for (let i = 0; i < chunk.rowCount; i++) {
      const [ts = 0, lag = 0, ...carried] = columns.map((column) => column[i] ?? NaN)
      if (ts + lag >= since)
        take[kind](collector.getOrCreate(market[i] ?? -1), ts as Millis, lag, carried)
    }
  }
  return chunks.some((chunk) => chunk.rowCount > 0)
}

const take: Readonly<
  Record<CarriedKind, (numbers: Numbers, ts: Millis, lag: number, carried: number[]) => void>
> = {
  quote: (numbers, ts, lag, [bid, ask, bidSize, askSize]) => {
    numbers.quote = {
      bid: orNull(bid) as PriceE4 | null,
      ask: orNull(ask) as PriceE4 | null,
      bidSize: orNull(bidSize) as SizeE6 | null,
      askSize: orNull(askSize) as SizeE6 | null,
      ts,
      knownAt: (ts + lag) as Millis,
    }
  },
  book: (numbers, ts, _lag, [bid, ask]) => {
    numbers.depth = { bid: bid as SizeE6, ask: ask as SizeE6, ts }
  },
  activity: (numbers, ts, _lag, [volume, volume24h, openInterest, lastPrice]) => {
    numbers.activity = {
      volume: orNull(volume) as SizeE6 | MoneyE6 | null,
      volume24h: orNull(volume24h) as SizeE6 | MoneyE6 | null,
      openInterest: orNull(openInterest) as SizeE6 | MoneyE6 | null,
      lastPrice: orNull(lastPrice) as PriceE4 | null,
      ts,
    }
  },
}
