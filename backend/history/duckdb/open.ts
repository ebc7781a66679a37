import { dirname, isAbsolute, join } from 'node:path'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { HistorySize } from '../history-store.ts'
import type { WholeHistory } from '../history.ts'
import { adopt, adoptFacts } from './adopt.ts'
import { adoptStated } from './adopt-stated.ts'
import { arrivalLag } from './arrival-lag.ts'
import { BatchAppender, takeCorrections, type Known } from './append.ts'
import { booksOf } from './books.ts'
import { lateMarkets, printsOf, quotesOfMany } from './bulk-ticks.ts'
import { candlesOf, type GapsOf } from './candles.ts'
import { changesOf } from './changes.ts'
import { orNull, readDoubles } from './columns.ts'
import { ReadPool, storeFailure, Writer, type Session } from './connections.ts'
import { appendContext, thinSnapshots } from './context-append.ts'
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
} from './context-reads.ts'
import type { CandlesOf } from './copied-bars.ts'
import { copyTo } from './copy-out.ts'
import { Corrections, readCorrections } from './corrections.ts'
import { coverageOf, gapsOf, openCoverageOf, readGapStatements } from './coverage.ts'
import { IN_MEMORY, openEngine, type Engine, type EngineOptions } from './engine.ts'
import { FactsCache } from './facts-cache.ts'
import { allRecordsAt, recordsAt, recordsBetween, versionsOf, versionsOfMany } from './facts.ts'
import { GapIndex } from './gap-index.ts'
import { microstructureOf } from './microstructure.ts'
import { migrate } from './migrations/migrations.ts'
import { numbersAt } from './numbers.ts'
import { cachedBytes, queryViews } from './query.ts'
import { MarketRegistry } from './registry.ts'
import { marketsWithRows } from './run-plan.ts'
import { rowsOfBatch, rowsOfSpans } from './run-arrivals.ts'
import { RunReadings, type RowsArriving } from './run-readings.ts'
import { pricesStandingAt, settlementsOf } from './settlements.ts'
import { slotsOf } from './slots.ts'
import { sortClosedHours } from './sort-closed.ts'
import { loadSpans, TICK_KINDS, type Spans } from './spans.ts'
import { knownTradesOf, quotesOf, tradesOf } from './ticks.ts'
import { trendRows } from './trend-rows.ts'

export interface HistoryOptions extends EngineOptions {
  readonly logger: Logger
}

/** A history with all its sides. */
export type OpenHistory = WholeHistory

/**
 * Opens (or makes) the history in a DuckDB file or in memory. One opener a file: throws StoreFailed
 * when it is open elsewhere, damaged, or written by a newer version.
 */
export async function openHistory(options: HistoryOptions): Promise<OpenHistory> {
  return historyOn(await openEngine(options), options)
}

/** The history of an engine just opened, which it closes with itself. */
export async function historyOn(engine: Engine, options: HistoryOptions): Promise<OpenHistory> {
  try {
    await migrate(engine.writer)
    const writer = new Writer(engine.writer, options.logger)
    const pool = new ReadPool(engine.readers)
    const copier = new ReadPool([engine.copier])
    const bulk = new ReadPool([engine.bulk])
    const asked = new ReadPool([engine.asked])
    const runs = new ReadPool([engine.runs])
    const loaded = await pool.with(async (session) => ({
      registry: await MarketRegistry.load(session, writer),
      known: await loadKnown(session),
      nextFactsSeq: await nextFactsSeq(session),
    }))
    options.logger.debug({ markets: loaded.registry.count }, 'history opened')
    const appender = new BatchAppender(writer, loaded.known, loaded.nextFactsSeq)
    const { spans } = loaded.known
    const readings = new RunReadings({ pool: runs, spans }, scratchFolder(options))
    const close = async () => {
      await readings.close()
      await writer.close()
      await Promise.all([pool, copier, bulk, asked, runs].map((one) => one.close()))
      engine.close()
    }
    const pools = { pool, copier, bulk, asked, runs }
    return storeOf({ ...loaded, ...pools, writer, appender, readings, close, options })
  } catch (error) {
    engine.close()
    throw storeFailure(error, 'be opened')
  }
}

async function loadKnown(session: Session): Promise<Known> {
  const known = {
    spans: await loadSpans(session),
    corrections: new Corrections(),
    gaps: new GapIndex(),
  }
  takeCorrections(known, await readCorrections(session))
  known.gaps.add(await readGapStatements(session))
  return known
}

