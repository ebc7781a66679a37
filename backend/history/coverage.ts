import type { CoverageFeed } from '../domain/coverage-feed.ts'
import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/**
 * State of a feed over a time: streamed, polled, imported from a recording, missing, or missing at
 * first and fetched later.
 */
export const COVERAGE_STATES = ['live', 'polled', 'imported', 'gap', 'repaired'] as const
export type CoverageState = (typeof COVERAGE_STATES)[number]

/**
 * One statement about the continuity of a feed; statements are append-only. An open one (`to`
 * null) applies until a later one of the same scope, feed, state and `from` replaces it, which is
 * how a span is ended. Where several known statements cover an instant, `repaired` wins over a
 * `gap` known before it, a `gap` over all other states, and among those the one known last; of
 * statements known at one instant the one appended later counts as known later.
 */
export interface CoverageRow {
  readonly venue: Venue
  /** Null: every market of the venue. */
  readonly market: MarketId | null
  readonly feed: CoverageFeed
  readonly state: CoverageState
  readonly from: Millis
  /** Exclusive; null while it lasts. */
  readonly to: Millis | null
  readonly knownAt: Millis
  /**
   * For people: why it is a gap, or which file it came from; null when the state needs no
   * explanation.
   */
  readonly reason: string | null
}

/** Delay of a feed's rows from the venue's time to the time they became known. */
export interface FeedLag {
  readonly venue: Venue
  readonly feed: CoverageFeed
  readonly rows: number
  /** Median delay. */
  readonly medianMs: Millis
  /** 95th percentile of the delay. */
  readonly p95Ms: Millis
}

/** A span of one market's feed in one state; nothing is known outside of the spans. */
export interface CoverageSpan {
  readonly state: CoverageState
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
  /** Reason of the statement that decides the span. */
  readonly reason: string | null
}

export interface CoverageWindow {
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
  readonly asOf: Millis
}

/** A statement in force, with its end as known at `asOf`. */
interface Statement {
  readonly row: CoverageRow
  readonly end: number
  /** Rank in the order of becoming known. */
  readonly sequence: number
}

/**
 * Coverage of one feed of one market in [from, to) as known at `asOf`: the statements of its venue
 * and its own, resolved by the rule of `CoverageRow` to ascending spans that do not overlap.
 * Adjacent spans of one state and reason are merged.
 * @param statements of one feed of one market (venue-wide ones included), in the order appended
 */
export function resolveCoverage(
  statements: readonly CoverageRow[],
  { from, to, asOf }: CoverageWindow,
): CoverageSpan[] {
  const current = statementsInForce(statements, asOf)
    .map((row, sequence): Statement => ({ row, end: row.to ?? asOf, sequence }))
    .filter(({ row, end }) => Math.max(row.from, from) < Math.min(end, to))
  const edges = new Set<number>()
  for (const { row, end } of current) edges.add(Math.max(row.from, from)).add(Math.min(end, to))
  const instants = [...edges].sort((a, b) => a - b)

  const arriving = current.toSorted((a, b) => a.row.from - b.row.from)
  let arrivedRows = 0
  let covering: Statement[] = []
  const spans: CoverageSpan[] = []
  for (const [index, start] of instants.entries()) {
    const end = instants[index + 1]
    if (end === undefined) break
    covering = covering.filter((statement) => statement.end > start)
    for (
      let next = arriving[arrivedRows];
      next && next.row.from <= start;
      next = arriving[arrivedRows]
    ) {
      covering.push(next)
      arrivedRows += 1
    }
    const decisive = decisiveOf(covering)
    if (decisive === null) continue
    const { state, reason } = decisive.row
    const last = spans.at(-1)
    if (last?.to === start && last.state === state && last.reason === reason) {
      spans[spans.length - 1] = { ...last, to: end as Millis }
    } else spans.push({ state, from: start as Millis, to: end as Millis, reason })
  }
  return spans
}

/**
 * Statements known at `asOf` in the order of becoming known, without open ones replaced by then.
 */
function statementsInForce(statements: readonly CoverageRow[], asOf: Millis): CoverageRow[] {
  const visible = statements
    .filter((row) => row.knownAt <= asOf)
    .toSorted((a, b) => a.knownAt - b.knownAt)
  const newest = new Map(visible.map((row) => [intervalOf(row), row]))
  return visible.filter((row) => row.to !== null || newest.get(intervalOf(row)) === row)
}

/** Statements with the same key are versions of one span while it is open. */
export const intervalOf = (row: CoverageRow): string =>
  `${row.market ?? row.venue} ${row.feed} ${row.state} ${row.from}`

/** The statement that decides where all of these cover an instant. */
function decisiveOf(covering: readonly Statement[]): Statement | null {
  const newestOf = (statements: readonly Statement[]): Statement | null =>
    statements.reduce<Statement | null>(
      (newest, next) => (newest === null || next.sequence > newest.sequence ? next : newest),
      null,
    )
  const isGap = ({ row }: Statement): boolean => row.state === 'gap'
  if (!covering.some(isGap)) return newestOf(covering)
  return newestOf(
    covering.filter((statement) => isGap(statement) || statement.row.state === 'repaired'),
  )
}
