import { firstSeenOf, lastOf, noNumbers } from '../../computed/board/market-view.ts'
import {
  deltaEndOf,
  snapshotRow,
  storedSnapshotOf,
  type StoredSnapshot,
} from '../../computed/world/stored-snapshot.ts'
import { UNKNOWN_READING } from '../../computed/world/scopes.ts'
import { topicsOf } from '../../domain/topics/topics.ts'
import { statusAt } from '../../domain/market-status.ts'
import { QUOTE_LIFE } from '../../domain/prices/price.ts'
import { centsOf, type Cents, type Millis } from '../../domain/units.ts'
import { deltaMarkdown } from '../../domain/world/markdown/delta-markdown.ts'
import {
  deltaOf,
  tickersOfDelta,
  type DeltaEnd,
  type NewMarket,
  type PriceSpan,
  type Resolution,
} from '../../domain/world/delta/delta.ts'
import { isInRegion, type Region } from '../../domain/world/regions/region.ts'
import type { ChangeType } from '../../domain/changes/change-type.ts'
import type { SnapshotRow } from '../../history/context-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import type { WorldDeps } from './world.deps.ts'

/** Most settlements and new markets in one delta, the newest ones. */
const MAX_EVENTS = 1_000
const NO_REGION: Region = {
  path: [],
  steps: [],
  label: 'World',
  trail: ['World'],
  keywords: [],
}

/** The newest traded price of a market at an instant, and whether a quote was known then. */
interface TradedPrice {
  readonly price: Cents | null
  readonly isQuoted: boolean
}