interface Parts {
  readonly registry: MarketRegistry
  readonly known: Known
  readonly writer: Writer
  readonly pool: ReadPool
  readonly copier: ReadPool
  /** Reads of many markets take their turns here, so that short reads never wait for one. */
  readonly bulk: ReadPool
  /** Statements of users. */
  readonly asked: ReadPool
  /** Runs over the past take theirs here, a window a turn. */
  readonly runs: ReadPool
  readonly appender: BatchAppender
  readonly readings: RunReadings
  readonly options: HistoryOptions
  readonly close: () => Promise<void>
}

function storeOf(parts: Parts): OpenHistory {
  const { registry, known, writer, pool, copier, bulk, asked, runs } = parts
  const { appender, readings, options, close } = parts
  const { spans, corrections, gaps } = known
  const factsCache = new FactsCache()
  let closing: Promise<void> | null = null
  const candlesIn: CandlesOf = (session, query) => {
    const gapsIn: GapsOf = (feed, window) =>
      gaps.gapsOf({ market: query.market, ...registry.keyOf(query.market) }, feed, window)
    return candlesOf(session, { spans, corrections, gapsOf: gapsIn }, query)
  }
  const copied = { registry, spans, corrections, candlesOf: candlesIn }
  return {
    marketIds: (keys) => registry.idsOf(keys),
    marketIdOf: (ticker) => registry.idOf(ticker),
    keyOf: (market) => registry.keyOf(market),
    append: (batch) =>
      storing(readings, (arriving) => {
        arriving.are(rowsOfBatch(batch))
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
    adopt: (kind, path, source) =>
      storing(readings, (arriving) => {
        const holds: Parameters<typeof adopt>[0]['holds'] = (...told) =>
          arriving.are(rowsOfSpans(...told))
        const into = { writer, spans, registry, holds }
        return adopt(into, kind, fileIn(options, path), source ?? null)
      }),
    adoptFacts: (rows) => adoptFacts(pool, appender, rows),
    adoptStated: (rows) => adoptStated(pool, appender, rows),
    copyTo: (kind, query, path, options) =>
      copier.with((session) =>
        copyTo(session, copied, kind, query, fileIn(parts.options, path), options),
      ),
    slots: (query) => bulk.with((session) => slotsOf(session, corrections, query)),
    printsOf: (query) => bulk.with((session) => printsOf(session, corrections, query)),
    quotesOf: (query) => bulk.with((session) => quotesOfMany(session, query)),
    lateMarkets: (query) => bulk.with((session) => lateMarkets(session, corrections, query)),
    eventWindows: (query) => readings.windows(query),
    openReading: (query) => readings.open(query),
    runFile: () => readings.file(),
    marketsWithRows: (query) => marketsWithRows(spans, query),
    versionsOfMany: (markets, asOf) =>
      runs.with((session) => versionsOfMany(session, registry, markets, asOf)),
    trendRows: (query) =>
      bulk.with((session) => trendRows(session, { corrections, registry }, query)),
    settlements: (query) => bulk.with((session) => settlementsOf(session, query)),
    pricesStanding: (asked) =>
      bulk.with((session) => pricesStandingAt(session, corrections, asked)),
    appendContext: (rows) => appendContext(writer, rows),
    servedAt: (asOf) => pool.with((session) => servedAt(session, asOf)),
    indexAt: (...asked) => pool.with((session) => indexAt(session, ...asked)),
    indexBetween: (query) => pool.with((session) => indexBetween(session, query)),
    indexBack: (query) => pool.with((session) => indexBack(session, query)),
    firstIndexAt: (knownBy) => pool.with((session) => firstIndexAt(session, knownBy)),
    snapshotAt: (region, asOf) => pool.with((session) => snapshotAt(session, region, asOf)),
    snapshots: (query) => pool.with((session) => snapshotsOf(session, query)),
    regimesOf: (query) => pool.with((session) => regimesOf(session, query)),
    newestRegimes: (asOf) => pool.with((session) => newestRegimes(session, asOf)),
    judgements: (query) => pool.with((session) => judgementsOf(session, query)),
    thinSnapshots: (now) => thinSnapshots(writer, now),
    query: (sql, bounds) => asked.with((session) => queryViews(session, sql, bounds)),
    cachedBytes: () => pool.with(cachedBytes),
    close: () => (closing ??= close()),
  }
}

/** Stores rows; runs that have read some of them before read anew once they can be read. */
async function storing<Result>(
  readings: RunReadings,
  store: (arriving: RowsArriving) => Promise<Result>,
): Promise<Result> {
  const arriving = readings.arriving()
  let hasFailed = true
  try {
    const result = await store(arriving)
    hasFailed = false
    return result
  } finally {
    arriving.over(hasFailed)
  }
}

/** Where the engine spills too; null where nothing may. */
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
