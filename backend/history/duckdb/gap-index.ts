import type { Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { resolveCoverage, stretchOf, type CoverageWindow } from '../coverage.ts'
import type { CoverageFeed, CoverageRow, CoverageSpan, MarketId } from '../history-store.ts'

/** The statements about one stretch, in the order appended, and how far any of them can reach. */
interface Stretch {
  readonly from: number
  end: number
  readonly rows: CoverageRow[]
}

/**
 * Stretches by start. `reach` at a place is the furthest end up to there, so that a search back from
 * the end of a window stops where nothing can reach into it.
 */
class Timeline {
  readonly #stretches: Stretch[] = []
  readonly #reach: number[] = []

  add(row: CoverageRow): void {
    const place = this.#placeAfter(row.from)
    let at = place - 1
    const name = stretchOf(row)
    for (; at >= 0 && this.#stretches[at]?.from === row.from; at--) {
      const stretch = this.#stretches[at]
      if (stretch?.rows[0] === undefined || stretchOf(stretch.rows[0]) !== name) continue
      stretch.rows.push(row)
      stretch.end = endOf(stretch.rows)
      this.#measureFrom(at)
      return
    }
    this.#stretches.splice(place, 0, { from: row.from, end: endOf([row]), rows: [row] })
    this.#reach.splice(place, 0, 0)
    this.#measureFrom(place)
  }

  /** Statements of the stretches that can meet [from, to). */
  collect(from: number, to: number, into: CoverageRow[]): void {
    for (let at = this.#placeAfter(to) - 1; at >= 0; at--) {
      if ((this.#reach[at] ?? 0) <= from) return
      const stretch = this.#stretches[at]
      if (stretch !== undefined && stretch.end > from) into.push(...stretch.rows)
    }
  }

  /** Where a stretch that starts at `from` goes: behind all that start no later. */
  #placeAfter(from: number): number {
    let [low, high] = [0, this.#stretches.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#stretches[middle]?.from ?? 0) <= from) low = middle + 1
      else high = middle
    }
    return low
  }

  #measureFrom(place: number): void {
    let reach = this.#reach[place - 1] ?? -Infinity
    for (let at = place; at < this.#stretches.length; at++) {
      reach = Math.max(reach, this.#stretches[at]?.end ?? 0)
      this.#reach[at] = reach
    }
  }
}

/** An open statement reaches on until it is replaced, and to that moment for those who ask before. */
function endOf(rows: readonly CoverageRow[]): number {
  const newest = rows.reduce((known, row) => (row.knownAt >= known.knownAt ? row : known))
  if (newest.to === null) return Infinity
  return Math.max(...rows.map((row) => Math.max(row.to ?? 0, row.knownAt)))
}

/**
 * Gaps and repairs in memory: whether a bar crosses a gap is asked with every candle query, and for
 * nearly all of them there is none.
 */
export class GapIndex {
  readonly #timelines = new Map<string, Timeline>()

  /** Takes statements in the order they were appended; states other than gaps are passed over. */
  add(rows: readonly CoverageRow[]): void {
    for (const row of rows) {
      if (row.state !== 'gap' && row.state !== 'repaired') continue
      const scope = scopeOf(row.feed, row.market ?? row.venue)
      let timeline = this.#timelines.get(scope)
      if (timeline === undefined) this.#timelines.set(scope, (timeline = new Timeline()))
      timeline.add(row)
    }
  }

  /** Stretches of the feed that were missing as known at `asOf`: ascending, not overlapping. */
  gapsOf(
    { market, venue }: { readonly market: MarketId; readonly venue: Venue },
    feed: CoverageFeed,
    window: CoverageWindow,
  ): CoverageSpan[] {
    const statements: CoverageRow[] = []
    for (const scope of [venue, market]) {
      this.#timelines.get(scopeOf(feed, scope))?.collect(window.from, window.to, statements)
    }
    if (statements.length === 0) return []
    return resolveCoverage(statements, window).filter(({ state }) => state === 'gap')
  }
}

const scopeOf = (feed: CoverageFeed, of: Venue | MarketId): string => `${feed} ${of}`
