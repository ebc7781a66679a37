import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketId } from './market-key.ts'

/**
 * What we have of a feed over a time: streamed, fetched, taken from a recording, missing, or missing
 * at first and fetched later.
 */
export const COVERAGE_STATES = ['live', 'polled', 'imported', 'gap', 'repaired'] as const
export type CoverageState = (typeof COVERAGE_STATES)[number]
/** Prints, or quotes and books: venues keep the first and can be asked again, seldom the second. */
export const COVERAGE_FEEDS = ['trades', 'quotes'] as const
export type CoverageFeed = (typeof COVERAGE_FEEDS)[number]

/**
 * One statement about the continuity of a feed; statements are only ever added. An open one (`to`
 * null) stands until a later one of the same scope, feed, state and `from` replaces it, which is how
 * a stretch is ended. Where several known ones cover an instant, `repaired` wins over a `gap` known
 * before it, a `gap` over all other states, and among those the one known last; of statements known
 * at one instant the later appended counts as known later.
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
  /** For people: why it is a gap, what file it came from; null when the state says it all. */
  readonly reason: string | null
}

/** How long rows of a feed took from the time that the venue states to the time we knew them. */
export interface FeedLag {
  readonly venue: Venue
  readonly feed: CoverageFeed
  readonly rows: number
  /** Half of the rows took no longer. */
  readonly medianMs: Millis
  /** Of a hundred rows 95 took no longer. */
  readonly p95Ms: Millis
}

/** A stretch of one market's feed in one state; nothing is known outside of the stretches. */
export interface CoverageSpan {
  readonly state: CoverageState
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
  /** Of the statement that decides the stretch. */
  readonly reason: string | null
}

export interface CoverageWindow {
  readonly from: Millis
  /** Exclusive. */
  readonly to: Millis
  readonly asOf: Millis
}

/** A statement in force, with its end as known at the asked instant. */
interface Standing {
  readonly row: CoverageRow
  readonly end: number
  /** Place in the order of being known. */
  readonly order: number
}

/**
 * What is known at `asOf` of one feed of one market in [from, to): the statements of its venue and
 * its own, resolved by the rule of `CoverageRow` to ascending stretches that do not overlap.
 * Neighbours of one state and reason are one stretch.
 * @param statements of one feed of one market (venue-wide ones among them), in the order appended
 */
export function resolveCoverage(
  statements: readonly CoverageRow[],
  { from, to, asOf }: CoverageWindow,
): CoverageSpan[] {
  const standing = inForce(statements, asOf)
    .map((row, order): Standing => ({ row, end: row.to ?? asOf, order }))
    .filter(({ row, end }) => Math.max(row.from, from) < Math.min(end, to))
  const edges = new Set<number>()
  for (const { row, end } of standing) edges.add(Math.max(row.from, from)).add(Math.min(end, to))
  const instants = [...edges].sort((a, b) => a - b)

  const arriving = standing.toSorted((a, b) => a.row.from - b.row.from)
  let arrived = 0
  let covering: Standing[] = []
  const spans: CoverageSpan[] = []
  for (const [index, start] of instants.entries()) {
    const end = instants[index + 1]
    if (end === undefined) break
    covering = covering.filter((statement) => statement.end > start)
    for (let next = arriving[arrived]; next && next.row.from <= start; next = arriving[arrived]) {
      covering.push(next)
      arrived += 1
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

/** Statements known at `asOf` in the order of being known, without open ones replaced by then. */
function inForce(statements: readonly CoverageRow[], asOf: Millis): CoverageRow[] {
  const known = statements
    .filter((row) => row.knownAt <= asOf)
    .toSorted((a, b) => a.knownAt - b.knownAt)
  const newest = new Map(known.map((row) => [stretchOf(row), row]))
  return known.filter((row) => row.to !== null || newest.get(stretchOf(row)) === row)
}

/** Statements of one stretch are versions of each other as long as it is open. */
export const stretchOf = (row: CoverageRow): string =>
  `${row.market ?? row.venue} ${row.feed} ${row.state} ${row.from}`

/** The statement that counts where all of these cover an instant. */
function decisiveOf(covering: readonly Standing[]): Standing | null {
  const newestOf = (among: readonly Standing[]): Standing | null =>
    among.reduce<Standing | null>(
      (newest, next) => (newest === null || next.order > newest.order ? next : newest),
      null,
    )
  const isGap = ({ row }: Standing): boolean => row.state === 'gap'
  if (!covering.some(isGap)) return newestOf(covering)
  return newestOf(covering.filter((one) => isGap(one) || one.row.state === 'repaired'))
}