/** Deltas between stored snapshots. */
export function createDeltas(deps: Pick<WorldDeps, 'context' | 'history' | 'reference' | 'urls'>) {
  const { context, history, reference, urls } = deps

  /** Markets of the region with an event of this type in the span, with their facts at its end. */
  const marketsOf = async (
    type: ChangeType,
    from: Millis,
    to: Millis,
    region: Region,
  ): Promise<{ readonly record: MarketRecord; readonly at: Millis }[]> => {
    const rows = await history.changes({
      since: from,
      asOf: to,
      types: [type],
      markets: null,
      after: null,
      limit: MAX_EVENTS,
    })
    if (rows.length === 0) return []
    const at = new Map(rows.map((row) => [row.market, row.at]))
    const records = await history.recordsAt(to, [...at.keys()])
    return records.flatMap((record) => {
      const { facts, market } = record
      const occurredAt = at.get(market)
      const inside = isInRegion({ ...facts, topics: topicsOf(facts) }, region)
      return occurredAt === undefined || !inside ? [] : [{ record, at: occurredAt }]
    })
  }

  const resolutions = async (from: Millis, to: Millis, region: Region): Promise<Resolution[]> => {
    const resolvedMarkets = await marketsOf('resolved', from, to, region)
    const prices = await pricesAt(
      resolvedMarkets.map(({ record }) => record.market),
      from,
    )
    return resolvedMarkets.flatMap(({ record: { market, facts }, at }) => {
      const { ticker, venue, title, result } = facts
      // A void market refunds its cost and has no result.
      if (result === null || result === 'void') return []
      return [{ ticker, venue, title, result, at, priceBefore: prices.get(market) ?? null }]
    })
  }

  const newMarkets = async (from: Millis, to: Millis, region: Region): Promise<NewMarket[]> => {
    const firstSeenMarkets = (await marketsOf('new_market', from, to, region)).filter(
      ({ record }) => firstSeenOf(record) > from,
    )
    const prices = await pricesAt(
      firstSeenMarkets.map(({ record }) => record.market),
      to,
    )
    return firstSeenMarkets.map(({ record: { market, facts, firstSeenAt } }) => ({
      ticker: facts.ticker,
      title: facts.title,
      firstSeenAt,
      price: prices.get(market) ?? null,
    }))
  }

  const pricesAt = async (
    markets: readonly MarketId[],
    at: Millis,
  ): Promise<ReadonlyMap<MarketId, number | null>> => {
    if (markets.length === 0) return new Map()
    const prices = await reference.headlinesOf(markets, at)
    return new Map([...prices].map(([market, price]) => [market, roundOrNull(price, 4)]))
  }

  /** Traded prices at an instant of the markets that traded then. */
  const tradesAt = async (
    markets: readonly MarketId[],
    at: Millis,
  ): Promise<ReadonlyMap<MarketId, TradedPrice>> => {
    const [records, numbers] = await Promise.all([
      history.recordsAt(at, markets),
      history.numbersAt(at, markets),
    ])
    const numbersOf = new Map(numbers.map((row) => [row.market, row]))
    const active = records.filter(({ facts }) => statusAt(facts, at) === 'active')
    return new Map(
      active.map(({ market }): [MarketId, TradedPrice] => {
        const row = numbersOf.get(market) ?? noNumbers(market)
        const last = lastOf(row)
        const isQuoted = row.quote !== null && at - row.quote.knownAt <= QUOTE_LIFE
        return [market, { price: last === null ? null : centsOf(last.price), isQuoted }]
      }),
    )
  }

  const spans = async (from: DeltaEnd, to: DeltaEnd): Promise<PriceSpan[]> => {
    const ids = new Map<string, MarketId>()
    for (const ticker of tickersOfDelta(from, to)) {
      const marketId = history.marketIdOf(ticker)
      if (marketId !== null) ids.set(ticker, marketId.market)
    }
    const markets = [...ids.values()]
    if (markets.length === 0) return []
    const [before, after, start, end, records] = await Promise.all([
      pricesAt(markets, from.at),
      pricesAt(markets, to.at),
      tradesAt(markets, from.at),
      tradesAt(markets, to.at),
      history.recordsAt(to.at, markets),
    ])
    return records.map(({ market, facts: { ticker, title } }) => {
      const [first, last] = [start.get(market), end.get(market)]
      const isQuotedOnce =
        first !== undefined && last !== undefined && first.isQuoted !== last.isQuoted
      const span = isQuotedOnce
        ? { from: roundOrNull(first.price, 4), to: roundOrNull(last.price, 4) }
        : { from: before.get(market) ?? null, to: after.get(market) ?? null }
      return { ticker, title, ...span, isQuotedOnce }
    })
  }

  return {
    /** The newest stored snapshot of a scope at or before an instant, or null. */
    async storedSnapshot(scope: string, at: Millis): Promise<StoredSnapshot | null> {
      const row = await history.snapshotAt(scope, at)
      return row === null ? null : storedSnapshotOf(row, urls.baseUrl)
    },
    /** The world at an instant from what was known then; null when no market was. */
    async computedSnapshot(at: Millis): Promise<StoredSnapshot | null> {
      const { world, snapshot } = await context.world(at)
      if (world.markets.length === 0) return null
      const reading = snapshot.indices.get('') ?? UNKNOWN_READING
      return storedSnapshotOf(snapshotRow('', world, NO_REGION, reading), urls.baseUrl)
    },
    /** The stored snapshots of the world with from < at <= to, ascending; only the newest ones. */
    async storedBetween(from: Millis, to: Millis, newest: number): Promise<StoredSnapshot[]> {
      const rows = await history.snapshots({ region: '', from, to, newest })
      return rows.map((row: SnapshotRow) => storedSnapshotOf(row, urls.baseUrl))
    },
    /** The changes of a region from one snapshot to a later one, with their text. */
    async deltaBetween(from: StoredSnapshot, to: StoredSnapshot, region: Region = NO_REGION) {
      const [start, end] = [deltaEndOf(from), deltaEndOf(to)]
      const [prices, resolved, added] = await Promise.all([
        spans(start, end),
        resolutions(from.at, to.at, region),
        newMarkets(from.at, to.at, region),
      ])
      const delta = deltaOf({
        from: start,
        to: end,
        prices,
        resolved,
        newMarkets: added,
        addresses: urls,
      })
      return { ...delta, markdown: deltaMarkdown(delta) }
    },
  }
}
export type Deltas = ReturnType<typeof createDeltas>
