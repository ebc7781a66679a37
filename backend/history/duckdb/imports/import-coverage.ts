import type { Millis } from '../../../domain/units.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { CoverageRow } from '../../coverage.ts'
import type { StagedKind } from '../../history-copies.ts'
import type { MarketId } from '../../market-key.ts'
import { appendColumns, readDoubles, readIntegers } from '../engine/columns.ts'
import type { Session, Writer } from '../engine/connections.ts'
import { coverageColumns, statementsOfSource } from '../coverage/coverage.ts'
import type { MarketRegistry } from '../facts/registry.ts'

/**
 * Coverage that a kind of rows proves: of which feed, over which columns, and by which of its
 * rows.
 */
interface ProvenCoverage {
  readonly feed: CoverageFeed
  readonly from: string
  readonly to: string
  readonly rows: string
}

const TICKS = { from: 'ts', to: 'ts + 1', rows: 'true' }
const COVERAGE_OF_KIND: Readonly<Record<Exclude<StagedKind, 'activity'>, ProvenCoverage>> = {
  trades: { feed: 'trades', ...TICKS },
  quotes: { feed: 'quotes', ...TICKS },
  books: { feed: 'quotes', ...TICKS },
  // A bar without volume proves nothing about trades; it is stored under its end.
  candles: { feed: 'trades', from: 'start', to: 'ts', rows: 'volume is not null' },
}

const intervalsSql = ({ from, to, rows }: ProvenCoverage): string => `
  select market::integer, min(${from})::double, max(${to})::double, max(ts + lag)::double
    from read_parquet($path) where ${rows} group by 1 order by 1`

interface Interval {
  readonly market: MarketId
  readonly from: number
  readonly to: number
  readonly knownAt: number
}

/**
 * Records the coverage of a staged file: for each of its markets from the first to the last row,
 * known when the last row was. Further files of one source extend it; coverage that is already
 * known is not recorded again. Runs in the transaction that stores the rows.
 */
export async function coverImport(
  session: Session,
  writer: Writer,
  registry: MarketRegistry,
  file: { readonly staged: StagedKind; readonly path: string; readonly source: string },
): Promise<void> {
  if (file.staged === 'activity') return
  const coverage = COVERAGE_OF_KIND[file.staged]
  const intervals = await intervalsIn(session, coverage, file.path)
  const existing = hulls(await statementsOfSource(session, coverage.feed, file.source))
  const rows = intervals.flatMap((interval): CoverageRow[] => {
    const previous = existing.get(interval.market)
    if (previous !== undefined && previous.from <= interval.from && previous.to >= interval.to)
      return []
    const hull = previous === undefined ? interval : join(previous, interval)
    return [
      {
        venue: registry.keyOf(interval.market).venue,
        market: interval.market,
        feed: coverage.feed,
        state: 'imported',
        from: hull.from as Millis,
        to: hull.to as Millis,
        knownAt: hull.knownAt as Millis,
        reason: file.source,
      },
    ]
  })
  if (rows.length === 0) return
  const appender = await writer.appender('coverage')
  appendColumns(appender, coverageColumns(rows), rows.length)
  appender.flushSync()
}

async function intervalsIn(
  session: Session,
  proven: ProvenCoverage,
  path: string,
): Promise<Interval[]> {
  const chunks = await session.read(intervalsSql(proven), { path })
  return chunks.flatMap((chunk) => {
    const market = readIntegers(chunk, 0)
    const [from, to, knownAt] = [
      readDoubles(chunk, 1),
      readDoubles(chunk, 2),
      readDoubles(chunk, 3),
    ]
    return Array.from({ length: chunk.rowCount }, (_, i) => ({
      market: market[i] ?? -1,
      from: from[i] ?? 0,
      to: to[i] ?? 0,
      knownAt: knownAt[i] ?? 0,
    }))
  })
}

function hulls(statements: readonly CoverageRow[]): Map<MarketId, Interval> {
  const byMarket = new Map<MarketId, Interval>()
  for (const { market, from, to, knownAt } of statements) {
    if (market === null || to === null) continue
    const previous = byMarket.get(market)
    const interval = { market, from, to, knownAt }
    byMarket.set(market, previous === undefined ? interval : join(previous, interval))
  }
  return byMarket
}

const join = (a: Interval, b: Interval): Interval => ({
  market: a.market,
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
  knownAt: Math.max(a.knownAt, b.knownAt),
})
