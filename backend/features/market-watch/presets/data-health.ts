import { DAY, type Millis } from '../../../domain/units.ts'
import { VENUES } from '../../../domain/venue.ts'
import type { CoverageRow } from '../../../history/coverage.ts'
import { isoOrNull } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import { newestOf, type PanelContent } from '../panel-content.ts'
import type { Gap } from '../../../contract/panels/panel-payloads.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_GAPS = 20
/** Most coverage statements read; both feeds of a span and its repair are separate statements. */
const STATEMENTS = 200

const isVenue = (source: string): boolean => VENUES.some((venue) => venue === source)

/** Whether a repair covers the whole gap. */
const covers = (gap: CoverageRow, repair: CoverageRow): boolean =>
  repair.state === 'repaired' &&
  repair.feed === gap.feed &&
  repair.market === gap.market &&
  repair.venue === gap.venue &&
  repair.from <= gap.from &&
  repair.to !== null &&
  gap.to !== null &&
  repair.to >= gap.to

/** Each span once over all feeds; missing if one feed misses it. */
function intervalsOf(
  statements: readonly CoverageRow[],
  tickerOf: (row: CoverageRow) => string | null,
): Gap[] {
  const intervals = new Map<string, Gap>()
  const unrepairedGaps = statements.filter(
    (row) => row.state !== 'gap' || !statements.some((other) => covers(row, other)),
  )
  for (const row of unrepairedGaps) {
    const key = `${row.market ?? row.venue} ${row.from} ${row.to}`
    const isGap = row.state === 'gap' || intervals.get(key)?.state === 'gap'
    intervals.set(key, {
      source: row.venue,
      ticker: tickerOf(row),
      from: isoOf(row.from),
      to: isoOrNull(row.to),
      state: isGap ? 'gap' : 'repaired',
    })
  }
  return [...intervals.values()]
}

/** Health of every source, and the feed gaps of the day. */
export async function dataHealth({
  condition,
  history,
  clock,
}: Pick<PanelSources, 'condition' | 'history' | 'clock'>): Promise<PanelContent> {
  const now = clock.now()
  const from = (now - DAY) as Millis
  const statements = await history.gaps({
    venue: null,
    from,
    to: now,
    asOf: now,
    limit: STATEMENTS,
  })
  const sources = condition.sources()
  const lastReceivedTimes = sources
    .filter(({ source }) => isVenue(source))
    .flatMap(({ lastReceivedAt }) => (lastReceivedAt === null ? [] : [Date.parse(lastReceivedAt)]))
  return {
    payload: {
      kind: 'data_health',
      status: condition.status(),
      sources,
      gaps: intervalsOf(statements, ({ market }) =>
        market === null ? null : history.keyOf(market).ticker,
      ).slice(0, MAX_GAPS),
      ingestPerSecond: condition.ingestPerSecond(),
    },
    source: { name: 'coverage', asOf: newestOf(lastReceivedTimes as Millis[]), cadence: 'polled' },
  }
}
