import { dirname, isAbsolute, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { HistorySize } from '../history-store.ts'
import type { WholeHistory } from '../history.ts'
import { StatementHost } from '../statements/statement-host.ts'
import { adopt, adoptFacts } from './imports/adopt.ts'
import { storeStatements } from './imports/store-statements.ts'
import { arrivalLag } from './ticks/arrival-lag.ts'
import { BatchAppender, addCorrections, type HistoryIndexes } from './ticks/append.ts'
import { bookBarsOf, booksOf } from './ticks/books.ts'
import { lateMarkets, printsOf, quotesOfMany } from './ticks/bulk-ticks.ts'
import { candlesOf, type GapsOf } from './ticks/candles.ts'
import { quoteBarsOf } from './ticks/quote-bars.ts'
import { changesOf } from './facts/changes.ts'
import { orNull, readDoubles } from './engine/columns.ts'
import { ReadPool, storeFailure, Writer, type Session } from './engine/connections.ts'
import { appendContext, thinSnapshots } from './context/context-append.ts'
import {
  firstIndexAt,
  indexAt,
  indexBack,
  indexBetween,
  judgementsOf,
  newestRegimes,
  regimesOf,
  servedAt,
  snapshotAt,
  snapshotsOf,
} from './context/context-reads.ts'
import type { CandlesOf } from './copies/copied-bars.ts'
import { copyTo } from './copies/copy-out.ts'
import { Corrections, readCorrections } from './ticks/corrections.ts'
import { coverageOf, gapsOf, openCoverageOf, readGapStatements } from './coverage/coverage.ts'
import { IN_MEMORY, openEngine, type Engine, type EngineOptions } from './engine/engine.ts'
import { FactsCache } from './facts/facts-cache.ts'
import {
  allRecordsAt,
  recordsAt,
  recordsBetween,
  versionsOf,
  versionsOfMany,
} from './facts/facts.ts'
import { GapIndex } from './coverage/gap-index.ts'
import { deleteSteps, stepsOf } from './imports/import-steps.ts'
import { microstructureOf } from './ticks/microstructure.ts'
import { migrate } from './migrations/migrations.ts'
import { numbersAt } from './ticks/numbers.ts'
import { writeViewRows } from './queries/query.ts'
import { MarketRegistry } from './facts/registry.ts'
import { EventStreamCache, type Invalidation } from './event-stream/cache.ts'
import { rowsOfBatch, rowsOfSpans } from './event-stream/invalidation.ts'
import { marketsWithRows } from './event-stream/queries.ts'
import { pricesAt, settlementsOf } from './facts/settlements.ts'
import { slotsOf } from './ticks/slots.ts'
import { sortClosedHours } from './ticks/sort-closed.ts'
import { loadSpans, TICK_KINDS, type Spans } from './ticks/spans.ts'
import { storedSpan } from './ticks/stored-span.ts'
import { knownTradesOf, quotesOf, tradesOf } from './ticks/ticks.ts'
import { trendRows } from './ticks/trend-rows.ts'

export interface HistoryOptions extends EngineOptions {
  readonly logger: Logger
}

/** A history with all its interfaces. */
export type OpenHistory = WholeHistory

/**
 * Opens or creates the history in a DuckDB file or in memory. A file can be opened once: throws
 * StoreFailed when it is open elsewhere, damaged, or written by a newer version.
 */
export async function openHistory(options: HistoryOptions): Promise<OpenHistory> {
  return historyOn(await openEngine(options), options)
}

/** The history of a newly opened engine; closing the history closes the engine. */
export async function historyOn(engine: Engine, options: HistoryOptions): Promise<OpenHistory> {
  try {
    await migrate(engine.writer)
    const writer = new Writer(engine.writer, options.logger)
    const pool = new ReadPool(engine.readers)
    const copier = new ReadPool([engine.copier])
    const bulk = new ReadPool([engine.bulk])
    const statements = new ReadPool(engine.statements)
    const runs = new ReadPool([engine.runs])
    const storedIndexes = await pool.with(async (session) => ({
      registry: await MarketRegistry.load(session, writer),
      known: await loadIndexes(session),
      nextFactsSeq: await nextFactsSeq(session),
    }))
    options.logger.debug({ markets: storedIndexes.registry.count }, 'history opened')
    const appender = new BatchAppender(writer, storedIndexes.known, storedIndexes.nextFactsSeq)
    const { spans } = storedIndexes.known
    const streams = new EventStreamCache({ pool: runs, spans }, scratchFolder(options))
    const scratch = scratchFolder(options)
    const host = scratch === null ? null : new StatementHost(join(scratch, 'statements'))
    const long = [copier, bulk, statements, runs]
    const interrupt = () => {
      void host?.close()
      for (const readPool of long) readPool.interrupt()
    }
    const close = async () => {
      await host?.close()
      await streams.close()
      await writer.close()
      await Promise.all([pool, ...long].map((readPool) => readPool.close()))
      engine.close()
    }
    const pools = { pool, copier, bulk, statements, runs }
    const controls = { interrupt, close }
    return storeOf({
      ...storedIndexes,
      ...pools,
      ...controls,
      host,
      writer,
      appender,
      streams,
      options,
    })
  } catch (error) {
    engine.close()
    throw storeFailure(error, 'be opened')
  }
}

async function loadIndexes(session: Session): Promise<HistoryIndexes> {
  const indexes = {
    spans: await loadSpans(session),
    corrections: new Corrections(),
    gaps: new GapIndex(),
  }
  addCorrections(indexes, await readCorrections(session))
  indexes.gaps.add(await readGapStatements(session))
  return indexes
}

interface Parts {
  readonly registry: MarketRegistry
  readonly known: HistoryIndexes
  readonly writer: Writer
  readonly pool: ReadPool
  readonly copier: ReadPool
  /** Reads of many markets queue here, so that short reads never wait for one. */
  readonly bulk: ReadPool
  /** Rows that users' SQL statements read. */
  readonly statements: ReadPool
  /** Null for a history without a folder. */
  readonly host: StatementHost | null
  /** Reads of runs over the past. */
  readonly runs: ReadPool
  readonly appender: BatchAppender
  readonly streams: EventStreamCache
  readonly options: HistoryOptions
  readonly interrupt: () => void
  readonly close: () => Promise<void>
}

function storeOf(parts: Parts): OpenHistory {
  const { registry, known, writer, pool, copier, bulk, statements, runs } = parts
  const { appender, streams, options, host, interrupt, close } = parts
  const { spans, corrections, gaps } = known
  const factsCache = new FactsCache()
  let closing: Promise<void> | null = null
  const candlesIn: CandlesOf = (session, query) => {
    const gapsIn: GapsOf = (feed, window) =>
      gaps.gapsOf({ market: query.market, ...registry.keyOf(query.market) }, feed, window)
    return candlesOf(session, { spans, corrections, gapsOf: gapsIn }, query)
  }
  const copyDeps = { registry, spans, corrections, candlesOf: candlesIn }
  return {
    marketIds: (keys) => registry.idsOf(keys),
    marketIdOf: (ticker) => registry.idOf(ticker),
    keyOf: (market) => registry.keyOf(market),
    append: (batch) =>
      storeRows(streams, (invalidation) => {
        invalidation.add(rowsOfBatch(batch))
        return appender.append(batch)
      }),
    sortClosedHours: (now) => sortClosedHours(writer, now),
    recordsAt: (asOf, markets, statuses) =>
      pool.with((session) =>
        markets === null && statuses !== undefined
          ? allRecordsAt(session, registry, factsCache, { asOf, statuses })
          : recordsAt(session, registry, { asOf, markets, statuses: statuses ?? null }),
      ),
    recordsBetween: (since, asOf) =>
      pool.with((session) => recordsBetween(session, registry, since, asOf)),
    versionsOf: (market, asOf) =>
      pool.with((session) => versionsOf(session, registry, market, asOf)),
    numbersAt: (asOf, markets) =>
      pool.snapshot((session) => numbersAt(session, known, asOf, markets)),
    bookAt: async (market, asOf) =>
      (await pool.with((session) => booksOf(session, spans, [market], asOf))).get(market) ?? null,
    booksAt: (markets, asOf) => pool.with((session) => booksOf(session, spans, markets, asOf)),
    candles: (query) => pool.with((session) => candlesIn(session, query)),
    trades: (query) => pool.with((session) => tradesOf(session, corrections, query)),
    quotes: (query) => pool.with((session) => quotesOf(session, query)),
    quoteBars: (query) => pool.with((session) => quoteBarsOf(session, spans, query)),
    bookBars: (query) => pool.with((session) => bookBarsOf(session, spans, query)),
    microstructure: (query) =>
      pool.with((session) => microstructureOf(session, corrections, query)),
    changes: (query) => pool.with((session) => changesOf(session, query)),
    coverage: (query) =>
      pool.with((session) => coverageOf(session, registry.keyOf(query.market).venue, query)),
    gaps: (query) => pool.with((session) => gapsOf(session, query)),
    arrivalLag: (span) => bulk.with((session) => arrivalLag(session, span)),
    openCoverage: (venue) => pool.with((session) => openCoverageOf(session, venue)),
    knownTrades: (market, ids, span) =>
      pool.with((session) => knownTradesOf(session, known, market, ids, span ?? null)),
    newestTradeAt: (venue) => {
      let newest: number | null = null
      for (const [market, span] of spans.all('trade')) {
        if (registry.keyOf(market).venue === venue) newest = Math.max(newest ?? 0, span.last)
      }
      return Promise.resolve(newest as Millis | null)
    },
    size: () => pool.with((session) => sizeOf(session, registry, spans)),
    adopt: (kind, path, adopting = {}) =>
      storeRows(streams, (invalidation) => {
        const onContent: Parameters<typeof adopt>[0]['onContent'] = (...args) =>
          invalidation.add(rowsOfSpans(...args))
        const targets = { writer, spans, registry, onContent }
        return adopt(targets, kind, fileIn(options, path), adopting)
      }),
    adoptFacts: (rows, step) => adoptFacts(pool, appender, rows, step),
    storeStatements: (rows, step) => storeStatements(pool, appender, rows, step),
    importSteps: (importId) => pool.with((session) => stepsOf(session, importId)),
    deleteImportSteps: (importId) => deleteSteps(writer, importId),
    copyTo: (kind, query, path, options) =>
      copier.with((session) =>
        copyTo(session, copyDeps, kind, query, fileIn(parts.options, path), options),
      ),
    slots: (query) => bulk.with((session) => slotsOf(session, corrections, query)),
    printsOf: (query) => bulk.with((session) => printsOf(session, corrections, query)),
    quotesOf: (query) => bulk.with((session) => quotesOfMany(session, query)),
    lateMarkets: (query) => bulk.with((session) => lateMarkets(session, corrections, query)),
    eventWindows: (query) => streams.windows(query),
    openEventStream: (query) => streams.open(query),
    frameFile: () => streams.file(),
    marketsWithRows: (query) => marketsWithRows(spans, query),
    storedSpan: () => runs.with(storedSpan),
    versionsOfMany: (markets, asOf) =>
      runs.with((session) => versionsOfMany(session, registry, markets, asOf)),
    trendRows: (query) =>
      bulk.with((session) => trendRows(session, { corrections, registry }, query)),
    settlements: (query) => bulk.with((session) => settlementsOf(session, query)),
    pricesAt: (pricesQuery) => bulk.with((session) => pricesAt(session, corrections, pricesQuery)),
    appendContext: (rows) => appendContext(writer, rows),
    servedAt: (asOf) => pool.with((session) => servedAt(session, asOf)),
    indexAt: (...indexArgs) => pool.with((session) => indexAt(session, ...indexArgs)),
    indexBetween: (query) => pool.with((session) => indexBetween(session, query)),
    indexBack: (query) => pool.with((session) => indexBack(session, query)),
    firstIndexAt: (knownBy) => pool.with((session) => firstIndexAt(session, knownBy)),
    snapshotAt: (region, asOf) => pool.with((session) => snapshotAt(session, region, asOf)),
    snapshots: (query) => pool.with((session) => snapshotsOf(session, query)),
    regimesOf: (query) => pool.with((session) => regimesOf(session, query)),
    newestRegimes: (asOf) => pool.with((session) => newestRegimes(session, asOf)),
    judgements: (query) => pool.with((session) => judgementsOf(session, query)),
    thinSnapshots: (now) => thinSnapshots(writer, now),
    async query(sql, bounds) {
      if (host === null) throw new StoreFailed('A history without a folder runs no statements')
      return host.run(sql, bounds, (scans, folder) =>
        statements.with((session) => writeViewRows(session, scans, folder)),
      )
    },
    interrupt,
    close: () => (closing ??= close()),
  }
}

/** Stores rows; cached event streams that they belong to are evicted first. */
async function storeRows<Result>(
  streams: EventStreamCache,
  store: (invalidation: Invalidation) => Promise<Result>,
): Promise<Result> {
  const invalidation = streams.invalidation()
  let hasFailed = true
  try {
    const result = await store(invalidation)
    hasFailed = false
    return result
  } finally {
    invalidation.end(hasFailed)
  }
}

/** The folder the engine also spills to; null when nothing may be spilled. */
function scratchFolder({ path, dataDir }: HistoryOptions): string | null {
  const folder = dataDir ?? (path === IN_MEMORY ? null : dirname(path))
  return folder === null ? null : join(folder, 'tmp')
}

function fileIn({ path, dataDir }: HistoryOptions, file: string): string {
  if (isAbsolute(file)) return file
  if (dataDir !== undefined) return join(dataDir, file)
  if (path === IN_MEMORY) throw new StoreFailed('A history without a folder has no files')
  return join(dirname(path), file)
}

async function sizeOf(
  session: Session,
  registry: MarketRegistry,
  spans: Spans,
): Promise<HistorySize> {
  const [counts] = await session.read(
    `select ${TICK_KINDS.map(
      (kind) => `((select count(*) from ${kind}) + (select count(*) from ${kind}_recent))::double`,
    ).join(', ')}`,
  )
  const countOf = (kind: (typeof TICK_KINDS)[number]): number =>
    (counts && readDoubles(counts, TICK_KINDS.indexOf(kind))[0]) ?? 0
  let [first, last] = [Infinity, -Infinity]
  for (const kind of TICK_KINDS) {
    for (const span of spans.all(kind).values()) {
      first = Math.min(first, span.first)
      last = Math.max(last, span.last)
    }
  }
  return {
    markets: registry.count,
    trades: countOf('trade'),
    quotes: countOf('quote'),
    books: countOf('book'),
    candles: countOf('candle'),
    firstTs: Number.isFinite(first) ? (first as Millis) : null,
    lastTs: Number.isFinite(last) ? (last as Millis) : null,
  }
}

async function nextFactsSeq(session: Session): Promise<number> {
  const [newest] = await session.read(
    `select coalesce(max(seq)::double, 'nan') from market_version`,
  )
  return (orNull(newest && readDoubles(newest, 0)[0]) ?? -1) + 1
}
