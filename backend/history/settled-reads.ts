import type { Millis } from '../domain/units.ts'
import type { HistoryColumns } from './context-store.ts'
import type { HistoryStore } from './history-store.ts'
import type { ReadHistory } from './history.ts'
import type { PricesQuery } from './settlements.ts'
import type { TrendQuery } from './trend-reads.ts'

/**
 * A history whose reads about the last moments wait until everything received by then is on disk,
 * so that an immediate read and a later repetition return the same.
 * @param settle resolves when everything received up to `asOf` can be read
 * @param settleChanges resolves when the change events of received rows can be read
 */
export function withSettledReads(
  history: ReadHistory,
  settle: (asOf: Millis) => Promise<void>,
  settleChanges: () => Promise<void>,
): ReadHistory {
  const waitUntilSettled =
    <Q extends { readonly asOf: Millis }, R>(read: (query: Q) => Promise<R>) =>
    async (query: Q): Promise<R> => {
      await settle(query.asOf)
      return read(query)
    }
  return {
    marketIds: (keys) => history.marketIds(keys),
    marketIdOf: (ticker) => history.marketIdOf(ticker),
    keyOf: (market) => history.keyOf(market),
    append: (batch) => history.append(batch),
    sortClosedHours: (now) => history.sortClosedHours(now),
    recordsAt: async (asOf, markets, statuses) => {
      await settle(asOf)
      return history.recordsAt(asOf, markets, statuses)
    },
    recordsBetween: async (since, asOf) => {
      await settle(asOf)
      return history.recordsBetween(since, asOf)
    },
    versionsOf: async (market, asOf) => {
      await settle(asOf)
      return history.versionsOf(market, asOf)
    },
    numbersAt: async (asOf, markets) => {
      await settle(asOf)
      return history.numbersAt(asOf, markets)
    },
    bookAt: async (market, asOf) => {
      await settle(asOf)
      return history.bookAt(market, asOf)
    },
    booksAt: async (markets, asOf) => {
      await settle(asOf)
      return history.booksAt(markets, asOf)
    },
    candles: waitUntilSettled((query: Parameters<HistoryStore['candles']>[0]) =>
      history.candles(query),
    ),
    trades: waitUntilSettled((query: Parameters<HistoryStore['trades']>[0]) =>
      history.trades(query),
    ),
    quotes: waitUntilSettled((query: Parameters<HistoryStore['quotes']>[0]) =>
      history.quotes(query),
    ),
    quoteBars: waitUntilSettled((query: Parameters<HistoryStore['quoteBars']>[0]) =>
      history.quoteBars(query),
    ),
    bookBars: waitUntilSettled((query: Parameters<HistoryStore['bookBars']>[0]) =>
      history.bookBars(query),
    ),
    microstructure: waitUntilSettled((query: Parameters<HistoryStore['microstructure']>[0]) =>
      history.microstructure(query),
    ),
    changes: async (query) => {
      await settle(query.asOf)
      await settleChanges()
      return history.changes(query)
    },
    coverage: waitUntilSettled((query: Parameters<HistoryStore['coverage']>[0]) =>
      history.coverage(query),
    ),
    gaps: waitUntilSettled((query: Parameters<HistoryStore['gaps']>[0]) => history.gaps(query)),
    slots: waitUntilSettled((query: Parameters<HistoryColumns['slots']>[0]) =>
      history.slots(query),
    ),
    printsOf: waitUntilSettled((query: Parameters<HistoryColumns['printsOf']>[0]) =>
      history.printsOf(query),
    ),
    quotesOf: waitUntilSettled((query: Parameters<HistoryColumns['quotesOf']>[0]) =>
      history.quotesOf(query),
    ),
    lateMarkets: waitUntilSettled((query: Parameters<HistoryColumns['lateMarkets']>[0]) =>
      history.lateMarkets(query),
    ),
    trendRows: waitUntilSettled((query: TrendQuery) => history.trendRows(query)),
    settlements: async (query) => {
      await settle(query.to)
      return history.settlements(query)
    },
    eventWindows: (query) => windowsAfter(settle(query.to), () => history.eventWindows(query)),
    openEventStream: async (query) => {
      await settle(query.to)
      return history.openEventStream(query)
    },
    frameFile: () => history.frameFile(),
    marketsWithRows: (query) => history.marketsWithRows(query),
    storedSpan: () => history.storedSpan(),
    versionsOfMany: async (markets, asOf) => {
      await settle(asOf)
      return history.versionsOfMany(markets, asOf)
    },
    pricesAt: waitUntilSettled((pricesQuery: PricesQuery) => history.pricesAt(pricesQuery)),
    arrivalLag: (span) => history.arrivalLag(span),
    openCoverage: (venue) => history.openCoverage(venue),
    knownTrades: (market, tradeIds, span) => history.knownTrades(market, tradeIds, span),
    newestTradeAt: (venue) => history.newestTradeAt(venue),
    appendContext: (rows) => history.appendContext(rows),
    servedAt: (asOf) => history.servedAt(asOf),
    indexAt: (...indexArgs) => history.indexAt(...indexArgs),
    indexBetween: (query) => history.indexBetween(query),
    indexBack: (query) => history.indexBack(query),
    firstIndexAt: (knownBy) => history.firstIndexAt(knownBy),
    snapshotAt: (region, asOf) => history.snapshotAt(region, asOf),
    snapshots: (query) => history.snapshots(query),
    regimesOf: (query) => history.regimesOf(query),
    newestRegimes: (asOf) => history.newestRegimes(asOf),
    judgements: (query) => history.judgements(query),
    thinSnapshots: (now) => history.thinSnapshots(now),
    size: () => history.size(),
    close: () => history.close(),
  }
}

async function* windowsAfter<Window>(
  settlePromise: Promise<void>,
  windows: () => AsyncIterable<Window>,
): AsyncGenerator<Window, void, undefined> {
  await settlePromise
  yield* windows()
}
