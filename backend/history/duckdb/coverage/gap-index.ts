import type { Venue } from '../../../domain/market.ts'
import type { CoverageFeed } from '../../../domain/coverage-feed.ts'
import type { CoverageRow, CoverageSpan, CoverageWindow } from '../../coverage.ts'
import { resolveCoverage, intervalOf } from '../../coverage.ts'
import type { MarketId } from '../../market-key.ts'

/** A statement and its index in the order of all appended ones. */
interface IndexedStatement {
  readonly row: CoverageRow
  readonly ordinal: number
}

/** The statements about one span, in the order appended, and the furthest end of any of them. */
interface Interval {
  readonly name: string
  readonly from: number
  end: number
  readonly members: IndexedStatement[]
}

/**
 * Spans by start. `maxEnds` at an index is the furthest end up to there, so that a search back from
 * the end of a window stops where nothing can overlap it.
 */
class Timeline {
  readonly #intervals: Interval[] = []
  readonly #maxEnds: number[] = []

  add(statement: IndexedStatement): void {
    const { from } = statement.row
    const name = intervalOf(statement.row)
    const insertIndex = this.#placeAfter(from)
    for (let index = insertIndex - 1; this.#intervals[index]?.from === from; index--) {
      const interval = this.#intervals[index]
      if (interval?.name !== name) continue
      interval.members.push(statement)
      interval.end = endOf(interval.members)
      this.#measureFrom(index)
      return
    }
    const members = [statement]
    this.#intervals.splice(insertIndex, 0, { name, from, end: endOf(members), members })
    this.#maxEnds.splice(insertIndex, 0, 0)
    this.#measureFrom(insertIndex)
  }

  /** Collects the statements of the spans that can overlap [from, to). */
  collect(from: number, to: number, output: IndexedStatement[]): void {
    for (let index = this.#placeAfter(to) - 1; index >= 0; index--) {
      if ((this.#maxEnds[index] ?? 0) <= from) return
      const interval = this.#intervals[index]
      if (interval !== undefined && interval.end > from) output.push(...interval.members)
    }
  }

  /** Index for a span that starts at `from`: after all that start no later. */
  #placeAfter(from: number): number {
    let [low, high] = [0, this.#intervals.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#intervals[middle]?.from ?? 0) <= from) low = middle + 1
      else high = middle
    }
    return low
  }

  #measureFrom(ordinal: number): void {
    let maxEnd = this.#maxEnds[ordinal - 1] ?? -Infinity
    for (let index = ordinal; index < this.#intervals.length; index++) {
      maxEnd = Math.max(maxEnd, this.#intervals[index]?.end ?? 0)
      this.#maxEnds[index] = maxEnd
    }
  }
}

/**
 * An open statement has no end until it is replaced, and still has none for reads as of before
 * that.
 */
function endOf(members: readonly IndexedStatement[]): number {
  const rows = members.map(({ row }) => row)
  const newest = rows.reduce((latest, row) => (row.knownAt >= latest.knownAt ? row : latest))
  if (newest.to === null) return Infinity
  return Math.max(...rows.map((row) => Math.max(row.to ?? 0, row.knownAt)))
}

/**
 * Gaps and repairs in memory: every candle query checks whether a bar overlaps a gap, and almost
 * none does.
 */
export class GapIndex {
  readonly #timelines = new Map<string, Timeline>()
  #count = 0

  /** Adds statements in the order appended; states other than gaps and repairs are ignored. */
  add(rows: readonly CoverageRow[]): void {
    for (const row of rows) {
      if (row.state !== 'gap' && row.state !== 'repaired') continue
      const scope = scopeOf(row.feed, row.market ?? row.venue)
      let timeline = this.#timelines.get(scope)
      if (timeline === undefined) this.#timelines.set(scope, (timeline = new Timeline()))
      timeline.add({ row, ordinal: this.#count++ })
    }
  }

  /** Spans of the feed that were missing as known at `asOf`: ascending, not overlapping. */
  gapsOf(
    { market, venue }: { readonly market: MarketId; readonly venue: Venue },
    feed: CoverageFeed,
    window: CoverageWindow,
  ): CoverageSpan[] {
    const members: IndexedStatement[] = []
    for (const scope of [venue, market]) {
      this.#timelines.get(scopeOf(feed, scope))?.collect(window.from, window.to, members)
    }
    if (members.length === 0) return []
    const statements = members.sort((a, b) => a.ordinal - b.ordinal).map(({ row }) => row)
    return resolveCoverage(statements, window).filter(({ state }) => state === 'gap')
  }
}

const scopeOf = (feed: CoverageFeed, venueOrMarket: Venue | MarketId): string => `${feed} ${venueOrMarket}`
