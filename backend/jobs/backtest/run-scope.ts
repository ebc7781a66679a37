import type { FactsVersion } from '../../domain/backtest/event-columns.ts'
import type { CrossedGap } from '../../domain/backtest/report/report.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import { themeOf, topicsOf } from '../../domain/topics/topics.ts'
import type { Millis } from '../../domain/units.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketRecord } from '../../history/market-rows.ts'
import type { EventReads } from '../../history/event-streams.ts'
import { InvalidInput } from '../../lib/errors.ts'

export type RunHistory = EventReads & Pick<HistoryStore, 'marketIdOf' | 'keyOf' | 'gaps'>
/** Markets and time range of a run. */
export interface RunScope {
  readonly from: Millis
  readonly to: Millis
  /** Null for all. */
  readonly tickers: readonly string[] | null
  /** A topic, category or venue name; null for all. */
  readonly topic: string | null
}

const MAX_GAPS = 200

/** Markets of a run and their facts. */
export interface Scope {
  /** Ascending by venue, then ticker; the index is the market's number in the run. */
  readonly markets: readonly MarketId[]
  readonly versions: readonly FactsVersion[]
  readonly gaps: readonly CrossedGap[]
  readonly gapsLeftOut: number
  readonly words: string
  readonly keys: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
}

/** Finds the markets of a run: the named ones, or those of its topic with events in its range. */
export async function scopeOf(
  history: RunHistory,
  request: RunScope,
  withRows: readonly MarketId[],
): Promise<Scope> {
  const { to, tickers, topic } = request
  const requestedMarkets =
    tickers === null ? null : tickers.map((ticker) => numberOf(history, ticker))
  const candidates = requestedMarkets ?? withRows
  const records = await history.versionsOfMany(candidates, to)
  const first = new Map<MarketId, MarketRecord>()
  for (const record of records) if (!first.has(record.market)) first.set(record.market, record)
  const selectedMarkets = candidates.filter((market) => {
    const listedRecord = first.get(market)
    return listedRecord !== undefined && (topic === null || isAbout(listedRecord, topic))
  })
  if (selectedMarkets.length === 0) {
    throw new InvalidInput(
      topic === null && requestedMarkets === null
        ? 'from: no market has events between from and to'
        : 'markets: none of them has facts or events between from and to',
    )
  }
  const keyedMarkets = selectedMarkets
    .map((market) => ({ market, ...history.keyOf(market) }))
    .sort((a, b) => compare(a.venue, b.venue) || compare(a.ticker, b.ticker))
  const indexByMarket = new Map(keyedMarkets.map(({ market }, index) => [market, index]))
  const versions = records.flatMap(({ market, facts, knownAt }) => {
    const index = indexByMarket.get(market)
    return index === undefined ? [] : [{ market: index, facts, knownAt }]
  })
  const gaps = await gapsOf(history, request, new Set(selectedMarkets))
  return {
    markets: keyedMarkets.map(({ market }) => market),
    keys: keyedMarkets.map(({ venue, ticker }) => ({ venue, ticker })),
    versions: versions.sort((a, b) => a.knownAt - b.knownAt || a.market - b.market),
    ...gaps,
    words: `${selectedMarkets.length} markets${topic === null ? '' : ` of ${topic}`}${requestedMarkets === null ? '' : ', named'}`,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function numberOf(history: RunHistory, ticker: string): MarketId {
  const marketId = history.marketIdOf(ticker)
  if (marketId === null) throw new InvalidInput(`markets: ${ticker} is not in the history`)
  return marketId.market
}

/** Matches the first listed texts, so that a later rename adds no market. */
const isAbout = ({ facts }: MarketRecord, topic: string): boolean =>
  facts.category === topic ||
  facts.venue === topic ||
  themeOf(facts) === topic ||
  topicsOf(facts).some((candidate) => candidate === topic)

async function gapsOf(history: RunHistory, { from, to }: RunScope, markets: ReadonlySet<MarketId>) {
  const rows = await history.gaps({ venue: null, from, to, asOf: to, limit: 10_000 })
  const matchingRows = rows.filter(({ market }) => market === null || markets.has(market))
  return {
    gaps: matchingRows.slice(0, MAX_GAPS).map((row) => ({
      ticker: row.market === null ? null : history.keyOf(row.market).ticker,
      venue: row.venue,
      feed: row.feed,
      from: row.from,
      to: row.to,
      state: row.state,
    })),
    gapsLeftOut: Math.max(0, matchingRows.length - MAX_GAPS),
  }
}
